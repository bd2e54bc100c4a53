"""Choosing among rows is work: namesakes, shared words, near prices, every state; documented values are there."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from .worlds import BOOLEAN, INTEGER, REAL, bank, column, entity, helpdesk, hotel, key, seeded, shop, world

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5])


@SEEDS
def test_two_people_share_a_name_but_not_an_address(seed: int) -> None:
    customers = seeded(shop(), seed=seed)["customer"]
    same = [(a, b) for a, b in itertools.combinations(customers, 2) if a["name"] == b["name"]]
    assert same and all(a["email"] != b["email"] for a, b in same)


@SEEDS
def test_rows_share_a_city(seed: int) -> None:
    assert max(Counter(c["city"] for c in seeded(shop(), seed=seed)["customer"]).values()) >= 2


@SEEDS
def test_a_word_of_a_name_finds_several_products_and_names_stay_distinct(seed: int) -> None:
    names = [str(p["name"]) for p in seeded(shop(), seed=seed)["product"]]
    kinds = Counter(name.split(" ", 1)[1] for name in names)
    assert max(kinds.values()) >= 2
    assert len(set(names)) == len(names)


@SEEDS
def test_two_prices_lie_close_but_differ(seed: int) -> None:
    rooms = sorted(float(r["nightly_rate"]) for r in seeded(hotel(), seed=seed)["room"])
    gaps = [b - a for a, b in itertools.pairwise(rooms)]
    assert any(0 < gap <= 2 for gap in gaps)


@SEEDS
@pytest.mark.parametrize(
    ("name", "attribute"),
    [("order", "status"), ("guest", "loyalty_tier"), ("reservation", "status"), ("ticket", "status")],
)
def test_every_value_of_an_enum_occurs(seed: int, name: str, attribute: str) -> None:
    made = next(w for w in (shop(), hotel(), helpdesk()) if any(e.name == name for e in w.entities))
    column = made.entity(name).attribute(attribute)
    assert column is not None
    assert {r[attribute] for r in seeded(made, seed=seed, rows=3)[name]} == set(column.enum)


def test_both_truths_occur() -> None:
    assert {r["sea_view"] for r in seeded(hotel(), seed=1)["room"]} == {True, False}


def test_optional_references_are_sometimes_empty() -> None:
    assigned = [t["assignee_id"] for t in seeded(helpdesk(), seed=1)["ticket"]]
    assert None in assigned and len(set(assigned)) > 3


def test_one_parent_has_several_children_and_one_has_none() -> None:
    rows = seeded(shop(), seed=1, rows=12)
    children = Counter(o["customer_id"] for o in rows["order"])
    assert max(children.values()) >= 2
    bare = world(
        "w",
        entity("shelf", key("id", INTEGER)),
        entity("box", key("id", INTEGER), column("shelf_id", INTEGER, references="shelf", nullable=False)),
    )
    found = seeded(bare, seed=1)
    assert {s["id"] for s in found["shelf"]} - {b["shelf_id"] for b in found["box"]}


def test_documented_values_are_in_the_rows() -> None:
    rows = seeded(helpdesk(), seed=1)
    assert rows["agent"][0]["name"] == "Maria Lopez"
    assert str(rows["agent"][0]["email"]).startswith("maria.lopez")
    stock = entity(
        "stock",
        key("symbol", examples=("ZZTOP",)),
        column("price", REAL, examples=(227.16,)),
        column("sector", examples=("Tobacco",)),
    )
    order = entity(
        "order",
        key("id", INTEGER, examples=(12345,)),
        column("symbol", references="stock", examples=("QUUX",), nullable=False),
    )
    found = seeded(world("trading", stock, order), seed=1)
    assert {"ZZTOP", "QUUX"} <= {s["symbol"] for s in found["stock"]}
    assert 227.16 in [s["price"] for s in found["stock"]] and "Tobacco" in [s["sector"] for s in found["stock"]]
    assert 12345 in [o["id"] for o in found["order"]] and "QUUX" in [o["symbol"] for o in found["order"]]


def test_defaults_are_kept_by_some_rows_only() -> None:
    flags = [r["breakfast"] for r in seeded(hotel(), seed=1)["reservation"]]
    assert {True, False} == set(flags)
    note = entity("thing", key("id", INTEGER), column("colour", default="plain"))
    colours = [r["colour"] for r in seeded(world("w", note), seed=1)["thing"]]
    assert 0 < colours.count("plain") < len(colours)


def test_ids_follow_their_template_and_begin_where_the_documentation_does() -> None:
    rows = seeded(shop(), seed=1)
    assert [c["customer_id"] for c in rows["customer"]][:2] == ["CUS-0001", "CUS-0002"]
    assert rows["order"][0]["order_id"] == "ORD-5001"
    assert rows["order"][1]["order_id"] == "ORD-5002"


def test_ids_without_a_template_follow_an_example_in_the_description() -> None:
    line = entity("line", key("line_id", description="ID of the line, e.g. L2001."), column("active", BOOLEAN))
    assert [r["line_id"] for r in seeded(world("w", line), seed=1)["line"]][:2] == ["L2001", "L2002"]


def test_a_thing_of_unknown_kind_is_named_by_its_noun() -> None:
    notebook = entity("notebook", key("id", INTEGER), column("name"))
    names = [str(r["name"]) for r in seeded(world("w", notebook), seed=1, rows=30)["notebook"]]
    assert all("notebook" in name for name in names) and len(set(names)) == len(names)


def test_parents_are_fewer_than_children() -> None:
    rows = seeded(shop(), seed=1)
    assert len(rows["customer"]) < len(rows["order"]) < len(rows["order_item"])


def test_texts_are_plain() -> None:
    for made in (shop(), hotel(), bank(), helpdesk()):
        texts = [
            v
            for rows in seeded(made, seed=1, rows=40).values()
            for row in rows
            for v in row.values()
            if isinstance(v, str)
        ]
        assert all(
            text.isprintable() and not set("\"'`\\;") & set(text) and text.strip() == text and text for text in texts
        )
