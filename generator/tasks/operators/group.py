"""Operators on groups of items with the same value of `by`: `most_common`, `count_by`, `largest_sum_by`.

Invariant: the order of the list does not matter, and a tie for the first place is `Ambiguous`. Items whose field is
null or missing are in no group. The path of what `largest_sum_by` adds is the text `inputs.amount`; null amounts add
nothing. Not covered: groups by several fields.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

from autoforge.generator.tasks.operators.items import Valued, field_of, valued
from autoforge.generator.tasks.operators.numeric import exact, tidy
from autoforge.generator.tasks.operators.operator import Ambiguous, Operator, OperatorFault
from autoforge.generator.tasks.operators.values import distinct, identity, kind_of, text
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]


def _most_common(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    return _first(_counts(over, node.by))


def _count_by(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> dict[str, int]:
    return {_name(value): int(count) for value, count in _counts(over, node.by)}


def _largest_sum_by(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    return _first(_sums(over, node.by, text(inputs["amount"])))


def _counts(over: Any, by: str | None) -> list[tuple[Any, Fraction]]:
    return _measured(valued(over, by), lambda item: Fraction(1))


def _sums(over: Any, by: str | None, amount: str) -> list[tuple[Any, Fraction]]:
    valued(over, amount)

    def added(item: Any) -> Fraction:
        value = field_of(item, amount)
        return Fraction(0) if value is None else exact(value)

    return _measured(valued(over, by), added)


def _measured(found: list[Valued], measure: Any) -> list[tuple[Any, Fraction]]:
    """(value of the group, its measure), the largest first."""
    values = distinct(value for _, value in found)
    if len({kind_of(value) for value in values.values()}) > 1:
        raise OperatorFault("the groups are of different kinds")
    totals: dict[Hashable, Fraction] = dict.fromkeys(values, Fraction(0))
    for item, value in found:
        totals[identity(value)] += measure(item)
    return [(values[name], totals[name]) for name in sorted(totals, key=lambda n: totals[n], reverse=True)]


def _first(groups: list[tuple[Any, Fraction]]) -> Any:
    if not groups:
        raise OperatorFault("there are no groups")
    if len(groups) > 1 and groups[0][1] == groups[1][1]:
        raise Ambiguous(f"{groups[0][0]!r} and {groups[1][0]!r} are tied")
    return groups[0][0]


def _name(value: Any) -> str:
    """A value as the name of a property."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(tidy(exact(value)))


OPERATORS = (
    Operator("most_common", "items", "any", ("by",), _most_common),
    Operator("count_by", "items", "any", ("by",), _count_by),
    Operator("largest_sum_by", "items", "any", ("by", "inputs.amount"), _largest_sum_by),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """The other groups, the next one first; the group with most items, or with the largest single amount, for the one
    with the largest sum. None for `count_by`.
    """
    if node.reason == "count_by":
        return []
    counts = [value for value, _ in _counts(over, node.by)]
    if node.reason == "most_common":
        return counts
    amount = text(inputs["amount"])
    single = max(valued(over, amount), key=lambda one: exact(one.value)).item
    others = [value for value, _ in _sums(over, node.by, amount)][1:]
    return [value for value in (counts[0], field_of(single, node.by), *others) if value is not None]
