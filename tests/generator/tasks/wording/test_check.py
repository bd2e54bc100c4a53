from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.tasks.wording import LANGUAGES, faults, word
from autoforge.generator.tasks.wording.values import Values
from tests.generator.tasks.wording.inn import catalogue, draft, out, reason, step, u

BOOKINGS = step("bookings", "list_bookings", status=u("status"))
LAST = reason("last", "argmax", out("bookings", "$.bookings[*]"), by="check_in_date")
CANCEL = step("cancel", "cancel_booking", booking_id=out("last", "$.booking_id"), reason=u("reason"))
NOTE = step("note", "update_booking", booking_id=out("last", "$.booking_id"), guest_count=u("count"), note=u("note"))
KNOWN: dict[str, Any] = {"status": "pending", "reason": "guest_request", "count": 10, "note": "Arrives at 10 pm"}
DRAFT = draft(BOOKINGS, LAST, NOTE, CANCEL, **KNOWN)
WORDED = word(DRAFT, catalogue(), language="en", chance=random.Random(1))
DERIVED: list[Any] = ["B-1021", "2026-05-09", 412.5, 37, 1, True, "pending", "confirmed", 10]


def check(text: str) -> list[str]:
    return faults(text, DRAFT, DERIVED, WORDED.cues, "en")


def test_a_good_instruction_has_no_faults() -> None:
    assert check(WORDED.instruction) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("guest request", "it", "reason"), (" 10", " 100", "count"), (" 10", " many", "count"), ("pending", "open",
        "status"),
        ("Arrives at 10 pm", "Arrives late", "note"), ("latest", "earliest", "constraint last"),
        ("latest check-in date", "number B-1021", "B-1021"),
    ],
)  # fmt: skip
def test_a_defect_is_found(old: str, new: str, fault: str) -> None:
    assert old in WORDED.instruction
    assert any(fault in found for found in check(WORDED.instruction.replace(old, new)))


@pytest.mark.parametrize("told", ["It is booking B-1021.", "It arrives on May 9, 2026.", "It costs 412.50.",
"It costs 412.5 EUR.",
                                  "There are 37 of them."])  # fmt: skip
def test_a_value_that_must_be_found_out_is_a_leak(told: str) -> None:
    assert any("must be found out" in fault for fault in check(f"{WORDED.instruction} {told}"))


@pytest.mark.parametrize("said", ["There is 1 of them.", "Only confirmed ones.", "It is true."])
def test_what_everybody_says_is_no_leak(said: str) -> None:
    assert check(f"{WORDED.instruction} {said}") == []


@pytest.mark.parametrize("told", ["Write to bob@example.com.", "By 2027-01-01, please.", "Pay 9,999 for it."])
def test_a_value_that_nobody_gave_is_a_fault(told: str) -> None:
    assert any("knows no such value" in fault for fault in check(f"{WORDED.instruction} {told}"))


def test_dates_may_be_written_out() -> None:
    on = draft(step("free", "list_bookings", arrival_from=u("day")), day="2026-05-01")
    for text in ("from 2026-05-01 on", "from 1 May 2026 on", "from May 1, 2026 on"):
        assert faults(text, on, (), {}, "en") == []
    assert faults("from 11 May 2026 on", on, (), {}, "en") != []


TEXTS = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=24).filter(
    lambda t: bool(t.strip()) and t == " ".join(t.split()) and not ("'" in t and '"' in t)
)
VALUES = (
    TEXTS
    | st.integers(-(10**9), 10**9)
    | st.decimals(0, 10**6, places=2).map(float)
    | st.dates().map(lambda d: d.isoformat())
)


@given(value=VALUES, language=st.sampled_from(sorted(LANGUAGES)), seed=st.integers(0, 20))
def test_what_is_said_is_found_again(value: Any, language: str, seed: int) -> None:
    said = Values(LANGUAGES[language], random.Random(seed)).said(value)
    known = draft(step("note", "update_booking", booking_id=out("x"), note=u("v")), v=value)
    assert faults(f"Please write {said}, thank you.", known, (), {}, language) == []


@pytest.mark.parametrize("language", ["es", "de"])
def test_languages_have_the_same_templates(language: str) -> None:
    assert set(LANGUAGES[language].templates) == set(LANGUAGES["en"].templates)
