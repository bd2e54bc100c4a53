"""The order of nodes within columns, with few crossings between neighbouring columns.

Invariant: deterministic, and the result never has more crossings than the order it was given. Method: sweeps by
barycentre, the best order seen is kept (Sugiyama, Tagawa, Toda 1981). Not covered: coordinates (`spacing`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

__all__ = ["crossings", "ordered"]

Name = TypeVar("Name", bound=Hashable)
Columns = list[list[Name]]

_SWEEPS = 12


def ordered(
    columns: Sequence[Sequence[Name]],
    edges: Sequence[tuple[Name, Name]],
    ports: Mapping[tuple[Name, Name], float] | None = None,
) -> Columns[Name]:
    """The columns with their nodes in a better order. An edge joins a node to one of the next column.

    `ports` says how far down its right-hand node an edge ends, from 0 to below 1; it decides between nodes that are
    otherwise equal.
    """
    ports = ports or {}
    best = [list(column) for column in columns]
    least = crossings(best, edges, ports)
    current = [list(column) for column in best]
    for sweep in range(_SWEEPS):
        if not least:
            break
        _sweep(current, edges, ports, rightwards=sweep % 2 == 0)
        found = crossings(current, edges, ports)
        if found < least:
            best, least = [list(column) for column in current], found
    return best


def _sweep(
    columns: Columns[Name],
    edges: Sequence[tuple[Name, Name]],
    ports: Mapping[tuple[Name, Name], float],
    *,
    rightwards: bool,
) -> None:
    numbers = range(1, len(columns)) if rightwards else range(len(columns) - 2, -1, -1)
    for number in numbers:
        fixed = _places(columns[number - 1 if rightwards else number + 1])
        wanted: dict[Name, list[float]] = {name: [] for name in columns[number]}
        for edge in edges:
            near, far = edge if rightwards else (edge[1], edge[0])
            if near in fixed and far in wanted:
                wanted[far].append(fixed[near] + (0.0 if rightwards else ports.get(edge, 0.0)))
        current = _places(columns[number])
        goals = {name: sum(places) / len(places) if places else float(current[name]) for name, places in wanted.items()}
        columns[number].sort(key=goals.__getitem__)


def _places(column: Sequence[Name]) -> dict[Name, int]:
    return {name: place for place, name in enumerate(column)}


def crossings(
    columns: Sequence[Sequence[Name]],
    edges: Sequence[tuple[Name, Name]],
    ports: Mapping[tuple[Name, Name], float] | None = None,
) -> int:
    """How many pairs of edges cross."""
    ports = ports or {}
    total = 0
    for left, right in pairwise(columns):
        start, end = _places(left), _places(right)
        pairs = sorted((start[a], end[b] + ports.get((a, b), 0.0)) for a, b in edges if a in start and b in end)
        total += sum(a[0] < b[0] and a[1] > b[1] for place, a in enumerate(pairs) for b in pairs[place + 1 :])
    return total
