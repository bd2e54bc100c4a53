"""An agent: it is told the tools and the rules, and makes one turn after the other.

Invariant: an agent sees the messages of the user and the results of its own calls, nothing else; only the oracle and
the other baselines are given the task. Not covered: which turns are allowed (`environment`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.turns import Action, Observation
from autoforge.mcp_envs.task import Task

__all__ = ["Agent", "Briefing", "Player"]


class Briefing(NamedTuple):
    """What an agent is told before the first message."""

    tools: Sequence[ToolDocument]
    """Those that it is offered."""
    instructions: str = ""
    """The rules of the domain."""
    seed: int = 0
    """Number of the trial: other dice."""
    task: Task | None = None
    """For baselines alone; an agent that looks at it cheats."""


class Player(Protocol):
    """An agent in one episode."""

    async def act(self, observation: Observation) -> Action:
        """The next turn. Raises EpisodeFailure."""
        ...


class Agent(Protocol):
    """A kind of agent."""

    @property
    def name(self) -> str: ...

    def begin(self, briefing: Briefing) -> Player:
        """The agent of one episode. Raises BadInput for a setting that cannot be kept."""
        ...
