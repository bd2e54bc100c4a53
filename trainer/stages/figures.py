"""What a step is recorded with: episodes, staleness, times, beside what learning came to.

Invariant: every name is of the catalogue. Not covered: what they mean (`metrics.catalogue`).
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import NamedTuple

import torch

from autoforge.gym.trajectory import Trajectory
from autoforge.trainer.metrics.episodes import EpisodeFigures, episode_figures
from autoforge.trainer.rollouts.batches import Batch
from autoforge.trainer.stages.clock import now
from autoforge.trainer.stages.policy_step import PolicyStep
from autoforge.trainer.stages.work import StepWork

__all__ = ["Spent", "batch_values", "environment_values"]


class Spent(NamedTuple):
    """Seconds of a step."""

    begun: float
    """Unix seconds."""
    rollouts: float = 0.0
    learner: float = 0.0
    sync: float = 0.0


def environment_values(batch: Batch, done: PolicyStep) -> EpisodeFigures:
    """Of each environment: its episodes, groups and advantages."""
    figures = episode_figures(_episodes(batch))
    groups = Counter(group.draw.environment for group in batch.groups)
    contrast = Counter(group.draw.environment for group in batch.contrasting)
    for name, values in figures.environments.items():
        values |= {"groups": float(groups[name]), "contrast_share": contrast[name] / groups[name]}
        values |= done.environments.get(name, {})
    return figures


def batch_values(
    batch: Batch, work: StepWork, done: PolicyStep, given_up: Counter[str], version: int, spent: Spent
) -> dict[str, float | None]:
    """Of the step as a whole; `version` is that of the weights that learned. Takes what was given up out of its
    counter."""
    values: dict[str, float | None] = {**episode_figures(_episodes(batch)).values, **done.values}
    rollouts = [item.rollout for item in work.items if item.rollout is not None]
    ages = [
        (version - span.version, span.end - span.start)
        for rollout in rollouts for row in rollout.rows for span in row.versions
    ]  # fmt: skip
    tokens = sum(count for _, count in ages)
    seconds = now() - spent.begun
    values |= {
        "given_up": float(given_up.total()),
        "refills": float(len(batch.groups) - batch.first),
        "rows": float(sum(len(rollout.rows) for rollout in rollouts)),
        "forks": float(sum(rollout.forks for rollout in rollouts)),
        "staleness_mean": sum(age * count for age, count in ages) / tokens if tokens else None,
        "staleness_max": float(max((age for age, _ in ages), default=0)),
        "seconds": seconds,
        "seconds_rollouts": spent.rollouts,
        "seconds_learner": spent.learner,
        "seconds_sync": spent.sync,
        "tokens_per_second": sum(len(row.ids) for r in rollouts for row in r.rows) / seconds if seconds else None,
        "sampled_per_second": (values["sampled_tokens"] or 0.0) / spent.rollouts if spent.rollouts else None,
    }
    if torch.cuda.is_available():
        values["memory"] = torch.cuda.max_memory_allocated() / 2**30
    given_up.clear()
    return values


def _episodes(batch: Batch) -> list[Trajectory]:
    return list(chain.from_iterable(group.rollouts for group in batch.groups))
