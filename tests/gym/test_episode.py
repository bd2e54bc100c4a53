"""One episode as a trajectory: complete, the same again from its line, and never a wrong reward."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.failures import Blame, EpisodeFailure
from autoforge.gym.llm import ReasoningBlock
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.trajectory import Trajectory, read_trajectories
from autoforge.gym.turns import Action, Observation
from autoforge.gym.users import UserTurn
from autoforge.mcp_envs.errors import BadInput, ModelFailure
from tests.gym.conftest import Plain, Scripted, asked_for_answers, gold_actions

pytestmark = pytest.mark.anyio


async def test_a_trajectory_holds_what_was_said_thought_called_and_changed(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    thought = ReasoningBlock(provider="test", data={"thinking": "first look"})
    first, *rest = gold_actions(task)
    agent = Scripted(first.model_copy(update={"reasoning": (thought,)}), *rest)
    made = await play_episode(Environment(hotel, Plain()), agent, Play(task, trial=3))
    assert made.id == f"hotel/{task.id}/by-hand/plain/3" and made.end == "stop" and made.reward == 1.0
    assert made.state_reached and all(mark.told for mark in made.answers) and made.explanation == ()
    assert [turn.role for turn in made.turns[:3]] == ["user", "assistant", "tool"]
    assert made.turns[1].reasoning == (thought,) and made.turns[-1].content == rest[-1].text
    diffed = [change for turn in made.turns for change in turn.diff]
    assert {change.table for change in diffed} >= {change.table for change in task.gold.diff}
    assert {tool["name"] for tool in made.tools} == {tool["name"] for tool in hotel.documents}
    assert Trajectory.model_validate_json(made.line()) == made and made.line().endswith("\n")


async def test_the_user_sees_neither_thinking_nor_tool_traffic(hotel: FolderServer) -> None:
    task = asked_for_answers(hotel.tasks)
    thought = ReasoningBlock(provider="test", data={"thinking": "a secret ###STOP###"})
    heard: list[str | None] = []

    class Listening(Plain):
        def begin(self, briefing):  # type: ignore[no-untyped-def]
            speaker = super().begin(briefing)
            speaker.heard = heard
            return speaker

    actions = [a.model_copy(update={"reasoning": (thought,)}) for a in gold_actions(task)]
    made = await play_episode(Environment(hotel, Listening()), Scripted(*actions), Play(task))
    assert heard == [None, actions[-1].text] and made.reward == 1.0


class Broken:
    """An agent that fails at its second turn."""

    name = "broken"

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.turns = 0

    def begin(self, briefing: object) -> Broken:
        return self

    async def act(self, observation: Observation) -> Action:
        self.turns += 1
        if self.turns == 2:
            raise self.error
        return Action(text="One moment.")


@pytest.mark.parametrize("blame", ["policy", "user", "environment", "infrastructure", "judge"])
async def test_only_the_policys_own_failure_scores(hotel: FolderServer, blame: Blame) -> None:
    agent = Broken(EpisodeFailure(blame, "agent", "it broke"))
    made = await play_episode(Environment(hotel, Plain(UserTurn("Well?"))), agent, Play(hotel.tasks[0]))
    assert made.end == "failed" and made.failure is not None and made.failure.blame == blame
    assert made.reward == (0.0 if blame == "policy" else None)
    assert [turn.role for turn in made.turns] == ["user", "assistant", "user"]


async def test_a_model_that_gives_no_answer_is_infrastructure_and_scores_nothing(hotel: FolderServer) -> None:
    agent = Broken(ModelFailure("no answer"))
    made = await play_episode(Environment(hotel, Plain(UserTurn("Well?"))), agent, Play(hotel.tasks[0]))
    assert made.failure is not None and made.failure.blame == "infrastructure" and made.reward is None


class Hanging(Broken):
    """An agent that never takes its second turn."""

    async def act(self, observation: Observation) -> Action:
        self.turns += 1
        if self.turns == 2:
            await anyio.sleep_forever()
        return Action(text="One moment.")


async def test_an_agent_that_hangs_ends_its_episode_as_no_fault_of_the_policy(hotel: FolderServer) -> None:
    environment = Environment(hotel, Plain(UserTurn("Well?")), limits=EpisodeLimits(agent_seconds=0.2))
    made = await play_episode(environment, Hanging(ModelFailure("")), Play(hotel.tasks[0]))
    assert made.failure is not None and (made.failure.blame, made.failure.where) == ("infrastructure", "agent")
    assert made.reward is None and "within 0.2 s" in made.failure.message


async def test_a_file_of_trajectories_is_read_to_a_torn_end(hotel: FolderServer, tmp_path: Path) -> None:
    made = await play_episode(Environment(hotel, Plain()), Scripted(), Play(hotel.tasks[0]))
    path = tmp_path / "t.jsonl"
    path.write_text(made.line() + made.line()[:50], encoding="utf-8")
    assert list(read_trajectories(path, torn_end=True)) == [made]
    with pytest.raises(BadInput, match="line 2"):
        list(read_trajectories(path))
    path.write_text(json.dumps({"id": "x"}) + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 1, /"):
        list(read_trajectories(path))
