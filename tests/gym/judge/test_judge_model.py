"""The judge by a model, over real HTTP: it may refute what the rules found, and must show what it finds itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.judge import ModelJudge, judge_trajectory
from autoforge.gym.llm import ModelClient, parse_model
from autoforge.gym.trajectory import Judgement, Trajectory
from tests.gym.judge.talks import HOTEL, HOTEL_TOOLS, talk
from tests.gym.replay_server import Answer, ReplayServer, Status

pytestmark = pytest.mark.anyio

TALK = talk(
    [
        ("user", "Hello, please book the cheapest double room for Anna Keller, with breakfast."),
        ("agent", "Gladly. Which dates?"),
        ("user", "From 2026-03-10 to 2026-03-14, and my dog comes along."),
        ("call", "search_rooms"),
        ("agent", "Noted."),
        ("user", "Thank you."),
    ]
)
RULES = judge_trajectory(TALK, HOTEL, HOTEL_TOOLS)


def finding(**changed: Any) -> dict[str, Any]:
    return {"kind": "out_of_scope", "turn": 2, "quote": "my dog comes along", "touches": "compared",
            "effect": "spoiled", "explanation": "no dog in the task", **changed}  # fmt: skip


async def judged(*answers: Answer | Status, trajectory: Trajectory = TALK) -> tuple[Judgement, ...]:
    with ReplayServer(answers) as server:
        async with ModelClient(parse_model("openai:small"), base_url=server.openai_url) as client:
            return await ModelJudge(client).judge(trajectory, HOTEL, HOTEL_TOOLS)


def says(*findings: dict[str, Any], refuted: tuple[int, ...] = ()) -> Answer:
    return Answer(json.dumps({"findings": findings, "refuted": refuted}))


async def test_what_the_model_shows_is_added_to_what_the_rules_found() -> None:
    assert RULES and all(judgement.by == "rules" for judgement in RULES)
    found = await judged(says(finding()))
    assert set(RULES) < set(found)
    [own] = [judgement for judgement in found if judgement.by == "model"]
    assert (own.kind, own.turn, own.quote, own.touches, own.effect) == (
        "out_of_scope", 2, "my dog comes along", "compared", "spoiled",
    )  # fmt: skip


async def test_what_the_model_refutes_is_gone() -> None:
    assert await judged(says(refuted=tuple(range(1, len(RULES) + 1)))) == ()
    assert await judged(says(refuted=(99,))) == RULES


@pytest.mark.parametrize(
    "unshown",
    [
        {"quote": "my cat comes along"},
        {"quote": " \n"},
        {"turn": 99},
        {"turn": -1},
        {"turn": 1, "quote": "Which dates?"},  # the agent's
    ],
)
async def test_a_finding_that_its_turn_does_not_show_is_dropped(unshown: dict[str, Any]) -> None:
    assert await judged(says(finding(**unshown))) == RULES


async def test_a_finding_is_not_counted_twice() -> None:
    first = RULES[0]
    assert await judged(says(finding(kind=first.kind, turn=first.turn, quote=first.quote))) == RULES


@pytest.mark.parametrize("answer", [Answer("The user did well."), Status(400)])
async def test_a_model_without_a_verdict_is_the_judges_failure(answer: Answer | Status) -> None:
    with pytest.raises(EpisodeFailure) as failed:
        await judged(answer)
    assert failed.value.failure.blame == "judge"


async def test_the_model_sees_the_task_the_talk_and_what_the_rules_found_and_no_thinking() -> None:
    thought = TALK.turns[1].model_copy(update={"reasoning": ("a secret thought",)})
    trajectory = TALK.model_copy(update={"turns": (TALK.turns[0], thought, *TALK.turns[2:])})
    with ReplayServer([says()]) as server:
        async with ModelClient(parse_model("openai:small"), base_url=server.openai_url) as client:
            await ModelJudge(client).judge(trajectory, HOTEL, HOTEL_TOOLS)
        asked = server.requests[0].body["messages"][-1]["content"]
    assert HOTEL.instruction in asked and "my dog comes along" in asked and RULES[0].quote in asked
    assert "a secret thought" not in json.dumps(server.requests[0].body)


async def test_what_the_environment_says_of_a_spoiled_turn_is_not_shown_and_is_no_evidence() -> None:
    cut = TALK.turns[1].model_copy(update={"content": "Which da", "truncated": True})
    remark = TALK.turns[0].model_copy(update={"content": "Your turn was cut off."})
    trajectory = TALK.model_copy(update={"turns": (TALK.turns[0], cut, remark, *TALK.turns[1:])})
    with ReplayServer([says(finding(turn=2, quote="Your turn was cut off."))]) as server:
        async with ModelClient(parse_model("openai:small"), base_url=server.openai_url) as client:
            found = await ModelJudge(client).judge(trajectory, HOTEL, HOTEL_TOOLS)
        asked = server.requests[0].body["messages"][-1]["content"]
    assert all(judgement.by == "rules" for judgement in found)
    assert "cut off" not in asked and "Which da\n" not in asked and "[3] assistant: Gladly" in asked
