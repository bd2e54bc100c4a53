"""What documentation says happens besides: to the row itself, and to the rows that it refers to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generator.rules.conftest import DATE, INTEGER, NUMBER, TEXT, Desk, Open, one_of, record, tool

ROOM = record("*", room_id=TEXT, status=one_of("free", "occupied", "cleaning"))
STAY = record("*", stay_id=TEXT, room_id=TEXT, status=one_of("booked", "checked_in", "checked_out"))


def hotel(world: Open, effect: str) -> tuple[Desk, str, str]:
    """A booked stay in a free room."""
    desk = world(
        [
            tool("get_room", "Gets a room.", ROOM, room_id=TEXT),
            tool("get_stay", "Gets a stay.", STAY, stay_id=TEXT),
            tool("check_in_stay", f"Checks a guest in. {effect}", STAY, stay_id=TEXT),
        ]
    )
    stay = desk.rows("stays")[0]
    desk.run("UPDATE rooms SET status = 'free'")
    desk.run("UPDATE stays SET status = 'booked'")
    return desk, stay["stay_id"], stay["room_id"]


def status(desk: Desk, room: str) -> str:
    return next(str(r["status"]) for r in desk.rows("rooms") if r["room_id"] == room)


@pytest.mark.parametrize(
    "effect",
    [
        "The room becomes occupied.",
        "Marks the room as occupied.",
        "The status of the room changes to occupied.",
        "Sets the room status to occupied.",
    ],
)
def test_a_row_that_is_referred_to_changes_its_state(world: Open, effect: str) -> None:
    desk, stay, room = hotel(world, effect)
    assert desk.answer("check_in_stay", stay_id=stay)["status"] == "checked_in"
    assert status(desk, room) == "occupied"
    assert [r["status"] for r in desk.rows("rooms")].count("occupied") == 1


@pytest.mark.parametrize(
    "effect",
    ["", "The room has a view.", "Afterwards the guest can use the room.", "The room is usually occupied by then."],
)
def test_what_is_no_effect_changes_nothing_else(world: Open, effect: str) -> None:
    desk, stay, room = hotel(world, effect)
    desk.answer("check_in_stay", stay_id=stay)
    assert status(desk, room) == "free"


CUSTOMER = record("*", customer_id=TEXT, name=TEXT, balance=NUMBER, points=INTEGER)
PAYMENT = record("*", payment_id=TEXT, customer_id=TEXT, amount=NUMBER)


def paying(world: Open, effect: str) -> tuple[Desk, dict[str, Any]]:
    desk = world(
        [
            tool("get_customer", "Gets a customer.", CUSTOMER, customer_id=TEXT),
            tool("create_payment", f"Records a payment. {effect}", PAYMENT, customer_id=TEXT, amount=NUMBER),
        ]
    )
    desk.run("UPDATE customers SET balance = 10, points = 10")
    return desk, {"customer_id": desk.rows("customers")[0]["customer_id"], "amount": 2.5}


@pytest.mark.parametrize(
    "effect",
    [
        "Adds the amount to the customer's balance.",
        "The amount is added to the balance of the customer.",
        "Increases the customer's balance by the amount.",
    ],
)
def test_an_amount_is_added_to_a_number_of_the_row_that_is_referred_to(world: Open, effect: str) -> None:
    desk, arguments = paying(world, effect)
    desk.answer("create_payment", **arguments)
    assert [r["balance"] for r in desk.rows("customers")[:2]] == [12.5, 10]


@pytest.mark.parametrize(
    "effect",
    ["Subtracts the amount from the customer's balance.", "The amount is deducted from the balance of the customer."],
)
def test_an_amount_is_taken_from_a_number_and_never_below_zero(world: Open, effect: str) -> None:
    desk, arguments = paying(world, effect)
    desk.answer("create_payment", **arguments)
    assert desk.rows("customers")[0]["balance"] == 7.5
    desk.refusal("create_payment", **{**arguments, "amount": 7.6})


def test_a_new_row_starts_with_the_values_that_are_told(world: Open) -> None:
    account = record("*", account_id=TEXT, name=TEXT, balance=NUMBER, status=one_of("active", "pending", "closed"))
    desk = world(
        [
            tool("open_account", "Opens an account with a balance of 0, in status pending.", account, name=TEXT),
            tool("get_account", "Gets an account.", account, account_id=TEXT),
        ]
    )
    made = desk.answer("open_account", name="x")
    assert (made["balance"], made["status"]) == (0, "pending")


def test_the_state_that_prose_names_wins_over_the_verb(world: Open) -> None:
    task = record("*", task_id=TEXT, status=one_of("todo", "doing", "done"))
    desk = world(
        [
            tool("get_task", "Gets a task.", task, task_id=TEXT),
            tool("finish_task", "Sets the status of a task to done.", task, task_id=TEXT),
        ]
    )
    desk.run("UPDATE tasks SET status = 'doing'")
    assert desk.answer("finish_task", task_id=desk.rows("tasks")[0]["task_id"])["status"] == "done"


def test_an_effect_that_cannot_be_placed_is_left_out(world: Open) -> None:
    desk = world(
        [
            tool(
                "close_ticket",
                "Closes a ticket. The volcano becomes dormant. Increases the happiness of everyone.",
                None,
                ticket_id=TEXT,
            ),
            tool("create_ticket", "Creates a ticket.", None, title=TEXT, due=DATE),
        ]
    )
    desk.answer("create_ticket", title="x", due="2031-01-01")
    key = desk.rows("tickets")[-1][desk.entity("tickets").key[0]]
    before = desk.rows("tickets")[-1]
    desk.answer("close_ticket", ticket_id=key)
    assert {**desk.rows("tickets")[-1], "status": before["status"]} == before
    assert desk.tables == {"tickets"}
