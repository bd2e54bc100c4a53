"""Operators that keep the items for which a comparison holds: `filter`, `only_where`.

Invariant: with `equal` and `not_equal`, each item is kept by exactly one of them. An item whose field is null or
missing is not equal to any value, and no other comparison holds for it. Not covered: conditions of several fields
(chain filters, or an expression).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoforge.generator.tasks.operators.alternatives import tried
from autoforge.generator.tasks.operators.items import field_of, items_of, valued
from autoforge.generator.tasks.operators.operator import Ambiguous, Operator, OperatorFault
from autoforge.generator.tasks.operators.values import holds
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]

_NEIGHBOURS = {
    "less": ("less_equal", "greater"), "less_equal": ("less", "greater_equal"),
    "greater": ("greater_equal", "less"), "greater_equal": ("greater", "less_equal"),
    "equal": ("not_equal",), "not_equal": ("equal",),
}  # fmt: skip
"""What the comparison is mistaken for."""


def _holds_for(item: Any, node: Reasoning, value: Any) -> bool:
    field = field_of(item, node.by)
    if field is None and node.compare not in ("equal", "not_equal"):
        return False
    return holds(field, str(node.compare), value)


def _filter(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    if inputs["value"] is not None:
        valued(over, node.by)
    return [item for item in items_of(over) if _holds_for(item, node, inputs["value"])]


def _only_where(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    kept = _filter(node, over, inputs)
    if len(kept) > 1:
        raise Ambiguous(f"the condition on {node.by} holds for {len(kept)} items, not one")
    if not kept:
        raise OperatorFault(f"the condition on {node.by} holds for no item")
    return kept[0]


OPERATORS = (
    Operator("filter", "items", "items", ("by", "compare", "inputs.value"), _filter),
    Operator("only_where", "items", "item", ("by", "compare", "inputs.value"), _only_where),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """Of `only_where`: the items for which it does not hold. Of `filter`: the items kept by a comparison it is mistaken
    for, those that were left out, and all.
    """
    kept = [id(item) for item in _filter(node, over, inputs)]
    left_out = [item for item in over if id(item) not in kept]
    if node.reason == "only_where":
        return left_out
    mistaken = [node.model_copy(update={"compare": other}) for other in _NEIGHBOURS.get(str(node.compare), ())]
    return [*tried(*(lambda m=m: _filter(m, over, inputs) for m in mistaken)), left_out, over]
