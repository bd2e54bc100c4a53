"""Rows of the user's own stay as they are; what refers to them is made around them."""

from __future__ import annotations

import copy
from typing import Any

from autoforge.generator.seed import counters, seed_rows

from .worlds import REAL, column, entity, key, loaded, shop, world

OWN: dict[str, list[dict[str, Any]]] = {
    "customer": [
        {"customer_id": "X-9", "name": "Ada Berg", "email": "ada@berg.example"},
        {"customer_id": "CUS-0040", "name": "Bo Holm", "email": None},
    ]
}


def test_given_rows_are_taken_as_they_are_and_others_refer_to_them() -> None:
    before = copy.deepcopy(OWN)
    rows = seed_rows(shop(), seed=1, given=OWN)
    assert before == OWN
    assert [{k: row[k] for k in own} for row, own in zip(rows["customer"], OWN["customer"], strict=True)] == OWN[
        "customer"
    ]
    assert {o["customer_id"] for o in rows["order"]} == {"X-9", "CUS-0040"}
    assert {(o["customer_id"], o["customer_email"]) for o in rows["order"]} == {
        ("X-9", "ada@berg.example"),
        ("CUS-0040", None),
    }
    loaded(shop(), rows).close()


def test_columns_that_given_rows_lack_are_filled_where_they_must_be() -> None:
    plan = entity(
        "plan", key("name"), column("price", REAL, nullable=False), column("tier", default="basic"), column("note")
    )
    rows = seed_rows(world("w", plan), seed=1, given={"plan": [{"name": "Solo"}, {"name": "Duo", "price": 7.5}]})[
        "plan"
    ]
    assert isinstance(rows[0]["price"], float) and rows[1]["price"] == 7.5
    assert [(r["tier"], r["note"]) for r in rows] == [("basic", None), ("basic", None)]


def test_counters_go_on_after_the_given_ids() -> None:
    rows = seed_rows(shop(), seed=1, given=OWN)
    assert counters(shop(), rows)["customers"] == 40


def test_given_rows_may_be_none() -> None:
    rows = seed_rows(shop(), seed=1, given={"customer": []})
    assert rows["customer"] == [] and rows["order"] == [] and rows["product"]
    loaded(shop(), rows).close()
