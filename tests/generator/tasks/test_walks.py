"""Random walks over the desk's graph, and what the policy does to them."""

from __future__ import annotations

import pytest

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.graph import Graph
from autoforge.generator.tasks.walks import Walk, WalkPolicy, is_startable, walks


@pytest.fixture(scope="module")
def many(graph: Graph, catalogue: Catalogue) -> tuple[Walk, ...]:
    found = walks(graph, catalogue, 2000, seed=1)
    assert len(found) > 100
    return found


def test_walks_begin_with_a_tool_that_a_user_can_start(
    many: tuple[Walk, ...], graph: Graph, catalogue: Catalogue
) -> None:
    starts = {walk.tools[0] for walk in many}
    assert starts == {"list_agents", "search_tickets", "open_ticket"}
    assert all(is_startable(catalogue.tools[name], catalogue, graph) for name in starts)


def test_every_edge_feeds_the_tool_that_comes_next(many: tuple[Walk, ...], graph: Graph) -> None:
    for walk in many:
        assert len(walk.edges) == len(walk.tools) - 1
        for place, edge in enumerate(walk.edges):
            assert (edge.producer, edge.consumer) == walk.tools[place : place + 2]
            assert edge in graph.edges


def test_no_tool_is_walked_twice_and_the_last_is_a_goal(many: tuple[Walk, ...], catalogue: Catalogue) -> None:
    for walk in many:
        assert len(set(walk.tools)) == len(walk.tools)
        assert walk.goal == walk.tools[-1]
        goal = catalogue.tools[walk.goal]
        assert not goal.reads_only or goal.rows or goal.fields


def test_no_two_are_isomorphic(many: tuple[Walk, ...]) -> None:
    shapes = [(w.tools, tuple((e.row_set, e.field, e.slot.path) for e in w.edges)) for w in many]
    assert len(set(shapes)) == len(shapes)


def test_the_seed_decides(many: tuple[Walk, ...], graph: Graph, catalogue: Catalogue) -> None:
    assert walks(graph, catalogue, 2000, seed=1) == many
    assert walks(graph, catalogue, 20, seed=1) == many[:20]
    assert walks(graph, catalogue, 20, seed=2) != many[:20]


@pytest.mark.parametrize(("least", "most"), [(1, 1), (2, 2), (2, 3), (3, 4)])
def test_the_policy_bounds_the_length(graph: Graph, catalogue: Catalogue, least: int, most: int) -> None:
    found = walks(graph, catalogue, 60, policy=WalkPolicy(least=least, most=most))
    assert found and {len(w.tools) for w in found} == set(range(least, most + 1))


def share_of_writes(found: tuple[Walk, ...], catalogue: Catalogue) -> float:
    taken = [name for w in found for name in w.tools[1:]]
    return sum(not catalogue.tools[name].reads_only for name in taken) / len(taken)


def test_a_greater_weight_of_writes_gives_more_of_them(graph: Graph, catalogue: Catalogue) -> None:
    few, many = (
        share_of_writes(walks(graph, catalogue, 40, seed=5, policy=WalkPolicy(write_weight=w, breadth=0)), catalogue)
        for w in (0.1, 10.0)
    )
    assert few + 0.15 < many


def test_breadth_spreads_the_walks_over_the_tools(graph: Graph, catalogue: Catalogue) -> None:
    """Where writes are hardly taken, it is breadth that takes a few walks to them."""
    narrow, broad = (
        sum(
            len({name for w in walks(graph, catalogue, 6, seed=seed, policy=policy) for name in w.tools})
            for seed in range(20)
        )
        for policy in (WalkPolicy(write_weight=0.02, breadth=breadth) for breadth in (0.0, 3.0))
    )
    assert narrow + 10 < broad


def test_an_environment_in_which_nothing_can_be_started_has_no_walks(graph: Graph, catalogue: Catalogue) -> None:
    closed = Catalogue(catalogue.manifest, {"get_ticket": catalogue.tools["get_ticket"]})
    assert walks(graph, closed, 5) == ()
