"""Lists show the rows in the states that their description names, and nothing else does."""

from __future__ import annotations

import pytest

from autoforge.generator.rules.prose.shown_states import shown_states
from tests.generator.rules.conftest import TEXT, Open, listing, maybe, one_of, record, tool

ROOM = record("*", room_id=TEXT, kind=one_of("single", "double"), status=one_of("free", "occupied", "out_of_service"))
ROOMS = record("*", rooms=listing(ROOM))


@pytest.mark.parametrize(
    ("prose", "shown"),
    [
        ("Returns the rooms that are not `out_of_service`.", {"free", "occupied"}),
        ("Lists rooms which are free or occupied, by number.", {"free", "occupied"}),
        ("Finds rooms for a stay: rooms that are free, with their kind.", {"free"}),
        ("Lista las rooms que no están out_of_service.", {"free", "occupied"}),
        ("Lists rooms. Cleaners see rooms that are free.", {"free", "occupied", "out_of_service"}),
        ("Lists rooms that are free unless all is set.", {"free", "occupied", "out_of_service"}),
        ("Lists rooms that are quiet.", {"free", "occupied", "out_of_service"}),
        ("Lists rooms of guests that are free.", {"free", "occupied", "out_of_service"}),
    ],
)
def test_a_list_shows_the_states_that_it_names(world: Open, prose: str, shown: set[str]) -> None:
    desk = world([tool("list_rooms", prose, ROOMS, kind=maybe(TEXT)), tool("get_room", "", ROOM, room_id=TEXT)])
    assert {row["status"] for row in desk.rows("rooms")} == {"free", "occupied", "out_of_service"}
    assert {room["status"] for room in desk.answer("list_rooms")["rooms"]} == shown


def test_whoever_may_choose_the_state_sees_all(world: Open) -> None:
    desk = world([tool("list_rooms", "Lists rooms that are free.", ROOMS, status=maybe(ROOM["properties"]["status"]))])
    assert desk.answer("list_rooms", status="occupied")["rooms"]


@pytest.mark.parametrize(
    "prose", ["Returns the time that is free.", "Books rooms that are free.", "Returns rooms that are", ""]
)
def test_nothing_is_read_where_no_list_says_what_it_shows(prose: str) -> None:
    assert shown_states(prose) == []
