from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from autoforge.generator.tasks.wording import Wording, word
from autoforge.generator.tasks.wording.model import Tally, word_with_model
from autoforge.gym.llm import ModelClient
from tests.generator.tasks.wording.inn import catalogue, draft, out, reason, step, u
from tests.gym.replay_server import Answer, ReplayServer

DRAFT = draft(
    step("bookings", "list_bookings", status=u("status")),
    reason("last", "argmax", out("bookings", "$.bookings[*]"), by="check_in_date"),
    step("cancel", "cancel_booking", booking_id=out("last", "$.booking_id"), reason=u("reason")),
    status="pending",
    reason="guest_request",
)
TEMPLATE = word(DRAFT, catalogue(), language="en", chance=random.Random(1))
GOOD = "Hey, of my pending bookings please drop the one with the latest check-in date; say guest request as the reason."
LEAKS = GOOD + " It is B-1021."
LOST = "Please cancel one of my pending bookings, guest request."


def answer(instruction: str) -> Answer:
    return Answer(json.dumps({"instruction": instruction, "persona": "You are in a hurry."}))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


def worded(answers: Sequence[Answer], folder: Path) -> tuple[Wording, Tally, ReplayServer]:
    tally = Tally()

    async def run(server: ReplayServer) -> Wording:
        async with ModelClient("openai:relay", base_url=server.openai_url, cache_dir=folder) as client:
            return await word_with_model(client, TEMPLATE, DRAFT, derived=["B-1021"], policy="Be kind.", tally=tally)

    with ReplayServer(answers) as server:
        return anyio.run(run, server), tally, server


def test_a_faultless_answer_is_taken(tmp_path: Path) -> None:
    found, tally, server = worded([answer(GOOD)], tmp_path)
    assert (found.instruction, found.persona) == (GOOD, "You are in a hurry.")
    assert tally == Tally(asked=1, accepted=1)
    prompt = json.dumps(server.requests[0].body)
    assert TEMPLATE.instruction[:40] in prompt and "Be kind." in prompt and "guest_request" in prompt


def test_faults_are_told_and_mended(tmp_path: Path) -> None:
    found, tally, server = worded([answer(LEAKS), Answer("no JSON at all"), answer(GOOD)], tmp_path)
    assert found.instruction == GOOD
    assert tally == Tally(asked=1, accepted=1, repaired=1)
    assert "must be found out" in json.dumps(server.requests[1].body)
    assert len(server.requests) == 3


def test_the_template_stays_after_three_bad_answers(tmp_path: Path) -> None:
    found, tally, server = worded([answer(LEAKS), answer(LOST), answer(LOST), answer(GOOD)], tmp_path)
    assert found == TEMPLATE
    assert tally == Tally(asked=1, kept=1)
    assert len(server.requests) == 3
