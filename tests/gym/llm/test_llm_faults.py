"""Faults of servers and networks: what is tried again, how often, after what wait, and what it costs."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import anyio
import pytest

from autoforge.gym.llm import Limits, Message, ModelClient, Request
from autoforge.mcp_envs.errors import ModelFailure, PromptTooLong
from tests.gym.llm.conftest import MODELS, Connect
from tests.gym.replay_server import Answer, Body, Cut, Drop, ReplayServer, Slow, Status, Step

pytestmark = pytest.mark.anyio

HELLO = Request(messages=(Message(role="user", content="hello"),))

QUICK = Limits(attempts=3, attempt_timeout=1, deadline=60)

HALF_JSON = '{"id": "x", "choices": [{"message": {"content": "hal'
NO_ANSWER = '{"id": "x", "type": "message", "object": "chat.completion", "choices": []}'

Lines = Callable[[], list[dict[str, Any]]]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
async def test_a_passing_error_is_tried_again(connect: Connect, sleeps: list[float], status: int) -> None:
    with ReplayServer([Status(status), Status(status), Answer("at last")]) as server:
        async with connect(server) as client:
            assert (await client.complete(HELLO)).text == "at last"
    assert len(server.requests) == 3
    assert len(sleeps) == 2
    assert 0.5 <= sleeps[0] <= 1
    assert 1 <= sleeps[1] <= 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422])
async def test_an_error_that_stays_is_not_tried_again(connect: Connect, sleeps: list[float], status: int) -> None:
    with ReplayServer([Status(status, message="no such thing")]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure, match=rf"stage-a: .* in 1 attempt: HTTP {status}: no such thing"):
                await client.complete(HELLO, stage="stage-a")
    assert len(server.requests) == 1
    assert sleeps == []


@pytest.mark.parametrize(
    ("fault", "too_long"),
    [
        (Status(400, message="prompt is too long: 210000 tokens > 200000 maximum"), True),
        (Status(400, message="This model's maximum context length is 4096 tokens."), True),
        (Status(400, message="The decoder prompt (length 9) is longer than the maximum model length of 4."), True),
        (Status(400, code="context_length_exceeded"), True),
        (Status(413, message="Input is too long for requested model."), True),
        (Status(413, message="the body is too large"), False),
        (Status(400, message="the name of the tool is too long"), False),
        (Status(403, message="the context window of this model is not yours"), False),
    ],
)
async def test_a_request_that_does_not_fit_the_model_is_told_apart(
    connect: Connect, fault: Status, too_long: bool
) -> None:
    with ReplayServer([fault]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure) as caught:
                await client.complete(HELLO)
    assert isinstance(caught.value, PromptTooLong) is too_long and len(server.requests) == 1


async def test_attempts_are_bounded_and_counted_in_the_message(connect: Connect, sleeps: list[float]) -> None:
    with ReplayServer([Status(503, message="overloaded")]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure, match="in 3 attempts: HTTP 503: overloaded"):
                await client.complete(HELLO)
    assert len(server.requests) == 3
    assert len(sleeps) == 2


async def test_an_exhausted_account_is_not_tried_again(connect: Connect) -> None:
    with ReplayServer([Status(429, message="quota", code="insufficient_quota")]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure, match="quota"):
                await client.complete(HELLO)
    assert len(server.requests) == 1


@pytest.mark.parametrize(("status", "hint"), [(401, "_API_KEY"), (403, "_API_KEY"), (404, "the model's name")])
async def test_an_error_of_set_up_says_what_to_check(connect: Connect, status: int, hint: str) -> None:
    with ReplayServer([Status(status)]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure, match=hint):
                await client.complete(HELLO)


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"retry-after": "7"}, 7, 8),
        ({"retry-after": "0.5"}, 0.5, 1),
        ({"retry-after-ms": "2500"}, 2.5, 3.5),
        ({"retry-after": "0"}, 0, 0),
        ({"retry-after": "soon"}, 0.5, 1),
        ({"retry-after": "inf"}, 0.5, 1),
    ],
)
async def test_the_wait_that_the_server_asks_for_is_honoured(
    connect: Connect, sleeps: list[float], headers: dict[str, str], least: float, most: float
) -> None:
    with ReplayServer([Status(429, headers), Answer("ok")]) as server:
        async with connect(server) as client:
            await client.complete(HELLO)
    assert len(sleeps) == 1
    assert least <= sleeps[0] <= most


async def test_a_retry_after_may_be_a_date(connect: Connect, sleeps: list[float]) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    with ReplayServer([Status(503, {"retry-after": date}), Answer("ok")]) as server:
        async with connect(server) as client:
            await client.complete(HELLO)
    assert 20 < sleeps[0] <= 41


async def test_a_wait_beyond_the_deadline_is_not_begun(connect: Connect, sleeps: list[float]) -> None:
    with ReplayServer([Status(429, {"retry-after": "3600"}, message="come back later")]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure, match="in 1 attempt: HTTP 429: come back later"):
                await client.complete(HELLO)
    assert sleeps == []
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Drop(), "the connection failed"),
        (Cut(), "the connection failed"),
        (Slow(), r"no answer within 1 s"),
        (Body(HALF_JSON), "is not JSON"),
        (Body("<html>502</html>", "text/html"), r"\(text/html\) is not JSON"),
        (Body("[]"), "no JSON object"),
        (Body('{"error": "as status 200"}'), "the body is no"),
        (Body(NO_ANSWER), r"no choice|the body is no message"),
        (Body('{"choices": [{"message": {"content": NaN}}]}'), "NaN is not a JSON value"),
        (Body("[" * 100_000), "is not JSON"),
    ],
)
async def test_a_broken_answer_is_tried_again_and_described(
    connect: Connect, sleeps: list[float], fault: Step, said: str
) -> None:
    limits = QUICK if isinstance(fault, Slow) else Limits(attempts=3, deadline=60)
    with ReplayServer([fault, Answer("whole")]) as server:
        async with connect(server, limits=limits, cache_dir=None) as client:
            assert (await client.complete(HELLO)).text == "whole"
    assert len(server.requests) == 2
    assert len(sleeps) == 1
    with ReplayServer([fault]) as server:
        async with connect(server, limits=limits.model_copy(update={"attempts": 1}), cache_dir=None) as client:
            with pytest.raises(ModelFailure, match=said):
                await client.complete(HELLO)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<h1>Bad\n Gateway</h1>", "<h1>Bad Gateway</h1>"),
        ("", "no reason given"),
        ('"plain"', "plain"),
        ("[]", r"\[\]"),
    ],
)
async def test_an_error_in_any_words_is_told(connect: Connect, body: str, said: str) -> None:
    with ReplayServer([Body(body, "text/html", status=400)]) as server:
        async with connect(server) as client:
            with pytest.raises(ModelFailure, match=f"HTTP 400: {said}"):
                await client.complete(HELLO)


async def test_nobody_listening_is_tried_again_and_costs_nothing(
    provider: str, sleeps: list[float], ledger_lines: Lines, tmp_path: Any
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    async def sleep(seconds: float) -> None:
        sleeps.append(seconds)

    client = ModelClient(
        MODELS[provider],
        base_url=f"http://127.0.0.1:{port}/v1",
        ledger=tmp_path / "ledger.jsonl",
        limits=Limits(attempts=3),
        sleep=sleep,
    )
    async with client:
        with pytest.raises(ModelFailure, match="in 3 attempts: the connection failed: ConnectError"):
            await client.complete(HELLO)
        assert client.ledger.total.cost == 0
    assert len(sleeps) == 2


async def test_an_error_status_costs_nothing_but_a_lost_answer_its_worst_case(
    connect: Connect, ledger_lines: Lines
) -> None:
    with ReplayServer([Status(500), Drop(), Answer("ok")]) as server:
        async with connect(server) as client:
            await client.complete(HELLO)
    ends = [line for line in ledger_lines() if line["event"] == "settle"]
    reserved = [line["estimate"] for line in ledger_lines() if line["event"] == "reserve"]
    assert [line["outcome"] for line in ends] == ["failed", "lost", "answered"]
    assert [line["cost"] for line in ends[:2]] == [0, reserved[1]]
    assert 0 < ends[2]["cost"] < reserved[1]


async def test_a_broken_answer_that_says_its_usage_costs_just_that(connect: Connect, ledger_lines: Lines) -> None:
    usage = '"usage": {"input_tokens": 50, "prompt_tokens": 50, "output_tokens": 5, "completion_tokens": 5}'
    with ReplayServer([Body(NO_ANSWER[:-1] + ", " + usage + "}"), Answer("ok", usage=(50, 5))]) as server:
        async with connect(server) as client:
            await client.complete(HELLO)
    costs = [line["cost"] for line in ledger_lines() if line["event"] == "settle"]
    assert costs[0] == costs[1] > 0


async def test_the_deadline_ends_a_call_whose_waits_are_too_long(provider: str) -> None:
    limits = Limits(attempts=100, attempt_timeout=30, deadline=0.3)
    with ReplayServer([Slow()]) as server:
        async with ModelClient(MODELS[provider], base_url=server.url(provider), limits=limits) as client:
            with pytest.raises(ModelFailure, match=r"no answer within 0\.3 s"):
                await client.complete(HELLO)
    assert len(server.requests) == 1


async def test_a_failure_reaches_everyone_who_waits_for_the_answer_and_the_next_asker_tries_anew(
    connect: Connect,
) -> None:
    failures: list[str] = []
    with ReplayServer([Status(400, message="bad"), Answer("good")]) as server:
        async with connect(server) as client:

            async def ask() -> None:
                try:
                    await client.complete(HELLO)
                except ModelFailure as error:
                    failures.append(str(error))

            async with anyio.create_task_group() as group:
                for _ in range(5):
                    group.start_soon(ask)
            assert (await client.complete(HELLO)).text == "good"
    assert len(failures) == 5
    assert len(server.requests) == 2
