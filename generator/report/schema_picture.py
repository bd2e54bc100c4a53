"""Where the schema picture draws what: tables as boxes, foreign keys as curves from the referring column to the
key.

Invariant: boxes never overlap and curves run in the gaps between columns, or in lanes kept free for them, never
behind a box. References to one table share their lanes. Not covered: markup; columns beyond
`_MOST_ROWS`, which the page lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from autoforge.generator.report.geometry import Point, curve, loop
from autoforge.generator.report.layering import layered
from autoforge.generator.report.ordering import ordered
from autoforge.generator.report.spacing import spaced
from autoforge.generator.report.wording import truncated
from autoforge.mcp_envs.manifest import Column, ColumnKind, Table

__all__ = ["KIND_MARKS", "Box", "Reference", "Row", "SchemaPicture", "schema_picture"]

KIND_MARKS = {ColumnKind.SURROGATE: "S", ColumnKind.CLOCK: "C", ColumnKind.FREE_TEXT: "T", ColumnKind.LOG: "L"}
"""Letters of the kinds that a reader looks for; keys are marked anyway, and the rest are plain values."""

_WIDTH, _GAP, _SPACE = 236.0, 76.0, 22.0
_HEAD, _LINE, _FOOT = 30.0, 18.0, 7.0
_LANE, _LOOP = 8.0, 34.0
_MOST_ROWS = 16
_ACROSS = 4
_LEAST_CAP = 560.0
_MARGIN = 10.0


class Row(NamedTuple):
    column: str
    label: str
    type: str
    badge: str
    """`PK`, `FK` or nothing."""
    kind: str
    mark: str
    y: float
    """Middle of the row, from the top of the picture."""


class Box(NamedTuple):
    table: str
    label: str
    x: float
    y: float
    width: float
    height: float
    rows: tuple[Row, ...]
    hidden: int
    """Columns that are not shown."""


class Reference(NamedTuple):
    child: str
    column: str
    parent: str
    path: str


class SchemaPicture(NamedTuple):
    width: float
    height: float
    boxes: tuple[Box, ...]
    references: tuple[Reference, ...]


class _Lane(NamedTuple):
    """Room in one column for the references to `parent` that pass it."""

    parent: str
    column: int


_Node = str | _Lane


def schema_picture(tables: Sequence[Table]) -> SchemaPicture:
    """Lay out the tables. Sizes are in pixels at 11 px type."""
    shown = {table.name: _shown(table) for table in tables}
    heights = {name: _HEAD + _LINE * (len(columns) + (hidden > 0)) + _FOOT for name, (columns, hidden) in shown.items()}
    edges = _edges(tables)
    linked = {name for edge in edges for name in edge}
    joined = {name: height for name, height in heights.items() if name in linked}
    columns = layered(joined, edges, _cap(list(joined.values())))
    nodes, segments = _with_lanes(columns, edges)
    nodes = ordered(nodes, segments, _ports(tables, columns))
    tops = _tops(nodes, segments, heights)
    places = {node: Point(_x(number), tops[node]) for number, column in enumerate(nodes) for node in column}
    below = max((point.y + _height(node, heights) for node, point in places.items()), default=-_SPACE) + _SPACE
    places.update(_packed([t.name for t in tables if t.name not in linked], heights, max(len(nodes), _ACROSS), below))
    boxes = {table.name: _box(table, shown[table.name], places[table.name], heights[table.name]) for table in tables}
    references = tuple(r for table in tables for r in _references(table, boxes, columns, places))
    looped = any(r.child == r.parent for r in references)
    return SchemaPicture(
        max((box.x + box.width for box in boxes.values()), default=0.0) + (_LOOP if looped else _MARGIN),
        max((point.y + _height(node, heights) for node, point in places.items()), default=0.0) + _MARGIN,
        tuple(boxes.values()),
        references,
    )


def _shown(table: Table) -> tuple[list[Column], int]:
    """Columns in the order of the table, fewer where there are many; keys and references are kept first."""
    told = [c.name for c in table.columns if c.name in table.key or c.references]
    rest = [c.name for c in table.columns if c.name not in told]
    kept = set([*told, *rest][: max(_MOST_ROWS, len(told))])
    return [c for c in table.columns if c.name in kept], len(table.columns) - len(kept)


def _edges(tables: Sequence[Table]) -> list[tuple[str, str]]:
    known = {table.name for table in tables}
    found = ((column.references, table.name) for table in tables for column in table.columns if column.references)
    return list(dict.fromkeys(edge for edge in found if edge[0] in known and edge[0] != edge[1]))


def _cap(heights: Sequence[float]) -> float:
    return max([_LEAST_CAP, *heights, 1.15 * sum(heights) / _ACROSS])


def _x(column: int) -> float:
    return _MARGIN + column * (_WIDTH + _GAP)


def _with_lanes(
    columns: Mapping[str, int], edges: Sequence[tuple[str, str]]
) -> tuple[list[list[_Node]], list[tuple[_Node, _Node]]]:
    """The nodes by column, lanes among them, and the pieces of the edges between neighbouring columns."""
    nodes: list[list[_Node]] = [[] for _ in range(1 + max(columns.values(), default=-1))]
    for name, number in columns.items():
        nodes[number].append(name)
    segments: dict[tuple[_Node, _Node], None] = {}
    for parent, child in edges:
        chain: list[_Node] = [parent, *_lanes(parent, child, columns), child]
        for lane in chain[1:-1]:
            if isinstance(lane, _Lane) and lane not in nodes[lane.column]:
                nodes[lane.column].append(lane)
        rightwards = columns[parent] < columns[child]
        segments.update(dict.fromkeys((a, b) if rightwards else (b, a) for a, b in pairwise(chain)))
    return nodes, list(segments)


def _lanes(parent: str, child: str, columns: Mapping[str, int]) -> list[_Lane]:
    """The lanes between two tables, from the parent on."""
    start, end = columns[parent], columns[child]
    step = 1 if start < end else -1
    return [_Lane(parent, number) for number in range(start + step, end, step)]


def _ports(tables: Sequence[Table], columns: Mapping[str, int]) -> dict[tuple[_Node, _Node], float]:
    """How far down a table the references from the left arrive, as a share of its columns."""
    found: dict[tuple[_Node, _Node], list[float]] = {}
    for table in tables:
        for place, column in enumerate(table.columns):
            parent = column.references
            if parent is not None and parent in columns and columns[parent] < columns[table.name]:
                last: _Node = next(reversed(_lanes(parent, table.name, columns)), parent)
                found.setdefault((last, table.name), []).append(place / len(table.columns))
    return {edge: sum(shares) / len(shares) for edge, shares in found.items()}


def _height(node: _Node, heights: Mapping[str, float]) -> float:
    return _LANE if isinstance(node, _Lane) else heights[node]


def _tops(
    nodes: list[list[_Node]], segments: list[tuple[_Node, _Node]], heights: Mapping[str, float]
) -> dict[_Node, float]:
    sizes = {node: _height(node, heights) for column in nodes for node in column}
    tops = spaced(nodes, sizes, segments, _SPACE)
    return {node: top + _MARGIN for node, top in tops.items()}


def _packed(names: Sequence[str], heights: Mapping[str, float], across: int, top: float) -> dict[_Node, Point]:
    """Tables without references, each below the shortest column."""
    floors = [max(top, _MARGIN)] * across
    places: dict[_Node, Point] = {}
    for name in names:
        column = floors.index(min(floors))
        places[name] = Point(_x(column), floors[column])
        floors[column] += heights[name] + _SPACE
    return places


def _box(table: Table, shown: tuple[list[Column], int], place: Point, height: float) -> Box:
    middles = [place.y + _HEAD + _LINE * (number + 0.5) for number in range(len(shown[0]))]
    rows = tuple(_row(table, column, y) for column, y in zip(shown[0], middles, strict=True))
    return Box(table.name, truncated(table.name, 26), place.x, place.y, _WIDTH, height, rows, shown[1])


def _row(table: Table, column: Column, y: float) -> Row:
    badge = "PK" if column.name in table.key else "FK" if column.references else ""
    mark = KIND_MARKS.get(column.kind, "")
    label, kind = truncated(column.name, 19), column.kind.value
    return Row(column.name, label, truncated(column.type.lower(), 8), badge, kind, mark, y)


def _references(
    table: Table, boxes: Mapping[str, Box], columns: Mapping[str, int], places: Mapping[_Node, Point]
) -> list[Reference]:
    found = []
    for column in table.columns:
        if column.references is not None and column.references in boxes:
            path = _path(table.name, column.name, column.references, boxes, columns, places)
            found.append(Reference(table.name, column.name, column.references, path))
    return found


def _path(
    child: str,
    column: str,
    parent: str,
    boxes: Mapping[str, Box],
    columns: Mapping[str, int],
    places: Mapping[_Node, Point],
) -> str:
    start = _port(boxes[child], column)
    end = _port(boxes[parent], None)
    if child == parent:
        right = boxes[child].x + _WIDTH
        return loop(Point(right, start), Point(right, end), _LOOP)
    leftwards = columns[parent] < columns[child]
    near, far = (0.0, _WIDTH) if leftwards else (_WIDTH, 0.0)
    points = [Point(boxes[child].x + near, start)]
    for lane in reversed(_lanes(parent, child, columns)):
        place = places[lane]
        points += [Point(place.x + side, place.y + _LANE / 2) for side in (far, near)]
    return curve([*points, Point(boxes[parent].x + far, end)])


def _port(box: Box, column: str | None) -> float:
    """Height at which a reference meets the box: at the named column, or at the key where it is a single column."""
    rows = [row.y for row in box.rows if (row.badge == "PK" if column is None else row.column == column)]
    return rows[0] if len(rows) == 1 or (rows and column is not None) else box.y + _HEAD / 2
