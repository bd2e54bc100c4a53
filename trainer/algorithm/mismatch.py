"""Weights for what the sampler's probabilities differ from the learner's: truncated and masked importance sampling.

With d = log π_old − log π_sampler of each trained token, π_old the learner at the start of the step, the ratio is e^d
of the token, of the sum over its rollout, or of the mean over it. It is a weight of its own and not part of the ratio
that is clipped. `truncate` at token level is TIS, `mask` at token level is IcePop, `gate` with the geometric level
passes rollouts that agree on the whole. Invariant: weights are finite, carry no gradient and are 0 where no token is
trained on; where sampler and learner agree they are 1. Not covered: whether a difference is too large to go on (the
learner).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor

from autoforge.trainer.algorithm.divergence import bounded, divergence
from autoforge.trainer.algorithm.erpo_settings import MismatchSettings
from autoforge.trainer.algorithm.rows import Chosen, at_least_float32

__all__ = ["Mismatch", "MismatchFigures", "mismatch"]


class MismatchFigures(NamedTuple):
    """Sums that ranks add up; each a tensor [], float64."""

    tokens: Tensor
    difference: Tensor
    """Sum of |d|."""
    largest: Tensor
    """The largest |d|; 0 of none."""
    kl: Tensor
    """Sum of k3 estimates of KL(π_sampler ‖ π_old), e^d − 1 − d: the samples are the sampler's."""
    cut: Tensor
    """Tokens whose weight a bound changed."""
    unusable: Tensor
    """Trained tokens without finite log-probabilities; they weigh 0."""

    def merged(self, other: MismatchFigures) -> MismatchFigures:
        """Of both."""
        added = MismatchFigures(*(a + b for a, b in zip(self, other, strict=True)))
        return added._replace(largest=torch.maximum(self.largest, other.largest))

    def read(self) -> Mapping[str, float]:
        """As numbers; means and shares are left out where there is no token."""
        number = float(self.tokens)
        found = {"tokens": number, "unusable_tokens": float(self.unusable)}
        if number:
            found |= {"mean_difference": float(self.difference) / number, "largest_difference": float(self.largest)}
            found |= {"mismatch_kl": float(self.kl) / number, "cut_share": float(self.cut) / number}
        return found


class Mismatch(NamedTuple):
    """Of the rows of one rank."""

    weights: Tensor
    """[rows, length], float32 at least."""
    figures: MismatchFigures


def mismatch(
    old_logprobs: Tensor,
    sampler_logprobs: Tensor,
    mask: Tensor,
    rollouts: Tensor,
    settings: MismatchSettings | None = None,
) -> Mismatch:
    """The weights of the trained tokens. Log-probabilities and the mask are [rows, length]; `rollouts` [rows] is equal
    where rows belong to the same rollout, all rows of which must be given. Figures are made with `off`, too, where all
    weights are 1. Raises BadInput for shapes that do not fit."""
    settings = settings or MismatchSettings()
    finite = old_logprobs.isfinite() & sampler_logprobs.isfinite()
    chosen = Chosen.of(mask.bool() & finite, rollouts)
    difference = chosen.flat(at_least_float32(old_logprobs.detach()))
    difference = difference - chosen.flat(sampler_logprobs.detach()).to(difference.dtype)
    weighed = _weighed(chosen, difference, settings)
    figures = _figures(difference, weighed.cut, (mask.bool() & ~finite).sum())
    return Mismatch(chosen.spread(weighed.weights), figures)


class _Weighed(NamedTuple):
    weights: Tensor
    cut: Tensor


def _weighed(chosen: Chosen, difference: Tensor, settings: MismatchSettings) -> _Weighed:
    if settings.level == "off":
        return _Weighed(torch.ones_like(difference), torch.zeros_like(difference, dtype=torch.bool))
    ratio = bounded(_level(chosen, difference, settings)).exp()
    outside = (ratio < settings.low) | (ratio > settings.high)
    if settings.mode == "truncate":
        return _Weighed(ratio.clamp(settings.low, settings.high), outside)
    passed = bounded(difference).exp() if settings.mode == "gate" else ratio
    return _Weighed(torch.where(outside, 0.0, passed), outside)


def _level(chosen: Chosen, difference: Tensor, settings: MismatchSettings) -> Tensor:
    if settings.level == "geometric":
        return chosen.means(difference)
    return chosen.sums(difference) if settings.level == "sequence" else difference


def _figures(difference: Tensor, cut: Tensor, unusable: Tensor) -> MismatchFigures:
    wide = difference.double()
    size = wide.abs()
    return MismatchFigures(
        tokens=wide.new_tensor(float(len(wide))), difference=size.sum(),
        largest=torch.cat((size, size.new_zeros(1))).max(), kl=divergence(-wide, "k3").sum(),
        cut=cut.double().sum(), unusable=unusable.double(),
    )  # fmt: skip
