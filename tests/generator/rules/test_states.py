"""States and flags: the verbs that move them, from where they may, and back."""

from __future__ import annotations

import pytest

from tests.generator.rules.conftest import (
    FLAG,
    TEXT,
    Desk,
    Open,
    maybe,
    one_of,
    record,
    tool,
)

TASK = record(
    "*",
    task_id=TEXT,
    title=TEXT,
    priority=one_of("low", "high"),
    status=one_of("open", "in_progress", "done"),
    project_id=TEXT,
)
TASKS = [
    tool(
        "create_task",
        "Creates a task.",
        TASK,
        title=TEXT,
        project_id=TEXT,
        priority={**one_of("low", "high"), "default": "low"},
    ),
    tool("get_task", "Gets a task.", TASK, task_id=TEXT),
    tool(
        "update_task", "Updates a task.", TASK, task_id=TEXT, title=maybe(TEXT), priority=maybe(one_of("low", "high"))
    ),
    tool("delete_task", "Deletes a task.", None, task_id=TEXT),
    tool("get_project", "Gets a project.", record("*", project_id=TEXT, name=TEXT), project_id=TEXT),
]


def project(desk: Desk, n: int = 0) -> str:
    return str(desk.rows("projects")[n]["project_id"])


ORDER = record("*", order_id=TEXT, status=one_of("pending", "shipped", "delivered", "cancelled"))
ORDERS = [
    tool("get_order", "Gets an order.", ORDER, order_id=TEXT),
    tool("ship_order", "Ships an order. Only pending orders can be shipped.", ORDER, order_id=TEXT),
    tool("deliver_order", "Delivers an order that has been shipped. The order must be shipped.", ORDER, order_id=TEXT),
    tool("cancel_order", "Cancels an order. Delivered orders cannot be cancelled.", ORDER, order_id=TEXT),
]


def test_a_verb_moves_the_status_along_the_documented_way(world: Open) -> None:
    desk = world(ORDERS)
    key = desk.rows("orders")[0]["order_id"]
    desk.put("orders", {"order_id": key}, status="pending")
    assert desk.answer("ship_order", order_id=key)["status"] == "shipped"
    assert desk.answer("deliver_order", order_id=key)["status"] == "delivered"


@pytest.mark.parametrize(
    ("name", "legal"),
    [("ship_order", {"pending"}), ("deliver_order", {"shipped"}), ("cancel_order", {"pending", "shipped"})],
)
def test_every_other_state_refuses(world: Open, name: str, legal: set[str]) -> None:
    desk = world(ORDERS)
    key = desk.rows("orders")[0]["order_id"]
    for status in ("pending", "shipped", "delivered", "cancelled"):
        desk.put("orders", {"order_id": key}, status=status)
        refused = isinstance(desk.call(name, order_id=key), str)
        assert refused is (status not in legal), status


def test_states_that_no_document_lists_come_from_the_verbs(world: Open) -> None:
    desk = world(
        [
            tool("create_ticket", "Creates a ticket.", None, title=TEXT),
            tool("close_ticket", "Closes a ticket.", None, ticket_id=TEXT),
            tool("reopen_ticket", "Reopens a closed ticket.", None, ticket_id=TEXT),
        ]
    )
    desk.answer("create_ticket", title="x")
    key = desk.rows("tickets")[-1][desk.entity("tickets").key[0]]
    assert desk.rows("tickets")[-1]["status"] == "open"
    desk.answer("close_ticket", ticket_id=key)
    assert desk.rows("tickets")[-1]["status"] == "closed"
    assert "closed" in desk.refusal("close_ticket", ticket_id=key)
    desk.answer("reopen_ticket", ticket_id=key)
    assert desk.rows("tickets")[-1]["status"] == "open"


def test_a_state_is_written_in_the_spelling_of_the_documentation(world: Open) -> None:
    order = record("*", order_id=TEXT, status=one_of("PENDING", "CANCELED"))
    desk = world(
        [
            tool("get_order", "Gets an order.", order, order_id=TEXT),
            tool("cancel_order", "Cancels an order.", order, order_id=TEXT),
        ]
    )
    key = desk.rows("orders")[0]["order_id"]
    desk.put("orders", {"order_id": key}, status="PENDING")
    assert desk.answer("cancel_order", order_id=key)["status"] == "CANCELED"


def test_a_status_may_be_set_by_its_name(world: Open) -> None:
    desk = world(
        [
            *TASKS,
            tool(
                "set_task_status",
                "Sets the status of a task.",
                TASK,
                task_id=TEXT,
                status=one_of("open", "in_progress", "done"),
            ),
        ]
    )
    key = desk.rows("tasks")[0]["task_id"]
    for status in ("done", "open", "in_progress"):
        assert desk.answer("set_task_status", task_id=key, status=status)["status"] == status


def test_a_toggle_turns_the_flag_over(world: Open) -> None:
    lamp = record("*", lamp_id=TEXT, on=FLAG)
    desk = world(
        [
            tool("get_lamp", "Gets a lamp.", lamp, lamp_id=TEXT),
            tool("toggle_lamp", "Toggles a lamp on or off.", lamp, lamp_id=TEXT),
        ]
    )
    key = desk.rows("lamps")[0]["lamp_id"]
    first = desk.answer("get_lamp", lamp_id=key)["on"]
    assert desk.answer("toggle_lamp", lamp_id=key)["on"] is not first
    assert desk.answer("toggle_lamp", lamp_id=key)["on"] is first


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("enable", "disable"),
        ("pin", "unpin"),
        ("lock", "unlock"),
        ("archive", "unarchive"),
        ("mute", "unmute"),
        ("star", "unstar"),
    ],
)
def test_a_verb_and_its_opposite_set_and_clear_a_flag(world: Open, yes: str, no: str) -> None:
    desk = world(
        [
            tool(f"{yes}_rule", f"{yes.capitalize()}s a rule.", None, rule_id=TEXT),
            tool(f"{no}_rule", f"{no.capitalize()}s a rule.", None, rule_id=TEXT),
            tool("create_rule", "Creates a rule.", None, name=TEXT),
        ]
    )
    desk.answer("create_rule", name="x")
    key = desk.rows("rules")[-1][desk.entity("rules").key[0]]
    first, second = (no, yes) if yes == "enable" and desk.rows("rules")[-1].get("enabled") else (yes, no)
    before = desk.rows("rules")[-1]
    desk.answer(f"{first}_rule", rule_id=key)
    assert desk.rows("rules")[-1] != before
    assert desk.refusal(f"{first}_rule", rule_id=key)
    desk.answer(f"{second}_rule", rule_id=key)
    assert desk.rows("rules")[-1] == before


def test_a_thing_is_marked_done_and_undone(world: Open) -> None:
    item = record("*", todo_id=TEXT, text=TEXT, done=FLAG)
    desk = world(
        [
            tool("add_todo", "Adds a todo.", item, text=TEXT),
            tool("mark_todo_done", "Marks a todo as done.", item, todo_id=TEXT),
            tool("mark_todo_undone", "Marks a todo as not done.", item, todo_id=TEXT),
        ]
    )
    made = desk.answer("add_todo", text="x")
    assert made["done"] is False
    assert desk.answer("mark_todo_done", todo_id=made["todo_id"])["done"] is True
    assert "already" in desk.refusal("mark_todo_done", todo_id=made["todo_id"])
    assert desk.answer("mark_todo_undone", todo_id=made["todo_id"])["done"] is False
