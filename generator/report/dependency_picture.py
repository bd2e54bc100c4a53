"""Where the picture of the tool dependency graph draws what: tools whose outputs are used on the left, tools that use
them on the right, one curve for each pair.

Invariant: every pair of tools with an edge has one curve; where there are many, only the strongest evidence is drawn
until a tool is chosen, so the picture stays legible at any size. A tool that gives and takes stands on both sides. Not
covered: markup; how the graph is found (`tasks`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import networkx as nx

from autoforge.generator.report.geometry import Point, curve
from autoforge.generator.report.ordering import ordered
from autoforge.generator.report.spacing import spaced
from autoforge.generator.report.wording import truncated

__all__ = ["DependencyPicture", "Edge", "Pair", "Tool", "ToolGraph", "dependency_picture"]

ToolGraph: TypeAlias = "nx.MultiDiGraph[str]"

_STRENGTH = {"flow": 4, "model": 2, "names": 2, "types": 1}
_TOOL, _GAP, _LINE = 300.0, 420.0, 22.0
_SPACE, _HEADING, _MARGIN = 3.0, 34.0, 8.0
_LETTERS = 40
_MOST_PAIRS = 90
"""Curves drawn before a tool is chosen."""
_MOST_SWEPT = 400
"""Pairs that shape the order of the tools: the number of crossings to count grows with its square."""


class Edge(NamedTuple):
    """An output that can feed a parameter."""

    output: str
    parameter: str
    evidence: tuple[str, ...]

    @property
    def strength(self) -> int:
        return sum(_STRENGTH.get(name, 0) for name in self.evidence)


class Tool(NamedTuple):
    name: str
    label: str
    place: str
    """`gives` or `takes`."""
    kind: str
    side: str
    x: float
    y: float
    width: float
    height: float


class Pair(NamedTuple):
    """All edges from one tool to another."""

    giver: str
    taker: str
    edges: tuple[Edge, ...]
    """Strongest first."""
    path: str
    strong: bool
    """Drawn also while no tool is chosen."""

    @property
    def flowed(self) -> bool:
        return any("flow" in edge.evidence for edge in self.edges)


class DependencyPicture(NamedTuple):
    width: float
    height: float
    tools: tuple[Tool, ...]
    pairs: tuple[Pair, ...]
    strong: int
    edges: int
    alone: tuple[str, ...]
    """Tools without any edge."""


class _Node(NamedTuple):
    place: str
    name: str


def dependency_picture(graph: ToolGraph) -> DependencyPicture:
    """Lay out the graph. Sizes are in pixels at 12 px type."""
    found = _pairs(graph)
    strong = set(_strongest(found))
    columns = [[_Node("gives", name) for name in graph if any(p[0] == name for p in found)],
               [_Node("takes", name) for name in graph if any(p[1] == name for p in found)]]  # fmt: skip
    shaping = sorted(found, key=lambda pair: (pair not in strong, -_strength(found[pair])))[:_MOST_SWEPT]
    links = [(_Node("gives", giver), _Node("takes", taker)) for giver, taker in shaping]
    columns = ordered(columns, links)
    tops = spaced(columns, {node: _LINE for column in columns for node in column}, links, _SPACE)
    tools = {node: _tool(node, graph, tops[node] + _HEADING) for column in columns for node in column}
    pairs = tuple(_drawn(pair, edges, tools, pair in strong) for pair, edges in found.items())
    used = {name for pair in found for name in pair}
    return DependencyPicture(
        2 * (_TOOL + _MARGIN) + _GAP, max((t.y + t.height for t in tools.values()), default=0.0) + _MARGIN,
        tuple(tools.values()), pairs, len(strong), sum(map(len, found.values())),
        tuple(name for name in graph if name not in used),
    )  # fmt: skip


def _pairs(graph: ToolGraph) -> dict[tuple[str, str], tuple[Edge, ...]]:
    found: dict[tuple[str, str], list[Edge]] = {}
    for giver, taker, data in graph.edges(data=True):
        evidence = tuple(part for part in str(data.get("evidence", "")).split(",") if part)
        found.setdefault((giver, taker), []).append(
            Edge(str(data.get("output", "")), str(data.get("parameter", "")), evidence)
        )
    return {
        pair: tuple(sorted(edges, key=lambda e: (-e.strength, e.parameter, e.output))) for pair, edges in found.items()
    }


def _strength(edges: Sequence[Edge]) -> int:
    return max(edge.strength for edge in edges)


def _strongest(found: Mapping[tuple[str, str], Sequence[Edge]]) -> list[tuple[str, str]]:
    """The pairs that are drawn at once: for each parameter in turn its best giver, then its second best, and so on."""
    if len(found) <= _MOST_PAIRS:
        return list(found)
    givers: dict[tuple[str, str], list[tuple[int, tuple[str, str]]]] = {}
    for pair, edges in found.items():
        for edge in edges:
            givers.setdefault((pair[1], edge.parameter), []).append((-edge.strength, pair))
    rounds = [
        (place, weight, pair) for ranked in givers.values() for place, (weight, pair) in enumerate(sorted(ranked))
    ]
    return list(dict.fromkeys(pair for _, _, pair in sorted(rounds)))[:_MOST_PAIRS]


def _tool(node: _Node, graph: ToolGraph, y: float) -> Tool:
    data = graph.nodes[node.name]
    x = _MARGIN if node.place == "gives" else _MARGIN + _TOOL + _GAP
    kind, side = str(data.get("kind", "")), str(data.get("side", "agent"))
    return Tool(node.name, truncated(node.name, _LETTERS), node.place, kind, side, x, y, _TOOL, _LINE)


def _drawn(pair: tuple[str, str], edges: tuple[Edge, ...], tools: Mapping[_Node, Tool], strong: bool) -> Pair:
    giver, taker = tools[_Node("gives", pair[0])], tools[_Node("takes", pair[1])]
    middle = _LINE / 2
    path = curve([Point(giver.x + giver.width, giver.y + middle), Point(taker.x, taker.y + middle)])
    return Pair(*pair, edges, path, strong)
