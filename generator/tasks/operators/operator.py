"""What an operator is, and how it fails.

Invariant: an operator is pure, and says when its value is not the only one (`Ambiguous`) instead of choosing. Not
covered: which there are (`registry`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from autoforge.mcp_envs.task import Reasoning

__all__ = ["Ambiguous", "Operator", "OperatorFault", "ValueKind"]

ValueKind = Literal["item", "items", "number", "text", "date", "boolean", "any"]
"""What goes in or comes out: an item of a list, some of its items, or a plain value."""


class OperatorFault(Exception):
    """An operator cannot work on what it got: wrong types, an empty list, an unknown name."""


class Ambiguous(OperatorFault):
    """Several values are as good: two items with the same least price."""


class Operator(NamedTuple):
    """One kind of reasoning node."""

    name: str
    takes: ValueKind
    """Kind of `over`."""
    gives: ValueKind
    needs: tuple[str, ...]
    """Fields of `Reasoning` that it needs: `by`, `compare`, `n`, `expression`, `inputs.<name>`."""
    evaluate: Callable[[Reasoning, Any, Mapping[str, Any]], Any]
    """(node, value of `over`, values of the inputs) -> value. Raises OperatorFault."""
