"""Where the picture of a task draws what: its DAG from left to right, what the user knows on the left, what the user is
told on the right.

Invariant: boxes never overlap; every curve runs from left to right and ends at the row that it fills; a curve that
passes a column has a lane there, which all curves of one origin share. Not covered: markup (`tasks.js` draws it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from autoforge.generator.report.geometry import Point, curve, pixel
from autoforge.generator.report.layering import layered
from autoforge.generator.report.ordering import ordered
from autoforge.generator.report.spacing import spaced
from autoforge.generator.report.task_steps import Input, Kind, Step
from autoforge.generator.report.task_words import fitted
from autoforge.generator.report.wording import cells

__all__ = ["Box", "Line", "Row", "TaskPicture", "outline", "task_picture"]

_WIDTHS: dict[Kind, float] = {
    "known": 150.0,
    "read": 220.0,
    "write": 220.0,
    "user": 220.0,
    "reason": 206.0,
    "answer": 180.0,
}
_HEAD, _ROW, _FOOT, _PILL = 25.0, 17.0, 5.0, 36.0
_GAP, _SPACE, _LANE, _MARGIN = 58.0, 16.0, 5.0, 8.0
_CAP = 620.0
_CELL = 6.65
"""Width of a letter at 11 px."""
_PAD = 22.0
_CUT = 9.0


class Row(NamedTuple):
    name: str
    words: str
    full: str
    flow: str
    """`data`, `guard` or `literal`."""
    y: float
    """Middle of the row, from the top of the box."""


class Box(NamedTuple):
    step: Step
    x: float
    y: float
    width: float
    height: float
    title: str
    detail: str
    rows: tuple[Row, ...]


class Line(NamedTuple):
    """From one step to a row of another, or to its head."""

    origin: str
    end: str
    flow: str
    """`data`, `guard` or `order`."""
    path: str
    row: int | None
    """Number of the row of the end; None: its head."""


class TaskPicture(NamedTuple):
    """Sizes are in pixels at 11 px type."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


class _Lane(NamedTuple):
    origin: str
    column: int


class _Link(NamedTuple):
    origin: str
    end: str
    place: int | None
    """Number of the row; None: the head."""
    flow: str


_Node = str | _Lane


def task_picture(steps: Sequence[Step], edges: Sequence[tuple[str, str]] = ()) -> TaskPicture:
    """Lay out the steps. `edges` are the blueprint's: those that carry no value and no guard are drawn as order."""
    links = _links(steps, edges)
    heights = {step.id: _height(step) for step in steps}
    columns = layered(heights, list(dict.fromkeys((link.origin, link.end) for link in links)), _CAP)
    nodes, segments = _with_lanes(steps, links, columns)
    nodes = ordered(nodes, segments, _ports(links, {step.id: step for step in steps}, columns))
    sizes = {node: _LANE if isinstance(node, _Lane) else heights[node] for column in nodes for node in column}
    tops = spaced(nodes, sizes, segments, _SPACE)
    spans = _spans(nodes, {step.id: step for step in steps})
    boxes = {step.id: _box(step, spans[columns[step.id]], tops[step.id] + _MARGIN, heights[step.id]) for step in steps}
    lines = tuple(_line(link, boxes, columns, spans, tops) for link in links)
    width = max((end for _, end in spans), default=0.0) + _MARGIN
    return TaskPicture(
        width, max((b.y + b.height for b in boxes.values()), default=0.0) + _MARGIN, tuple(boxes.values()), lines
    )


def _links(steps: Sequence[Step], edges: Sequence[tuple[str, str]]) -> list[_Link]:
    ids = {step.id for step in steps}
    links = []
    for step in steps:
        for place, given in enumerate(step.inputs):
            if given.origin in ids and given.origin is not None:
                links.append(_Link(given.origin, step.id, place, given.flow))
    joined = {(link.origin, link.end) for link in links}
    later = [_Link(a, b, None, "order") for a, b in edges if (a, b) not in joined and {a, b} <= ids]
    return links + list(dict.fromkeys(later))


def _height(step: Step) -> float:
    return _PILL if step.kind == "known" else _HEAD + _ROW * (len(step.inputs) + bool(step.detail)) + _FOOT


def _with_lanes(
    steps: Sequence[Step], links: Sequence[_Link], columns: Mapping[str, int]
) -> tuple[list[list[_Node]], list[tuple[_Node, _Node]]]:
    nodes: list[list[_Node]] = [[] for _ in range(1 + max(columns.values(), default=-1))]
    for step in steps:
        nodes[columns[step.id]].append(step.id)
    segments: dict[tuple[_Node, _Node], None] = {}
    for link in links:
        chain: list[_Node] = [link.origin, *_lanes(link, columns), link.end]
        for lane in chain[1:-1]:
            if isinstance(lane, _Lane) and lane not in nodes[lane.column]:
                nodes[lane.column].append(lane)
        segments.update(dict.fromkeys(pairwise(chain)))
    return nodes, list(segments)


def _lanes(link: _Link, columns: Mapping[str, int]) -> list[_Lane]:
    return [_Lane(link.origin, number) for number in range(columns[link.origin] + 1, columns[link.end])]


def _ports(
    links: Sequence[_Link], steps: Mapping[str, Step], columns: Mapping[str, int]
) -> dict[tuple[_Node, _Node], float]:
    """How far down a step the lines from the left arrive, as a share of its rows."""
    found: dict[tuple[_Node, _Node], list[float]] = {}
    for link in links:
        last: _Node = next(reversed(_lanes(link, columns)), link.origin)
        place = 0 if link.place is None else link.place + 1
        found.setdefault((last, link.end), []).append(place / (len(steps[link.end].inputs) + 2))
    return {edge: sum(shares) / len(shares) for edge, shares in found.items()}


def _spans(nodes: Sequence[Sequence[_Node]], steps: Mapping[str, Step]) -> list[tuple[float, float]]:
    """Left and right side of each column, as wide as its widest step."""
    spans, left = [], _MARGIN
    for column in nodes:
        right = left + max((_WIDTHS[steps[node].kind] for node in column if isinstance(node, str)), default=0.0)
        spans.append((left, right))
        left = right + _GAP
    return spans


def _box(step: Step, span: tuple[float, float], y: float, height: float) -> Box:
    width = _WIDTHS[step.kind]
    x = span[1] - width if step.kind == "known" else span[0]
    above = _HEAD + _ROW * bool(step.detail)
    letters = int((width - _PAD) / _CELL)
    rows = tuple(_row(given, letters, above + _ROW * (n + 0.5)) for n, given in enumerate(step.inputs))
    room = letters - (0 if step.kind in ("known", "answer") else cells(step.id) + 2)
    return Box(step, x, y, width, height, fitted(step.title, room), fitted(step.detail, letters), rows)


def _row(given: Input, letters: int, y: float) -> Row:
    flow = given.flow if given.origin is not None else "literal"
    name = fitted(given.name, letters * 3 // 5)
    words = fitted(given.words, letters - cells(name) - 1)
    return Row(name, words, f"{given.name} ← {given.full}" if given.name else given.full, flow, y)


def _line(
    link: _Link,
    boxes: Mapping[str, Box],
    columns: Mapping[str, int],
    spans: Sequence[tuple[float, float]],
    tops: Mapping[_Node, float],
) -> Line:
    start, end = boxes[link.origin], boxes[link.end]
    points = [Point(start.x + start.width, _middle(start))]
    if points[0].x < spans[columns[link.origin]][1]:
        points.append(Point(spans[columns[link.origin]][1], points[0].y))
    for lane in _lanes(link, columns):
        y = tops[lane] + _LANE / 2 + _MARGIN
        points += [Point(spans[lane.column][0], y), Point(spans[lane.column][1], y)]
    y = end.y + (_HEAD / 2 if link.place is None else end.rows[link.place].y)
    return Line(link.origin, link.end, link.flow, curve([*points, Point(end.x, y)]), link.place)


def _middle(box: Box) -> float:
    return box.y + (box.height / 2 if box.step.kind == "known" else _HEAD / 2)


def outline(kind: Kind, width: float, height: float) -> str:
    """SVG path data of a step's shape, from its top left corner: each kind has its own, so colour is never needed."""
    if kind == "known":
        return _rounded(width, height, height / 2)
    if kind == "read":
        return _rounded(width, height, _CUT)
    if kind == "write":
        return _polygon((0, 0), (width, 0), (width, height), (0, height))
    if kind == "user":
        rails = f"M5 0V{pixel(height)}M{pixel(width - 5)} 0V{pixel(height)}"
        return _polygon((0, 0), (width, 0), (width, height), (0, height)) + rails
    right, foot = width - _CUT, height - _CUT
    if kind == "answer":
        return _polygon((0, 0), (right, 0), (width, height / 2), (right, height), (0, height))
    return _polygon(
        (_CUT, 0), (right, 0), (width, _CUT), (width, foot), (right, height), (_CUT, height), (0, foot), (0, _CUT)
    )


def _polygon(*corners: tuple[float, float]) -> str:
    return "M" + "L".join(f"{pixel(x)} {pixel(y)}" for x, y in corners) + "Z"


def _rounded(width: float, height: float, radius: float) -> str:
    r, right, foot = pixel(radius), pixel(width - radius), pixel(height - radius)
    arc = f"A{r} {r} 0 0 1 "
    return f"M{r} 0H{right}{arc}{pixel(width)} {r}V{foot}{arc}{right} {pixel(height)}H{r}{arc}0 {foot}V{r}{arc}{r} 0Z"
