"""The dependency graph of the desk, and of desks that have been cut down."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from autoforge.generator.tasks.catalogue import Catalogue, ColumnName
from autoforge.generator.tasks.graph import Graph, build_graph, graphml
from autoforge.generator.tasks.probing import probe
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.walks import is_startable
from autoforge.mcp_envs.environment import find_environment
from tests.generator.tasks.conftest import desk_copy

Explored = tuple[Catalogue, Graph]


def evidence(graph: Graph, producer: str, consumer: str, parameter: str) -> dict[str, tuple[str, ...]]:
    """Field -> evidence of the edges between two tools."""
    return {
        e.field: e.evidence
        for e in graph.edges
        if (e.producer, e.consumer, e.slot.path) == (producer, consumer, (parameter,))
    }


def test_an_id_that_a_search_shows_feeds_what_needs_it(graph: Graph) -> None:
    assert "flow" in evidence(graph, "search_tickets", "get_ticket", "ticket_id")["id"]
    assert "flow" in evidence(graph, "list_agents", "assign_ticket", "agent_id")["id"]
    assert evidence(graph, "list_agents", "assign_ticket", "ticket_id") == {}


def test_a_field_of_the_same_name_is_evidence_too(graph: Graph) -> None:
    assert evidence(graph, "add_note", "get_ticket", "ticket_id")["ticket_id"] == ("types", "names", "flow")
    assert "names" not in evidence(graph, "open_ticket", "get_ticket", "ticket_id")["id"]


def test_a_value_that_is_refused_gives_no_flow(graph: Graph) -> None:
    """A ticket that was just opened is not assigned and cannot be resolved."""
    assert evidence(graph, "open_ticket", "resolve_ticket", "ticket_id") == {"id": ("types",)}


def test_every_edge_has_evidence_and_leads_from_a_row_to_a_slot_of_the_same_domain(
    graph: Graph, catalogue: Catalogue
) -> None:
    assert graph.edges
    for edge in graph.edges:
        assert "types" in edge.evidence and set(edge.evidence) <= {"types", "names", "flow"}
        assert edge.producer != edge.consumer
        rows = catalogue.tools[edge.producer].rows[edge.row_set]
        column = next(c for c, path in rows.fields.items() if path == edge.field)
        assert edge.slot.column is not None
        assert catalogue.domain(ColumnName(rows.table, column)) == catalogue.domain(edge.slot.column)


def test_the_look_ups_hold_every_edge(graph: Graph) -> None:
    for listed in (graph.successors, graph.producers):
        found = [e for edges in listed.values() for e in edges]
        assert len(found) == len(graph.edges) and all(e in found for e in graph.edges)
    for producer, edges in graph.successors.items():
        assert all(e.producer == producer for e in edges)
    for (consumer, path), edges in graph.producers.items():
        assert all(e.consumer == consumer and e.slot.path == path for e in edges)


def test_the_graph_reads_back_from_graphml(graph: Graph, catalogue: Catalogue) -> None:
    drawn = graph.networkx(catalogue)
    again: Any = nx.read_graphml(io.BytesIO(graphml(drawn).encode()), force_multigraph=True)
    assert again.is_directed() and dict(again.nodes.items()) == dict(drawn.nodes.items())
    assert again.nodes["open_ticket"] == {"kind": "create", "side": "agent", "writes": True}

    def edges(graph: Any) -> list[tuple[str, str, str, str, str]]:
        return sorted((a, b, d["output"], d["parameter"], d["evidence"]) for a, b, d in graph.edges(data=True))

    assert edges(again) == edges(drawn) and len(edges(again)) == len(graph.edges)
    assert ("search_tickets", "get_ticket", "$.tickets[*].id", "ticket_id", "types,flow") in edges(again)


@pytest.fixture
def explored(tmp_path: Path) -> Iterator[Callable[[Sequence[str]], Explored]]:
    """Finds out about a desk that has only some of its tools."""
    with ExitStack() as stack:

        def explore(kept: Sequence[str]) -> Explored:
            folder = desk_copy(tmp_path).path
            for file, part in (("docs.json", None), ("environment.json", "tools")):
                document = json.loads((folder / file).read_text(encoding="utf-8"))
                tools = [t for t in (document[part] if part else document) if t["name"] in kept]
                text = json.dumps({**document, part: tools} if part else tools)
                (folder / file).write_text(text, encoding="utf-8")
            source = (folder / "tools.py").read_text(encoding="utf-8")
            parts = re.split(r"(?m)^(?=def |class )", source)
            listed = [p for p in parts if not re.match(r"def [a-z]", p) or re.match(r"def (\w+)", p)[1] in kept]  # type: ignore[index]
            (folder / "tools.py").write_text("".join(listed), encoding="utf-8")
            stage = stack.enter_context(Stage(find_environment(str(folder))))
            catalogue = probe(stage)
            return catalogue, build_graph(stage, catalogue)

        yield explore


def test_ids_that_no_tool_lists_are_the_users_to_know(explored: Callable[[Sequence[str]], Explored]) -> None:
    catalogue, graph = explored(["get_ticket", "add_note", "list_agents"])
    assert graph.user_ids == {ColumnName("tickets", "id")}
    assert is_startable(catalogue.tools["get_ticket"], catalogue, graph)


def test_ids_that_can_be_looked_up_are_not(graph: Graph, catalogue: Catalogue) -> None:
    assert graph.user_ids == frozenset()
    assert not is_startable(catalogue.tools["get_ticket"], catalogue, graph)
    assert is_startable(catalogue.tools["search_tickets"], catalogue, graph)
