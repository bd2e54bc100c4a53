"""Operators on lists of plain values as sets: `union`, `intersection`, `difference`, `distinct`.

Invariant: a value occurs once in the result, in the order of first occurrence; nulls are left out. Not covered: lists
of objects (take a field of each first, by a path with `[*]`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from autoforge.generator.tasks.operators.items import items_of
from autoforge.generator.tasks.operators.operator import Operator
from autoforge.generator.tasks.operators.values import distinct
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]

_Set = dict[Hashable, Any]


def _set(values: Any) -> _Set:
    return distinct(value for value in items_of(values) if value is not None)


def _operands(over: Any, inputs: Mapping[str, Any]) -> tuple[_Set, _Set]:
    one, other = _set(over), _set(inputs["value"])
    distinct([*one.values(), *other.values()])  # texts of one that differ from texts of the other by case alone
    return one, other


def _union(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    one, other = _operands(over, inputs)
    return list({**one, **{name: value for name, value in other.items() if name not in one}}.values())


def _intersection(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    one, other = _operands(over, inputs)
    return [value for name, value in one.items() if name in other]


def _difference(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    one, other = _operands(over, inputs)
    return [value for name, value in one.items() if name not in other]


def _distinct(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    return list(_set(over).values())


OPERATORS = (
    Operator("union", "items", "items", ("inputs.value",), _union),
    Operator("intersection", "items", "items", ("inputs.value",), _intersection),
    Operator("difference", "items", "items", ("inputs.value",), _difference),
    Operator("distinct", "items", "items", (), _distinct),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """The other set operations, the difference the other way round, the lists as they are."""
    if node.reason == "distinct":
        return [over]
    swapped = {"value": over}
    made = [_union(node, over, inputs), _intersection(node, over, inputs), _difference(node, over, inputs),
            _difference(node, inputs["value"], swapped)]  # fmt: skip
    return [*made, over, inputs["value"]]
