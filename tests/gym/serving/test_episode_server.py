"""An episode as an MCP server, played by a client in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import anyio
import pytest
from mcp import Client

from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.record import Play
from autoforge.gym.reward import telling
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.serving import EpisodeServer, served_episode
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users import UserTurn
from autoforge.mcp_envs.errors import AutoForgeError, ModelFailure
from autoforge.mcp_envs.task import Task
from tests.gym.conftest import Plain, asked_for_answers

pytestmark = pytest.mark.anyio


class Table(NamedTuple):
    client: Client
    kept: list[Trajectory]
    episode: EpisodeServer

    async def call(self, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        result = await self.client.call_tool(tool, arguments)
        return result.content[0].text, result.is_error  # type: ignore[union-attr]

    async def say(self, text: str) -> tuple[str, bool]:
        return await self.call("message_user", {"text": text})


@asynccontextmanager
async def table(server: FolderServer, task: Task, user: Plain, **limits: Any) -> AsyncIterator[Table]:
    kept: list[Trajectory] = []

    async def keep(trajectory: Trajectory) -> None:
        kept.append(trajectory)

    environment = Environment(server, user, limits=EpisodeLimits(**limits))
    served = served_episode(environment, Play(task), agent="m", keep=keep)
    async with served as episode, Client(episode.mcp_server()) as client:
        yield Table(client, kept, episode)


def states(server: FolderServer) -> list[str]:
    """The files of the episodes that are open."""
    return sorted(p.name for p in server.contained.state_path("x").parent.iterdir())


async def gold(at: Table, task: Task) -> None:
    for call in task.gold.calls:
        assert not (await at.call(call.tool, dict(call.arguments)))[1]


async def test_gold_calls_and_answers_are_worth_one_and_the_agent_is_not_told(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    async with table(hotel, task, Plain()) as at:
        await gold(at, task)
        assert at.kept == []
        text, is_error = await at.say(" ".join(map(telling, task.gold.answers)))
        assert (text, is_error) == ("The user has ended the conversation; no further call is made.", False)
        assert (at.kept[0].reward, at.kept[0].end, at.kept[0].agent) == (1.0, "stop", "m")
    assert len(at.kept) == 1
    assert [t.role for t in at.kept[0].turns] == ["user", *["assistant", "tool"] * len(task.gold.calls), "assistant"]


async def test_nothing_done_is_worth_nothing(hotel: FolderServer) -> None:
    async with table(hotel, asked_for_answers(hotel.tasks), Plain()) as at:
        await at.say("Done.")
    assert (at.kept[0].reward, at.kept[0].end) == (0.0, "stop")


async def test_after_the_end_every_call_is_refused_and_changes_nothing(hotel: FolderServer) -> None:
    task = hotel.tasks[0]
    async with table(hotel, task, Plain()) as at:
        await at.say("Done.")
        call = task.gold.calls[0]
        for tool, arguments in ((call.tool, dict(call.arguments)), ("message_user", {"text": "More?"})):
            assert await at.call(tool, arguments) == (
                "The user has ended the conversation; no further call is made.",
                True,
            )
    assert len(at.kept) == 1


async def test_the_agent_is_offered_its_tools_the_user_the_rules_and_the_first_message(hotel: FolderServer) -> None:
    task = hotel.tasks[0]
    async with table(hotel, task, Plain()) as at:
        tools = {tool.name: tool for tool in (await at.client.list_tools()).tools}
        assert set(tools) == {str(t["name"]) for t in hotel.documents} | {"message_user"}
        said = tools["message_user"].description or ""
        rules = at.client.instructions or ""
        assert task.instruction in said and "Only the user ends" in said
        assert hotel.instructions.strip() in rules and task.instruction in rules
        assert all(tool.output_schema is None for tool in tools.values())
    assert "message_user" not in [tool["name"] for tool in at.kept[0].tools]


async def test_the_user_answers_and_the_conversation_goes_on(hotel: FolderServer) -> None:
    async with table(hotel, hotel.tasks[0], Plain(UserTurn("In May."), UserTurn("Bye.", "transfer"))) as at:
        assert await at.say("When?") == ("In May.", False)
        text, _ = await at.say("I cannot do that.")
        assert text == "Bye.\n\nThe user has ended the conversation; no further call is made."
    assert at.kept[0].end == "transfer"


async def test_a_refused_call_and_an_unknown_tool_are_errors_that_can_be_mended(hotel: FolderServer) -> None:
    async with table(hotel, hotel.tasks[0], Plain()) as at:
        text, is_error = await at.call("no_such_tool", {})
        assert is_error and text == "Unknown tool: no_such_tool"
        assert (await at.say("Sorry."))[1] is False
    assert at.kept[0].turns[2].is_error


@pytest.mark.parametrize("arguments", [{}, {"text": "  "}, {"text": 5}, {"text": "a", "more": 1}])
async def test_a_message_that_cannot_be_said_counts_as_a_turn_and_says_why(
    hotel: FolderServer, arguments: dict[str, Any]
) -> None:
    async with table(hotel, hotel.tasks[0], Plain(), spoiled=2) as at:
        text, is_error = await at.call("message_user", arguments)
        assert is_error and text.startswith("message_user takes one argument, text")
        text, _ = await at.call("message_user", arguments)
        assert "The episode has ended: 2 turns in a row were empty" in text
    assert (at.kept[0].end, at.kept[0].reward) == ("truncated", 0.0)


async def test_a_client_that_leaves_early_is_no_fault_of_the_policy(hotel: FolderServer) -> None:
    task = hotel.tasks[0]
    async with table(hotel, task, Plain()) as at:
        await at.call(task.gold.calls[0].tool, dict(task.gold.calls[0].arguments))
        assert states(hotel) != []
    (kept,) = at.kept
    assert (kept.end, kept.reward, kept.failure and kept.failure.blame) == ("failed", None, "infrastructure")
    assert len(kept.turns) == 3
    assert states(hotel) == []


async def test_calls_at_the_same_time_are_taken_one_after_the_other(hotel: FolderServer) -> None:
    task = hotel.tasks[0]
    async with table(hotel, task, Plain()) as at:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(at.call, "no_such_tool", {})
        await at.say("Done.")
    assert [turn.role for turn in at.kept[0].turns] == ["user", *["assistant", "tool"] * 5, "assistant"]
    assert len({turn.tool_call_id for turn in at.kept[0].turns if turn.role == "tool"}) == 5


class Slow:
    """A user that answers when it is let."""

    name = "slow"

    def __init__(self) -> None:
        self.asked, self.may = anyio.Event(), anyio.Event()

    def begin(self, briefing: Any) -> Slow:
        return self

    async def speak(self, heard: str | None) -> UserTurn:
        if heard is not None:
            self.asked.set()
            await self.may.wait()
        return UserTurn("Hello." if heard is None else f"I heard {heard}")


async def test_a_call_that_the_client_gives_up_is_made_once_and_recorded(hotel: FolderServer) -> None:
    user: Any = Slow()
    async with table(hotel, hotel.tasks[0], user) as at:
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                group.start_soon(at.say, "one")
                await user.asked.wait()
                group.cancel_scope.cancel()
            user.may.set()
            assert await at.say("two") == ("I heard two", False)
    assert [turn.content for turn in at.kept[0].turns[1:5]] == ["one", "I heard one", "two", "I heard two"]


async def test_a_user_that_hangs_when_the_client_leaves_holds_nothing_up(hotel: FolderServer) -> None:
    user: Any = Slow()
    with anyio.fail_after(20):
        async with table(hotel, hotel.tasks[0], user) as at, anyio.create_task_group() as group:
            group.start_soon(at.say, "one")
            await user.asked.wait()
            group.cancel_scope.cancel()
    assert at.kept[0].end == "failed" and at.kept[0].turns[-1].content == "one"


class Broken(Slow):
    """A user whose model fails when it is spoken to, or at once."""

    def __init__(self, error: Exception, *, at_once: bool = False) -> None:
        self.error, self.at_once = error, at_once

    async def speak(self, heard: str | None) -> UserTurn:
        if heard is None and not self.at_once:
            return UserTurn("Hello.")
        raise self.error


async def test_a_user_that_fails_ends_the_episode_with_its_own_blame(hotel: FolderServer) -> None:
    for error, blame in (
        (EpisodeFailure("user", "user", "it said nothing"), "user"),
        (ModelFailure("the endpoint is gone"), "infrastructure"),
    ):
        user: Any = Broken(error)
        async with table(hotel, hotel.tasks[0], user) as at:
            text, is_error = await at.say("Hello?")
            assert is_error and text == f"The episode cannot go on: {error}."
            assert await at.say("Hello?") == (text, True)
        assert [(k.end, k.reward, k.failure and k.failure.blame) for k in at.kept] == [("failed", None, blame)]


async def test_an_episode_that_cannot_begin_is_kept_too(hotel: FolderServer) -> None:
    kept: list[Trajectory] = []

    async def keep(trajectory: Trajectory) -> None:
        kept.append(trajectory)

    user: Any = Broken(ModelFailure("no model"), at_once=True)
    with pytest.raises(EpisodeFailure, match="no model"):
        async with served_episode(Environment(hotel, user), Play(hotel.tasks[0]), agent="m", keep=keep):
            pass
    assert [k.end for k in kept] == ["failed"]
    assert states(hotel) == []


async def test_a_trajectory_that_cannot_be_kept_ends_the_server_and_not_silently(hotel: FolderServer) -> None:
    async def keep(trajectory: Trajectory) -> None:
        raise AutoForgeError("the disk is full")

    environment = Environment(hotel, Plain())
    with anyio.fail_after(20), pytest.raises(BaseExceptionGroup) as caught:
        async with served_episode(environment, Play(hotel.tasks[0]), agent="m", keep=keep) as episode:
            await episode.call("message_user", {"text": "Done."})
    assert caught.group_contains(AutoForgeError, match="the disk is full")


async def test_who_leaves_while_the_trajectory_is_being_kept_does_not_undo_it(hotel: FolderServer) -> None:
    kept: list[Trajectory] = []
    keeping, may = anyio.Event(), anyio.Event()

    async def keep(trajectory: Trajectory) -> None:
        keeping.set()
        await may.wait()
        kept.append(trajectory)

    async def let() -> None:
        await keeping.wait()
        await anyio.wait_all_tasks_blocked()
        may.set()

    with anyio.fail_after(20):
        async with anyio.create_task_group() as waiting:
            waiting.start_soon(let)
            async with (
                served_episode(Environment(hotel, Plain()), Play(hotel.tasks[0]), agent="m", keep=keep) as episode,
                anyio.create_task_group() as client,
            ):
                client.start_soon(episode.call, "message_user", {"text": "Done."})
                await keeping.wait()
                client.cancel_scope.cancel()
    assert [(k.end, k.reward) for k in kept] == [("stop", 0.0)]


async def test_a_tool_of_the_environment_keeps_its_name(hotel: FolderServer) -> None:
    named = dict(hotel.documents[0]) | {"name": "message_user"}
    hotel.documents = [*hotel.documents, named]
    async with table(hotel, hotel.tasks[0].model_copy(update={"distractors": None}), Plain()) as at:
        names = [tool.name for tool in (await at.client.list_tools()).tools]
        assert names[-2:] == ["message_user", "message_user_2"]
