"""What a judge's verdict makes of an episode.

Invariant: where the judge comes to no verdict the episode is unscorable, never clean; at the cost limit the run ends.
Not covered: who judges (`judge`, `commands.cast`), which errors mask (`judge.masking`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from autoforge.gym.failures import EpisodeFailure, Failure
from autoforge.gym.judge.masking import Rule, masked
from autoforge.gym.trajectory import Judgement, Trajectory
from autoforge.mcp_envs.errors import BudgetExceeded, ModelFailure
from autoforge.mcp_envs.task import Task

__all__ = ["Judge", "Judged", "judged_by"]


class Judged(NamedTuple):
    """What a judge found in an episode."""

    judgements: tuple[Judgement, ...]
    masked: bool


Judge: TypeAlias = Callable[[Trajectory, Task], Awaitable[Judged]]
"""Raises EpisodeFailure or ModelFailure where it comes to no verdict."""


async def judged_by(
    judge: Judge | None, trajectory: Trajectory, task: Task, mask: Rule = "touching"
) -> Trajectory:  # fmt: skip
    """The trajectory with the verdict, where there is a judge and anything to judge; `mask` says which errors mask it.
    Raises BudgetExceeded."""
    if judge is None or trajectory.reward is None:
        return trajectory
    try:
        found = await judge(trajectory, task)
    except BudgetExceeded:
        raise
    except EpisodeFailure as error:
        return _unjudged(trajectory, error.failure.message)
    except ModelFailure as error:
        return _unjudged(trajectory, str(error))
    hidden = found.masked if mask == "touching" else masked(found.judgements, trajectory.reward, mask)
    return trajectory.model_copy(update={"judgements": found.judgements, "masked": hidden})


def _unjudged(trajectory: Trajectory, words: str) -> Trajectory:
    failure = Failure(blame="judge", where="judge", message=words)
    return trajectory.model_copy(update={"failure": failure, "reward": None})
