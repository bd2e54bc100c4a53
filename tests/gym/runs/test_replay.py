"""A stored episode scored again: the same as it was, unless the environment or the line is another now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.agents.baseline import BaselineAgent
from autoforge.gym.baselines import Oracle
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.failures import EpisodeFailure, Failure
from autoforge.gym.llm import ToolCall
from autoforge.gym.runs.replay import made_calls, rescored, told_texts
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.trajectory import Trajectory, Turn
from autoforge.gym.turns import Action
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.task import Task
from tests.gym.conftest import ENVIRONMENTS, Plain, Scripted, asked_for_answers, calls, gold_actions

pytestmark = pytest.mark.anyio
LIMITS = EpisodeLimits()


async def won(server: FolderServer, task: Task, *first: Action) -> Trajectory:
    agent = Scripted(*first, *gold_actions(task))
    made = await play_episode(Environment(server, Plain()), agent, Play(task))
    assert made.reward == 1.0
    return made


@pytest.mark.parametrize("name", ["hotel", "telecom"])
async def test_an_episode_is_worth_what_it_was(name: str) -> None:
    async with FolderServer(find_environment(str(ENVIRONMENTS / name))) as server:
        for task in server.tasks:
            made = await play_episode(Environment(server, ScriptedUser()), BaselineAgent(Oracle()), Play(task))
            again = await rescored(made, task, server, LIMITS)
            assert again == (made, (), "") and made.reward == 1.0


async def test_calls_that_were_never_made_are_not_made_again(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    writing = next(call for call in task.gold.calls if call.tool in {t["name"] for t in hotel.documents})
    cut = calls((writing.tool, dict(writing.arguments))).model_copy(update={"truncated": True})
    malformed = Action(calls=(ToolCall(id="m", name=writing.tool, malformed="{"),))
    made = await won(hotel, task, cut, malformed, calls(("no_such_tool", {})))
    assert [c.tool for c in made_calls(made)] == [c.tool for c in task.gold.calls]
    assert (await rescored(made, task, hotel, LIMITS)).changes == ()


async def test_words_that_never_reached_the_user_do_not_count(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    *work, answer = gold_actions(task)
    cut = answer.model_copy(update={"truncated": True})
    beside = calls(("no_such_tool", {})).model_copy(update={"text": answer.text})
    agent = Scripted(*work, cut, beside, Action(text="Done."))
    made = await play_episode(Environment(hotel, Plain()), agent, Play(task))
    assert made.reward == 0.0 and told_texts(made.turns) == ["Done."]
    assert (await rescored(made, task, hotel, LIMITS)).changes == ()


async def test_a_reward_that_is_no_longer_true_is_found_with_what_changed(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    made = await won(hotel, task)
    answer = task.gold.answers[0]
    other = task.model_copy(update={"gold": task.gold.model_copy(update={"diff": ()})})
    again = await rescored(made, other, hotel, LIMITS)
    assert again.trajectory.reward == 0.0 and again.trajectory.state_reached is False
    assert again.changes[:2] == ("reward was 1 and is 0", "state reached was true and is false")
    mute = made.model_copy(update={"turns": tuple(t for t in made.turns if t.role != "assistant" or t.tool_calls)})
    again = await rescored(mute, task, hotel, LIMITS)
    assert f"the answer {answer.name!r} is not told now" in again.changes and again.trajectory.reward == 0.0


async def test_calls_that_are_answered_otherwise_now_are_told(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    made = await won(hotel, task)
    place = next(n for n, turn in enumerate(made.turns) if turn.role == "tool")
    turns = list(made.turns)
    turns[place] = turns[place].model_copy(update={"content": "something else"})
    again = await rescored(made.model_copy(update={"turns": tuple(turns)}), task, hotel, LIMITS)
    assert again.changes == (f"1 call is answered otherwise now, first {task.gold.calls[0].tool} in turn {place}",)
    assert again.trajectory.reward == 1.0 and again.problem == ""


async def test_what_did_not_come_from_the_state_stays_as_it_was(hotel: FolderServer) -> None:
    task = hotel.tasks[0]
    made = await won(hotel, task)
    truncated = made.model_copy(update={"end": "truncated", "reward": 0.0})
    failure = Failure(blame="policy", where="agent", message="too long")
    failed = made.model_copy(update={"end": "failed", "failure": failure, "reward": 0.0})
    for kept in (truncated, failed):
        assert await rescored(kept, task, hotel, LIMITS) == (kept, (), "")


class Gone(FolderServer):
    async def open(self, task: Task | None, episode: str) -> Any:
        raise EpisodeFailure("infrastructure", "server", "it is gone")


async def test_where_no_session_can_be_had_that_is_the_problem(hotel: FolderServer) -> None:
    made = await won(hotel, hotel.tasks[0])
    again = await rescored(made, hotel.tasks[0], Gone(hotel.folder), LIMITS)
    assert again == (made, (), "it is gone")


def test_a_call_without_an_answer_was_not_made() -> None:
    turns = (Turn(role="user", content="Hi."), Turn(role="assistant", tool_calls=(ToolCall(id="c", name="book"),)))
    line = Trajectory(id="i", environment="e", task="t", agent="a", user="u", end="stop", turns=turns,
                      tools=({"name": "book"},))  # fmt: skip
    assert list(made_calls(line)) == []


def test_the_users_turns_are_not_told_texts() -> None:
    assert told_texts([Turn(role="user", content="It is 7."), Turn(role="assistant", content=" ")]) == []


async def test_a_session_is_closed_even_when_its_state_cannot_be_read(tmp_path: Path) -> None:
    class Blind(FolderServer):
        async def open(self, task: Task | None, episode: str) -> Any:
            session = await super().open(task, episode)

            async def nothing() -> None:
                return None

            session.state = nothing  # type: ignore[method-assign, assignment]
            return session

    async with Blind(find_environment(str(ENVIRONMENTS / "hotel")), state_folder=tmp_path) as server:
        task = server.tasks[0]
        line = Trajectory(id="i", environment="hotel", task=task.id, agent="a", user="u", end="stop")
        assert (await rescored(line, task, server, LIMITS)).problem == "the server does not show its state"
        assert list(tmp_path.glob("*.sqlite")) == []
