"""Operators that choose one item of a list: `argmin`, `argmax`, `nth_lowest`, `nth_highest`, `only`.

Invariant: the order of the list does not matter, and a tie that touches the choice is `Ambiguous`; for a place in the
order so is a tie before it, as people count equal values once or twice. Items whose field is null or missing are left
out. Not covered: conditions (`filter`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoforge.generator.tasks.operators.alternatives import tried
from autoforge.generator.tasks.operators.items import Valued, items_of, valued
from autoforge.generator.tasks.operators.operator import Ambiguous, Operator, OperatorFault
from autoforge.generator.tasks.operators.values import kind_of, order, rank
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives", "ranked", "separate"]


def ranked(over: Any, by: str | None) -> list[Valued]:
    """The items in rising order of their field. Raises OperatorFault for none, or for fields of several kinds."""
    found = valued(over, by)
    if not found:
        raise OperatorFault("there is nothing to choose from")
    kinds = {kind_of(value) for _, value in found}
    if len(kinds) > 1:
        raise OperatorFault(f"the values at {by} are of different kinds: {', '.join(sorted(kinds))}")
    return sorted(found, key=lambda one: rank(one.value))


def separate(ranks: list[Valued], place: int) -> Valued:
    """The one at that place, from 0. Raises Ambiguous where it is not strictly between the others, or people disagree
    about the order.
    """
    chosen = ranks[place]
    for i, other in enumerate(ranks):
        if i != place and order(chosen.value, other.value) != (1 if i < place else -1):
            raise Ambiguous(f"several items have the value {chosen.value!r:.60}")
    return chosen


def _argmin(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    return separate(ranked(over, node.by), 0).item


def _argmax(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    ranks = ranked(over, node.by)
    return separate(ranks, len(ranks) - 1).item


def _nth_lowest(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    ranks = ranked(over, node.by)
    n = _position(node, ranks)
    for place in range(n - 1):
        separate(ranks, place)
    return separate(ranks, n - 1).item


def _nth_highest(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    ranks = ranked(over, node.by)
    n = _position(node, ranks)
    for place in range(len(ranks) - n + 1, len(ranks)):
        separate(ranks, place)
    return separate(ranks, len(ranks) - n).item


def _only(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> Any:
    items = items_of(over)
    if len(items) > 1:
        raise Ambiguous(f"there are {len(items)} items, not one")
    if not items:
        raise OperatorFault("there is no item")
    return items[0]


def _position(node: Reasoning, ranks: list[Valued]) -> int:
    if node.n is None or not 1 <= node.n <= len(ranks):
        raise OperatorFault(f"there is no place {node.n} among {len(ranks)} items")
    return node.n


OPERATORS = (
    Operator("argmin", "items", "item", ("by",), _argmin),
    Operator("argmax", "items", "item", ("by",), _argmax),
    Operator("nth_lowest", "items", "item", ("by", "n"), _nth_lowest),
    Operator("nth_highest", "items", "item", ("by", "n"), _nth_highest),
    Operator("only", "items", "item", (), _only),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """The neighbours in order, the same place from the other end, both extremes, what the list begins and ends with."""
    if node.reason == "only":
        return []
    ranks = ranked(over, node.by)
    n, last = node.n or 1, len(ranks) - 1
    place = n - 1 if node.reason in ("argmin", "nth_lowest") else last - (n - 1)
    places = (place + 1, place - 1, last - place, 0, last)
    return [ranks[i].item for i in places if 0 <= i <= last] + tried(lambda: over[0], lambda: over[-1])
