"""The scripted user in whole episodes: an agent that does everything right comes to the end."""

from __future__ import annotations

import pytest

from autoforge.gym.agents.agent import Briefing
from autoforge.gym.environment import Environment
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.llm import ToolCall
from autoforge.gym.reward import telling
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.turns import Action, Observation
from autoforge.gym.users.script import wishes
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.mcp_envs.environment import find_environment
from tests.gym.users.conftest import ENVIRONMENTS, NAMES

pytestmark = pytest.mark.anyio


class Knowing:
    """Makes the gold calls, asks the user for the user's, and tells all answers after each wish."""

    name = "knowing"

    def begin(self, briefing: Briefing) -> Knowing:
        assert briefing.task is not None
        self._calls = list(briefing.task.gold.calls)
        self._answers = " ".join(telling(answer) for answer in briefing.task.gold.answers) or "That is done."
        return self

    async def act(self, observation: Observation) -> Action:
        if not self._calls:
            return Action(text=self._answers)
        call = self._calls.pop(0)
        if call.actor == "user":
            return Action(text=f"Please use {call.tool} on your side now.")
        return Action(calls=(ToolCall(id=str(len(self._calls)), name=call.tool, arguments=call.arguments),))


@pytest.mark.parametrize("name", NAMES)
async def test_an_agent_that_does_everything_right_is_rewarded_in_few_turns(name: str) -> None:
    async with FolderServer(find_environment(str(ENVIRONMENTS / name))) as server:
        users = (ScriptedUser(), ScriptedUser(reveal="all"), ScriptedUser(agent_tools=tuple(server.documents)))
        for user in users:
            for task in server.tasks:
                played = await play_episode(Environment(server, user), Knowing(), Play(task))
                own = sum(call.actor == "user" for call in task.gold.calls)
                said = [turn for turn in played.turns if turn.role == "user"]
                assert (played.end, played.reward, played.failure) == ("stop", 1.0, None), task.id
                assert len(said) <= 2 * len(wishes(task.instruction)) + own + 2
                assert sum(len(turn.user_calls) for turn in said) == own
