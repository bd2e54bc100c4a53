"""Operators that give a boolean: `compare`, `both`, `either`, `negate`. Branches read them.

Invariant: only values of one kind are compared (`values`); conditions are booleans, nothing is taken for one. Not
covered: branches themselves (`task.Guard`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoforge.generator.tasks.operators.operator import Operator
from autoforge.generator.tasks.operators.values import boolean, holds
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]


def _compare(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> bool:
    return holds(over, str(node.compare), inputs["value"])


def _both(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> bool:
    one, other = boolean(over), boolean(inputs["value"])
    return one and other


def _either(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> bool:
    one, other = boolean(over), boolean(inputs["value"])
    return one or other


def _negate(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> bool:
    return not boolean(over)


OPERATORS = (
    Operator("compare", "any", "boolean", ("compare", "inputs.value"), _compare),
    Operator("both", "boolean", "boolean", ("inputs.value",), _both),
    Operator("either", "boolean", "boolean", ("inputs.value",), _either),
    Operator("negate", "boolean", "boolean", (), _negate),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """Both booleans: the right one is taken out of them."""
    return [True, False]
