"""A list comes in the order that its description promises, in six languages, and bounds count as they say."""

from __future__ import annotations

import pytest

from autoforge.generator.ir import Select, walk_steps
from autoforge.generator.rules.prose.orders import order_in_prose
from tests.generator.rules.conftest import DATE, INTEGER, TEXT, Open, about, listing, maybe, one_of, record, tool
from tests.generator.rules.no_promises import ORDERS

TALK = record("*", talk_id=TEXT, name=TEXT, held_on=DATE, ends_on=DATE, price=INTEGER)
TALKS = record("*", talks=listing(TALK))


@pytest.mark.parametrize(
    ("prose", "column", "down"),
    [
        ("Talks, newest first.", "held_on", True),
        ("Talks, the oldest first.", "held_on", False),
        ("Talks in chronological order.", "held_on", False),
        ("Talks, soonest end date first.", "ends_on", False),
        ("Talks, cheapest first.", "price", False),
        ("Talks, highest price first.", "price", True),
        ("Talks in alphabetical order.", "name", False),
        ("Talks, sorted by price, descending.", "price", True),
        ("Charlas, las más recientes primero.", "held_on", True),
        ("Vorträge, die ältesten zuerst.", "held_on", False),
        ("Vorträge, alphabetisch sortiert.", "name", False),
        ("Vorträge, sortiert nach ends_on, die neuesten zuerst.", "ends_on", True),
        ("Exposés, les plus récents d'abord.", "held_on", True),
        ("Palestras em ordem alfabética.", "name", False),
        ("Discorsi, i più recenti per primi.", "held_on", True),
    ],
)
def test_a_list_comes_in_the_order_that_is_promised(world: Open, prose: str, column: str, down: bool) -> None:
    desk = world([tool("list_talks", prose, TALKS, venue=maybe(TEXT)), tool("get_talk", "", TALK, talk_id=TEXT)])
    for number, row in enumerate(desk.rows("talks")):
        place = number * 5 % 7
        values = {
            "held_on": f"2026-03-1{place}",
            "ends_on": f"2026-04-1{6 - place}",
            "price": place * place % 5 + place,
        }
        desk.put("talks", {"talk_id": row["talk_id"]}, name=f"Talk {place}", **values)
    shown = [talk[column] for talk in desk.answer("list_talks")["talks"]]
    assert shown == sorted(shown, reverse=down) and len(set(shown)) > 1


@pytest.mark.parametrize(
    ("prose", "told"),
    [
        ("List all users, sorted alphabetically by last name.", ("words", "last name", False)),
        ("Lists orders in descending order of creation date.", ("words", "creation date", True)),
        ("Lists orders by creation date, newest first.", ("made", "creation date", True)),
        ("Returns the messages of a channel. Messages are returned newest first.", ("made", "", True)),
        ("Results are ordered by `created_at` descending.", ("words", "created_at", True)),
        ("Results are sorted by created_at (descending).", ("words", "created_at", True)),
        ("Lists the products of a shop (cheapest first).", ("amount", "price", False)),
        ("Results are ordered by price from highest to lowest.", ("amount", "price", True)),
        ("Returns a page of orders, sorted by id in ascending order.", ("words", "id", False)),
        ("Lists bookings sorted by check-in date.", ("words", "check_in date", False)),
        ("Sorted by due date, then by priority.", ("words", "due date", False)),
        ("Sorted by name, then by date descending.", ("words", "name", False)),
        ("Sorted by name, then newest first.", ("words", "name", False)),
        ("Sorted by due date, latest first, then by name.", ("moment", "due date", True)),
        ("Devuelve los pedidos ordenados por fecha, los más recientes primero.", ("moment", "fecha", True)),
        ("Liste les commandes, triées par date, les plus anciennes d'abord.", ("moment", "date", False)),
        ("Lists tasks, earliest due date first.", ("moment", "due date", False)),
        ("The newest entries come first.", ("made", "", True)),
        ("Lists posts that the user can see, most recently updated first.", ("moment", "updated", True)),
        ("Lists open or pending orders, newest first.", ("made", "", True)),
        ("Listet Kunden, absteigend nach Umsatz sortiert.", ("words", "umsatz", True)),
        ("Devuelve los pedidos, del más reciente al más antiguo.", ("made", "", True)),
        ("Liste les commandes, de la plus récente à la plus ancienne.", ("made", "", True)),
        ("Lista os pedidos, ordenados por data.", ("words", "data", False)),
        ("Elenca gli ordini, prima i più recenti.", ("made", "", True)),
    ],
)
def test_a_promise_is_read(prose: str, told: tuple[str, str, bool]) -> None:
    assert order_in_prose(prose, frozenset({"message"})) == told


def test_a_text_that_is_named_as_a_moment_is_one(world: Open) -> None:
    talk = record("*", talk_id=TEXT, placed_at=TEXT)
    desk = world([tool("list_talks", "Talks by placed_at, newest first.", record("*", talks=listing(talk)))])
    for number, row in enumerate(desk.rows("talks")):
        desk.put("talks", {"talk_id": row["talk_id"]}, placed_at=f"2026-03-1{number * 5 % 7}")
    shown = [talk["placed_at"] for talk in desk.answer("list_talks")["talks"]]
    assert shown == sorted(shown, reverse=True) and len(set(shown)) > 1


def test_two_promises_are_none() -> None:
    assert order_in_prose("Lists users, newest first. Users are sorted by name.", frozenset({"user"})) is None


@pytest.mark.parametrize(
    "prose",
    [
        "Talks, highest grade first.",
        "Talks, newest label first.",
        "Talks by label, newest label first.",
        "Talks sorted by the given field.",
        "Talks in order of their ids.",
        "Talks sorted by label, newest first.",
        "Talks sorted by label and grade descending.",
    ],
)
def test_an_order_by_what_has_none_is_left(world: Open, prose: str) -> None:
    talk = record("*", talk_id=TEXT, label=TEXT, grade=one_of("low", "high"))
    desk = world([tool("list_talks", prose, record("*", talks=listing(talk)))])
    assert not [s for s in walk_steps(desk.operation("list_talks").steps) if isinstance(s, Select) and s.order]


@pytest.mark.parametrize(
    "prose", ["Give the first name first.", "Lists the newest models.", "The order is unspecified.", "", *ORDERS]
)
def test_no_order_is_read_where_none_is_promised(prose: str) -> None:
    assert order_in_prose(prose) is None


@pytest.mark.parametrize(
    ("name", "prose", "counts"),
    [
        ("ends_before", "Only talks that end before this date", False),
        ("ending_before", "Only talks that end on or before this date", True),
        ("ends_until", "Last day", True),
        ("ends_since", "Only talks that end after this date", False),
        ("ends_after", "Not before this date", True),
        ("ends_since", "Ignore talks that end before this date", True),
        ("ends_before", "Do not return talks after this date", True),
        ("ends_before", "Only needed before this is set", True),
        ("ends_after", "Only talks after this date (inclusive)", True),
        ("ends_before", "Only talks that end before this date (YYYY-MM-DD).", False),
        ("over_before", "Only talks whose ends_on is before this date (YYYY-MM-DD).", False),
        ("over_until", "The last ends_on that counts.", True),
        ("ends_bis", "", True),
        ("ends_ab", "Solo depois desta data", False),
        ("ends_ate", "Apenas antes desta data", False),
    ],
)
def test_a_bound_counts_itself_unless_the_words_say_otherwise(world: Open, name: str, prose: str, counts: bool) -> None:
    desk = world([tool("list_talks", "Lists talks.", TALKS, **{name: maybe(about(DATE, prose))})])
    desk.put("talks", {}, ends_on="2026-05-05")
    assert bool(desk.answer("list_talks", **{name: "2026-05-05"})["talks"]) is counts
    near = "2026-05-04" if name in ("ends_since", "ends_after", "ends_ab") else "2026-05-06"
    assert desk.answer("list_talks", **{name: near})["talks"]
    assert set(desk.rows("talks")[0]) == {"talk_id", "name", "held_on", "ends_on", "price"}  # none is made up
