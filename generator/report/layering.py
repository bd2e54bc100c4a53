"""Columns for the nodes of a directed graph, parents to the left of their children, no column much taller than wanted.

Invariant: the result depends on names, heights and edges only; an edge never joins two nodes of one column, also where
the graph has cycles (an edge that closes one then runs from right to left). Not covered: places within a column
(`ordering`, `spacing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import networkx as nx

__all__ = ["Edge", "layered"]

Edge = tuple[str, str]
"""Parent and child: the table referred to and the one that refers."""

_Graph: TypeAlias = "nx.DiGraph[str]"


def layered(heights: Mapping[str, float], edges: Sequence[Edge], cap: float) -> dict[str, int]:
    """Column of each node, from 0. A column is closed once it is `cap` high, so a hub's many children use several."""
    forward = _forward(list(heights), edges)
    columns = _placed(heights, forward, cap)
    return _pulled(heights, forward, columns, cap)


def _forward(names: list[str], edges: Sequence[Edge]) -> _Graph:
    """The graph in one order of its nodes, every edge turned to run along it: no cycles are left."""
    graph: _Graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from((parent, child) for parent, child in edges if parent != child)
    groups = nx.condensation(graph)
    place = {name: number for number, name in enumerate(names)}
    first = {group: min(place[name] for name in groups.nodes[group]["members"]) for group in groups}
    order: list[str] = []
    for group in nx.lexicographical_topological_sort(groups, key=first.__getitem__):
        order += sorted(groups.nodes[group]["members"], key=place.__getitem__)
    rank = {name: number for number, name in enumerate(order)}
    forward: _Graph = nx.DiGraph()
    forward.add_nodes_from(order)
    forward.add_edges_from((a, b) if rank[a] < rank[b] else (b, a) for a, b in graph.edges)
    return forward


def _placed(heights: Mapping[str, float], forward: _Graph, cap: float) -> dict[str, int]:
    columns: dict[str, int] = {}
    filled: dict[int, float] = {}
    for name in forward:
        column = max((columns[parent] + 1 for parent in forward.predecessors(name)), default=0)
        while filled.get(column) and filled[column] + heights[name] > cap:
            column += 1
        columns[name] = column
        filled[column] = filled.get(column, 0.0) + heights[name]
    return columns


def _pulled(heights: Mapping[str, float], forward: _Graph, columns: dict[str, int], cap: float) -> dict[str, int]:
    """Nodes without parents moved next to their nearest child, where there is room: shorter edges."""
    pulled = dict(columns)
    for name in reversed(list(forward)):
        children = [pulled[child] for child in forward.successors(name)]
        if forward.in_degree(name) or not children or min(children) - 1 <= pulled[name]:
            continue
        column = min(children) - 1
        if sum(heights[other] for other in pulled if pulled[other] == column) + heights[name] <= cap:
            pulled[name] = column
    return _dense(pulled)


def _dense(columns: dict[str, int]) -> dict[str, int]:
    number = {column: place for place, column in enumerate(sorted(set(columns.values())))}
    return {name: number[column] for name, column in columns.items()}
