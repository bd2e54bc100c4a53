"""Vertical coordinates of ordered columns: every node near the middle of its neighbours, none overlapping.

Invariant: the order of each column is kept, consecutive nodes are at least `gap` apart, and no band wider than `gap` is
empty in all columns. The positions of one column are the least-squares answer to what its neighbours want, found by
pooling adjacent violators (isotonic regression). Not covered: horizontal coordinates.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

__all__ = ["isotonic", "spaced"]

Name = TypeVar("Name", bound=Hashable)

_SWEEPS = 16


def spaced(
    columns: Sequence[Sequence[Name]], heights: Mapping[Name, float], edges: Sequence[tuple[Name, Name]], gap: float
) -> dict[Name, float]:
    """Top of each node, in pixels; the smallest is 0."""
    tops: dict[Name, float] = {}
    for column in columns:
        tops.update(zip(column, _stacked([heights[name] for name in column], gap), strict=True))
    neighbours: dict[Name, list[Name]] = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            wanted = [_wanted(name, neighbours.get(name, ()), tops, heights) for name in column]
            tops.update(zip(column, _settled(wanted, [heights[name] for name in column], gap), strict=True))
    return _squeezed(tops, heights, gap)


def _squeezed(tops: Mapping[Name, float], heights: Mapping[Name, float], gap: float) -> dict[Name, float]:
    """Without the bands that no node of any column stands in, beyond `gap`: parts that share no edge move together."""
    squeezed: dict[Name, float] = {}
    reached, shift = -gap, 0.0
    for number, name in enumerate(sorted(tops, key=tops.__getitem__)):
        empty = tops[name] - shift - reached - gap
        if number == 0 or empty > 0:
            shift += empty
        squeezed[name] = tops[name] - shift
        reached = max(reached, squeezed[name] + heights[name])
    return squeezed


def _stacked(heights: Sequence[float], gap: float) -> list[float]:
    """Offsets of nodes that stand directly below each other, the middle of the stack at 0."""
    tops, top = [], -(sum(heights) + gap * (len(heights) - 1)) / 2
    for height in heights:
        tops.append(top)
        top += height + gap
    return tops


def _wanted(name: Name, neighbours: Sequence[Name], tops: Mapping[Name, float], heights: Mapping[Name, float]) -> float:
    if not neighbours:
        return tops[name]
    centres = [tops[other] + heights[other] / 2 for other in neighbours]
    return sum(centres) / len(centres) - heights[name] / 2


def _settled(wanted: Sequence[float], heights: Sequence[float], gap: float) -> list[float]:
    offsets = _stacked(heights, gap)
    return [
        start + offset
        for start, offset in zip(isotonic([w - o for w, o in zip(wanted, offsets, strict=True)]), offsets, strict=True)
    ]


def isotonic(values: Sequence[float]) -> list[float]:
    """The non-decreasing sequence closest to `values` by least squares."""
    pools: list[tuple[float, int]] = []
    for value in values:
        total, count = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            more, several = pools.pop()
            total, count = total + more, count + several
        pools.append((total, count))
    return [total / count for total, count in pools for _ in range(count)]
