"""Where the tool picture draws what: tools that write, the tables, tools that only read, from left to right.

Invariant: one curve for each write of a tool to a table, by effect; a read is drawn where the tool writes nothing to
that table. Not covered: tools that touch no table, which the page lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from autoforge.generator.report.geometry import Point, curve
from autoforge.generator.report.ordering import ordered
from autoforge.generator.report.spacing import spaced
from autoforge.generator.report.wording import truncated
from autoforge.mcp_envs.manifest import Effects, Table, ToolRecord

__all__ = ["EFFECTS", "Flow", "Mark", "ToolPicture", "tool_picture", "touched"]

EFFECTS = ("reads", "creates", "updates", "deletes")

_TOOL, _TABLE, _GAP = 292.0, 196.0, 176.0
_LINE, _LEAST, _PORT = 22.0, 30.0, 6.0
_SPACE, _HEADING, _MARGIN = 6.0, 34.0, 8.0
_LETTERS = 38


class Mark(NamedTuple):
    """A tool or a table."""

    name: str
    label: str
    place: str
    """`writer`, `table` or `reader`."""
    x: float
    y: float
    width: float
    height: float
    tables: tuple[str, ...]
    """What a tool touches; a table touches itself."""


class Flow(NamedTuple):
    tool: str
    table: str
    effect: str
    path: str
    aside: bool
    """A read of a tool that writes elsewhere: drawn thinner."""


class ToolPicture(NamedTuple):
    width: float
    height: float
    marks: tuple[Mark, ...]
    flows: tuple[Flow, ...]
    headings: tuple[tuple[str, float, str], ...]
    """Words, horizontal place and text anchor."""
    untouching: tuple[str, ...]
    """Tools that touch no table."""


class _Node(NamedTuple):
    place: str
    name: str


class _Link(NamedTuple):
    tool: _Node
    table: _Node
    effect: str


def touched(effects: Effects) -> tuple[str, ...]:
    """The tables of a tool's effects, each once."""
    return tuple(dict.fromkeys((*effects.creates, *effects.updates, *effects.deletes, *effects.reads)))


def _writes(effects: Effects) -> bool:
    return bool(effects.creates or effects.updates or effects.deletes)


def tool_picture(tables: Sequence[Table], tools: Sequence[ToolRecord]) -> ToolPicture:
    """Lay out tools and tables. Sizes are in pixels at 12 px type."""
    known = {table.name for table in tables}
    links = [link for tool in tools for link in _links(tool, known)]
    acting = list(dict.fromkeys(link.tool for link in links))
    used = {link.table for link in links}
    columns = [
        [node for node in acting if node.place == "writer"],
        [node for node in (_Node("table", table.name) for table in tables) if node in used],
        [node for node in acting if node.place == "reader"],
    ]
    heights = _heights(columns, links)
    edges = list(dict.fromkeys(_rightwards(link) for link in links if not _aside(link)))
    columns = ordered(columns, edges)
    tops = spaced(columns, heights, edges, _SPACE)
    effects = {tool.name: tool.effects for tool in tools}
    marks = {
        node: _mark(node, x, tops[node] + _HEADING, heights[node], effects)
        for column, x in zip(columns, _xs(columns), strict=True)
        for node in column
    }
    return ToolPicture(
        max((mark.x + mark.width for mark in marks.values()), default=0.0) + _MARGIN,
        max((mark.y + mark.height for mark in marks.values()), default=0.0) + _MARGIN,
        tuple(marks.values()),
        tuple(_flows(links, marks)),
        tuple(_headings(columns)),
        tuple(tool.name for tool in tools if tool.name not in {node.name for node in acting}),
    )


def _links(tool: ToolRecord, known: set[str]) -> list[_Link]:
    effects = tool.effects
    node = _Node("writer" if _writes(effects) else "reader", tool.name)
    written = {*effects.creates, *effects.updates, *effects.deletes}
    by_effect: dict[str, Sequence[str]] = {
        "creates": effects.creates, "updates": tuple(effects.updates), "deletes": effects.deletes,
        "reads": [table for table in effects.reads if table not in written],
    }  # fmt: skip
    return [
        _Link(node, _Node("table", table), effect)
        for effect, names in by_effect.items()
        for table in names
        if table in known
    ]


def _aside(link: _Link) -> bool:
    """A read of a tool that writes elsewhere: many look at the same few tables, which must not shape the picture."""
    return link.effect == "reads" and link.tool.place == "writer"


def _rightwards(link: _Link) -> tuple[_Node, _Node]:
    return (link.tool, link.table) if link.tool.place == "writer" else (link.table, link.tool)


def _heights(columns: Sequence[Sequence[_Node]], links: Sequence[_Link]) -> dict[_Node, float]:
    """Tools have one line; a table grows with what meets its busier side."""
    heights: dict[_Node, float] = {}
    for node in (node for column in columns for node in column):
        meeting = [link.tool.place for link in links if link.table == node and not _aside(link)]
        sides = [meeting.count(place) for place in ("writer", "reader")]
        heights[node] = max(_LEAST, _PORT * (max(sides) + 1)) if node.place == "table" else _LINE
    return heights


def _xs(columns: Sequence[Sequence[_Node]]) -> list[float]:
    left = _TOOL + _GAP if columns[0] else 0.0
    return [_MARGIN, _MARGIN + left, _MARGIN + left + _TABLE + _GAP]


def _headings(columns: Sequence[Sequence[_Node]]) -> list[tuple[str, float, str]]:
    xs = _xs(columns)
    found = [
        ("Tools that write", xs[0] + _TOOL, "end"),
        ("Tables", xs[1] + _TABLE / 2, "middle"),
        ("Tools that only read", xs[2], "start"),
    ]
    return [heading for heading, column in zip(found, columns, strict=True) if column]


def _mark(node: _Node, x: float, y: float, height: float, effects: Mapping[str, Effects]) -> Mark:
    table = node.place == "table"
    tables = (node.name,) if table else touched(effects[node.name])
    return Mark(
        node.name,
        truncated(node.name, 24 if table else _LETTERS),
        node.place,
        x,
        y,
        _TABLE if table else _TOOL,
        height,
        tables,
    )


def _flows(links: Sequence[_Link], marks: Mapping[_Node, Mark]) -> list[Flow]:
    ports = _ports(links, marks)
    flows = []
    for link in links:
        tool, table = marks[link.tool], marks[link.table]
        writer = link.tool.place == "writer"
        at_tool = Point(tool.x + tool.width if writer else tool.x, tool.y + tool.height / 2)
        at_table = Point(table.x if writer else table.x + table.width, ports[link])
        points = [at_table, at_tool] if link.effect == "reads" else [at_tool, at_table]
        flows.append(Flow(tool.name, table.name, link.effect, curve(points), _aside(link)))
    return flows


def _ports(links: Sequence[_Link], marks: Mapping[_Node, Mark]) -> dict[_Link, float]:
    """Where each link meets its table: along the side in the order of the tools, so that they do not cross there.

    Reads aside share the middle.
    """
    ports = {link: marks[link.table].y + marks[link.table].height / 2 for link in links if _aside(link)}
    sides: dict[tuple[_Node, str], list[_Link]] = {}
    for link in links:
        if link in ports:
            continue
        sides.setdefault((link.table, link.tool.place), []).append(link)
    for (table, _), group in sides.items():
        group.sort(key=lambda link: (marks[link.tool].y, EFFECTS.index(link.effect)))
        step = marks[table].height / (len(group) + 1)
        ports.update({link: marks[table].y + step * (number + 1) for number, link in enumerate(group)})
    return ports
