"""What the tests of agents share: users of a few lines, and episodes on committed environments."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoforge.gym.agents.agent import Agent
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.user import User, UserBriefing, UserCall, UserTurn
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.task import Task
from tests.gym.reward.conftest import episodes, tasks
from tests.gym.reward.desk_tasks import Solved, desk

__all__ = ["episodes", "tasks"]

ENVIRONMENTS = Path(__file__).parents[3] / "mcp_envs"
DONE = "That is done."


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def task(tasks: dict[str, Solved]) -> Task:
    """To resolve ticket 9 of the desk."""
    return tasks["resolve"].task


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "AUTOFORGE_PRICES", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "sk-nothing")


class PlainUser:
    """Says all at once, takes its own steps when it is asked to, and stops at the words that end a task."""

    name = "plain"

    def __init__(self, until: str = DONE) -> None:
        self.until = until

    def begin(self, briefing: UserBriefing) -> _PlainSpeaker:
        return _PlainSpeaker(briefing, self.until)


class _PlainSpeaker:
    def __init__(self, briefing: UserBriefing, until: str) -> None:
        self._briefing = briefing
        self._until = until
        self._steps = [call for call in briefing.task.gold.calls if call.actor == "user"]

    async def speak(self, heard: str | None) -> UserTurn:
        if heard is None:
            return UserTurn(self._briefing.task.instruction)
        if self._steps and heard.startswith(f"Please use {self._steps[0].tool} on your side"):
            step, call = self._steps.pop(0), self._briefing.call
            assert call is not None
            result = await call(step.tool, step.arguments)
            return UserTurn("I have done it.", calls=(UserCall(step.tool, step.arguments, result),))
        return UserTurn("", "stop") if self._until in heard else UserTurn("Go on.")


class SlowUser:
    """Says its wishes one after the other, and stops after what it hears to the last."""

    name = "slow"

    def __init__(self, wishes: int) -> None:
        self.wishes = wishes

    def begin(self, briefing: UserBriefing) -> _SlowSpeaker:
        return _SlowSpeaker(self.wishes)


class _SlowSpeaker:
    def __init__(self, wishes: int) -> None:
        self._left = wishes
        self._said = 0

    async def speak(self, heard: str | None) -> UserTurn:
        if self._said == self._left:
            return UserTurn("", "stop")
        self._said += 1
        return UserTurn(f"This is wish number {self._said}.")


def folder(name: str) -> FolderServer:
    return FolderServer(find_environment(str(ENVIRONMENTS / name)))


def desk_server() -> FolderServer:
    return FolderServer(desk())


async def play(
    server: FolderServer,
    agent: Agent,
    task: Task,
    user: User | None = None,
    *,
    trial: int = 0,
    limits: EpisodeLimits | None = None,
) -> Trajectory:
    """One episode."""
    environment = Environment(server, user or PlainUser(), limits=limits)
    return await play_episode(environment, agent, Play(task, trial))
