"""Operators on text: `join_text`, `contains_text`.

Invariant: numbers are written as JSON writes them, without noise. `contains_text` looks for `inputs.value` inside
`over` without regard to case. Not covered: wording, translation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoforge.generator.tasks.operators.items import items_of
from autoforge.generator.tasks.operators.numeric import exact, is_number, tidy
from autoforge.generator.tasks.operators.operator import Operator, OperatorFault
from autoforge.generator.tasks.operators.values import contains, text
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]


def _join_text(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> str:
    separator = inputs["separator"]
    if not isinstance(separator, str):
        raise OperatorFault(f"the separator {separator!r:.60} is not a text")
    return separator.join(_written(value) for value in items_of(over) if value is not None)


def _contains_text(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> bool:
    return contains(text(over), inputs["value"])


def _written(value: Any) -> str:
    return str(tidy(exact(value))) if is_number(value) else text(value)


OPERATORS = (
    Operator("join_text", "items", "text", ("inputs.separator",), _join_text),
    Operator("contains_text", "text", "boolean", ("inputs.value",), _contains_text),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """The parts in reverse, the last one forgotten; the other boolean."""
    if node.reason == "contains_text":
        return [True, False]
    return [_join_text(node, over[::-1], inputs), *([_join_text(node, over[:-1], inputs)] if len(over) > 1 else [])]
