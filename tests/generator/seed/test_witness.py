"""Every operation has rows to succeed on and rows to refuse, whatever form its conditions have."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import JsonValue

from autoforge.generator.ir import Apply, Argument, Filter, Find, Operation, Parameter, Refuse, World
from autoforge.generator.seed import seed_rows

from .operations import call, cell, constant, count, each, find, least, operation, refuse, states
from .worlds import BOOLEAN, INTEGER, REAL, column, entity, key, loaded, seeded, world

SEEDS = pytest.mark.parametrize("seed", range(8))
STATES = ("new", "open", "paid", "shipped", "lost", "closed")

Rows = dict[str, list[dict[str, Any]]]


def _stay_world(*operations: Operation, rooms: int = 6) -> World:
    room = entity(
        "room",
        key("id", INTEGER),
        column("status", enum=("dirty", "free", "taken", "broken"), nullable=False),
        seed_rows=rooms,
    )
    guest = entity("guest", key("id", INTEGER), column("active", BOOLEAN, nullable=False))
    stay = entity(
        "stay",
        key("id", INTEGER),
        column("room_id", INTEGER, references="room", nullable=False),
        column("guest_id", INTEGER, references="guest", nullable=False),
        column("status", enum=STATES, nullable=False),
        column("price", REAL, minimum=0),
        column("deposit", REAL, minimum=0),
        status="status",
    )
    fine = entity(
        "fine",
        key("id", INTEGER),
        column("guest_id", INTEGER, references="guest", nullable=False),
        column("status", enum=("due", "settled"), nullable=False),
    )
    return world("stays", room, guest, stay, fine).model_copy(update={"operations": operations})


def _by_key(rows: Rows, name: str) -> dict[Any, dict[str, Any]]:
    return {row["id"]: row for row in rows[name]}


@SEEDS
def test_some_row_has_the_state_asked_for_while_its_parent_has_one_too(seed: int) -> None:
    check_in = operation(
        "check_in",
        find("stay", "id"),
        states("stay", "paid"),
        find("room", "id", cell("stay", "room_id"), optional=True),
        states("room", "free"),
    )
    made = _stay_world(check_in)
    rows = seeded(made, seed=seed)
    rooms = _by_key(rows, "room")
    good = [s for s in rows["stay"] if s["status"] == "paid" and rooms[s["room_id"]]["status"] == "free"]
    assert len(good) >= 2
    assert any(s["status"] != "paid" for s in rows["stay"])
    assert any(rooms[s["room_id"]]["status"] != "free" for s in rows["stay"])


@SEEDS
def test_some_parent_has_no_children_of_the_states_that_stand_in_the_way(seed: int) -> None:
    held = count("stay", "guest_id", cell("guest", "id"), *STATES[:5])
    made = _stay_world(operation("delete_guest", find("guest", "id"), held, least("held_stay", 1)))
    rows = seeded(made, seed=seed)
    held_by = {s["guest_id"] for s in rows["stay"] if s["status"] in STATES[:5]}
    assert sum(g["id"] not in held_by for g in rows["guest"]) >= 2
    assert any(g["id"] in held_by for g in rows["guest"])


@SEEDS
def test_flags_counts_and_states_are_met_by_one_row_at_once(seed: int) -> None:
    lend = operation(
        "lend",
        find("guest", "id"),
        find("room", "id"),
        refuse(call("not", cell("guest", "active"))),
        count("fine", "guest_id", cell("guest", "id"), "due"),
        least("held_fine", 1),
        count("stay", "guest_id", cell("guest", "id"), "open", "new"),
        least("held_stay", 2),
        states("room", "free"),
    )
    rows = seeded(_stay_world(lend), seed=seed)
    indebted = [f["guest_id"] for f in rows["fine"] if f["status"] == "due"]
    busy = [s["guest_id"] for s in rows["stay"] if s["status"] in ("open", "new")]
    good = [g for g in rows["guest"] if g["active"] and g["id"] not in indebted and busy.count(g["id"]) < 2]
    assert len(good) >= 2 and any(r["status"] == "free" for r in rows["room"])
    assert any(g["id"] in indebted for g in rows["guest"])
    assert {g["active"] for g in rows["guest"]} == {True, False}


@SEEDS
def test_numbers_of_a_row_are_compared_with_each_other_and_with_constants(seed: int) -> None:
    check_out = operation(
        "check_out",
        find("stay", "id"),
        states("stay", "open"),
        refuse(call("greater", cell("stay", "price"), cell("stay", "deposit"))),
        refuse(call("less", cell("stay", "price"), constant(70))),
    )
    rows = seeded(_stay_world(check_out), seed=seed)
    good = [s for s in rows["stay"] if s["status"] == "open" and s["deposit"] >= s["price"] >= 70]
    assert len(good) >= 2
    assert any(s["price"] > s["deposit"] for s in rows["stay"]) and any(s["price"] < 70 for s in rows["stay"])


@SEEDS
def test_an_amount_that_every_call_can_ask_for_is_there(seed: int) -> None:
    amount = Parameter(name="amount", identifier="amount", json_schema={"type": "number"}, required=True)
    pay = operation(
        "pay",
        find("stay", "id"),
        states("stay", "lost"),
        refuse(call("less", cell("stay", "deposit"), Argument(name="amount"))),
    )
    rows = seeded(_stay_world(pay.model_copy(update={"parameters": (amount,)})), seed=seed)
    assert sum(s["status"] == "lost" and s["deposit"] >= 1 for s in rows["stay"]) >= 2


def _bank(*operations: Operation) -> World:
    user = entity("user", key("id", INTEGER), column("name"))
    account = entity(
        "account",
        key("id", INTEGER),
        column("owner_id", INTEGER, references="user", nullable=False),
        column("status", enum=("open", "frozen", "closed"), nullable=False),
        column("balance", REAL, minimum=0),
        owner="owner_id",
        status="status",
    )
    card = entity(
        "card",
        key("id", INTEGER),
        column("account_id", INTEGER, references="account", nullable=False),
        column("status", enum=("active", "frozen", "blocked"), nullable=False),
        status="status",
    )
    session = entity(
        "session",
        key("id", INTEGER),
        column("user_id", INTEGER, references="user"),
        column("logged_in", BOOLEAN, default=True, nullable=False),
        singleton=True,
    )
    return world("bank", user, account, card, session).model_copy(update={"operations": operations})


_SESSION = Find(row="session", entity="session", where=(), missing="none")


@SEEDS
def test_the_user_of_the_session_owns_a_row_that_will_do_also_through_its_parent(seed: int) -> None:
    mine = refuse(call("not_equal", cell("account", "owner_id"), cell("session", "user_id")))
    close = operation(
        "close",
        _SESSION,
        find("account", "id"),
        mine,
        states("account", "open"),
        refuse(call("not_equal", cell("account", "balance"), constant(0))),
    )
    freeze = operation(
        "freeze",
        _SESSION,
        find("card", "id"),
        states("card", "active"),
        find("account", "id", cell("card", "account_id"), optional=True),
        mine,
    )
    rows = seeded(_bank(close, freeze), seed=seed)
    user, accounts = rows["session"][0]["user_id"], _by_key(rows, "account")
    assert sum(a["owner_id"] == user and a["status"] == "open" and a["balance"] == 0 for a in rows["account"]) >= 2
    assert sum(c["status"] == "active" and accounts[c["account_id"]]["owner_id"] == user for c in rows["card"]) >= 2
    assert any(a["owner_id"] != user for a in rows["account"])
    assert any(accounts[c["account_id"]]["owner_id"] != user for c in rows["card"])


@SEEDS
def test_the_user_of_the_session_owns_rows_of_several_states(seed: int) -> None:
    rows = seeded(_bank(), seed=seed)
    user = rows["session"][0]["user_id"]
    own = [a["status"] for a in rows["account"] if a["owner_id"] == user]
    assert len(set(own)) >= 2 and len(own) < len(rows["account"]) / 2


def _warehouse(*operations: Operation) -> World:
    product = entity("product", key("id", INTEGER), column("name"))
    location = entity("location", key("id", INTEGER), column("status", enum=("closed", "open"), nullable=False))
    stock = entity(
        "stock",
        key("id", INTEGER),
        column("product_id", INTEGER, references="product", nullable=False),
        column("location_id", INTEGER, references="location", nullable=False),
        column("quantity", INTEGER, minimum=0),
    )
    order = entity(
        "order",
        key("id", INTEGER),
        column("location_id", INTEGER, references="location", nullable=False),
        column("status", enum=STATES, nullable=False),
        status="status",
    )
    item = entity(
        "order_item",
        key("id", INTEGER),
        column("order_id", INTEGER, references="order", nullable=False),
        column("product_id", INTEGER, references="product", nullable=False),
        column("quantity", INTEGER, minimum=1, maximum=20),
    )
    return world("warehouse", product, location, stock, order, item).model_copy(update={"operations": operations})


def _stock_of(product: Any, place: Any, row: str) -> Find:
    return Find(
        row=row,
        entity="stock",
        where=(Filter(column="product_id", value=product), Filter(column="location_id", value=place)),
        missing="none",
    )


@SEEDS
def test_all_children_of_some_row_find_enough_where_they_look(seed: int) -> None:
    confirm = operation(
        "confirm",
        find("order", "id"),
        states("order", "new"),
        count("order_item", "order_id", cell("order", "id")),
        each(
            "held_order_item",
            _stock_of(cell("item", "product_id"), cell("order", "location_id"), "there"),
            refuse(call("less", cell("there", "quantity"), cell("item", "quantity"))),
        ),
    )
    rows = seeded(_warehouse(confirm), seed=seed)
    stock = {(s["product_id"], s["location_id"]): s["quantity"] for s in rows["stock"]}
    short = [
        any(
            stock.get((i["product_id"], o["location_id"]), -1) < i["quantity"]
            for i in rows["order_item"]
            if i["order_id"] == o["id"]
        )
        for o in rows["order"]
    ]
    assert sum(o["status"] == "new" and not lacks for o, lacks in zip(rows["order"], short, strict=True)) >= 2
    assert any(short)


@SEEDS
def test_two_different_rows_of_one_entity_are_there_for_a_move(seed: int) -> None:
    move = operation(
        "move",
        find("product", "id"),
        find("location", "id", row="source"),
        find("location", "id", row="target"),
        refuse(call("equal", Argument(name="source_id"), Argument(name="target_id"))),
        states("target", "open"),
        _stock_of(Argument(name="product_id"), Argument(name="source_id"), "held"),
        refuse(call("less", cell("held", "quantity"), constant(5))),
    )
    rows = seeded(_warehouse(move), seed=seed)
    opened = {place["id"] for place in rows["location"] if place["status"] == "open"}
    assert sum(s["quantity"] >= 5 and bool(opened - {s["location_id"]}) for s in rows["stock"]) >= 2
    assert any(s["quantity"] < 5 for s in rows["stock"])


def test_a_condition_of_unknown_form_changes_nothing() -> None:
    odd = operation(
        "odd", find("stay", "id"), refuse(Apply(function="matches", arguments=(cell("stay", "status"), constant("x"))))
    )
    assert seed_rows(_stay_world(odd), seed=3) == seed_rows(_stay_world(operation("odd", find("stay", "id"))), seed=3)


@SEEDS
def test_rows_of_the_user_stay_as_they_are(seed: int) -> None:
    mine: list[dict[str, JsonValue]] = [
        {"id": n, "room_id": n, "guest_id": 1, "status": "lost", "price": 1.0, "deposit": 0.0} for n in (1, 2, 3)
    ]
    made = _stay_world(
        operation(
            "pay",
            find("stay", "id"),
            states("stay", "paid"),
            find("room", "id", cell("stay", "room_id"), optional=True),
            states("room", "free"),
        )
    )
    assert seed_rows(made, seed=seed, given={"stay": mine})["stay"] == mine


@SEEDS
def test_every_state_still_occurs_and_the_schema_holds(seed: int) -> None:
    conflict = [
        operation(
            f"to_{state}",
            find("stay", "id"),
            states("stay", state),
            find("room", "id", cell("stay", "room_id"), optional=True),
            states("room", "free"),
        )
        for state in STATES
    ]
    made = _stay_world(*conflict)
    rows = seeded(made, seed=seed)
    connection = loaded(made, rows)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    assert {s["status"] for s in rows["stay"]} == set(STATES)
    assert {r["status"] for r in rows["room"]} == {"dirty", "free", "taken", "broken"}


def test_refusals_that_cannot_both_be_escaped_leave_valid_rows() -> None:
    never = operation(
        "never",
        find("stay", "id"),
        states("stay", "paid"),
        Refuse(when=call("in", cell("stay", "status"), constant(["paid"])), message="no"),
    )
    made = _stay_world(never)
    assert loaded(made, seeded(made, seed=1)).execute("PRAGMA foreign_key_check").fetchall() == []
