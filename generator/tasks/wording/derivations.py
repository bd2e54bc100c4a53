"""Words for values that a reasoning node derives: what is counted, summed, computed, moved by some days.

Invariant: each operator's phrase says all of its operands; an operator that has none raises Rejection. Every phrase
leaves a cue, by which the constraint is found in the text again. Not covered: what the operators compute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autoforge.generator.tasks.model.formulas import spoken
from autoforge.generator.tasks.wording.choices import EXTREMES, article_of, rows, rows_of, things
from autoforge.generator.tasks.wording.conditions import LOGIC, condition, leave_cue, operands_of
from autoforge.generator.tasks.wording.fields import kind_of_field
from autoforge.generator.tasks.wording.grammar import Phrase
from autoforge.generator.tasks.wording.names import english_name, last_name
from autoforge.generator.tasks.wording.values import number_text
from autoforge.mcp_envs.task import Literally, Output, Reasoning, Source, UserValue

if TYPE_CHECKING:
    from autoforge.generator.tasks.wording.teller import Teller

__all__ = ["count_question", "value"]


def value(teller: Teller, node: Reasoning) -> Phrase:
    """A derived value, or rows that are made of several."""
    teller.memory.worded.add(node.id)
    if node.reason in LOGIC:
        return Phrase(condition(teller, node))
    if node.reason in ("count", "sum", "average", "minimum", "maximum", "count_distinct", "most_common", "count_by",
                       "distinct", "largest_sum_by"):  # fmt: skip
        return Phrase(_aggregate(teller, node))
    if node.reason in ("argmin", "argmax", "nth_lowest", "nth_highest", "only", "only_where", "filter"):
        return _chosen_value(teller, node)
    return Phrase(_computed(teller, node))


def _chosen_value(teller: Teller, node: Reasoning) -> Phrase:
    """Of a list of plain values."""
    over = rows_of(teller, node)
    if node.reason in EXTREMES and over.field:
        low, high = teller.grammar.superlatives[kind_of_field(over.field, over.type)]
        adjective = high if EXTREMES[node.reason] else low
        ordinal = teller.grammar.ordinal(node.n) + " " if node.n is not None and node.n > 1 else ""
        leave_cue(teller, node, "superlative", adjective)
        name = teller.grammar.name(english_name(last_name(over.field)))
        the = teller.grammar.definite(teller.grammar.noun(name), f"{ordinal}{adjective}".strip())
        return Phrase(teller.say("field value of", field=the, thing=things(teller, over)))
    return rows(teller, node, over.row._replace(key=(node.id,), node=node.id, many=node.reason == "filter"))


def _aggregate(teller: Teller, node: Reasoning) -> str:
    over = rows_of(teller, node)
    counted = things(teller, over)
    field = node.by or over.field
    name = teller.grammar.name(english_name(last_name(field))) if field else teller.grammar.name(over.row.noun)
    kind = kind_of_field(field, over.row.shown.types.get(field, over.type) if over.row.shown else over.type)
    low, high = teller.grammar.superlatives[kind if kind != "text" else "number"]
    group = node.inputs.get("group")
    parts: dict[str, object] = {
        "things": counted, "name": name, "lowest": teller.grammar.definite(teller.grammar.noun(name), low),
        "highest": teller.grammar.definite(teller.grammar.noun(name), high), "names": teller.grammar.plural(name),
        "least": low, "most": high,
        "group": teller.source(group) if group is not None else name, **article_of(teller, name),
    }  # fmt: skip
    if node.reason == "largest_sum_by":
        parts["group"] = name
        parts["name"] = _summed(teller, node)
    template = "count noun" if node.reason == "count" else node.reason
    leave_cue(teller, node, node.reason)
    return teller.say(template, **parts)


def count_question(teller: Teller, node: Reasoning) -> str:
    """`how many … there are`."""
    counted = things(teller, rows_of(teller, node))
    leave_cue(teller, node, "count")
    short = len(f"{counted:of}".split()) <= 3
    return teller.say("how many" if short else "count noun", things=counted)


def _summed(teller: Teller, node: Reasoning) -> str:
    field = next(
        (s.literal for s in node.inputs.values() if isinstance(s, Literally) and isinstance(s.literal, str)), ""
    )
    return teller.grammar.name(english_name(last_name(field)) or "amount")


def _computed(teller: Teller, node: Reasoning) -> str:
    reason, operands = node.reason, operands_of(node)
    if reason == "choose":
        return _choice(teller, node)
    if reason == "expression":
        return _expression(teller, node)
    leave_cue(teller, node, reason)
    if reason in ("add", "multiply", "subtract", "divide") and len(operands) == 2:
        return _arithmetic(teller, node, operands)
    if reason == "add_days":
        return _add_days(teller, node, operands)
    if reason == "round_to":
        return teller.say("round_to", first=teller.source(operands[0]), digits=_digits(teller, node, operands))
    if reason == "join_text":
        return _joined_text(teller, node)
    if reason in ("date_of", "weekday", "month_of"):
        return teller.say(reason, first=teller.source(operands[0]))
    if len(operands) == 2 and reason in teller.grammar.templates:
        first, second = (teller.source(s) for s in operands)
        return teller.say(reason, first=first, second=second)
    raise teller.rejected(f"there are no words for the operator {reason}")


def _joined_text(teller: Teller, node: Reasoning) -> str:
    mark = node.inputs.get("separator")
    operands = [s for s in operands_of(node) if s is not mark]
    text = teller.say("join_text", parts=teller.grammar.series([str(teller.source(s)) for s in operands]))
    if isinstance(mark, Literally) and str(mark.literal).strip():
        return teller.say("joined by", text=text, mark=f'"{mark.literal}"')
    return (
        text
        if mark is None or isinstance(mark, Literally)
        else teller.say("joined by", text=text, mark=teller.source(mark))
    )


def _arithmetic(teller: Teller, node: Reasoning, operands: list[Source]) -> str:
    first, second = operands
    number = second.literal if isinstance(second, Literally) else None
    named = {("multiply", 2): "double", ("divide", 2): "half", ("divide", 3): "third", ("divide", 4): "quarter",
             ("multiply", 0.5): "half"}  # fmt: skip
    short = named.get((node.reason, number)) if isinstance(number, int | float) else None
    if short is not None:
        leave_cue(teller, node, short)
        return teller.say(short, first=teller.source(first))
    return teller.say(node.reason, first=teller.source(first), second=teller.source(second))


def _add_days(teller: Teller, node: Reasoning, operands: list[Source]) -> str:
    amount = operands[1] if len(operands) > 1 else Literally(literal=1)
    number = amount.literal if isinstance(amount, Literally) else None
    first = teller.source(operands[0])
    if isinstance(amount, UserValue):
        known = teller.draft.known[amount.user]
        number = known if isinstance(known, int) and not isinstance(known, bool) else None
        days = _days(teller, number)
        text = days if number is not None else teller.known(amount.user)
        teller.memory.say_known(amount.user, "days", (text, number_text(abs(number)) if number is not None else text))
    elif isinstance(number, int):
        days = _days(teller, number)
    else:
        days = teller.say("days of", thing=teller.source(amount))
    back = isinstance(number, int) and number < 0
    return teller.say("add_days before" if back else "add_days", first=first, days=days)


def _days(teller: Teller, number: int | None) -> str:
    size = abs(number or 0)
    return teller.say("day") if size == 1 else teller.say("days", n=size)


def _digits(teller: Teller, node: Reasoning, operands: list[Source]) -> str:
    number = operands[1].literal if len(operands) > 1 and isinstance(operands[1], Literally) else 0
    if not isinstance(number, int) or number == 0:
        return teller.say("whole")
    return teller.say("decimal") if number == 1 else teller.say("decimals", n=number)


def _choice(teller: Teller, node: Reasoning) -> str:
    """One of two values by a condition: `over` is the condition, or the first input that is a comparison."""
    sources = [s for s in (node.over, *node.inputs.values()) if s is not None]
    test = next((s for s in sources if isinstance(s, Output) and _is_logic(teller, s)), None)
    rest = [s for s in sources if s is not test]
    if not isinstance(test, Output) or len(rest) != 2:
        raise teller.rejected("a choice without a condition and two values has no words")
    judge = teller.node(test.node)
    assert isinstance(judge, Reasoning)
    leave_cue(teller, node, "choose")
    first, second = (teller.source(s) for s in rest)
    return teller.say("choose", condition=condition(teller, judge), first=first, second=second)


def _derived_field(teller: Teller, node: Reasoning, words: str, row: Output) -> str:
    """A figure that follows from a row: what people call it, and how it is worked out."""
    thing = teller.origins.of(row).row
    formula = spoken(node.expression or "")
    if thing is None or len(formula) > 80:
        raise teller.rejected("the derived field has no words")
    teller.memory.cue(node.id, (words,))
    return teller.say("derived field", name=words, formula=formula, thing=teller.row(thing))


def _is_logic(teller: Teller, source: Output) -> bool:
    node = teller.node(source.node)
    return isinstance(node, Reasoning) and node.reason in LOGIC


def _expression(teller: Teller, node: Reasoning) -> str:
    if node.by is not None and isinstance(node.over, Output):
        return _derived_field(teller, node, node.by, node.over)
    given = {**({"over": node.over} if node.over is not None else {}), **node.inputs}
    formula = (node.expression or "").strip()
    if not formula or len(formula) > 80 or not all(c.isalnum() or c in " _+-*/().,%<>=" for c in formula):
        raise teller.rejected("the expression has no words")
    names = [teller.say("expression name", name=name, thing=teller.source(source)) for name, source in given.items()]
    teller.memory.cue(node.id, (formula,))
    if not names:
        return teller.say("expression plain", formula=formula)
    return teller.say("expression", formula=formula, names=teller.grammar.series(names))
