"""A model as the user, over real HTTP."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Limits
from autoforge.gym.servers.server import ToolResult
from autoforge.gym.users.llm import ModelUser, ModelUserSettings
from autoforge.gym.users.prompt import user_prompt
from autoforge.gym.users.user import MARKERS, UserBriefing
from autoforge.mcp_envs.errors import BudgetExceeded
from tests.gym.llm.conftest import Connect
from tests.gym.replay_server import Answer, ReplayServer, Request, Status
from tests.gym.users.conftest import Phone, all_tasks, documents, talk, task_of

pytestmark = pytest.mark.anyio

PAY = "hotel-0-00008"
TOGGLE = {"name": "toggle_data_saver", "arguments": {}}
LOOK = {"name": "check_signal", "arguments": {}}


def told(request: Request) -> list[tuple[str, str]]:
    """The messages of a request without its system prompt: (role, text)."""
    found = []
    for message in request.body["messages"]:
        content = message.get("content") or ""
        text = content if isinstance(content, str) else " ".join(str(part.get("text", "")) for part in content)
        found.append((message["role"], text.strip()))
    return [(role, text) for role, text in found if role != "system"]


def system_of(request: Request) -> str:
    return str(request.body.get("system") or request.body["messages"][0]["content"])


async def test_the_user_speaks_first_and_sees_the_agents_texts_as_the_other_side(connect: Connect) -> None:
    script = [Answer("Please take a payment."), Answer("By cash."), Answer("###STOP###")]
    with ReplayServer(script) as server:
        async with connect(server) as client:
            turns = await talk(task_of(PAY), "How do you pay?", "Done.", user=ModelUser(client))
    assert [(turn.text, turn.ending) for turn in turns] == [
        ("Please take a payment.", None),
        ("By cash.", None),
        ("", "stop"),
    ]
    roles = told(server.requests[-1])
    assert [role for role, _ in roles] == ["user", "assistant", "user", "assistant", "user"]
    assert [text for _, text in roles[1:]] == ["Please take a payment.", "How do you pay?", "By cash.", "Done."]
    assert server.requests[0].body["temperature"] == 0


async def test_the_model_is_told_all_that_a_user_knows_and_nothing_of_gold(connect: Connect) -> None:
    task = task_of("biblioteca-0-00001")
    with ReplayServer([Answer("Hola.")]) as server:
        async with connect(server) as client:
            await talk(task, user=ModelUser(client))
    prompt = system_of(server.requests[0])
    assert task.instruction in prompt and task.persona in prompt and "Spanish" in prompt
    assert all(marker in prompt for marker in MARKERS)
    assert all(json.dumps(value, ensure_ascii=False) in prompt for value in task.known.values())
    assert "tools" not in server.requests[0].body


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.id)
def test_the_prompt_does_not_depend_on_gold(task: Any) -> None:
    bare = task.gold.model_copy(update={"calls": (), "answers": (), "diff": (), "state": ""})
    blind = task.model_copy(update={"gold": bare, "blueprint": task.blueprint.model_copy(update={"nodes": ()})})
    assert user_prompt(task, ()) == user_prompt(blind, ())


@pytest.mark.parametrize(
    ("said", "text", "ending"),
    [
        ("###STOP###", "", "stop"),
        ("Thank you. ###STOP###", "Thank you.", "stop"),
        ("###TRANSFER###", "", "transfer"),
        ("###OUT-OF-SCOPE###", "", "out_of_scope"),
        ("Please stop it.", "Please stop it.", None),
    ],
)
async def test_markers_end_the_conversation(connect: Connect, said: str, text: str, ending: str | None) -> None:
    with ReplayServer([Answer(said)]) as server:
        async with connect(server) as client:
            turns = await talk(task_of(PAY), user=ModelUser(client))
    assert turns == [(text, ending, (), turns[0].usage)]


@pytest.mark.parametrize("provider", ["openai"])
async def test_a_thought_that_the_prompt_opened_is_no_part_of_the_message(connect: Connect) -> None:
    with ReplayServer([Answer("All is done, so ###STOP###?\n</think>\n\nBy cash."), Answer("Good.")]) as server:
        async with connect(server) as client:
            turns = await talk(task_of(PAY), "Done.", user=ModelUser(client))
    assert [(turn.text, turn.ending) for turn in turns] == [("By cash.", None), ("Good.", None)]
    assert "All is done, so ###STOP###?\n</think>\n\nBy cash." in told(server.requests[1])[1][1]


async def test_reasoning_is_no_part_of_the_message(connect: Connect, provider: str) -> None:
    thought = "All is done, so ###STOP###?"
    block = (
        {"type": "thinking", "thinking": thought, "signature": "s"}
        if provider == "anthropic"
        else {"reasoning_content": thought}
    )
    inline = "" if provider == "anthropic" else f"<think>{thought}</think>"
    with ReplayServer([Answer(f"{inline}By cash.", thinking=[block])]) as server:
        async with connect(server) as client:
            turns = await talk(task_of(PAY), user=ModelUser(client))
    assert (turns[0].text, turns[0].ending) == ("By cash.", None)


async def test_an_empty_message_is_asked_for_again(connect: Connect) -> None:
    with ReplayServer([Answer(" "), Answer("By cash."), Answer("Good.")]) as server:
        async with connect(server) as client:
            turns = await talk(task_of(PAY), "Done.", user=ModelUser(client))
    assert [turn.text for turn in turns] == ["By cash.", "Good."]
    assert "empty" in told(server.requests[1])[-1][1]
    assert [text for _, text in told(server.requests[2])][1:] == ["By cash.", "Done."]


@pytest.mark.parametrize(
    ("bad", "words"), [(Answer(""), "empty"), (Answer("By ca", truncated=True), "cut off")], ids=["empty", "cut off"]
)
async def test_twice_no_message_is_the_users_failure(connect: Connect, bad: Answer, words: str) -> None:
    with ReplayServer([bad]) as server:
        async with connect(server) as client:
            with pytest.raises(EpisodeFailure, match=words) as caught:
                await talk(task_of(PAY), user=ModelUser(client))
    assert (caught.value.failure.blame, caught.value.failure.where) == ("user", "user")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("fault", "blame"),
    [(Status(503), "infrastructure"), (Status(400, message="no"), "infrastructure"),
     (Status(400, message="prompt is too long"), "user")],
)  # fmt: skip
async def test_an_endpoint_that_fails_is_not_the_users_failure(connect: Connect, fault: Status, blame: str) -> None:
    with ReplayServer([fault]) as server:
        async with connect(server, limits=Limits(attempts=1)) as client:
            with pytest.raises(EpisodeFailure) as caught:
                await talk(task_of(PAY), user=ModelUser(client))
    assert (caught.value.failure.blame, caught.value.failure.where) == (blame, "user")


async def test_the_cost_limit_is_nobodys_failure(connect: Connect) -> None:
    with ReplayServer([Answer("Hello.")]) as server:
        async with connect(server, max_cost=1e-9) as client:
            with pytest.raises(BudgetExceeded):
                await talk(task_of(PAY), user=ModelUser(client))


async def test_trials_are_apart_and_the_same_trial_is_paid_once(connect: Connect) -> None:
    with ReplayServer([Answer("One."), Answer("Two.")]) as server:
        async with connect(server) as client:
            user = ModelUser(client)
            texts = [(await talk(task_of(PAY), user=user, seed=seed))[0].text for seed in (0, 1, 0)]
    assert texts == ["One.", "Two.", "One."]
    assert len(server.requests) == 2


async def own_tools(connect: Connect, script: list[Answer], phone: Phone, **settings: Any) -> Any:
    with ReplayServer(script) as server:
        async with connect(server) as client:
            user = ModelUser(client, ModelUserSettings(**settings))
            tools = documents("telecom", "user")
            turns = await talk(task_of("telecom-0-00003"), user=user, tools=tools, call=phone.call)
    return turns, server.requests


async def test_its_own_tools_are_called_before_it_speaks(connect: Connect, provider: str) -> None:
    phone = Phone(toggle_data_saver=ToolResult('{"data_saver":true}'))
    script = [Answer("On it. ###STOP###", tool_calls=[TOGGLE]), Answer("It is on now.")]
    turns, requests = await own_tools(connect, script, phone)
    assert phone.calls == [("toggle_data_saver", {})]
    assert (turns[0].text, turns[0].ending) == ("It is on now.", None)
    assert [(call.tool, call.result.text) for call in turns[0].calls] == [("toggle_data_saver", '{"data_saver":true}')]
    assert "data_saver" in json.dumps(requests[1].body["messages"][-1])
    names = [(tool if provider == "anthropic" else tool["function"])["name"] for tool in requests[0].body["tools"]]
    assert names == [tool["name"] for tool in documents("telecom", "user")]
    assert (turns[0].usage.input_tokens, turns[0].usage.output_tokens) == (200, 20)


async def test_a_tool_that_is_not_its_own_is_refused(connect: Connect) -> None:
    phone = Phone()
    turns, requests = await own_tools(
        connect, [Answer(tool_calls=[{"name": "terminate_line", "arguments": {}}]), Answer("I cannot.")], phone
    )
    assert phone.calls == [] and turns[0].calls == ()
    assert "Unknown tool" in json.dumps(requests[1].body["messages"][-1])


async def test_its_calls_in_one_turn_are_bounded(connect: Connect) -> None:
    phone = Phone()
    script = [*[Answer(tool_calls=[LOOK])] * 3, Answer("Enough.")]
    turns, requests = await own_tools(connect, script, phone, calls=2)
    assert len(phone.calls) == 2 and turns[0].text == "Enough."
    assert "No more calls" in json.dumps(requests[-1].body["messages"][-1])
    with pytest.raises(EpisodeFailure, match="more than 3 calls") as caught:
        await own_tools(connect, [Answer(tool_calls=[{**LOOK, "arguments": {"n": 1}}])], Phone(), calls=3)
    assert caught.value.failure.blame == "user"


@pytest.mark.parametrize("provider", ["openai"])
@pytest.mark.parametrize("arguments", [{"name": "nothing"}, {"arguments": "{no JSON"}])
async def test_calls_that_cannot_be_made_are_bounded_too(connect: Connect, arguments: dict[str, Any]) -> None:
    script = [Answer(tool_calls=[{**TOGGLE, **arguments}])]
    with ReplayServer(script) as server:
        async with connect(server) as client:
            user = ModelUser(client, ModelUserSettings(calls=3))
            with anyio.fail_after(20), pytest.raises(EpisodeFailure, match="more than 3 calls") as caught:
                tools = documents("telecom", "user")
                await talk(task_of("telecom-0-00003"), user=user, tools=tools, call=Phone().call)
    assert caught.value.failure.blame == "user" and len(server.requests) == 5


async def test_a_failure_of_its_tool_is_not_its_own(connect: Connect) -> None:
    async def broken(name: str, arguments: Any) -> ToolResult:
        raise EpisodeFailure("environment", "server", "it broke")

    with ReplayServer([Answer(tool_calls=[TOGGLE])]) as server:
        async with connect(server) as client:
            speaker = ModelUser(client).begin(UserBriefing(task_of(PAY), documents("telecom", "user"), broken))
            with pytest.raises(EpisodeFailure, match="it broke") as caught:
                await speaker.speak(None)
    assert caught.value.failure.blame == "environment"
