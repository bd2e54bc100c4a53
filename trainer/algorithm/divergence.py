"""Estimates of KL(π_θ ‖ π_old) from the tokens that were sampled, with d = log π_θ − log π_old of each.

| | value | over samples of π_θ | gradient as a loss |
|---|---|---|---|
| k1 | d | unbiased, may be negative | ∇ log π_θ, which is 0 on average: for figures, useless as a penalty |
| k2 | d² / 2 | biased, never negative | d · ∇ log π_θ, on average the gradient of KL(π_θ ‖ π_old) |
| k3 | e^(−d) − 1 + d | unbiased, never negative | (1 − π_old/π_θ) · ∇ log π_θ, on average that of KL(π_old ‖ π_θ) |

At π_θ = π_old the gradients of k2 and k3 are both 0 and agree to first order around it. The averages are over samples
of π_θ; samples of the step come from π_old, which is the same at its start only. Invariant: finite for finite input; d
beyond ±20 counts as ±20 and then has no gradient in k3. Not covered: the weight β (`objective`).
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

__all__ = ["LARGEST_LOG_RATIO", "bounded", "divergence"]

LARGEST_LOG_RATIO = 20.0
"""A ratio of e^20 is far outside any bound, and e^89 is no float32 any more."""


def bounded(log_ratio: Tensor) -> Tensor:
    """Within ±20, where its exponential is finite; there is no gradient beyond."""
    return log_ratio.clamp(-LARGEST_LOG_RATIO, LARGEST_LOG_RATIO)


def divergence(log_ratio: Tensor, estimator: Literal["k1", "k2", "k3"] = "k3") -> Tensor:
    """The estimate for each token, from log π_θ − log π_old, of the same shape."""
    if estimator == "k1":
        return log_ratio
    if estimator == "k2":
        return log_ratio.square() / 2
    within = bounded(log_ratio)
    return torch.expm1(-within) + within
