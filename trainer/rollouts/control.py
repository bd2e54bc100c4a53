"""Rewards dealt out anew: a control run that learns from them learns from something else than rewards.

Invariant: within an environment the rewards that count stay the same together, and so do mean and deviation; which
rollout gets which depends on seed and step alone. Not covered: masked and unscored rollouts, which keep what they have.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from autoforge.gym.trajectory import Trajectory
from autoforge.trainer.rollouts.collector import Group

__all__ = ["dealt_anew"]


def dealt_anew(groups: Sequence[Group], *, seed: int, step: int) -> list[Group]:
    """The groups with the rewards of each environment shuffled over its rollouts."""
    pools = {name: iter(_shuffled(groups, name, seed, step)) for name in {group.draw.environment for group in groups}}
    return [_with(group, pools[group.draw.environment]) for group in groups]


def _shuffled(groups: Sequence[Group], environment: str, seed: int, step: int) -> list[float]:
    own = [group for group in groups if group.draw.environment == environment]
    rewards = [t.reward for group in own for t in group.rollouts if _counts(t) and t.reward is not None]
    random.Random(f"{seed}/control/{environment}/{step}").shuffle(rewards)
    return rewards


def _with(group: Group, rewards: Iterator[float]) -> Group:
    dealt = (t.model_copy(update={"reward": next(rewards)}) if _counts(t) else t for t in group.rollouts)
    return group._replace(rollouts=tuple(dealt))


def _counts(trajectory: Trajectory) -> bool:
    return trajectory.reward is not None and not trajectory.masked
