"""The dependency graph: an edge where an output of one tool can feed an argument of another.

Evidence is kept for each edge: `types` (both carry values of one column), `names` (both are called alike), `flow` (a
run in which a value that the first tool gave was taken by the second), `model` (a model's judgement). Invariant: an
edge has at least `types`, or `names` with `flow`. Not covered: walking it (`walks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import networkx as nx

from autoforge.generator.conformance.columns import words
from autoforge.generator.tasks.catalogue import Catalogue, ColumnName, RowSet, Slot, ToolModel
from autoforge.generator.tasks.slots import replaced, value_at
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.containment import Call
from autoforge.mcp_envs.paths import NoSuchPart, extract

__all__ = ["Edge", "Graph", "build_graph", "graphml"]

_MOST_TRIALS = 3
"""Values that are tried before an edge is without flow."""


class Edge(NamedTuple):
    """An output that can feed an argument."""

    producer: str
    row_set: int
    """Place among the producer's row sets."""
    field: str
    """Path inside the row set's item."""
    consumer: str
    slot: Slot
    evidence: tuple[str, ...]


class Graph:
    """Tools and edges, with look-ups both ways."""

    def __init__(self, tools: Mapping[str, ToolModel], edges: list[Edge], catalogue: Catalogue) -> None:
        self.edges = tuple(edges)
        self.successors: dict[str, list[Edge]] = {name: [] for name in tools}
        self.producers: dict[tuple[str, tuple[str | int, ...]], list[Edge]] = {}
        for edge in edges:
            self.successors[edge.producer].append(edge)
            self.producers.setdefault((edge.consumer, edge.slot.path), []).append(edge)
        self.user_ids = _user_ids(catalogue, self.edges)
        """Columns of generated ids that the user must know, since no tool that can be reached lists them."""

    def networkx(self, catalogue: Catalogue) -> nx.MultiDiGraph[str]:
        """The graph as networkx has it: nodes with `kind` and `side`, edges with `output`, `parameter`, `evidence`."""
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(name=catalogue.manifest.name)
        for tool in catalogue.tools.values():
            graph.add_node(tool.name, kind=str(tool.record.kind), side=tool.side, writes=not tool.reads_only)
        for edge in self.edges:
            rows = catalogue.tools[edge.producer].rows[edge.row_set]
            output = rows.path + ("." + edge.field if edge.field and edge.field[0] != "[" else edge.field)
            parameter = ".".join(map(str, edge.slot.path))
            graph.add_edge(
                edge.producer, edge.consumer, output=output, parameter=parameter, evidence=",".join(edge.evidence)
            )
        return graph


def graphml(graph: nx.MultiDiGraph[str]) -> str:
    """The graph as GraphML text."""
    return "\n".join(nx.generate_graphml(graph, named_key_ids=True)) + "\n"


def build_graph(stage: Stage, catalogue: Catalogue) -> Graph:
    """Every edge with its evidence; values are sent along the edges on copies of the seed."""
    edges = []
    for consumer in catalogue.tools.values():
        for slot in consumer.slots:
            if slot.column is None or slot.role not in ("reference", "filter"):
                continue
            for producer, place, rows, field in _carriers(catalogue, slot.column):
                if producer is not consumer:
                    edges.append(_edge(stage, producer, place, rows, field, consumer, slot))
    return Graph(catalogue.tools, edges, catalogue)


def _user_ids(catalogue: Catalogue, edges: Sequence[Edge]) -> frozenset[ColumnName]:
    """The fewest id columns, greedily, with which every tool can be reached from what users know."""
    usable = {t.name: _opaque(t, catalogue) for t in catalogue.tools.values() if t.samples}
    listed: dict[ColumnName, set[str]] = {}
    for edge in edges:
        if edge.slot.column is not None and catalogue.tools[edge.producer].reads_only:
            listed.setdefault(catalogue.domain(edge.slot.column), set()).add(edge.producer)
    known: set[ColumnName] = set()
    while True:
        reached = _reached(usable, listed, known)
        missing = {d for name in usable.keys() - reached for d in usable[name]} - known
        missing = {d for d in missing if not listed.get(d, set()) & reached}
        if not missing:
            return frozenset(known)
        known.add(max(sorted(missing), key=lambda d: len(_reached(usable, listed, known | {d}))))


def _opaque(tool: ToolModel, catalogue: Catalogue) -> frozenset[ColumnName]:
    """Domains of generated ids that every call needs."""
    found = set()
    for slot in tool.slots:
        if slot.required and slot.role == "reference" and slot.column is not None:
            domain = catalogue.domain(slot.column)
            column = catalogue.column(domain)
            found |= {domain} if column is not None and column.kind == "surrogate" else set()
    return frozenset(found)


def _reached(
    usable: Mapping[str, frozenset[ColumnName]], listed: Mapping[ColumnName, set[str]], known: set[ColumnName]
) -> set[str]:
    reached: set[str] = set()
    while True:
        told = known | {d for d, names in listed.items() if names & reached}
        more = {name for name, needs in usable.items() if needs <= told}
        if more == reached:
            return reached
        reached = more


def _carriers(catalogue: Catalogue, wanted: ColumnName) -> Iterator[tuple[ToolModel, int, RowSet, str]]:
    """Tools whose output rows hold values of the column's domain."""
    domain = catalogue.domain(wanted)
    for tool in catalogue.tools.values():
        for place, rows in enumerate(tool.rows):
            for column, path in rows.fields.items():
                here = ColumnName(rows.table, column)
                if (here == wanted or catalogue.domain(here) == domain) and rows.types.get(path) in ("text", "number"):
                    yield tool, place, rows, path


def _edge(
    stage: Stage, producer: ToolModel, place: int, rows: RowSet, field: str, consumer: ToolModel, slot: Slot
) -> Edge:
    evidence = ["types"]
    output, parameter = words(field.rpartition(".")[2]), words(slot.name)
    if output and (output == parameter or output[-1:] == parameter[-1:] != ("id",)):
        evidence.append("names")
    if _flows(stage, producer, rows, field, consumer, slot):
        evidence.append("flow")
    return Edge(producer.name, place, field, consumer.name, slot, tuple(evidence))


def _flows(stage: Stage, producer: ToolModel, rows: RowSet, field: str, consumer: ToolModel, slot: Slot) -> bool:
    values = [v for sample in producer.samples[:_MOST_TRIALS] for v in _values(sample.value, rows, field)]
    fitting = [s for s in consumer.samples if value_at(s.arguments, slot.path) is not None]
    start = stage.start()
    for value in list(dict.fromkeys(values))[:_MOST_TRIALS]:
        for sample in fitting[:1]:
            call = Call(consumer.name, replaced(sample.arguments, slot.path, value))
            if stage.run(start, [Call(producer.name, producer.samples[0].arguments), call]).results[-1].ok:
                return True
    return False


def _values(value: Any, rows: RowSet, field: str) -> list[Any]:
    try:
        items = extract(value, rows.path)
        found = [extract(item, field) for item in (items if rows.many else [items])]
    except NoSuchPart:
        return []
    return [v for v in found if isinstance(v, str | int | float)]
