"""What counts of one episode: a trajectory without its turns, so that many fit in memory.

Invariant: an episode has a reward, or one thing that is to blame for having none. Not covered: figures over many
(`summary`).
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from autoforge.gym.failures import Blame
from autoforge.gym.trajectory import Trajectory

__all__ = ["Outcome", "Unscored", "outcome_of"]

Unscored: TypeAlias = Blame | Literal["no state"]
"""Why an episode has no reward: whose fault, or that nothing shows what became of it."""


class Outcome(NamedTuple):
    """One episode."""

    id: str
    environment: str
    task: str
    agent: str
    user: str
    trial: int
    reward: float | None
    blame: Blame | None
    masked: bool
    turns: int
    """Of the agent."""
    calls: int
    """Of the agent."""
    cost: float
    """US dollars."""
    seconds: float
    why: str = ""
    """What went wrong, one sentence; empty where nothing did."""

    @property
    def finished(self) -> bool:
        """Whether playing it again would be no repair: what went wrong, if anything, is the policy's own."""
        return self.blame in (None, "policy")

    @property
    def counts(self) -> bool:
        """Whether it says something of the agent."""
        return self.reward is not None and not self.masked

    @property
    def unscored(self) -> Unscored | None:
        """Why there is no reward; None where there is one."""
        return None if self.reward is not None else self.blame or "no state"

    @property
    def place(self) -> tuple[str, str]:
        """Its task, whoever plays it."""
        return self.environment, self.task


def outcome_of(trajectory: Trajectory) -> Outcome:
    own = [turn for turn in trajectory.turns if turn.role == "assistant"]
    return Outcome(
        id=trajectory.id, environment=trajectory.environment, task=trajectory.task, agent=trajectory.agent,
        user=trajectory.user, trial=trajectory.trial, reward=trajectory.reward,
        blame=trajectory.failure.blame if trajectory.failure is not None else None, masked=trajectory.masked,
        turns=len(own), calls=sum(len(turn.tool_calls) for turn in own), cost=trajectory.cost,
        seconds=trajectory.seconds, why=trajectory.failure.message if trajectory.failure is not None else "",
    )  # fmt: skip
