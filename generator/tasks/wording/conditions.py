"""Comparisons as clauses: `the total price of that booking is more than 500`, and what joins them.

Invariant: every condition leaves a cue, by which it is found in the text again. Not covered: conditions on the rows of
a list (`choices`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autoforge.generator.tasks.catalogue import ColumnName, Slot
from autoforge.generator.tasks.wording.grammar import Phrase
from autoforge.generator.tasks.wording.leaves import Leaf
from autoforge.generator.tasks.wording.names import english_name, last_name
from autoforge.generator.tasks.wording.origins import Origin, Row
from autoforge.mcp_envs.task import ListOf, Literally, Output, Reasoning, Source, UserValue

if TYPE_CHECKING:
    from autoforge.generator.tasks.wording.teller import Teller

__all__ = ["LOGIC", "comparison", "condition", "leave_cue", "operand", "operands_of", "truth_of"]

_OPPOSITE = {
    "equal": "not_equal", "not_equal": "equal", "less": "greater_equal", "less_equal": "greater",
    "greater": "less_equal", "greater_equal": "less", "contains": "not contains", "in": "not in",
}  # fmt: skip
LOGIC = frozenset({"both", "either", "negate", "compare", "contains_text"})


def condition(teller: Teller, node: Reasoning, holds: bool = True) -> str:
    """A clause that is true where the node is (or is not)."""
    teller.memory.worded.add(node.id)
    if node.reason in ("both", "either"):
        parts = [_part(teller, s) for s in operands_of(node)]
        leave_cue(teller, node, node.reason)
        text = teller.say(node.reason, first=parts[0], second=parts[-1])
        return text if holds else teller.say("negate", first=text)
    if node.reason == "negate":
        inner = operands_of(node)[0]
        judge = teller.node(inner.node) if isinstance(inner, Output) else None
        if not isinstance(judge, Reasoning):
            raise teller.rejected("a negation of what is no comparison has no words")
        text = condition(teller, judge, not holds)
        leave_cue(teller, node, "negate", *teller.memory.cues.get(judge.id, ()))
        return text
    if node.reason not in ("compare", "contains_text"):
        thing = teller.derived(node)
        return teller.say("true thing", thing=thing)
    compare: str = "contains" if node.reason == "contains_text" else node.compare or "equal"
    compare = compare if holds else _OPPOSITE[compare]
    first = teller.source(node.over) if node.over is not None else Phrase("")
    origin = teller.origins.of(node.over) if isinstance(node.over, Output) else Origin(None, "", "")
    given = next(iter(node.inputs.values()), None)
    truth = truth_of(teller, given)
    if truth is not None and origin.row is not None and (adjective := teller.flag_name(last_name(origin.field))):
        leave_cue(teller, node, "compare equal", adjective)
        if isinstance(given, UserValue):
            teller.memory.say_known(given.user, adjective, (adjective,))
        return teller.say("condition true" if truth is (compare == "equal") else "condition false",
                          thing=teller.row(origin.row), name=adjective)  # fmt: skip
    second = operand(teller, given, origin.field, origin.row)
    leave_cue(teller, node, "compare " + compare)
    words = comparison(teller, compare, origin.type or _derived_type(teller, node.over))
    words = (
        teller.grammar.agree(teller.grammar.name(english_name(last_name(origin.field))), words)
        if origin.field
        else words
    )
    return teller.say("condition", thing=first, comparison=words, value=second)


def _derived_type(teller: Teller, source: Source | None) -> str:
    node = teller.node(source.node) if isinstance(source, Output) else None
    dates = ("add_days", "later", "earlier", "date_of")
    return "date" if isinstance(node, Reasoning) and node.reason in dates else ""


def _part(teller: Teller, source: Source) -> str:
    node = teller.node(source.node) if isinstance(source, Output) else None
    if isinstance(node, Reasoning):
        return condition(teller, node)
    return teller.say("true thing", thing=teller.source(source))


def truth_of(teller: Teller, source: Source | None) -> bool | None:
    known = (
        teller.draft.known[source.user]
        if isinstance(source, UserValue)
        else (source.literal if isinstance(source, Literally) else None)
    )
    return known if isinstance(known, bool) else None


def operand(teller: Teller, source: Source | None, field: str = "", row: Row | None = None) -> Phrase:
    if source is None:
        raise teller.rejected("a comparison has no value")
    if isinstance(source, UserValue | Literally) and row is not None and row.shown is not None:
        column = next((c for c, path in row.shown.fields.items() if path == field), None)
        known = teller.catalogue.column(ColumnName(row.shown.table, column)) if column is not None else None
        schema = {"enum": list(known.enum)} if known is not None else {}
        return teller.source(
            source, Leaf((last_name(field) or "value",), source, Slot(("value",), schema, True, "value"))
        )
    return teller.source(source)


def comparison(teller: Teller, compare: str, type: str) -> str:
    table = teller.grammar.comparisons
    return table.get(f"{compare} date", table[compare]) if type == "date" else table[compare]


def leave_cue(teller: Teller, node: Reasoning, kind: str, *more: str) -> None:
    """Words of which one shows that the constraint is still there: those of the language for this kind, and `more`."""
    general = teller.grammar.templates.get(f"cue {kind}", ())
    if (node.n or 0) > 1 and kind == "superlative":
        number = node.n or 0
        ordinal = teller.grammar.ordinal(number)
        found: tuple[str, ...] = (
            ordinal,
            *(ordinal.replace("¤", "") + m for m in more),
            f"{number}.",
            {2: "2nd", 3: "3rd"}.get(number, f"{number}th"),
        )
    else:
        found = (*more, *general)
    teller.memory.cue(node.id, [form for cue in found for form in teller.grammar.forms(cue)])


def operands_of(node: Reasoning) -> list[Source]:
    """`over` first, then the inputs in their order; a number in `n` last."""
    over = list(node.over.items) if isinstance(node.over, ListOf) else [node.over]
    found = [s for s in (*over, *node.inputs.values()) if s is not None]
    return [*found, Literally(literal=node.n)] if node.n is not None else found
