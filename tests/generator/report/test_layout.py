"""Layering, ordering and spacing as laws over any graph."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.generator.report.layering import layered
from autoforge.generator.report.ordering import crossings, ordered
from autoforge.generator.report.spacing import isotonic, spaced

NAMES = [f"n{number}" for number in range(9)]
EDGES = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=20, unique=True)
BETWEEN = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=18, unique=True)


@given(EDGES)
def test_no_edge_stays_within_a_column_whatever_the_cycles(edges: list[tuple[str, str]]) -> None:
    columns = layered(dict.fromkeys(NAMES, 10.0), edges, 45.0)
    assert set(columns) == set(NAMES)
    assert all(columns[a] != columns[b] for a, b in edges if a != b)
    assert set(columns.values()) == set(range(max(columns.values()) + 1))


@given(EDGES)
def test_without_cycles_parents_stand_left_of_their_children(edges: list[tuple[str, str]]) -> None:
    acyclic = [(min(a, b), max(a, b)) for a, b in edges if a != b]
    columns = layered(dict.fromkeys(NAMES, 10.0), acyclic, 1000.0)
    assert all(columns[a] < columns[b] for a, b in acyclic)


@given(EDGES)
def test_a_column_is_not_filled_beyond_its_cap(edges: list[tuple[str, str]]) -> None:
    columns = layered(dict.fromkeys(NAMES, 10.0), edges, 30.0)
    assert all(list(columns.values()).count(column) <= 3 for column in columns.values())


def test_the_children_of_a_hub_are_spread_over_columns() -> None:
    edges = [("hub", f"child{n}") for n in range(9)]
    columns = layered({"hub": 10.0, **{f"child{n}": 10.0 for n in range(9)}}, edges, 30.0)
    assert [list(columns.values()).count(column) for column in range(4)] == [1, 3, 3, 3]


@given(BETWEEN)
def test_ordering_never_adds_crossings_and_keeps_the_nodes(pairs: list[tuple[int, int]]) -> None:
    columns = [[f"a{n}" for n in range(6)], [f"b{n}" for n in range(6)]]
    edges = [(f"a{a}", f"b{b}") for a, b in pairs]
    found = ordered(columns, edges)
    assert [sorted(column) for column in found] == columns
    assert crossings(found, edges) <= crossings(columns, edges)


def test_crossings_that_need_not_be_are_removed() -> None:
    edges = [("a1", "b3"), ("a2", "b2"), ("a3", "b1")]
    assert crossings([["a1", "a2", "a3"], ["b1", "b2", "b3"]], edges) == 3
    assert crossings(ordered([["a1", "a2", "a3"], ["b1", "b2", "b3"]], edges), edges) == 0


def test_where_an_edge_ends_on_a_node_decides_between_its_neighbours() -> None:
    edges = [("low", "table"), ("high", "table")]
    ports = {("low", "table"): 0.9, ("high", "table"): 0.1}
    assert ordered([["low", "high"], ["table"]], edges, ports)[0] == ["high", "low"]


@given(st.lists(st.floats(-100, 100), max_size=12))
def test_isotonic_is_sorted_and_keeps_the_sum(values: list[float]) -> None:
    found = isotonic(values)
    assert all(a <= b + 1e-9 for a, b in pairwise(found))
    assert abs(sum(found) - sum(values)) < 1e-6


@given(st.lists(st.floats(-100, 100), max_size=12))
def test_isotonic_leaves_what_is_sorted(values: list[float]) -> None:
    assert isotonic(sorted(values)) == sorted(values)


@given(BETWEEN, st.lists(st.floats(5, 80), min_size=12, max_size=12))
@settings(max_examples=60)
def test_spaced_nodes_keep_their_order_and_distance(pairs: list[tuple[int, int]], sizes: list[float]) -> None:
    columns = [[f"a{n}" for n in range(6)], [f"b{n}" for n in range(6)]]
    heights = dict(zip([*columns[0], *columns[1]], sizes, strict=True))
    tops = spaced(columns, heights, [(f"a{a}", f"b{b}") for a, b in pairs], 7.0)
    for column in columns:
        for above, below in pairwise(column):
            assert tops[above] + heights[above] + 7.0 <= tops[below] + 1e-6
    assert abs(min(tops.values())) < 1e-9


def test_parts_without_a_common_edge_leave_no_empty_band() -> None:
    columns = [["a1", "a2"], ["b1", "b2"]]
    tops = spaced(columns, {"a1": 10.0, "a2": 10.0, "b1": 10.0, "b2": 400.0}, [("a1", "b1"), ("a2", "b2")], 5.0)
    assert tops["b2"] == tops["b1"] + 15.0
