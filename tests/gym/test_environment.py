"""Episodes as reset and step: what agents, users and tools get of each other, and what an end is worth."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import anyio
import pytest

from autoforge.gym.environment import Environment, EpisodeLimits, offered
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import ToolCall
from autoforge.gym.servers.folder import FolderServer, FolderSession
from autoforge.gym.servers.server import ToolResult
from autoforge.gym.turns import Action
from autoforge.gym.users import UserBriefing, UserCall, UserTurn
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from tests.gym.conftest import ENVIRONMENTS, Plain, PlainSpeaker, Scripted, asked_for_answers, calls, gold_actions

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


async def test_a_turn_that_failed_or_was_cancelled_is_the_last_and_nothing_is_scored(
    hotel: FolderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = asked_for_answers(hotel.tasks)
    real = FolderSession.call

    async def gone(self: FolderSession, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        await real(self, name, arguments, call_id)
        raise EpisodeFailure("infrastructure", "server", "the connection was closed")

    async def slow(self: FolderSession, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        await anyio.sleep_forever()
        raise AssertionError

    for call in (gone, slow):
        async with Environment(hotel, Plain()) as environment:
            await environment.reset(options={"task": task})
            with monkeypatch.context() as broken:
                broken.setattr(FolderSession, "call", call)
                with contextlib.suppress(EpisodeFailure), anyio.move_on_after(0.05):
                    await environment.step(gold_actions(task)[0])
            for action in gold_actions(task):
                with pytest.raises(ValueError, match="reset"):
                    await environment.step(action)


async def test_a_beginning_that_fails_leaves_no_session(hotel: FolderServer) -> None:
    folder = hotel.contained.state_path("x").parent
    environment = Environment(hotel, Stuck(), limits=EpisodeLimits(user_seconds=0.01))
    for seconds in (0.005, 10):
        with contextlib.suppress(EpisodeFailure), anyio.move_on_after(seconds):
            await environment.reset(options={"task": hotel.tasks[0]})
        assert list(folder.iterdir()) == []
        with pytest.raises(ValueError, match="reset"):
            await environment.step(Action(text="Hello."))


async def test_a_task_whose_answer_nobody_could_tell_is_the_environments_failure(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    answer = task.gold.answers[0].model_copy(update={"value": ""})
    task = task.model_copy(update={"gold": task.gold.model_copy(update={"answers": (answer,)})})
    async with Environment(hotel, Plain()) as environment:
        await environment.reset(options={"task": task})
        with pytest.raises(EpisodeFailure, match="has no words") as raised:
            await environment.step(Action(text="Done."))
    assert (raised.value.failure.blame, raised.value.failure.where) == ("environment", "state")


async def test_calls_of_one_turn_beyond_the_limit_are_not_made(hotel: FolderServer) -> None:
    tool = str(hotel.documents[0]["name"])
    async with Environment(hotel, Plain(), limits=EpisodeLimits(calls=3)) as environment:
        await environment.reset(options={"task": hotel.tasks[0]})
        assert len((await environment.step(calls((tool, {})))).observation) == 1
        stepped = await environment.step(calls(*[(tool, {})] * 500))
    assert stepped.truncated and len(stepped.observation) == 2


class Eager:
    """A user that toggles its data saver before it says anything."""

    name = "eager"

    def __init__(self, first: UserTurn) -> None:
        self.first = first

    def begin(self, briefing: UserBriefing) -> Eager:
        self.call = briefing.call
        return self

    async def speak(self, heard: str | None) -> UserTurn:
        if heard is not None:
            return UserTurn("", "stop")
        assert self.call is not None
        result = await self.call("toggle_data_saver", {})
        return self.first._replace(calls=(UserCall("toggle_data_saver", {}, result),))


async def test_what_the_user_does_before_its_first_message_counts() -> None:
    async with FolderServer(find_environment(str(ENVIRONMENTS / "telecom"))) as server:
        async with Environment(server, Eager(UserTurn("Hello."))) as environment:
            _, info = await environment.reset(options={"task": server.tasks[0]})
            stepped = await environment.step(Action(text="Done."))
        made = await play_episode(Environment(server, Eager(UserTurn("Hello."))), Scripted(), Play(server.tasks[0]))
    assert [list(change.after) for change in info["diff"]] == [["data_saver"]]
    assert any("data_saver" in words for words in stepped.info["reward"].explanation)
    assert [change.table for change in made.turns[0].diff] == [info["diff"][0].table]
    assert [call.tool for call in made.turns[0].user_calls] == ["toggle_data_saver"]


async def test_a_user_that_ends_the_conversation_before_the_agent_had_a_turn_has_failed() -> None:
    async with FolderServer(find_environment(str(ENVIRONMENTS / "telecom"))) as server:
        made = await play_episode(Environment(server, Eager(UserTurn("", "stop"))), Scripted(), Play(server.tasks[0]))
    assert made.failure is not None and (made.failure.blame, made.reward) == ("user", None)


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
