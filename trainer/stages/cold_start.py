"""The supervised cold start: good episodes, the assistant's tokens only, before the policy learns from its own.

Invariant: every rank calls it with the same rollouts; the loss of a step is the mean over all its trained tokens,
however they are spread over micro-batches and ranks; the rows of a step depend on seed and step alone. Not covered:
where the episodes come from (`demonstrations`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from torch import Tensor

from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.step import LossSum, StepReport
from autoforge.trainer.settings.learning import ColdStartSettings
from autoforge.trainer.tokens.batch import RowOf, TokenBatch, micro_batches, padded, rows_of
from autoforge.trainer.tokens.sequence import Rollout

__all__ = ["SupervisedBatch", "cold_start", "rows_of_step"]


class SupervisedBatch(NamedTuple):
    """A micro-batch."""

    ids: Tensor
    attention: Tensor
    trainable: Tensor


def cold_start(
    learner: Learner, rollouts: Sequence[Rollout], settings: ColdStartSettings, *, micro_batch_tokens: int, seed: int,
    tell: Callable[[int, StepReport], None],
) -> None:  # fmt: skip
    """Take all steps; `tell` hears of each, from 1. Raises BadInput and AutoForgeError as the learner does."""
    for step in range(settings.steps):
        rows = rows_of_step(rollouts, settings.rows, seed=seed, step=step)
        own = rows[learner.ranks.rank :: learner.ranks.world]
        tokens = sum(row.row.policy_tokens for row in rows)
        batches = [_batch(padded(part, padding=0)) for part in micro_batches(own, micro_batch_tokens)]
        tell(step + 1, learner.train_step(batches, _loss(tokens)))


def rows_of_step(rollouts: Sequence[Rollout], count: int, *, seed: int, step: int) -> list[RowOf]:
    """The rows of a step: epochs in an order of their own each."""
    rows = rows_of(rollouts)
    found = []
    for number in range(step * count, (step + 1) * count):
        epoch, place = divmod(number, len(rows))
        order = list(range(len(rows)))
        random.Random(f"{seed}/cold start/{epoch}").shuffle(order)
        found.append(rows[order[place]])
    return found


def _batch(batch: TokenBatch) -> SupervisedBatch:
    return SupervisedBatch(batch.ids, batch.attention, batch.trainable)


def _loss(tokens: int) -> Callable[[Tensor, Tensor | None, SupervisedBatch], LossSum]:
    def loss(logprobs: Tensor, entropy: Tensor | None, batch: SupervisedBatch) -> LossSum:
        return LossSum(-logprobs[batch.trainable[:, 1:]].sum() / tokens)

    return loss
