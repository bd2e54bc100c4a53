"""Figures of the loss that micro-batches and ranks add up.

Invariant: merging is exact in what it counts, so that shares are of the whole step, not means of means. Reading a
number is left to the end: until then they are tensors, and no micro-batch waits for a device. Not covered: writing them
down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor

__all__ = ["ObjectiveFigures"]


class ObjectiveFigures(NamedTuple):
    """Each a tensor [] without gradient, float64."""

    tokens: Tensor
    """Trained on."""
    gain: Tensor
    """Weighted sum of the clipped objective, without KL and scale; its negative is the policy's part of the loss."""
    kl: Tensor
    """Weighted sum of the estimate: with weights that sum to 1, its mean over the step."""
    clipped_low: Tensor
    """Tokens whose gradient the lower bound cut off."""
    clipped_high: Tensor
    """Those of the upper bound, the dual one included."""
    unusable: Tensor
    """Tokens to be trained on whose log-probabilities were not finite."""
    ratio_sum: Tensor
    ratio_low: Tensor
    """The least ratio; infinite where there is no token."""
    ratio_high: Tensor
    entropy: Tensor
    """Sum over the tokens; NaN where it was not given."""

    @classmethod
    def of(
        cls, *, gain: Tensor, kl: Tensor, ratio: Tensor, at_low: Tensor, at_high: Tensor, unusable: Tensor,
        entropy: Tensor | None,
    ) -> ObjectiveFigures:  # fmt: skip
        """From what each token [tokens] has."""
        wide = ratio.double()
        ends = wide.new_tensor([torch.inf]), wide.new_tensor([-torch.inf])
        return cls(
            tokens=wide.new_tensor(float(len(ratio))), gain=gain.double().sum(), kl=kl.double().sum(),
            clipped_low=at_low.double().sum(), clipped_high=at_high.double().sum(), unusable=unusable.double(),
            ratio_sum=wide.sum(),
            ratio_low=torch.cat((wide, ends[0])).min(), ratio_high=torch.cat((wide, ends[1])).max(),
            entropy=wide.new_tensor(torch.nan) if entropy is None else entropy.double().sum(),
        )  # fmt: skip

    def merged(self, other: ObjectiveFigures) -> ObjectiveFigures:
        """Of both."""
        added = ObjectiveFigures(*(a + b for a, b in zip(self, other, strict=True)))
        return added._replace(
            ratio_low=torch.minimum(self.ratio_low, other.ratio_low),
            ratio_high=torch.maximum(self.ratio_high, other.ratio_high),
        )

    def read(self) -> Mapping[str, float]:
        """As numbers: counts, shares of the tokens, means over them and extremes. What there is none of is left out."""
        number = float(self.tokens)
        found = {"tokens": number, "unusable_tokens": float(self.unusable)}
        if not number:
            return found
        found |= {"gain": float(self.gain), "kl": float(self.kl), "ratio_mean": float(self.ratio_sum) / number}
        found |= {"ratio_low": float(self.ratio_low), "ratio_high": float(self.ratio_high)}
        low, high = float(self.clipped_low) / number, float(self.clipped_high) / number
        found |= {"clipped_low_share": low, "clipped_high_share": high, "clipped_share": low + high}
        if not self.entropy.isnan():
            found["entropy"] = float(self.entropy) / number
        return found
