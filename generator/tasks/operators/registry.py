"""The operators by name, and how a reasoning node is carried out.

Invariant: a node is carried out only where its operator has what it needs; no alternative equals the right value. Not
covered: what the operators do (one module for each family).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoforge.generator.tasks.operators import (
    aggregate,
    arithmetic,
    choice,
    choose,
    compare,
    dates,
    expression,
    filter,
    group,
    sets,
    text,
)
from autoforge.generator.tasks.operators.alternatives import tried
from autoforge.generator.tasks.operators.operator import Operator, OperatorFault
from autoforge.generator.tasks.operators.values import same
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives", "derive"]

_FAMILIES = (choose, filter, aggregate, arithmetic, dates, compare, group, sets, choice, text, expression)
_MAKERS = {operator.name: family.alternatives for family in _FAMILIES for operator in family.OPERATORS}
OPERATORS: dict[str, Operator] = {operator.name: operator for family in _FAMILIES for operator in family.OPERATORS}
_WITHOUT_OVER = frozenset({"choose", "expression"})
_ALTERNATIVES = 12


def derive(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    """The value of a reasoning node, from the values of its sources.

    Raises Ambiguous where it is not the only one; OperatorFault for an unknown operator, a field that it needs and that
    is not there, and values that it cannot work on.
    """
    operator = OPERATORS.get(node.reason)
    if operator is None:
        raise OperatorFault(f"there is no operator {node.reason!r}")
    missing = [need for need in operator.needs if not _is_there(need, node, inputs)]
    if node.over is None and over is None and node.reason not in _WITHOUT_OVER:
        missing.append("over")
    if missing:
        raise OperatorFault(f"{node.reason} needs {', '.join(missing)}")
    return operator.evaluate(node, over, inputs)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any], instead: Sequence[Any] = ()) -> list[Any]:
    """At most a dozen other values that a careless reader would give, the likeliest first; none equals the right one.

    `instead`: other values for `over` (a list before it was filtered), which give more of them. Raises as `derive`.
    """
    right = derive(node, over, inputs)
    made = tried(*(lambda other=other: derive(node, other, inputs) for other in instead))
    found: list[Any] = []
    for value in [*made, *_MAKERS[node.reason](node, over, inputs)]:
        if not same(value, right) and not any(same(value, other) for other in found):
            found.append(value)
    return found[:_ALTERNATIVES]


def _is_there(need: str, node: Reasoning, inputs: Mapping[str, Any]) -> bool:
    family, _, name = need.partition(".")
    return name in inputs if family == "inputs" else getattr(node, need) is not None
