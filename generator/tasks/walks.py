"""Random walks over the dependency graph: sequences of tools in which each is fed by the one before.

Invariant: the same graph, policy and seed give the same walks; no two walks of a set are isomorphic (same tools, same
edges, in the same order). Not covered: filling the other arguments, values (`build`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from autoforge.generator.tasks.catalogue import Catalogue, Slot, ToolModel
from autoforge.generator.tasks.graph import Edge, Graph

__all__ = ["Walk", "WalkPolicy", "is_startable", "walks"]

T = TypeVar("T")
_TRIES = 4
"""Walks drawn for each that is wanted, since many are isomorphic."""


@dataclass(frozen=True)
class WalkPolicy:
    """What walks are like."""

    least: int = 1
    """Fewest tools."""
    most: int = 4
    """Most tools."""
    write_weight: float = 3.0
    """How much likelier a writing tool is taken as the next one than a reading one."""
    breadth: float = 1.0
    """How strongly tools that were seldom walked are preferred; 0: not at all."""


class Walk(NamedTuple):
    """Tools in order, and the edge that leads to each but the first."""

    tools: tuple[str, ...]
    edges: tuple[Edge, ...]

    @property
    def goal(self) -> str:
        return self.tools[-1]


def is_startable(tool: ToolModel, catalogue: Catalogue, graph: Graph) -> bool:
    """Whether a user can start it: nothing that it must be given is an id that people do not know."""
    return not any(is_opaque(slot, catalogue, graph) for slot in tool.slots if slot.required)


def is_opaque(slot: Slot, catalogue: Catalogue, graph: Graph) -> bool:
    """Whether it takes ids that tools generate and tell, so that nobody needs to know them."""
    if slot.role != "reference" or slot.column is None:
        return False
    domain = catalogue.domain(slot.column)
    column = catalogue.column(domain)
    return column is not None and column.kind == "surrogate" and domain not in graph.user_ids


def walks(
    graph: Graph, catalogue: Catalogue, count: int, *, seed: int = 0, policy: WalkPolicy | None = None
) -> tuple[Walk, ...]:
    """At most `count` walks, no two isomorphic, each ending in a goal: a tool that writes, or a read with a value to
    tell.
    """
    walker = _Walker(graph, catalogue, policy or WalkPolicy(), random.Random(f"walks {seed}"))
    found: dict[tuple[object, ...], Walk] = {}
    for _ in range(count * _TRIES):
        if len(found) >= count:
            break
        walk = walker.walk()
        if walk is not None:
            found.setdefault(_shape(walk), walk)
    return tuple(found.values())


def _shape(walk: Walk) -> tuple[object, ...]:
    return walk.tools, tuple((e.row_set, e.field, e.slot.path) for e in walk.edges)


class _Walker:
    def __init__(self, graph: Graph, catalogue: Catalogue, policy: WalkPolicy, chance: random.Random) -> None:
        self._graph = graph
        self._catalogue = catalogue
        self._policy = policy
        self._chance = chance
        self._visits: Counter[str] = Counter()
        tools = [t for t in catalogue.tools.values() if t.samples and t.record.kind != "weak"]
        self._usable = {t.name for t in tools}
        self._starts = [t.name for t in tools if is_startable(t, catalogue, graph)]

    def walk(self) -> Walk | None:
        if not self._starts:
            return None
        tools = [self._pick({name: self._weight(name) for name in self._starts})]
        edges: list[Edge] = []
        length = self._chance.randint(self._policy.least, self._policy.most)
        while len(tools) < length:
            edge = self._next(tools)
            if edge is None:
                break
            tools.append(edge.consumer)
            edges.append(edge)
        self._visits.update(tools)
        walk = Walk(tuple(tools), tuple(edges))
        return walk if self._is_goal(self._catalogue.tools[walk.goal]) and len(tools) >= self._policy.least else None

    def _next(self, tools: list[str]) -> Edge | None:
        options = [
            edge
            for edge in self._graph.successors[tools[-1]]
            if self._side(edge.consumer) == self._side(edge.producer)
            and edge.consumer in self._usable
            and edge.consumer not in tools
            and _is_useful(edge, self._catalogue)
        ]
        if not options:
            return None
        by_consumer: dict[str, list[Edge]] = {}
        for edge in options:
            by_consumer.setdefault(edge.consumer, []).append(edge)
        consumer = self._pick({name: self._weight(name) for name in by_consumer})
        edges = by_consumer[consumer]
        weights = {
            i: (4.0 if e.slot.required else 1.0) * (3.0 if "flow" in e.evidence else 1.0) for i, e in enumerate(edges)
        }
        return edges[self._pick(weights)]

    def _side(self, name: str) -> str:
        return self._catalogue.tools[name].side

    def _weight(self, name: str) -> float:
        write = self._policy.write_weight if not self._catalogue.tools[name].reads_only else 1.0
        return float(write / (1 + self._visits[name]) ** self._policy.breadth)

    def _pick(self, weights: Mapping[T, float]) -> T:
        names = list(weights)
        return self._chance.choices(names, [weights[n] for n in names])[0]

    def _is_goal(self, tool: ToolModel) -> bool:
        return not tool.reads_only or bool(tool.rows or tool.fields)


def _is_useful(edge: Edge, catalogue: Catalogue) -> bool:
    """Whether it names a row; a status that a filter takes is no reason to go on."""
    if edge.slot.role == "reference" or ("model" in edge.evidence and "flow" in edge.evidence):
        return True
    domain = catalogue.domain(edge.slot.column) if edge.slot.column is not None else None
    column = catalogue.column(domain) if domain is not None else None
    return "flow" in edge.evidence and column is not None and column.kind in ("surrogate", "key")
