"""Curves and rounding shared by the two pictures.

Invariant: coordinates are rounded to half a pixel, so that the same layout gives the same bytes on every machine. Not
covered: markup, which the templates hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Point", "curve", "loop", "pixel"]


class Point(NamedTuple):
    x: float
    y: float


def pixel(value: float) -> str:
    """A coordinate to half a pixel, without a trailing zero."""
    return f"{round(value * 2) / 2:g}"


def curve(points: Sequence[Point], leeway: float = 0.5) -> str:
    """SVG path data through the points, leaving and entering each horizontally; level pieces are straight."""
    parts = [f"M{_pair(points[0])}"]
    for a, b in pairwise(points):
        if abs(a.y - b.y) < leeway:
            parts.append(f"L{_pair(b)}")
            continue
        bend = (b.x - a.x) * 0.5
        parts.append(f"C{_pair(Point(a.x + bend, a.y))} {_pair(Point(b.x - bend, b.y))} {_pair(b)}")
    return "".join(parts)


def loop(start: Point, end: Point, reach: float) -> str:
    """SVG path data of an arc from one point to another on the same side of a box."""
    return f"M{_pair(start)}C{_pair(Point(start.x + reach, start.y))} {_pair(Point(end.x + reach, end.y))} {_pair(end)}"


def _pair(point: Point) -> str:
    return f"{pixel(point.x)} {pixel(point.y)}"
