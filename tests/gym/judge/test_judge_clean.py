"""Whole episodes with a scripted user that errs in nothing: the judge finds nothing, whatever the agent does."""

from __future__ import annotations

import pytest

from autoforge.gym.agents.baseline import baseline_agents
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.judge import judge_trajectory
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.turns import Action
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.mcp_envs.environment import find_environment
from tests.gym.conftest import ENVIRONMENTS, Scripted

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["biblioteca", "hotel", "telecom"])
@pytest.mark.parametrize("agent", ["oracle", "no-op", "random"])
async def test_a_scripted_user_errs_in_nothing(name: str, agent: str) -> None:
    async with FolderServer(find_environment(str(ENVIRONMENTS / name))) as server:
        for task in server.tasks:
            played = await play_episode(Environment(server, ScriptedUser()), baseline_agents()[agent], Play(task))
            assert judge_trajectory(played, task, server.documents) == (), played.id


async def test_what_the_environment_says_of_an_empty_turn_is_not_the_users(hotel: FolderServer) -> None:
    cut = Action(text="It is", truncated=True)
    for task in hotel.tasks:
        agent = Scripted(Action(), cut, Action(text="Hello."), Action())
        environment = Environment(hotel, ScriptedUser(), limits=EpisodeLimits(turns=8))
        played = await play_episode(environment, agent, Play(task))
        assert sum(turn.role == "user" for turn in played.turns) > 3
        assert judge_trajectory(played, task, hotel.documents) == (), played.id
