"""Ways to point out an item: the real operators give exactly that item."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.tasks.operators import derive
from autoforge.generator.tasks.operators.operator import OperatorFault
from autoforge.generator.tasks.row_sets import type_of_value
from autoforge.generator.tasks.selectors import Link, Selection, selections
from autoforge.mcp_envs.task import Literally, Output, Reasoning

ITEMS = st.lists(
    st.fixed_dictionaries(
        {"id": st.integers(1, 99)},
        optional={
            "price": st.none() | st.integers(-5, 2000) | st.floats(0, 500, width=16),
            "name": st.none()
            | st.sampled_from(["Ada", "ada", "Bo", "", " ", "x\ny", "https://a.example", "word " * 20]),
            "city": st.sampled_from(["Bonn", "Lima"]),
            "due": st.none() | st.dates().map(lambda d: d.isoformat()),
            "open": st.booleans(),
            "owner": st.fixed_dictionaries({"name": st.sampled_from(["Eva", "Max", "Ida"])}),
            "list": st.lists(st.integers(), max_size=2),
        },
    ),
    max_size=7,
)
TYPES = {"id": "number", "price": "number", "name": "text", "city": "text", "due": "date", "open": "boolean",
         "owner.name": "text", "list": "list"}  # fmt: skip


def ways(items: list[Any], seed: int = 0) -> list[Selection]:
    return selections(items, TYPES, random.Random(seed), ids=frozenset({"id"}))


def evaluated(items: list[Any], chain: tuple[Link, ...]) -> Any:
    """What the operators make of a chain, as a blueprint would have it."""
    value: Any = items
    for link in chain:
        inputs = {} if link.compare is None else {"value": link.value}
        node = Reasoning(
            id="n",
            reason=link.reason,
            over=Output(node="m"),
            by=link.by,
            compare=link.compare,
            n=link.n,
            inputs={name: Literally(literal=v) for name, v in inputs.items()},
        )
        value = derive(node, value, inputs)
    return value


@given(ITEMS, st.integers(0, 5))
def test_the_operators_give_exactly_the_item_at_its_place(items: list[Any], seed: int) -> None:
    for way in ways(items, seed):
        assert way.weight > 0
        assert evaluated(items, way.chain) is items[way.place], way


@given(ITEMS)
def test_a_filter_that_is_kept_changes_the_outcome(items: list[Any]) -> None:
    for way in ways(items):
        if len(way.chain) > 1:
            try:
                without = evaluated(items, way.chain[1:])
            except OperatorFault:
                continue
            assert without is not items[way.place], way


@given(ITEMS)
def test_nobody_sorts_by_generated_ids_or_quotes_what_cannot_be_said(items: list[Any]) -> None:
    for link in (link for way in ways(items) for link in way.chain):
        assert link.by != "id"
        if isinstance(link.value, str):
            assert link.value.strip() and "\n" not in link.value and len(link.value) <= 60
            assert not link.value.startswith("http")


def test_an_only_item_is_the_only_one_and_none_cannot_be_pointed_out() -> None:
    assert [w.chain for w in ways([{"id": 1, "price": 3}])] == [(Link("only"),)]
    assert ways([]) == []


SHOP = [
    {"id": i, "name": name, "city": city, "price": price, "open": open}
    for i, name, city, price, open in [
        (1, "Ada", "Bonn", 40, True),
        (2, "Bo", "Lima", 10, True),
        (3, "Cy", "Bonn", 30, False),
        (4, "Di", "Lima", 20, True),
    ]
]


def test_the_ways_that_a_person_would_think_of_are_there() -> None:
    found = {way.chain: way.place for way in ways(SHOP)}
    assert found[(Link("argmin", "price"),)] == 1
    assert found[(Link("argmax", "price"),)] == 0
    assert found[(Link("nth_highest", "price", n=2),)] == 2
    assert found[(Link("only_where", "name", "equal", value="Cy"),)] == 2
    assert found[(Link("filter", "city", "equal", value="Bonn"), Link("argmin", "price"))] == 2
    assert found[(Link("filter", "city", "equal", value="Lima"), Link("argmax", "price"))] == 3
    assert (Link("filter", "city", "equal", value="Bonn"), Link("argmax", "price")) not in found
    assert any(chain[0].compare in ("less", "greater") for chain in found)


def test_bounds_lie_between_the_values() -> None:
    prices = {item["price"] for item in SHOP}
    bounds = {link.value for seed in range(20) for w in ways(SHOP, seed) for link in w.chain if link.compare == "less"}
    assert bounds and not bounds & prices and all(10 < bound < 40 for bound in bounds)
    assert all(type_of_value(bound) == "number" for bound in bounds)


def test_ties_are_not_offered() -> None:
    found = [
        way.chain
        for way in ways([{"price": 3, "city": "Bonn"}, {"price": 3, "city": "Lima"}, {"price": 9, "city": "Lima"}])
    ]
    assert (Link("argmax", "price"),) in found and (Link("argmin", "price"),) not in found
    assert (Link("only_where", "city", "equal", value="Lima"),) not in found


def test_chance_decides_the_order_only() -> None:
    one, two = ways(SHOP, 1), ways(SHOP, 2)
    assert ways(SHOP, 1) == one != two
    assert {w for w in one if "filter" not in {link.reason for link in w.chain}} <= set(two)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)


@given(st.lists(st.fixed_dictionaries({"a": JSON, "b": JSON}), max_size=7), st.sampled_from(["text", "number", "date"]))
def test_values_of_another_type_than_most_are_passed_over(items: list[Any], kind: str) -> None:
    """The type of a column is that of most of its values: an address may be a text in one row and a list in another."""
    for way in selections(items, {"a": kind, "b": "boolean"}, random.Random(0)):
        assert 0 <= way.place < len(items)
