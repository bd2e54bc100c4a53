"""Rows that say how much of one thing another has cover the pairs, each once."""

from __future__ import annotations

from collections import Counter

import pytest

from autoforge.generator.ir import World

from .worlds import INTEGER, column, entity, key, seeded, world

SEEDS = pytest.mark.parametrize("seed", range(5))


def _stocked(products: int, places: int, name: str = "stock") -> World:
    product = entity("product", key("id", INTEGER), column("name"), seed_rows=products)
    place = entity("place", key("id", INTEGER), column("name"), seed_rows=places)
    stock = entity(
        name,
        key("id", INTEGER),
        column("product_id", INTEGER, references="product", nullable=False),
        column("place_id", INTEGER, references="place", nullable=False),
        column("quantity", INTEGER, minimum=0),
    )
    return world("w", product, place, stock)


@SEEDS
def test_every_pair_of_parents_with_children_has_one_row(seed: int) -> None:
    stock = seeded(_stocked(6, 5), seed=seed)["stock"]
    pairs = [(s["product_id"], s["place_id"]) for s in stock]
    assert len(set(pairs)) == len(pairs) == 5 * 4


@SEEDS
def test_many_pairs_are_cut_at_the_cap_and_spread_over_the_parents(seed: int) -> None:
    stock = seeded(_stocked(20, 12), seed=seed)["stock"]
    pairs = [(s["product_id"], s["place_id"]) for s in stock]
    assert len(set(pairs)) == len(pairs) == 48
    for place in (0, 1):
        counts = Counter(pair[place] for pair in pairs).values()
        assert max(counts) - min(counts) <= 3


@SEEDS
def test_most_hold_enough_and_some_nothing(seed: int) -> None:
    held = [s["quantity"] for s in seeded(_stocked(6, 5), seed=seed)["stock"]]
    assert 0 in held and any(0 < h <= 3 for h in held)
    assert sum(h >= 10 for h in held) > len(held) / 2


@SEEDS
def test_lines_of_an_order_leave_pairs_free(seed: int) -> None:
    lines = seeded(_stocked(4, 4, "order_item"), seed=seed)["order_item"]
    pairs = {(line["product_id"], line["place_id"]) for line in lines}
    assert len(pairs) == len(lines) <= 3 * 3 // 2
