"""What each trained token weighs in a step, decided once for all micro-batches and ranks.

The loss of a step is Σ weight · loss of the token, over every token of every rank: a plain sum, so that it does not
matter how rows are spread over micro-batches and ranks. Rows are what a rollout became for training; one whose history
was written anew has several, whose tokens together weigh what the rollout does. Invariant: rows of masked or unscorable
rollouts weigh 0 and enter no count; but for `constant_length` the weights of a step sum to 1, or to 0 where nothing is
trained. Not covered: the loss of a token (`objective`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import torch
from torch import Tensor

from autoforge.trainer.algorithm.erpo_settings import ObjectiveSettings
from autoforge.trainer.algorithm.outcomes import Group, Outcomes
from autoforge.trainer.ranks import Gather, alone, refuse_together

__all__ = ["RowWeights", "Totals", "engine_scale", "row_weights"]


class Totals(NamedTuple):
    """What is trained on in a step, over all ranks."""

    tasks: int
    rollouts: int
    tokens: int


class RowWeights(NamedTuple):
    """Of the rows of one rank."""

    token: Tensor
    """[rows], float64: the weight of each trainable token of the row."""
    mask: Tensor
    """[rows, length], bool: trainable tokens, without those of rollouts that do not count."""
    rollout_tokens: Tensor
    """[rows], int64: trainable tokens of the row's rollout in all of its rows."""
    totals: Totals


def row_weights(
    mask: Tensor, rollouts: Tensor, outcomes: Outcomes, settings: ObjectiveSettings, *, gather: Gather = alone
) -> RowWeights:  # fmt: skip
    """The weights for a step. `mask` [rows, length], bool, says which tokens were sampled and are trained on;
    `rollouts` [rows], int64, which entry of `outcomes` each row belongs to; the rows of a rollout are all on one rank.
    A rollout without a trainable token counts for nothing. Every rank must call it. Raises BadInput, on
    every rank, where the shapes of one do not fit."""
    refuse_together(_problem(mask, rollouts, outcomes), gather)
    counted = outcomes.counted.to(mask.device)
    trained = mask.bool() & counted[rollouts][:, None]
    own = trained.sum(1)
    sizes = torch.zeros(len(counted), dtype=torch.int64, device=mask.device).index_add(0, rollouts, own)
    lengths = sizes.tolist()
    counts = _Counts.over(outcomes.groups, lengths, gather)
    weights = [counts.weight(group, size, settings) for group, size in zip(outcomes.groups, lengths, strict=True)]
    token = torch.tensor(weights, dtype=torch.float64, device=mask.device)[rollouts]
    return RowWeights(token, trained, sizes[rollouts], counts.totals)


def engine_scale(accumulation: int, ranks: int) -> int:
    """What a loss is multiplied by for an engine that divides it by the number of accumulated micro-batches and
    averages gradients over ranks (as DeepSpeed does), so that the step's gradient is the plain sum again."""
    return accumulation * ranks


class _Counts(NamedTuple):
    rollouts: Mapping[Group, int]
    """Trained on, by task."""
    totals: Totals

    @classmethod
    def over(cls, groups: Sequence[Group], sizes: Sequence[int], gather: Gather) -> _Counts:
        own = Counter(group for group, size in zip(groups, sizes, strict=True) if size)
        parts = gather((own, sum(sizes)))
        rollouts = sum((part for part, _ in parts), Counter[Group]())
        return cls(rollouts, Totals(len(rollouts), rollouts.total(), sum(tokens for _, tokens in parts)))

    def weight(self, group: Group, size: int, settings: ObjectiveSettings) -> float:
        """Of one token of a rollout with `size` tokens."""
        if not size:
            return 0.0
        if settings.aggregation == "token_mean":
            return float(Fraction(1, self.totals.tokens))
        if settings.aggregation == "task_mean":
            return float(Fraction(1, self.totals.tasks * self.rollouts[group] * size))
        return float(Fraction(1, self.totals.rollouts * (settings.length or size)))


def _problem(mask: Tensor, rollouts: Tensor, outcomes: Outcomes) -> str | None:
    if mask.dim() != 2 or rollouts.shape != mask.shape[:1]:
        return (
            f"the mask has shape {tuple(mask.shape)} and the rollouts of its rows {tuple(rollouts.shape)}; give"
            " [rows, length] and [rows]."
        )
    known = len(outcomes.environments)
    if rollouts.numel() and not 0 <= int(rollouts.min()) <= int(rollouts.max()) < known:
        return f"a row belongs to none of the {known} rollouts; give places in the outcomes, from 0."
    return None
