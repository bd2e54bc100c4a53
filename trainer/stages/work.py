"""What all ranks train on in a step: rollouts with what they were worth, told by the first rank to the others.

Invariant: each rollout is trained on by one rank, whole; the shares are the same for the same work, whatever the rank.
Not covered: how rollouts are played (`rollouts`), the step (`policy_step`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch

from autoforge.trainer.algorithm.credit import turn_gains
from autoforge.trainer.algorithm.outcomes import Outcomes
from autoforge.trainer.rollouts.collector import Group
from autoforge.trainer.tokens.sequence import Rollout, rollout_of

__all__ = ["StepWork", "WorkItem", "outcomes_of", "work_of"]


class WorkItem(NamedTuple):
    """One rollout."""

    environment: str
    task: str
    """With the number of its draw: the same task may be drawn twice."""
    reward: float
    masked: bool
    rollout: Rollout | None
    """None where nothing of it is trained on: its group does not contrast, or it does not count."""
    gains: tuple[float, ...]
    """Of the turns, for turn-level credit."""


class StepWork(NamedTuple):
    """All rollouts of a step."""

    step: int
    items: tuple[WorkItem, ...]

    def share(self, rank: int, world: int) -> tuple[WorkItem, ...]:
        """Those of one rank."""
        return self.items[rank::world]


def work_of(step: int, groups: Sequence[Group], *, contrast_needed: bool = True) -> StepWork:
    """Of all groups that were played, those without contrast, too: they count in the deviation of their environment.
    With `contrast_needed` (see `erpo`) their rollouts are not trained on, else they are. Raises BadInput for a rollout
    without its tokens."""
    items = []
    for group in groups:
        for trajectory in group.rollouts:
            counts = trajectory.reward is not None and not trajectory.masked
            counts = counts and (group.contrasts or not contrast_needed)
            items.append(
                WorkItem(
                    group.draw.environment, f"{group.draw.task.id}#{group.draw.number}",
                    math.nan if trajectory.reward is None else trajectory.reward, trajectory.masked,
                    rollout_of(trajectory) if counts else None, turn_gains(trajectory),
                )
            )  # fmt: skip
    return StepWork(step, tuple(items))


def outcomes_of(items: Sequence[WorkItem]) -> Outcomes:
    """What the rollouts of a rank were worth."""
    return Outcomes(
        [item.environment for item in items], [item.task for item in items],
        torch.tensor([item.reward for item in items], dtype=torch.float64),
        torch.tensor([item.masked for item in items], dtype=torch.bool),
    )  # fmt: skip
