"""Words for rows that a reasoning node chooses: the cheapest, the second latest, the only one, those whose … is ….

Invariant: what narrows the rows that are chosen from is said, or the rows were mentioned before. Not covered: values
that are derived (`derivations`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from autoforge.generator.tasks.wording import scopes
from autoforge.generator.tasks.wording.conditions import comparison, leave_cue, operand, truth_of
from autoforge.generator.tasks.wording.fields import flag_words, of_its_own, superlative
from autoforge.generator.tasks.wording.grammar import Phrase
from autoforge.generator.tasks.wording.names import english_name, last_name, moment_name
from autoforge.generator.tasks.wording.origins import Row
from autoforge.mcp_envs.task import Output, Reasoning, UserValue

if TYPE_CHECKING:
    from autoforge.generator.tasks.wording.teller import Teller

__all__ = ["EXTREMES", "Over", "article_of", "rows", "rows_of", "things"]

EXTREMES = {"argmin": False, "argmax": True, "nth_lowest": False, "nth_highest": True}


class Over(NamedTuple):
    """The rows that a node works on, and the field of them."""

    row: Row
    field: str
    type: str


def rows(teller: Teller, node: Reasoning, row: Row) -> Phrase:
    """The item or items that a node chooses."""
    if node.reason in EXTREMES:
        return _extreme(teller, node, row)
    if node.reason in ("only", "filter", "only_where"):
        return _where(teller, node, row)
    if node.reason in ("union", "intersection", "difference", "choose", "coalesce"):
        return teller.derived(node)
    if node.reason == "distinct":
        leave_cue(teller, node, "distinct")
        return things(teller, rows_of(teller, node))
    raise teller.rejected(f"there are no words for {node.reason}, which chooses rows")


def _extreme(teller: Teller, node: Reasoning, row: Row) -> Phrase:
    grammar = teller.grammar
    most = EXTREMES[node.reason]
    field = node.by or ""
    shown = row.shown.types if row.shown is not None else {}
    type = shown.get(field, "")
    best = superlative(field, type, most, [f for f, t in shown.items() if f != field and t == "number"], grammar)
    ordinal = grammar.ordinal(node.n) if node.n is not None and node.n > 1 else ""
    noun = grammar.noun(row.noun)
    over = rows_of(teller, node)
    leave_cue(teller, node, "superlative", best.adjective)
    narrowed = _scope(teller, over)
    name = grammar.name(_label(field, type))
    template = "ordinal superlative" if ordinal else "superlative"
    adjective = grammar.inflect(best.adjective, grammar.noun(name))
    nth = grammar.definite(grammar.noun(name), ordinal)
    best_of = grammar.definite(grammar.noun(name), " ".join(w for w in (ordinal, best.adjective) if w))
    parts = {"ordinal": ordinal, "adjective": adjective, "name": name, "nth": nth, "best": best_of}
    pick = teller.say(template, **parts, **article_of(teller, name))
    tail = narrowed.text(teller) if narrowed is not None else ""
    if best.of_thing and narrowed is not None:
        adjectives = [w for w in (ordinal, best.adjective, narrowed.adjective) if w]
        return grammar.definite(noun, " ".join(adjectives)).plus(tail)
    if best.of_thing:
        chosen = things(teller, over)
        return grammar.definite(noun, " ".join(w for w in (ordinal, best.adjective) if w)).plus(
            teller.say("among all", things=chosen)
        )
    teller.memory.picks[row.key] = pick
    if narrowed is None:
        return grammar.definite(noun).plus(f"{pick} {teller.say('among all', things=things(teller, over))}")
    among = teller.say("among", scope=tail, **_plural(teller, row)) if tail else ""
    return grammar.definite(noun, narrowed.adjective).plus(f"{pick} {among}".strip())


def article_of(teller: Teller, name: str) -> dict[str, object]:
    """The article of a field, for languages in which it has a gender."""
    return {"the": teller.grammar.definite(teller.grammar.noun(name))}


def _plural(teller: Teller, row: Row) -> dict[str, object]:
    return {"those": teller.grammar.definite(teller.grammar.noun(row.noun), many=True)}


def _scope(teller: Teller, over: Over, *, many: bool = True) -> scopes.Narrowing | None:
    """The words that narrow the rows, apart from the noun; None where the rows are better named whole."""
    row = over.row
    if row.key in teller.memory.things:
        return None
    node = teller.node(row.node)
    teller.memory.worded.add(node.id)
    if isinstance(node, Reasoning):
        if node.reason != "filter":
            return None
        inner = _scope(teller, rows_of(teller, node), many=many)
        if inner is None:
            return None
        return inner.plus(_condition_on_row(teller, node, row, many=many))
    return scopes.narrowing(teller, node, row, many=many)


def things(teller: Teller, over: Over) -> Phrase:
    """The rows as a phrase."""
    return teller.row(over.row)


def rows_of(teller: Teller, node: Reasoning) -> Over:
    if not isinstance(node.over, Output):
        raise teller.rejected(f"{node.reason} works on what is no output")
    origin = teller.origins.of(node.over)
    if origin.row is None:
        raise teller.rejected(f"{node.reason} works on what is no list of rows")
    teller.memory.worded.add(node.id)
    return Over(origin.row, origin.field, origin.type)


def _where(teller: Teller, node: Reasoning, row: Row) -> Phrase:
    grammar = teller.grammar
    over = rows_of(teller, node)
    noun = grammar.noun(row.noun)
    narrowed = _scope(teller, over, many=row.many)
    where = "" if node.reason == "only" else _condition_on_row(teller, node, row, many=row.many)
    if node.reason == "only":
        leave_cue(teller, node, "only", row.noun, noun.text)
    if narrowed is None:
        return grammar.definite(noun, many=row.many).plus(
            f"{where} {teller.say('among all', things=things(teller, over))}".strip()
        )
    words = narrowed.plus(where).text(teller)
    if where and not row.many:
        teller.memory.picks[row.key] = where
    only = not row.many and (teller.chance.random() < 0.3 if words else node.reason == "only")
    return grammar.definite(noun, narrowed.adjective, many=row.many, which="only" if only else "the").plus(words)


def _condition_on_row(teller: Teller, node: Reasoning, row: Row, *, many: bool) -> str:
    """`whose status is pending`."""
    field = node.by or ""
    type = row.shown.types.get(field, "") if row.shown is not None else ""
    given = node.inputs.get("value")
    compare = node.compare or "equal"
    truth = truth_of(teller, given)
    name = teller.grammar.name(english_name(last_name(field)))
    leave_cue(
        teller, node, "compare " + compare, name, *((flag_words(last_name(field)) or "",) if truth is not None else ())
    )
    if truth is not None:
        text, words = scopes.flag(teller, last_name(field), truth is (compare == "equal"), many=many)
        if isinstance(given, UserValue):
            teller.memory.say_known(given.user, name, words)
        return text
    said = operand(teller, given, field, row)
    if not field:
        return teller.say("where thing", comparison=comparison(teller, compare, type), value=said)
    return teller.where(of_its_own(_label(field, type), row.noun), compare, said, type)


def _label(field: str, type: str) -> str:
    return moment_name(last_name(field)) if type == "date" else english_name(last_name(field))
