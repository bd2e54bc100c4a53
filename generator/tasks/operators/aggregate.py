"""Operators that make one value of a list: `count`, `sum`, `average`, `minimum`, `maximum`, `count_distinct`.

Invariant: the order of the list does not matter. With `by` they read that field of each item, without it the list holds
plain values. Null and missing fields are left out, but an average over some is `Ambiguous`; the sum of nothing is 0,
and there is no average, minimum or maximum of nothing. Not covered: groups (`group`).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from autoforge.generator.tasks.operators.alternatives import tried
from autoforge.generator.tasks.operators.choose import ranked
from autoforge.generator.tasks.operators.items import field_of, items_of, values_of
from autoforge.generator.tasks.operators.numeric import exact, tidy
from autoforge.generator.tasks.operators.operator import Ambiguous, Operator, OperatorFault
from autoforge.generator.tasks.operators.values import distinct, order
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]


def _count(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> int:
    return len(items_of(over)) if node.by is None else len(values_of(over, node.by))


def _count_distinct(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> int:
    return len(distinct(values_of(over, node.by)))


def _sum(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> int | float:
    return tidy(_total(values_of(over, node.by)))


def _average(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> int | float:
    values = values_of(over, node.by)
    if any(field_of(item, node.by) is None for item in over):
        raise Ambiguous(f"some items have no value at {node.by}: it is open whether they count")
    return _mean(values)


def _minimum(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    return _extreme(_sorted(node, over), 0)


def _maximum(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    return _extreme(_sorted(node, over), -1)


def _total(values: list[Any]) -> Fraction:
    return sum((exact(value) for value in values), Fraction(0))


def _mean(values: list[Any]) -> int | float:
    if not values:
        raise OperatorFault("there is no average of nothing")
    return tidy(_total(values) / len(values))


def _sorted(node: Reasoning, over: Any) -> list[Any]:
    return [value for _, value in ranked(values_of(over, node.by), None)]


def _extreme(values: list[Any], place: int) -> Any:
    """The value at an end; equal values are one value, written alike or not comparable."""
    for value in values:
        if order(values[place], value) == 0 and isinstance(value, str) and value != values[place]:
            raise Ambiguous(f"{value!r} and {values[place]!r} are as good")
    return values[place]


OPERATORS = (
    Operator("count", "items", "number", (), _count),
    Operator("sum", "items", "number", (), _sum),
    Operator("average", "items", "number", (), _average),
    Operator("minimum", "items", "any", (), _minimum),
    Operator("maximum", "items", "any", (), _maximum),
    Operator("count_distinct", "items", "number", (), _count_distinct),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """Off by one; an item forgotten; the other aggregates; the neighbour of an extreme."""
    if node.reason in ("count", "count_distinct"):
        count = len(items_of(over))
        right = (_count if node.reason == "count" else _count_distinct)(node, over, inputs)
        return [count, *tried(lambda: _count_distinct(node, over, inputs)), right + 1, *([right - 1] if right else [])]
    if node.reason in ("minimum", "maximum"):
        values = _sorted(node, over)
        return [values[0], values[-1], *(values if node.reason == "minimum" else values[::-1])]
    values = values_of(over, node.by)
    rests = [values[:i] + values[i + 1 :] for i in range(len(values))]
    of_all = tried(
        lambda: tidy(_total(values)), lambda: _mean(values), lambda: tidy(max(map(exact, values), default=0))
    )
    forgotten = _sum_of if node.reason == "sum" else _mean
    return [*of_all, *tried(*(lambda rest=rest: forgotten(rest) for rest in rests))]


def _sum_of(values: list[Any]) -> int | float:
    return tidy(_total(values))
