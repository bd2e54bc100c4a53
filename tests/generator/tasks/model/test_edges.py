"""What becomes of the graph when a model judges it: nothing is lost, and nothing is walked on its word alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from autoforge.generator.conformance.subject import Subject
from autoforge.generator.tasks.graph import Edge
from autoforge.generator.tasks.model.edges import judge_edges
from autoforge.generator.tasks.model.flow import flows
from autoforge.generator.tasks.model.pairs import likely_pairs, ruled_pairs
from autoforge.generator.tasks.workshop import Workshop
from tests.generator.tasks.model.conftest import Connect, Decide, prompt
from tests.gym.replay_server import Answer, ReplayServer, Step

Serve = Callable[[Decide], ReplayServer]


def _sensible(body: dict[str, Any], pattern: str = "") -> Step:
    """All pairs that match are sensible, and so are some that do not exist."""
    numbers = [
        int(n) for n, rest in re.findall(r"^(\d+)\. (.*)$", prompt(body), re.MULTILINE) if re.search(pattern, rest)
    ]
    return Answer("Thinking…\n" + json.dumps({"sensible": [*numbers, 0, -3, 999]}))


def _bare(edge: Edge) -> Edge:
    return edge._replace(evidence=tuple(e for e in edge.evidence if e != "model"))


def test_what_the_rules_found_stays_and_is_confirmed(workshop: Workshop, connect: Connect, serve: Serve) -> None:
    graph = workshop.knowledge.graph
    with connect(serve(lambda body: _sensible(body, "-> ticket_id"))) as adviser:
        judged = judge_edges(graph, workshop.catalogue, workshop.stage, adviser)
    assert tuple(_bare(edge) for edge in judged.edges) == graph.edges
    confirmed = {edge.slot.name for edge in judged.edges if edge.evidence[-1] == "model"}
    assert confirmed == {"ticket_id"}
    assert judged.user_ids == graph.user_ids


def test_an_edge_by_the_model_alone_is_walked_only_where_a_value_flowed(
    workshop: Workshop, connect: Connect, serve: Serve
) -> None:
    graph = workshop.knowledge.graph
    with connect(serve(_sensible)) as adviser:
        judged = judge_edges(graph, workshop.catalogue, workshop.stage, adviser)
    alone = [edge for edge in judged.edges if edge.evidence[0] == "model"]
    walked = [edge for edges in judged.successors.values() for edge in edges if edge.evidence[0] == "model"]
    assert {edge.evidence for edge in alone} == {("model",), ("model", "flow")}
    assert walked and all("flow" in edge.evidence for edge in walked)
    assert ("get_ticket", "customer_email", "open_ticket") in {(e.producer, e.field, e.consumer) for e in walked}
    drawn = [d["evidence"] for *_, d in judged.networkx(workshop.catalogue).edges(data=True)]
    assert drawn.count("model") == sum(edge.evidence == ("model",) for edge in alone) > 0


def test_many_pairs_go_into_one_request_and_a_second_run_asks_none(
    workshop: Workshop, connect: Connect, serve: Serve
) -> None:
    graph, server = workshop.knowledge.graph, serve(_sensible)
    pairs = len(ruled_pairs(graph, workshop.catalogue)) + len(likely_pairs(graph, workshop.catalogue))
    edges = []
    for _ in range(2):
        with connect(server) as adviser:
            edges.append(judge_edges(graph, workshop.catalogue, workshop.stage, adviser).edges)
    assert edges[0] == edges[1]
    assert len(server.requests) == -(-pairs // 50)


def test_garbage_changes_nothing_and_is_noted(workshop: Workshop, connect: Connect, serve: Serve) -> None:
    graph = workshop.knowledge.graph
    with connect(serve(lambda body: Answer('{"sensible": "all of them"}'))) as adviser:
        judged = judge_edges(graph, workshop.catalogue, workshop.stage, adviser)
        notes = adviser.record()["notes"]
    assert judged.edges == graph.edges
    assert isinstance(notes, list) and str(notes[0]).startswith("edges: an answer was given up")


def test_a_spent_budget_changes_nothing_and_is_noted(
    workshop: Workshop, connect: Connect, serve: Serve, prices: None, told: list[str]
) -> None:
    graph, server = workshop.knowledge.graph, serve(_sensible)
    with connect(server, max_cost=0.0) as adviser:
        judged = judge_edges(graph, workshop.catalogue, workshop.stage, adviser)
    assert judged.edges == graph.edges
    assert not server.requests
    assert "edges: the cost limit is reached, so the rest goes without the model" in told[0]


def test_pairs_are_new_likely_and_of_fitting_types(workshop: Workshop) -> None:
    graph, catalogue = workshop.knowledge.graph, workshop.catalogue
    likely = likely_pairs(graph, catalogue)
    assert likely == likely_pairs(graph, catalogue)
    assert not {p.key for p in likely} & {p.key for p in ruled_pairs(graph, catalogue)}
    assert len({p.key for p in likely}) == len(likely)
    assert ("tickets", "customer_email", "open_ticket") in {p.key[:3] for p in likely}
    assert not any(p.slot.name in ("priority", "status", "sort_by") for p in likely), (
        "fixed values are no matter of flow"
    )


def test_a_value_that_is_refused_by_the_schema_or_changes_nothing_does_not_flow(workshop: Workshop) -> None:
    graph, catalogue, stage = workshop.knowledge.graph, workshop.catalogue, workshop.stage
    tools = {tool.name: tool for tool in Subject.read(stage.folder.path).tools}
    pairs = {(p.field, p.consumer): p for p in likely_pairs(graph, catalogue)}

    def flow(field: str, consumer: str) -> bool:
        pair = pairs[field, consumer]
        return any(flows(stage, catalogue, carrier, tools[consumer], pair.slot) for carrier in pair.carriers)

    assert flow("due_on", "search_tickets")
    assert not flow("opened_at", "search_tickets"), "a moment is no date"
