"""Operators that pass one of several values on: `choose`, `coalesce`.

Invariant: `choose` reads a boolean (`inputs.condition`), and gives `inputs.then` or `inputs.otherwise`; `coalesce`
gives the first value that is not null of a list whose order the blueprint fixes. Not covered: branches of calls
(`task.Guard`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoforge.generator.tasks.operators.items import items_of
from autoforge.generator.tasks.operators.operator import Operator, OperatorFault
from autoforge.generator.tasks.operators.values import boolean
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]


def _choose(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    return inputs["then"] if boolean(inputs["condition"]) else inputs["otherwise"]


def _coalesce(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    for value in items_of(over):
        if value is not None:
            return value
    raise OperatorFault("there is nothing but null")


OPERATORS = (
    Operator("choose", "any", "any", ("inputs.condition", "inputs.then", "inputs.otherwise"), _choose),
    Operator("coalesce", "items", "any", (), _coalesce),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """The values that are not passed on."""
    values = [inputs["then"], inputs["otherwise"]] if node.reason == "choose" else over
    return [value for value in values if value is not None]
