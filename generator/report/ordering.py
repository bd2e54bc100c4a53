"""The order of nodes within columns, with few crossings between neighbouring columns.

Invariant: deterministic, and the result never has more crossings than the order it was given. Method: sweeps by
barycentre, the best order seen is kept (Sugiyama, Tagawa, Toda 1981). Not covered: coordinates (`spacing`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

__all__ = ["crossings", "ordered"]

Name = TypeVar("Name", bound=Hashable)
Columns = list[list[Name]]

_SWEEPS = 12


def ordered(columns: Sequence[Sequence[Name]], edges: Sequence[tuple[Name, Name]]) -> Columns[Name]:
    """The columns with their nodes in a better order. An edge joins a node to one of the next column."""
    best = [list(column) for column in columns]
    least = crossings(best, edges)
    current = [list(column) for column in best]
    left, right = _neighbours(edges)
    for sweep in range(_SWEEPS):
        if not least:
            break
        _sweep(current, left if sweep % 2 == 0 else right, rightwards=sweep % 2 == 0)
        found = crossings(current, edges)
        if found < least:
            best, least = [list(column) for column in current], found
    return best


def _neighbours(edges: Sequence[tuple[Name, Name]]) -> tuple[dict[Name, list[Name]], dict[Name, list[Name]]]:
    left: dict[Name, list[Name]] = {}
    right: dict[Name, list[Name]] = {}
    for a, b in edges:
        left.setdefault(b, []).append(a)
        right.setdefault(a, []).append(b)
    return left, right


def _sweep(columns: Columns[Name], neighbours: dict[Name, list[Name]], *, rightwards: bool) -> None:
    numbers = range(1, len(columns)) if rightwards else range(len(columns) - 2, -1, -1)
    for number in numbers:
        fixed = {name: place for place, name in enumerate(columns[number - 1 if rightwards else number + 1])}
        current = {name: float(place) for place, name in enumerate(columns[number])}
        columns[number].sort(key=lambda name: _barycentre(neighbours.get(name, []), fixed, current[name]))  # noqa: B023


def _barycentre(neighbours: Sequence[Name], places: dict[Name, int], otherwise: float) -> float:
    known = [places[name] for name in neighbours if name in places]
    return sum(known) / len(known) if known else otherwise


def crossings(columns: Sequence[Sequence[Name]], edges: Sequence[tuple[Name, Name]]) -> int:
    """How many pairs of edges cross."""
    total = 0
    for left, right in zip(columns, columns[1:], strict=False):
        from_place = {name: place for place, name in enumerate(left)}
        to_place = {name: place for place, name in enumerate(right)}
        pairs = sorted((from_place[a], to_place[b]) for a, b in edges if a in from_place and b in to_place)
        total += sum(a[0] < b[0] and a[1] > b[1] for place, a in enumerate(pairs) for b in pairs[place + 1 :])
    return total
