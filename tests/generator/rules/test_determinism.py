"""The same documentation is the same world: in any process, in any order of its tools."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.generator.rules.conftest import DATE, INTEGER, NUMBER, TEXT, Desk, Open, listing, maybe, one_of, record, tool

ITEM = record("product_id quantity", product_id=TEXT, quantity=INTEGER)
SHOP: list[dict[str, Any]] = [
    tool("login", "Logs a user in.", None, username=TEXT, password=TEXT),
    tool(
        "create_order",
        "Creates an order. Fails if there is not enough stock.",
        None,
        customer_id=TEXT,
        items=listing(ITEM),
        due=maybe(DATE),
    ),
    tool(
        "get_product",
        "Gets a product.",
        record("*", product_id=TEXT, name=TEXT, price=NUMBER, stock=INTEGER),
        product_id=TEXT,
    ),
    tool("cancel_order", "Cancels an order. Only pending orders can be cancelled.", None, order_id=TEXT),
    tool(
        "list_orders",
        "Lists orders.",
        None,
        customer_id=maybe(TEXT),
        status=maybe(one_of("pending", "shipped", "cancelled")),
        limit=maybe(INTEGER),
    ),
    tool("get_customer", "Returns the customer's name, email and phone.", None, customer_id=TEXT),
]
_PROGRAM = """
import json, sys
from autoforge.generator.documents.read import Document, documentation_of
from autoforge.generator.emit import schema_sql, tools_py
from autoforge.generator.rules.synthesize import synthesize
from autoforge.generator.seed import seed_rows, seed_sql
world = synthesize(documentation_of([Document("docs.json", json.load(sys.stdin))]), name="desk")
rows = seed_sql(world, seed_rows(world, seed=0, rows=6))
text = "".join((schema_sql(world), rows, tools_py(world), world.model_dump_json()))
import hashlib
print(hashlib.sha256(text.encode()).hexdigest())
"""


def _digest(desk: Desk) -> str:
    return hashlib.sha256(
        "".join((desk.schema, desk.seed, desk.source, desk.world.model_dump_json())).encode()
    ).hexdigest()


def test_two_readings_are_equal(world: Open) -> None:
    assert _digest(world(SHOP)) == _digest(world(json.loads(json.dumps(SHOP))))


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_hashing_of_texts_decides_nothing(world: Open, seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps(SHOP),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    assert done.stdout.strip() == _digest(world(SHOP))


@pytest.mark.parametrize("order", list(itertools.permutations(range(6)))[:: 720 // 6])
def test_the_order_of_tools_decides_neither_tables_nor_columns(world: Open, order: tuple[int, ...]) -> None:
    first, other = world(SHOP), world([SHOP[i] for i in order])
    assert other.tables == first.tables
    for table in first.tables:
        assert other.columns(table) == first.columns(table)
        types = {a.name: (a.type, a.references, set(a.enum)) for a in first.entity(table).attributes}
        assert {a.name: (a.type, a.references, set(a.enum)) for a in other.entity(table).attributes} == types


def test_the_order_of_tools_decides_no_meaning(world: Open) -> None:
    kinds = {o.tool: o.kind for o in world(SHOP).world.operations}
    assert {o.tool: o.kind for o in world(SHOP[::-1]).world.operations} == kinds


def test_a_call_gives_the_same_on_the_same_state(world: Open) -> None:
    answers = []
    for _ in range(2):
        desk = world(SHOP)
        customer, product = desk.rows("customers")[0], desk.rows("products")[0]
        desk.run("UPDATE products SET stock = 9")
        made = desk.answer(
            "create_order",
            customer_id=next(iter(customer.values())),
            items=[{"product_id": product["product_id"], "quantity": 1}],
        )
        answers.append((made, list(desk.connection.iterdump())))
    assert answers[0] == answers[1]
