"""Episodes as reset and step: what agents, users and tools get of each other, and what an end is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from autoforge.gym.environment import Environment, EpisodeLimits, offered
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import ToolCall
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.server import ToolResult
from autoforge.gym.turns import Action
from autoforge.gym.users import UserBriefing, UserTurn
from autoforge.mcp_envs.errors import BadInput
from tests.gym.conftest import Plain, PlainSpeaker, asked_for_answers, calls, gold_actions

pytestmark = pytest.mark.anyio


async def test_gold_calls_and_answers_are_worth_one_and_nothing_is_worth_zero(hotel: FolderServer) -> None:
    for task in hotel.tasks:
        async with Environment(hotel, Plain()) as environment:
            observation, info = await environment.reset(options={"task": task})
            assert observation[0].role == "user" and observation[0].content == task.instruction
            assert info["task"] == task.id and info["instructions"] == hotel.instructions
            for action in gold_actions(task):
                stepped = await environment.step(action)
            assert stepped.terminated and not stepped.truncated and stepped.reward == 1.0
            await environment.reset(options={"task": task.id})
            stepped = await environment.step(Action(text="Hello."))
            assert stepped.terminated and stepped.reward == 0.0 and stepped.info["reward"].explanation


async def test_the_same_task_begins_in_the_same_state_whatever_was_done_before(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    states = []
    async with Environment(hotel, Plain()) as environment:
        for _ in range(2):
            await environment.reset(options={"task": task, "episode": "again"})
            assert environment._episode is not None
            states.append(await environment._episode.session.state())
            for action in gold_actions(task)[:-1]:
                await environment.step(action)
    assert states[0] == states[1]


async def test_episodes_at_once_do_not_see_each_other(hotel: FolderServer) -> None:
    tasks = [task for task in hotel.tasks if task.gold.diff][:4]
    rewards: dict[str, float] = {}

    async def play(number: int) -> None:
        task = tasks[number % len(tasks)]
        async with Environment(hotel, Plain()) as environment:
            await environment.reset(options={"task": task})
            for action in gold_actions(task):
                stepped = await environment.step(action)
            rewards[f"{number}"] = stepped.reward

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            for number in range(16):
                group.start_soon(play, number)
    assert len(rewards) == 16 and set(rewards.values()) == {1.0}


async def test_text_beside_calls_does_not_reach_the_user(hotel: FolderServer) -> None:
    user = Plain(UserTurn("And now?"))
    heard: list[str | None] = []

    class Listening(Plain):
        def begin(self, briefing: UserBriefing) -> PlainSpeaker:
            speaker = super().begin(briefing)
            speaker.heard = heard
            return speaker

    tool = str(hotel.documents[0]["name"])
    async with Environment(hotel, Listening(*user.later)) as environment:
        await environment.reset(options={"task": hotel.tasks[0]})
        action = Action(text="###STOP### aside", calls=(ToolCall(id="a", name=tool),))
        stepped = await environment.step(action)
        assert not stepped.terminated and [m.role for m in stepped.observation] == ["tool"]
        await environment.step(Action(text="###STOP### I am done."))
    assert heard == [None, "###STOP### I am done."]


async def test_a_marker_of_the_agent_ends_nothing(hotel: FolderServer) -> None:
    async with Environment(hotel, Plain(UserTurn("What?"))) as environment:
        await environment.reset(options={"task": hotel.tasks[0]})
        stepped = await environment.step(Action(text="###STOP###"))
        assert not stepped.terminated and stepped.observation[0].content == "What?"


async def test_what_cannot_be_called_comes_back_as_an_error_to_mend(hotel: FolderServer) -> None:
    action = Action(
        calls=(
            ToolCall(id="a", name="no_such_tool"),
            ToolCall(id="b", name=str(hotel.documents[0]["name"]), arguments={"nonsense": 1}),
            ToolCall(id="c", name=str(hotel.documents[0]["name"]), malformed="{oops"),
        )
    )
    async with Environment(hotel, Plain()) as environment:
        await environment.reset(options={"task": hotel.tasks[0]})
        stepped = await environment.step(action)
    assert [m.tool_call_id for m in stepped.observation] == ["a", "b", "c"]
    assert all(m.is_error for m in stepped.observation)
    assert "no_such_tool" in stepped.observation[0].content and "nonsense" in stepped.observation[1].content
    assert "{oops" in stepped.observation[2].content


@pytest.mark.parametrize(
    ("limits", "why"),
    [({"turns": 2}, "2 turns"), ({"calls": 2}, "2 tool calls"), ({"spoiled": 2}, "empty")],
)
async def test_limits_of_the_policy_truncate_with_zero(hotel: FolderServer, limits: Any, why: str) -> None:
    task = hotel.tasks[0]
    made = (task.gold.calls[0].tool, dict(task.gold.calls[0].arguments))
    action = Action() if "spoiled" in limits else calls(made)
    async with Environment(hotel, Plain(), limits=EpisodeLimits(**limits)) as environment:
        await environment.reset(options={"task": task})
        assert not (await environment.step(action)).truncated
        stepped = await environment.step(action)
        assert stepped.truncated and not stepped.terminated and stepped.reward == 0.0
        assert why in stepped.info["truncation"]
        with pytest.raises(ValueError, match="reset"):
            await environment.step(action)


async def test_what_changed_stands_with_the_step_that_did_it(hotel: FolderServer) -> None:
    task = next(task for task in hotel.tasks if task.gold.diff)
    changed = []
    async with Environment(hotel, Plain(), progress=True) as environment:
        await environment.reset(options={"task": task})
        shares = [0.0]
        for action in gold_actions(task)[:-1]:
            stepped = await environment.step(action)
            changed += list(stepped.info["diff"])
            shares.append(stepped.info["progress"])
    assert {change.table for change in changed} >= {change.table for change in task.gold.diff}
    assert shares[-1] == 1.0 and all(0.0 <= share <= 1.0 for share in shares)


class Stuck:
    """A user that never answers."""

    name = "stuck"

    def begin(self, briefing: UserBriefing) -> Stuck:
        return self

    async def speak(self, heard: str | None) -> UserTurn:
        await anyio.sleep_forever()
        raise AssertionError


async def test_a_user_that_does_not_answer_is_the_users_failure(hotel: FolderServer) -> None:
    environment = Environment(hotel, Stuck(), limits=EpisodeLimits(user_seconds=0.01))
    with pytest.raises(EpisodeFailure) as raised:
        await environment.reset(options={"task": hotel.tasks[0]})
    assert raised.value.failure.blame == "user"
    await environment.close()


async def test_a_server_that_does_not_answer_is_a_failure_of_the_infrastructure(
    hotel: FolderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs(self: object, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        await anyio.sleep_forever()
        raise AssertionError

    monkeypatch.setattr("autoforge.gym.servers.folder.FolderSession.call", hangs)
    environment = Environment(hotel, Plain(), limits=EpisodeLimits(call_seconds=0.01))
    with pytest.raises(EpisodeFailure) as raised:
        await environment.reset(options={"task": hotel.tasks[0]})
        await environment.step(gold_actions(hotel.tasks[0])[0])
    assert raised.value.failure.blame == "infrastructure"
    await environment.close()


async def test_distractors_narrow_what_the_agent_is_offered(hotel: FolderServer) -> None:
    task = hotel.tasks[0]
    gold = {call.tool for call in task.gold.calls}
    narrow = task.model_copy(update={"distractors": ()})
    assert {str(tool["name"]) for tool in offered(narrow, hotel.documents)} == gold
    other = next(str(tool["name"]) for tool in hotel.documents if tool["name"] not in gold)
    async with Environment(hotel, Plain()) as environment:
        _, info = await environment.reset(options={"task": narrow})
        assert {tool["name"] for tool in info["tools"]} == gold
        stepped = await environment.step(calls((other, {})))
        assert stepped.observation[0].is_error and "Unknown tool" in stepped.observation[0].content


async def test_a_task_that_is_not_there_is_bad_input(hotel: FolderServer) -> None:
    environment = Environment(hotel, Plain())
    with pytest.raises(BadInput, match="no task 'nope'"):
        await environment.reset(options={"task": "nope"})
    with pytest.raises(ValueError, match="reset"):
        await environment.step(Action(text="Hello."))
