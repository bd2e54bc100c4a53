"""What the rollouts of a step were worth, and the groups that they form.

A group is the rollouts of one task of one environment, on whatever ranks they are. Invariant: masked rollouts (an error
of the simulated user, MEU) and those whose reward is NaN (unscorable) are in no group. Not covered: what is computed
from groups (`advantages`, `selection`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor

from autoforge.trainer.algorithm.tally import EMPTY, Tally, merged
from autoforge.trainer.ranks import Gather, alone, refuse_together

__all__ = ["Group", "Outcomes", "group_tallies"]

Group: TypeAlias = tuple[str, str]
"""Environment and task."""

_LARGEST = 1e100
"""Beyond it squares are no floats any more."""


class Outcomes(NamedTuple):
    """One entry for each rollout of this rank, in any order."""

    environments: Sequence[str]
    tasks: Sequence[str]
    """Names within their environments."""
    rewards: Tensor
    """[rollouts], floating; NaN where there is no score."""
    masked: Tensor
    """[rollouts], bool."""

    @property
    def groups(self) -> list[Group]:
        """Of each rollout."""
        return list(zip(self.environments, self.tasks, strict=True))

    @property
    def counted(self) -> Tensor:
        """[rollouts], bool: neither masked nor unscorable."""
        return ~self.masked.bool() & ~self.rewards.isnan()

    @property
    def problem(self) -> str | None:
        """What is wrong where lengths differ, or a reward is infinite or beyond 1e100."""
        sizes = {len(self.environments), len(self.tasks), *self.rewards.shape, *self.masked.shape}
        if len(sizes) != 1 or self.rewards.dim() != 1 or self.masked.dim() != 1:
            return (
                f"outcomes have {len(self.environments)} environments, {len(self.tasks)} tasks, rewards of shape"
                f" {tuple(self.rewards.shape)} and masks of shape {tuple(self.masked.shape)}; give one of each for each"
                " rollout."
            )
        for number, (reward, group) in enumerate(zip(self.rewards.tolist(), self.groups, strict=True)):
            if abs(reward) > _LARGEST:
                where = f"rollout {number}, task {group[1]} of {group[0]}"
                return f"the reward of {where} is {reward}; give a finite one, or NaN where there is no score."
        return None


def group_tallies(outcomes: Outcomes, gather: Gather = alone) -> Mapping[Group, Tally]:
    """The rewards that count, by group, over all ranks; in order of the groups. A group of which nothing counts is
    there, empty. Every rank must call it. Raises BadInput, on every rank, where one has a problem (`Outcomes`)."""
    refuse_together(outcomes.problem, gather)
    rewards = outcomes.rewards.to(torch.float64).tolist()
    own: dict[Group, list[float]] = {group: [] for group in outcomes.groups}
    for group, reward, counts in zip(outcomes.groups, rewards, outcomes.counted.tolist(), strict=True):
        if counts:
            own[group].append(reward)
    parts = gather({group: Tally.of(values) for group, values in own.items()})
    groups = sorted({group for part in parts for group in part})
    return {group: merged(part.get(group, EMPTY) for part in parts) for group in groups}
