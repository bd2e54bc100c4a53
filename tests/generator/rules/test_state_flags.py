"""Flags of lists that name a state leave rows out, or in, as their names say."""

from __future__ import annotations

import pytest

from tests.generator.rules.conftest import FLAG, TEXT, Open, about, listing, maybe, one_of, record, tool

HIVE = record("*", hive_id=TEXT, label=TEXT, status=one_of("busy", "retired", "cancelled"), locked=FLAG)
HIVES = record("*", hives=listing(HIVE))


@pytest.mark.parametrize(
    ("flag", "without", "withal"),
    [
        ("include_retired", "busy", "busy retired"),
        ("show_canceled", "busy retired", "busy retired cancelled"),
        ("exclude_retired", "busy retired", "busy"),
        ("only_retired", "busy retired", "retired"),
    ],
)
def test_a_flag_that_names_a_state_is_about_rows_in_it(world: Open, flag: str, without: str, withal: str) -> None:
    desk = world([tool("list_hives", "Lists hives.", HIVES, **{flag: maybe(FLAG)})])
    states = withal.split() if len(withal) > len(without) else without.split()
    for number, row in enumerate(desk.rows("hives")):
        desk.put("hives", {"hive_id": row["hive_id"]}, status=states[number % len(states)])
    assert {h["status"] for h in desk.answer("list_hives")["hives"]} == set(without.split())
    assert {h["status"] for h in desk.answer("list_hives", **{flag: True})["hives"]} == set(withal.split())


def test_who_asks_for_a_state_gets_it_without_the_flag(world: Open) -> None:
    status = maybe(one_of("busy", "retired", "cancelled"))
    desk = world([tool("list_hives", "Lists hives.", HIVES, status=status, include_retired=maybe(FLAG))])
    desk.put("hives", {}, status="retired")
    assert desk.answer("list_hives")["hives"] == []
    assert desk.answer("list_hives", status="retired")["hives"]


def test_a_flag_that_names_a_column_is_about_that_column(world: Open) -> None:
    desk = world([tool("list_hives", "Lists hives.", HIVES, exclude_locked=maybe(FLAG))])
    desk.put("hives", {}, locked=1)
    assert desk.answer("list_hives")["hives"]
    assert desk.answer("list_hives", exclude_locked=True)["hives"] == []


@pytest.mark.parametrize(
    ("flag", "prose"),
    [
        ("include_busy_hours", ""),
        ("include_retired_count", ""),
        ("include_retired", "Whether each hive has the retired field"),
        ("include_retired", "If true, only retired hives come"),
        ("include_active", "Whether active hives come too"),
        ("include_wooden", "Whether details of the wooden hives come"),
        ("expand_retired", ""),
    ],
)
def test_a_flag_that_is_about_no_state_leaves_nothing_out(world: Open, flag: str, prose: str) -> None:
    hive = record("*", hive_id=TEXT, status=one_of("busy", "active", "retired"), kind=one_of("wooden", "straw"))
    given = maybe(about(FLAG, prose)) if prose else maybe(FLAG)
    desk = world([tool("list_hives", "Lists hives.", record("*", hives=listing(hive)), **{flag: given})])
    for number, row in enumerate(desk.rows("hives")):
        state = ("busy", "active", "retired")[number % 3]
        desk.put("hives", {"hive_id": row["hive_id"]}, status=state, kind=("wooden", "straw")[number % 2])
    assert len(desk.answer("list_hives")["hives"]) == len(desk.rows("hives"))


def test_a_flag_may_name_the_rows_besides_the_state(world: Open) -> None:
    desk = world([tool("list_hives", "Lists hives.", HIVES, include_cancelled_hives=maybe(FLAG))])
    desk.put("hives", {}, status="cancelled")
    assert desk.answer("list_hives")["hives"] == []
    assert desk.answer("list_hives", include_cancelled_hives=True)["hives"]


def test_who_asks_for_what_rows_have_gets_those_alone(world: Open) -> None:
    room = record("*", room_id=TEXT, balcony=FLAG)
    desk = world([tool("list_rooms", "Lists rooms.", record("*", rooms=listing(room)), with_balcony=maybe(FLAG))])
    first = desk.rows("rooms")[0]["room_id"]
    desk.put("rooms", {}, balcony=0)
    desk.put("rooms", {"room_id": first}, balcony=1)
    assert [r["room_id"] for r in desk.answer("list_rooms", with_balcony=True)["rooms"]] == [first]
    assert len(desk.answer("list_rooms")["rooms"]) == len(desk.rows("rooms"))


def test_whom_a_row_is_assigned_to_is_no_upper_bound(world: Open) -> None:
    hive = record("*", hive_id=TEXT, assigned_to=TEXT)
    desk = world([tool("list_hives", "Lists hives.", record("*", hives=listing(hive)), assigned_to=maybe(TEXT))])
    desk.put("hives", {}, assigned_to="Ann")
    assert desk.answer("list_hives", assigned_to="Zoe")["hives"] == []
    assert desk.answer("list_hives", assigned_to="Ann")["hives"]


@pytest.mark.parametrize("states", [("OPEN", "open", "shut"), ("open", "OPEN", "shut"), ("Open", "OPEN", "open")])
def test_of_states_that_differ_in_case_a_flag_means_the_one_that_it_names(world: Open, states: tuple[str, ...]) -> None:
    hive = record("*", hive_id=TEXT, status=one_of(*states))
    desk = world([tool("list_hives", "Lists hives.", record("*", hives=listing(hive)), only_open=maybe(FLAG))])
    for number, row in enumerate(desk.rows("hives")):
        desk.put("hives", {"hive_id": row["hive_id"]}, status=states[number % len(states)])
    assert {h["status"] for h in desk.answer("list_hives", only_open=True)["hives"]} == {"open"}
