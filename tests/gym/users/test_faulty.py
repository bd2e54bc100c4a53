"""Users that err on purpose: as often as they are told to, in ways that a judge can see."""

from __future__ import annotations

import pytest

from autoforge.gym.agents.baseline import BaselineAgent
from autoforge.gym.baselines import Baseline, NoOp, Oracle
from autoforge.gym.environment import Environment
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.judge import judge_trajectory
from autoforge.gym.judge.masking import masked
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.faulty import FaultyUser
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.task import read_tasks
from tests.gym.users.conftest import ENVIRONMENTS, all_tasks, talk

pytestmark = pytest.mark.anyio


async def test_without_errors_it_is_the_user_that_it_wraps() -> None:
    for task in all_tasks()[:12]:
        assert await talk(task, "Done.", user=FaultyUser(ScriptedUser(), 0.0)) == await talk(task, "Done.")


async def test_the_same_dice_make_the_same_errors_and_about_as_many_as_wanted() -> None:
    user, spoiled = FaultyUser(ScriptedUser(reveal="all"), 0.3), 0
    for seed in range(20):
        for task in all_tasks()[:12]:
            first, second = [await talk(task, "Done.", user=user, seed=seed) for _ in range(2)]
            plain = await talk(task, "Done.", user=ScriptedUser(reveal="all"), seed=seed)
            assert first == second
            spoiled += first != plain
    assert 0.15 < spoiled / 240 < 0.4


@pytest.mark.parametrize("agent", [Oracle(), NoOp()])
async def test_a_judge_finds_most_of_the_errors_and_masks_them(agent: Baseline) -> None:
    """What the oracle was not told it does all the same, so that leaving early spoils nothing there."""
    folder = find_environment(str(ENVIRONMENTS / "desk"))
    tasks, hidden, erred = read_tasks(ENVIRONMENTS / "desk")[:24], 0, 0
    async with FolderServer(folder, workers=1) as server:
        for task in tasks:
            right, wrong = [
                await play_episode(Environment(server, user), BaselineAgent(agent), Play(task))
                for user in (ScriptedUser(), FaultyUser(ScriptedUser(), 1.0))
            ]
            assert not masked(judge_trajectory(right, task, server.documents), right.reward)
            if _said(right)[0] != _said(wrong)[0] or (agent.name == "no-op" and _said(right) != _said(wrong)):
                erred += 1
                hidden += bool(masked(judge_trajectory(wrong, task, server.documents), wrong.reward))
    assert erred > 10 and hidden / erred >= 0.8


def _said(trajectory: Trajectory) -> list[str]:
    return [turn.content for turn in trajectory.turns if turn.role == "user"]
