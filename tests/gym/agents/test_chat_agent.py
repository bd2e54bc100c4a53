"""A chat model through whole episodes, over real HTTP to a server that plays the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.agents.agent import Briefing
from autoforge.gym.agents.chat import ChatAgent, ChatSettings, Reasoning, shown
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Limits, Message, ModelClient, ReasoningBlock
from autoforge.mcp_envs.errors import BadInput, BudgetExceeded
from autoforge.mcp_envs.task import Task
from tests.gym.agents.conftest import PlainUser, desk_server, play
from tests.gym.replay_server import Answer, Body, ReplayServer, Status, Step

pytestmark = pytest.mark.anyio

MODELS = {"anthropic": "anthropic:claude-sonnet-4-5", "openai": "openai:gpt-4.1"}
HELLO = (Message(role="user", content="hello"),)
RESOLVE = {"name": "resolve_ticket", "arguments": {"ticket_id": 9, "resolution": "done"}}

Connect = Callable[..., ModelClient]


@pytest.fixture(params=["anthropic", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def connect(provider: str, tmp_path: Path) -> Connect:
    """A client of the provider under test to a server; nobody waits for real."""

    async def sleep(seconds: float) -> None:
        pass

    def build(server: ReplayServer, **options: Any) -> ModelClient:
        limits = Limits(attempts=2, attempt_timeout=20, deadline=60)
        return ModelClient(MODELS[provider], base_url=server.url(provider), limits=limits, sleep=sleep, **options)

    return build


def thought(provider: str, number: int) -> dict[str, Any]:
    if provider == "anthropic":
        return {"type": "thinking", "thinking": f"thought {number}", "signature": f"EqQB+/=={number}"}
    return {"reasoning_content": f"thought {number}"}


def call(name: str, number: int, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments, "id": f"id_{number}"}


def paid(provider: str) -> list[Answer]:
    """Two calls, a question, a call, and the end; every turn with a thought."""
    return [
        Answer("I look.", [call("list_agents", 1)], [thought(provider, 1)]),
        Answer("", [call("get_ticket", 2, ticket_id=9)], [thought(provider, 2)]),
        Answer("Shall I resolve it?", thinking=[thought(provider, 3)]),
        Answer("", [{**RESOLVE, "id": "id_4"}], [thought(provider, 4)]),
        Answer("That is done.", thinking=[thought(provider, 5)]),
    ]


def thoughts_sent(body: dict[str, Any]) -> list[str]:
    """The reasoning in a request, in order, as it stands there."""
    found: list[str] = []
    for turn in body["messages"]:
        if isinstance(turn.get("content"), list):
            found += [json.dumps(part) for part in turn["content"] if part["type"] == "thinking"]
        found += [json.dumps({"reasoning_content": turn["reasoning_content"]})] if "reasoning_content" in turn else []
    return found


def written(provider: str, *numbers: int) -> list[str]:
    return [json.dumps(thought(provider, number)) for number in numbers]


async def test_a_model_solves_a_task_by_native_calls(connect: Connect, provider: str, task: Task) -> None:
    with ReplayServer(paid(provider)) as model:
        async with desk_server() as server, connect(model) as client:
            trajectory = await play(server, ChatAgent(client), task)
            assert len(model.requests[0].body["tools"]) == len(server.documents)
    assert (trajectory.reward, trajectory.end, trajectory.agent) == (1.0, "stop", MODELS[provider])
    assert [turn.reasoning[0].text for turn in trajectory.turns if turn.role == "assistant"] == [
        f"thought {number}" for number in range(1, 6)
    ]
    assert all(turn.usage for turn in trajectory.turns if turn.role == "assistant")
    assert client.ledger.totals()["agent"].calls == 5


@pytest.mark.parametrize(
    ("reasoning", "after_question", "within_loop"),
    [("keep", (1, 2, 3), (1, 2, 3, 4)), ("drop", (), (4,)), ("none", (), ()), (None, (1, 2, 3), (1, 2, 3, 4))],
)
async def test_reasoning_goes_back_across_the_users_turn_as_it_came_or_not(
    connect: Connect, provider: str, reasoning: Reasoning | None, after_question: Sequence[int],
    within_loop: Sequence[int], task: Task,
) -> None:  # fmt: skip
    with ReplayServer(paid(provider)) as model:
        async with desk_server() as server, connect(model) as client:
            agent = ChatAgent(client, ChatSettings(reasoning=reasoning))
            assert (await play(server, agent, task)).reward == 1.0
    sent = [thoughts_sent(request.body) for request in model.requests]
    assert sent[3] == written(provider, *after_question)
    assert sent[4] == written(provider, *within_loop)
    kept = reasoning in ("keep", "drop", None)
    assert sent[2] == (written(provider, 1, 2) if kept else [])


async def test_a_call_that_is_wrong_is_answered_as_an_error_and_mended(
    connect: Connect, provider: str, task: Task
) -> None:
    wrong: list[Step] = [
        Answer("", [call("close_ticket", 1)]),
        Answer("", [call("resolve_ticket", 2, ticket_id="nine", resolution="done")]),
        Answer("", [{**RESOLVE, "id": "id_3"}]),
        Answer("That is done."),
    ]
    with ReplayServer(wrong) as model:
        async with desk_server() as server, connect(model) as client:
            trajectory = await play(server, ChatAgent(client), task)
    assert [turn.is_error for turn in trajectory.turns if turn.role == "tool"] == [True, True, False]
    assert trajectory.reward == 1.0


@pytest.mark.parametrize("provider", ["openai"])
async def test_arguments_that_are_no_json_are_mended_too(connect: Connect, task: Task) -> None:
    wrong = {"name": "resolve_ticket", "arguments": '{"ticket_id": 9, ', "id": "id_1"}
    deep = {"name": "resolve_ticket", "arguments": '{"ticket_id": ' + "[" * 300 + "]" * 300 + "}", "id": "id_2"}
    steps: list[Step] = [Answer("", [wrong, deep]), Answer("", [{**RESOLVE, "id": "id_3"}]), Answer("That is done.")]
    with ReplayServer(steps) as model:
        async with desk_server() as server, connect(model) as client:
            trajectory = await play(server, ChatAgent(client), task)
    assert [turn.is_error for turn in trajectory.turns if turn.role == "tool"] == [True, True, False]
    assert trajectory.reward == 1.0 and trajectory.line()


async def test_calls_of_a_turn_that_was_cut_off_leave_no_gap_in_the_history(
    connect: Connect, provider: str, task: Task
) -> None:
    cut = Answer("I resolve", [{**RESOLVE, "id": "id_1"}], [thought(provider, 1)], truncated=True)
    with ReplayServer([cut, Answer("", [{**RESOLVE, "id": "id_2"}]), Answer("That is done.")]) as model:
        async with desk_server() as server, connect(model) as client:
            trajectory = await play(server, ChatAgent(client), task)
    assert trajectory.reward == 1.0
    again = json.dumps(model.requests[1].body["messages"])
    assert "cut off by its length limit" in again and "id_1" not in again and "thought 1" not in again


async def test_trials_are_asked_apart_and_each_is_paid_once(
    connect: Connect, provider: str, tmp_path: Path, task: Task
) -> None:
    with ReplayServer([Answer("That is done.")]) as model:
        async with desk_server() as server, connect(model, cache_dir=tmp_path) as client:
            for trial in (0, 1, 0, 1):
                await play(server, ChatAgent(client), task, trial=trial)
    assert len(model.requests) == 2


async def test_settings_reach_the_model(connect: Connect, provider: str, task: Task) -> None:
    settings = ChatSettings(temperature=0.5, max_tokens=77, effort="low", reasoning="keep")
    with ReplayServer([Answer("That is done.")]) as model:
        async with desk_server() as server, connect(model) as client:
            await play(server, ChatAgent(client, settings), task)
            instructions = json.dumps(server.instructions.strip())[1:-1]
    body = model.requests[0].body
    assert "Support desk policy" in instructions and instructions in json.dumps(body)
    assert (body["temperature"], body["max_tokens"]) == (0.5, 77)
    assert "low" in (body.get("reasoning_effort"), body.get("output_config", {}).get("effort"))


@pytest.mark.parametrize(("reasoning", "refused"), [("keep", True), ("drop", True), ("none", False), (None, False)])
async def test_reasoning_is_not_kept_where_the_api_shows_none(reasoning: Reasoning | None, refused: bool) -> None:
    settings = ChatSettings(reasoning=reasoning)
    async with ModelClient("openai:gpt-4.1") as client:
        if not refused:
            assert ChatAgent(client, settings).begin(Briefing(()))
            return
        with pytest.raises(BadInput, match=f"OpenAI's own API shows no reasoning .* none to {reasoning}; give"):
            ChatAgent(client, settings)


@pytest.mark.parametrize(
    ("address", "refused"),
    [("https://eu.api.openai.com/v1", True), ("https://x.openai.azure.com/v1", True), ("http://127.0.0.1/v1", False),
     ("https://notopenai.com/v1", False)],
)  # fmt: skip
async def test_the_address_says_whether_reasoning_is_shown(address: str, refused: bool) -> None:
    async with ModelClient("openai:qwen3", base_url=address) as client:
        assert client.carries_reasoning is not refused


async def test_claude_is_not_told_to_think_without_getting_its_thoughts_back() -> None:
    async with ModelClient(MODELS["anthropic"]) as client:
        with pytest.raises(BadInput, match="wants its reasoning back"):
            ChatAgent(client, ChatSettings(reasoning="none", effort="high"))


def refusal(provider: str) -> Body:
    if provider == "anthropic":
        body: dict[str, Any] = {"type": "message", "content": [], "stop_reason": "refusal"}
    else:
        message = {"role": "assistant", "content": None, "refusal": "I will not."}
        body = {"choices": [{"message": message, "finish_reason": "stop"}]}
    return Body(json.dumps(body))


async def test_a_refusal_that_repeats_is_the_models_own(connect: Connect, provider: str, task: Task) -> None:
    with ReplayServer([refusal(provider)]) as model:
        async with desk_server() as server, connect(model) as client:
            trajectory = await play(server, ChatAgent(client), task)
    assert trajectory.failure is not None and len(model.requests) == 2
    assert (trajectory.failure.blame, trajectory.failure.where, trajectory.reward) == ("policy", "agent", 0.0)
    assert "refused 2 turns in a row" in trajectory.failure.message


async def test_a_single_refusal_is_got_over(connect: Connect, provider: str, task: Task) -> None:
    steps: list[Step] = [
        refusal(provider),
        Answer("", [{**RESOLVE, "id": "id_1"}]),
        refusal(provider),
        Answer("That is done."),
    ]
    with ReplayServer(steps) as model:
        async with desk_server() as server, connect(model) as client:
            trajectory = await play(server, ChatAgent(client), task)
    assert trajectory.reward == 1.0


@pytest.mark.parametrize(
    "overflow",
    [
        Status(400, message="prompt is too long: 210000 tokens > 200000 maximum"),
        Status(400, message="This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."),
        Status(413, message="Input is too long for requested model."),
        Status(400, code="context_length_exceeded"),
    ],
)
async def test_a_conversation_that_outgrows_the_model_is_the_models_own(
    connect: Connect,
    provider: str,
    overflow: Status,
    task: Task,
) -> None:
    later: list[Step] = [Answer("", [call("list_agents", 1)]), overflow]
    for steps, blame, reward in ((later, "policy", 0.0), (later[1:], "infrastructure", None)):
        with ReplayServer(steps) as model:
            async with desk_server() as server, connect(model) as client:
                trajectory = await play(server, ChatAgent(client), task)
        assert trajectory.failure is not None and len(model.requests) == len(steps)
        assert (trajectory.failure.blame, trajectory.failure.where, trajectory.reward) == (blame, "agent", reward)


@pytest.mark.parametrize("fault", [Status(503), Status(400, message="bad temperature"), Status(401)])
async def test_an_endpoint_that_fails_is_not_scored(connect: Connect, provider: str, fault: Status, task: Task) -> None:
    with ReplayServer([Answer("", [call("list_agents", 1)]), fault]) as model:
        async with desk_server() as server, connect(model) as client:
            trajectory = await play(server, ChatAgent(client), task)
    assert trajectory.failure is not None
    assert (trajectory.failure.blame, trajectory.failure.where) == ("infrastructure", "agent")
    assert trajectory.reward is None and str(fault.status) in trajectory.failure.message


async def test_a_budget_that_is_spent_is_no_failure_of_the_endpoint(connect: Connect, provider: str) -> None:
    with ReplayServer([Answer("hello")]) as model:
        async with connect(model, max_cost=0.0) as client:
            player = ChatAgent(client).begin(Briefing(()))
            with pytest.raises(BudgetExceeded):
                await player.act(HELLO)


async def test_a_model_that_says_nothing_reaches_the_limit_of_the_episode(
    connect: Connect, provider: str, task: Task
) -> None:
    with ReplayServer([Answer("")]) as model:
        async with desk_server() as server, connect(model) as client:
            trajectory = await play(server, ChatAgent(client), task, PlainUser(), limits=EpisodeLimits(spoiled=3))
    assert (trajectory.end, trajectory.reward) == ("truncated", 0.0) and len(model.requests) == 3


async def test_an_agent_that_is_asked_twice_at_once_has_two_histories(connect: Connect, provider: str) -> None:
    with ReplayServer(lambda body: Answer(str(len(body["messages"])))) as model:
        async with connect(model) as client:
            agent = ChatAgent(client)
            one, two = agent.begin(Briefing((), seed=1)), agent.begin(Briefing((), seed=2))
            extra = 1 if provider == "openai" else 0  # the system prompt
            assert (await one.act(HELLO)).text == (await two.act(HELLO)).text == str(1 + extra)
            assert (await one.act(HELLO)).text == str(3 + extra)
            assert (await two.act(HELLO)).text == str(3 + extra)


def test_only_the_reasoning_of_earlier_turns_of_the_user_is_dropped() -> None:
    block = ReasoningBlock(provider="openai", data={"reasoning": "hm"})
    thinks = Message(role="assistant", content="x", reasoning=(block,))
    result = Message(role="tool", tool_call_id="c", content="1")
    history = [*HELLO, thinks, result, thinks, *HELLO, thinks, result, thinks]
    assert [bool(m.reasoning) for m in shown(history, "drop")] == [False] * 5 + [True, False, True]
    assert shown(history, "keep") == tuple(history)
    assert not any(m.reasoning for m in shown(history, "none"))
    assert [m.content for m in shown(history, "none")] == [m.content for m in history]


def test_failures_name_their_part() -> None:
    failure = EpisodeFailure("policy", "agent", "words").failure
    assert (failure.blame, failure.where, failure.message) == ("policy", "agent", "words")
