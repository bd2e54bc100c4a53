from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.operators import OPERATORS
from autoforge.generator.tasks.wording import Wording, word
from autoforge.mcp_envs.task import Guard, ListOf, Reasoning, ToolStep
from tests.generator.tasks.wording.inn import asked, catalogue, draft, lit, out, reason, step, u

Say = Callable[..., Wording]
SEEDS = range(12)

FREE = step("free", "search_availability", check_in_date=u("arrival"), check_out_date=u("departure"))
CHEAPEST = reason("cheapest", "argmin", out("free", "$.rooms[*]"), by="nightly_rate")
MARIA = step("maria", "get_guest", email=u("email"))
BOOK = step("book", "book_room", room_id=out("cheapest", "$.room_id"), guest_id=out("maria", "$.guest_id"),
            check_in_date=u("arrival"), check_out_date=u("departure"), breakfast=u("breakfast"))  # fmt: skip
KNOWN: dict[str, Any] = {
    "arrival": "2026-05-01",
    "departure": "2026-05-04",
    "email": "maria@example.com",
    "breakfast": True,
}
BOOKINGS = step("bookings", "list_bookings", guest_id=out("maria", "$.guest_id"))
LAST = reason("last", "argmax", out("bookings", "$.bookings[*]"), by="check_in_date")
CANCEL = step("cancel", "cancel_booking", booking_id=out("last", "$.booking_id"), reason=u("reason"))
OVER = reason("over", "compare", out("last", "$.total_price"), compare="greater", inputs={"value": u("limit")})


def booking() -> Draft:
    return draft(FREE, CHEAPEST, MARIA, BOOK, **KNOWN)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_booking_reads_as_a_person_would_ask(say: Say, seed: int) -> None:
    text = say(booking(), seed=seed).instruction
    assert "free room with the lowest nightly rate" in text
    assert "the guest with email maria@example.com" in text or "the guest whose email is maria@example.com" in text
    assert "with breakfast" in text
    assert "room_id" not in text and "  " not in text and "None" not in text


def test_the_same_seed_gives_the_same_words_and_others_vary(say: Say) -> None:
    texts = [say(booking(), seed=seed).instruction for seed in SEEDS]
    assert texts == [say(booking(), seed=seed).instruction for seed in SEEDS]
    assert len(set(texts)) > 6


def test_a_thing_is_described_once_and_then_referred_to(say: Say) -> None:
    told = asked("total price", out("last", "$.total_price"))
    text = say(draft(MARIA, BOOKINGS, LAST, CANCEL, answers=(told,), email="a@b.example", reason="no_show")).instruction
    assert text.count("latest check-in date") == 1
    assert "total price of that booking" in text or "total price of the same booking" in text
    assert "reason no show" in text


def test_a_branch_says_both_ways(say: Say) -> None:
    other = step("note", "update_booking", booking_id=out("last", "$.booking_id"), note=u("note"),
                 when=Guard(node="over", equals=False))  # fmt: skip
    cancel = CANCEL.model_copy(update={"when": Guard(node="over", equals=True)})
    known: dict[str, Any] = {"email": "a@b.example", "limit": 500, "reason": "no_show", "note": "Call me first."}
    text = say(draft(MARIA, BOOKINGS, LAST, OVER, cancel, other, **known)).instruction
    before, _, after = text.partition(" is more than 500, ")
    then, _, rest = after.partition("; ")
    assert "total price of" in before and "latest check-in date" in before
    assert then.startswith("cancel th")
    assert rest.startswith(("otherwise, update th", "if not, update th"))
    assert '"Call me first."' in rest


def test_a_fall_back_says_what_to_do_instead(say: Say) -> None:
    first = CANCEL.model_copy(update={"attempt": True})
    second = step("note", "update_booking", booking_id=out("last", "$.booking_id"), note=u("note"),
                  when=Guard(node="cancel", refused=True))  # fmt: skip
    text = say(
        draft(MARIA, BOOKINGS, LAST, first, second, email="a@b.example", reason="no_show", note="Late.")
    ).instruction
    assert text.index("ancel th") < text.index(" instead") and "Late." in text


def test_steps_of_the_user_stay_on_the_users_side(say: Say) -> None:
    text = say(draft(step("lamp", "toggle_lamp", actor="user"))).instruction
    assert "toggle the lamp" in text and "on my side" in text


def test_what_was_made_is_told_from_what_was_there(say: Say) -> None:
    again = step("again", "book_room", room_id=u("room"), guest_id=out("maria", "$.guest_id"))
    note = step("note", "update_booking", booking_id=out("again", "$.booking_id"), guest_count=u("count"))
    text = say(draft(FREE, CHEAPEST, MARIA, BOOK, again, note, **KNOWN, room="R-7", count=3)).instruction
    assert "second booking you" in text and "room R-7" in text


def test_filters_and_conditions_on_rows_are_said_together(say: Say) -> None:
    rooms = step("rooms", "list_rooms", room_type=u("kind"), max_rate=u("most"), has_balcony=u("balcony"))
    high = reason(
        "high", "filter", out("rooms", "$.rooms[*]"), by="floor", compare="greater", inputs={"value": u("floor")}
    )
    second = reason("second", "nth_lowest", out("high"), by="nightly_rate", n=2)
    rate = step("rate", "set_rate", room_id=out("second", "$.room_id"), rate=u("rate"))
    text = say(
        draft(rooms, high, second, rate, kind="double_room", most=90, balcony=False, floor=2, rate=75.5)
    ).instruction
    for part in ("second lowest nightly rate", "double room", "at most 90", "more than 2", "75.5", "balcony"):
        assert part in text, part


def test_a_quote_is_named_by_what_was_quoted(say: Say) -> None:
    quote = step("quote", "quote_stay", room_id=u("room"), nights=u("nights"))
    text = say(draft(quote, answers=(asked("total", out("quote", "$.total")),), room="R-7", nights=3)).instruction
    assert "total" in text and "quote the price of a stay" in text and "room R-7" in text and "nights 3" in text


ROOMS = step("rooms", "list_rooms")
RATES = out("rooms", "$.rooms[*].nightly_rate")
EVERY = out("rooms", "$.rooms[*]")
PRICE, ARRIVAL = out("last", "$.total_price"), out("last", "$.check_in_date")
DERIVED: dict[str, dict[str, Any]] = {
    "argmin": {"over": EVERY, "by": "floor"}, "argmax": {"over": EVERY, "by": "floor"},
    "nth_lowest": {"over": EVERY, "by": "floor", "n": 3}, "nth_highest": {"over": EVERY, "by": "floor", "n": 2},
    "only": {"over": EVERY},
    "filter": {"over": EVERY, "by": "floor", "compare": "less_equal", "inputs": {"value": u("x")}},
    "only_where": {"over": EVERY, "by": "room_type", "compare": "equal", "inputs": {"value": u("word")}},
    "count": {"over": EVERY}, "sum": {"over": RATES}, "average": {"over": EVERY, "by": "nightly_rate"},
    "minimum": {"over": RATES}, "maximum": {"over": RATES}, "count_distinct": {"over": EVERY, "by": "room_type"},
    "add": {"over": PRICE, "inputs": {"value": u("x")}}, "subtract": {"over": PRICE, "inputs": {"value": u("x")}},
    "multiply": {"over": PRICE, "inputs": {"value": u("x")}}, "divide": {"over": PRICE, "inputs": {"value": lit(2)}},
    "percent_of": {"over": PRICE, "inputs": {"value": u("x")}}, "round_to": {"over": PRICE, "n": 0},
    "absolute_difference": {"over": PRICE, "inputs": {"value": u("x")}},
    "add_days": {"over": ARRIVAL, "inputs": {"value": u("x")}}, "days_between": {"over": ARRIVAL,
    "inputs": {"value": u("day")}},
    "date_of": {"over": ARRIVAL}, "weekday": {"over": ARRIVAL}, "month_of": {"over": ARRIVAL},
    "later": {"over": ARRIVAL, "inputs": {"value": u("day")}}, "earlier": {"over": ARRIVAL,
    "inputs": {"value": u("day")}},
    "compare": {"over": PRICE, "compare": "less", "inputs": {"value": u("x")}},
    "both": {"over": out("over"), "inputs": {"value": out("over")}}, "either": {"over": out("over"),
    "inputs": {"value": out("over")}},
    "negate": {"over": out("over")}, "most_common": {"over": EVERY, "by": "room_type"}, "count_by": {"over": EVERY,
    "by": "room_type"},
    "largest_sum_by": {"over": EVERY, "by": "room_type", "inputs": {"amount": lit("nightly_rate")}},
    "union": {"over": RATES, "inputs": {"value": RATES}}, "intersection": {"over": RATES, "inputs": {"value": RATES}},
    "difference": {"over": RATES, "inputs": {"value": RATES}}, "distinct": {"over": out("rooms",
    "$.rooms[*].room_type")},
    "choose": {"inputs": {"condition": out("over"), "then": u("x"), "otherwise": PRICE}},
    "coalesce": {"over": ListOf(items=(PRICE, u("x")))},
    "join_text": {"over": ListOf(items=(PRICE, u("word"))), "inputs": {"separator": lit(" ")}},
    "contains_text": {"over": out("last", "$.status"), "inputs": {"value": u("word")}},
    "expression": {"expression": "price - x * 2", "inputs": {"price": PRICE, "x": u("x")}},
}  # fmt: skip
GIVEN: dict[str, Any] = {"x": 14, "word": "suite", "day": "2026-06-01", "email": "a@b.example", "limit": 500}


def test_every_operator_is_tried() -> None:
    assert set(DERIVED) == set(OPERATORS)


@pytest.mark.parametrize("language", ["en", "es", "de"])
@pytest.mark.parametrize("operator", DERIVED)
def test_every_operator_has_words_that_hold_its_operands(say: Say, operator: str, language: str) -> None:
    node = reason("node", operator, **DERIVED[operator])
    path = "$.floor" if operator in ("argmin", "argmax", "nth_lowest", "nth_highest", "only", "only_where") else "$"
    path = "$[*].floor" if operator == "filter" else path
    nodes = [MARIA, BOOKINGS, LAST, OVER, ROOMS, node]
    needed = _needed(nodes, "node")
    used = {s for n in needed for s in _users(n)}
    known = {k: v for k, v in GIVEN.items() if k in used}
    worded = say(draft(*needed, answers=(asked("it", out("node", path)),), **known), language)
    assert worded.cues["node"]
    for name, value in known.items():
        assert name in worded.cues and str(value) in worded.instruction
    assert "¤" not in worded.instruction and "~" not in worded.instruction


def _needed(nodes: list[Any], last: str) -> list[Any]:
    by_id = {node.id: node for node in nodes}
    wanted, found = [last], set()
    while wanted:
        id = wanted.pop()
        found.add(id)
        text = by_id[id].model_dump_json(by_alias=True)
        wanted += [other for other in by_id if f'"from":"{other}"' in text and other not in found]
    return [node for node in nodes if node.id in found]


def _users(node: ToolStep | Reasoning) -> list[str]:
    text = node.model_dump_json(by_alias=True)
    return [name for name in GIVEN if f'"user":"{name}"' in text]


def test_an_expression_that_nobody_can_read_is_refused(say: Say) -> None:
    node = reason("node", "expression", expression="[x for x in items if x['a']]", inputs={"items": EVERY})
    with pytest.raises(Rejection) as caught:
        say(draft(ROOMS, node, answers=(asked("it", out("node")),)))
    assert caught.value.reason == "cannot be worded"


@pytest.mark.parametrize(("language", "part"), [("es", "reserva"), ("de", "buche"), ("auto", "book")])
def test_the_frame_is_in_the_language_that_is_asked_for(say: Say, language: str, part: str) -> None:
    worded = say(booking(), language)
    assert part in worded.instruction.lower()
    assert worded.language == ("en" if language == "auto" else language)


NOTES = step("notes", "list_notes")
NAMED = reason("named", "only_where", out("notes", "$.notes[*]"), by="note", compare="equal",
               inputs={"value": u("note")})  # fmt: skip
WITH_KEY = {"en": "log me in with the guest ID of the guest of the", "es": "Inicia la sesión con el guest ID del guest",
            "de": "Melde mich mit dem guest ID vom guest"}  # fmt: skip


@pytest.mark.parametrize("language", WITH_KEY)
def test_who_logs_in_is_said_by_what_finds_out(say: Say, language: str) -> None:
    login = step("login", "log_in", guest_id=out("named", "$.guest_id"))
    text = say(draft(NOTES, NAMED, login, note="Allergic to feathers"), language).instruction
    assert WITH_KEY[language] in text and "note" in text
    assert re.search(r'text [a-z ]*"Allergic to feathers"', text)


def test_the_one_item_of_a_list_is_called_the_only_one(say: Say) -> None:
    only = reason("only", "only", out("notes", "$.notes[*]"))
    login = step("login", "log_in", guest_id=out("only", "$.guest_id"))
    told = asked("note", out("only", "$.note"), "text")
    for seed in SEEDS:
        text = say(draft(NOTES, only, login, answers=(told,)), seed=seed).instruction
        assert "the guest of the only note" in text and "the text of" in text


@pytest.mark.parametrize("seed", range(60))
def test_a_persona_has_its_article(say: Say, seed: int) -> None:
    assert not re.search(r"\ban? an? ", say(booking(), seed=seed).persona)


def test_values_that_no_phrase_speaks_of_are_still_given() -> None:
    sort = step("rooms", "list_rooms", sort_by=u("order"))
    count = reason("count", "count", EVERY)
    text = word(draft(sort, count, answers=(asked("rooms", out("count")),), order="floor"), catalogue(),
                language="en", chance=random.Random(3)).instruction  # fmt: skip
    assert "floor" in text
