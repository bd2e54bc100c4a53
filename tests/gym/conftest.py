"""Small parts that the tests of the gym share: an environment, a user that says the instruction, an agent by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.agents import Briefing
from autoforge.gym.llm import ToolCall
from autoforge.gym.reward import telling
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.turns import Action, Observation
from autoforge.gym.users import UserBriefing, UserTurn
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.task import Task

ENVIRONMENTS = Path(__file__).parents[2] / "mcp_envs"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def hotel() -> AsyncIterator[FolderServer]:
    async with FolderServer(find_environment(str(ENVIRONMENTS / "hotel"))) as server:
        yield server


class Plain:
    """A user that says the whole instruction, then whatever it is given, and then ends."""

    name = "plain"

    def __init__(self, *later: UserTurn) -> None:
        self.later = later

    def begin(self, briefing: UserBriefing) -> PlainSpeaker:
        return PlainSpeaker(briefing, list(self.later))


class PlainSpeaker:
    def __init__(self, briefing: UserBriefing, later: list[UserTurn]) -> None:
        self.briefing = briefing
        self.later = later
        self.heard: list[str | None] = []

    async def speak(self, heard: str | None) -> UserTurn:
        self.heard.append(heard)
        if heard is None:
            return UserTurn(self.briefing.task.instruction)
        return self.later.pop(0) if self.later else UserTurn("", "stop")


class Scripted:
    """An agent that makes the turns it is given; then it says that it is done."""

    name = "by-hand"

    def __init__(self, *actions: Action) -> None:
        self.actions = actions
        self.saw: list[Observation] = []

    def begin(self, briefing: Briefing) -> ScriptedPlayer:
        return ScriptedPlayer(self, list(self.actions))


class ScriptedPlayer:
    def __init__(self, agent: Scripted, actions: list[Action]) -> None:
        self.agent = agent
        self.actions = actions

    async def act(self, observation: Observation) -> Action:
        self.agent.saw.append(observation)
        return self.actions.pop(0) if self.actions else Action(text="Done.")


def calls(*made: tuple[str, dict[str, Any]], start: int = 1) -> Action:
    return Action(calls=tuple(ToolCall(id=f"c{n}", name=t, arguments=a) for n, (t, a) in enumerate(made, start)))


def gold_actions(task: Task) -> list[Action]:
    """The gold calls, one a turn, then the answers."""
    made = [calls((c.tool, dict(c.arguments)), start=n) for n, c in enumerate(task.gold.calls)]
    return [*made, Action(text=" ".join(map(telling, task.gold.answers)) or "That is done.")]


def asked_for_answers(tasks: Sequence[Task]) -> Task:
    return next(task for task in tasks if task.gold.answers and task.gold.diff)
