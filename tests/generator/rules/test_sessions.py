"""Logging in and out, and what only somebody who is logged in, or only the owner, may do."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import OperationKind
from tests.generator.rules.conftest import FLAG, NUMBER, TEXT, Desk, Open, listing, record, tool

NOTE = record("*", note_id=TEXT, user_id=TEXT, text=TEXT)
DESK = [
    tool("login", "Logs a user in.", record("*", success=FLAG), username=TEXT, password=TEXT),
    tool("logout", "Logs out the current user.", record("*", success=FLAG)),
    tool("get_login_status", "Returns whether a user is logged in.", record("*", logged_in=FLAG)),
    tool("create_note", "Creates a note of the current user.", NOTE, text=TEXT),
    tool("list_my_notes", "Lists the notes of the current user.", record(notes=listing(NOTE))),
    tool("list_users", "Lists users.", record(users=listing(record("*", user_id=TEXT, username=TEXT)))),
    tool("delete_note", "Deletes a note. Only the owner of the note can delete it.", None, note_id=TEXT),
]


def person(desk: Desk, n: int = 0) -> dict[str, Any]:
    return desk.rows("users")[n]


def enter(desk: Desk, n: int) -> dict[str, Any]:
    """Log somebody in."""
    who = person(desk, n)
    desk.answer("login", username=who["username"], password=who["password"])
    return who


def test_the_initial_state_has_somebody_logged_in(world: Open) -> None:
    desk = world(DESK)
    assert desk.answer("get_login_status") == {"logged_in": True}
    assert desk.rows("session")[0]["user_id"] in [r["user_id"] for r in desk.rows("users")]


def test_logging_out_and_in_again(world: Open) -> None:
    desk = world(DESK)
    assert desk.answer("logout") == {"success": True}
    assert desk.answer("get_login_status") == {"logged_in": False}
    who = enter(desk, 2)
    assert desk.answer("get_login_status") == {"logged_in": True}
    assert desk.rows("session")[0]["user_id"] == who["user_id"]


def test_a_wrong_password_is_refused_without_saying_what_was_wrong(world: Open) -> None:
    desk = world(DESK)
    desk.answer("logout")
    wrong = desk.refusal("login", username=person(desk)["username"], password="not it")
    unknown = desk.refusal("login", username="nobody at all", password="not it")
    assert wrong == unknown
    assert desk.answer("get_login_status") == {"logged_in": False}


def test_nobody_can_log_out_twice(world: Open) -> None:
    desk = world(DESK)
    desk.answer("logout")
    assert "logged in" in desk.refusal("logout")


@pytest.mark.parametrize("name", ["create_note", "list_my_notes", "delete_note"])
def test_what_needs_a_login_is_refused_without_one(world: Open, name: str) -> None:
    desk = world(DESK)
    note = desk.rows("notes")[0]["note_id"]
    arguments = {"create_note": {"text": "x"}, "list_my_notes": {}, "delete_note": {"note_id": note}}[name]
    desk.answer("logout")
    assert "logged in" in desk.refusal(name, **arguments)


def test_what_needs_no_login_is_answered_without_one(world: Open) -> None:
    desk = world(DESK)
    desk.answer("logout")
    assert len(desk.answer("list_users")["users"]) == len(desk.rows("users"))


def test_what_is_made_belongs_to_whoever_is_logged_in(world: Open) -> None:
    desk = world(DESK)
    who = enter(desk, 1)
    assert desk.answer("create_note", text="mine")["user_id"] == who["user_id"]


def test_the_current_users_list_holds_only_their_rows(world: Open) -> None:
    desk = world(DESK)
    first = enter(desk, 0)
    desk.answer("create_note", text="of the first")
    second = enter(desk, 1)
    desk.answer("create_note", text="of the second")
    mine = desk.answer("list_my_notes")["notes"]
    assert {n["user_id"] for n in mine} == {second["user_id"]}
    assert "of the second" in [n["text"] for n in mine]
    assert first["user_id"] != second["user_id"]


def test_only_the_owner_may_delete(world: Open) -> None:
    desk = world(DESK)
    enter(desk, 0)
    note = desk.answer("create_note", text="x")["note_id"]
    enter(desk, 1)
    assert "owner" in desk.refusal("delete_note", note_id=note).lower()
    enter(desk, 0)
    desk.answer("delete_note", note_id=note)
    assert note not in [r["note_id"] for r in desk.rows("notes")]


def test_registering_needs_no_login(world: Open) -> None:
    desk = world([*DESK, tool("register_user", "Registers a user.", None, username=TEXT, password=TEXT)])
    desk.answer("logout")
    desk.answer("register_user", username="fresh", password="secret")
    desk.answer("login", username="fresh", password="secret")
    assert desk.rows("session")[0]["user_id"] == desk.rows("users")[-1]["user_id"]


def test_passwords_are_never_answered(world: Open) -> None:
    desk = world(
        [*DESK[:2], tool("get_user", "Gets a user.", None, user_id=TEXT), tool("list_users", "Lists users.", None)]
    )
    who = person(desk)
    assert who["password"] not in str(desk.answer("get_user", user_id=who["user_id"]))
    assert who["password"] not in str(desk.answer("list_users"))


def test_the_tools_of_a_session_are_told_from_others(world: Open) -> None:
    desk = world(DESK)
    kinds = {o.tool: o.kind for o in desk.world.operations}
    assert {n for n, k in kinds.items() if k is OperationKind.SESSION} == {"login", "logout", "get_login_status"}


def test_without_a_login_tool_nothing_asks_for_one(world: Open) -> None:
    desk = world(DESK[3:4])
    assert "session" not in desk.tables
    desk.answer("create_note", text="x")


@pytest.mark.parametrize(
    ("enter_name", "leave_name"),
    [
        ("log_in", "log_out"),
        ("sign_in", "sign_out"),
        ("authenticate_user", "logout_user"),
        ("userLogin", "userLogout"),
        ("iniciar_sesion", "cerrar_sesion"),
    ],
)
def test_login_goes_by_many_names(world: Open, enter_name: str, leave_name: str) -> None:
    desk = world(
        [
            tool(enter_name, "Logs a user in.", None, username=TEXT, password=TEXT),
            tool(leave_name, "Logs the user out.", None),
            tool("create_order", "Creates an order.", None, total=NUMBER),
        ]
    )
    who = desk.rows("users")[0]
    desk.answer(leave_name)
    desk.refusal("create_order", total=1)
    desk.answer(enter_name, username=who["username"], password=who["password"])
    desk.answer("create_order", total=1)
