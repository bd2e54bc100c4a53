"""Flags of lists that name a state leave rows out, or in, as their names say."""

from __future__ import annotations

import pytest

from tests.generator.rules.conftest import FLAG, TEXT, Open, listing, maybe, one_of, record, tool

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
