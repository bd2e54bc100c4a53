"""The loss of a step: the clipped objective of equation 2 (arXiv 2512.22857, §3.4), its sign turned.

    loss = −Σ w · (v · min(ρ A, clip(ρ, 1 − low, 1 + high) A) − β · KL(π_θ ‖ π_old))

over the trained tokens, with w the weight of a token in the step (`aggregation`), v the weight for the mismatch of
sampler and learner (`mismatch`) and ρ = π_θ/π_old of the token or of its rollout. π_old is the learner at the start of
the step. Invariant: a token that is not trained on has gradient exactly 0, whatever stands there; the losses of
micro-batches and ranks sum to the loss of the step. Not covered: advantages, and which groups train.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.aggregation import RowWeights
from autoforge.trainer.algorithm.divergence import bounded, divergence
from autoforge.trainer.algorithm.erpo_settings import ObjectiveSettings
from autoforge.trainer.algorithm.objective_figures import ObjectiveFigures
from autoforge.trainer.algorithm.rows import Chosen, at_least_float32

__all__ = ["Objective", "Tokens", "policy_loss"]


class Tokens(NamedTuple):
    """Rows of a micro-batch, [rows, length] each where nothing else is said. Only `logprobs` gets a gradient."""

    logprobs: Tensor
    """Of the sampled ids under π_θ. Their gradient is 0 where nothing is trained; a model whose own log-probability
    there is NaN makes NaN of that 0 all the same."""
    old_logprobs: Tensor
    """Under π_old."""
    advantages: Tensor
    """[rows] or [rows, length]."""
    rollouts: Tensor
    """[rows], int64: equal where rows belong to the same rollout. With ratios of whole rollouts the rows of a rollout
    must be in one micro-batch."""
    mismatch: Tensor | None = None
    """Weights; None: 1 everywhere."""
    entropy: Tensor | None = None
    """Of π_θ at each token, for the figures."""


class Objective(NamedTuple):
    """Of a micro-batch."""

    loss: Tensor
    """[], with the gradient; 0 with a gradient of 0 where no token is trained on."""
    figures: ObjectiveFigures


def policy_loss(
    tokens: Tokens, weights: RowWeights, settings: ObjectiveSettings | None = None, *, scale: float = 1.0
) -> Objective:  # fmt: skip
    """The part of the step's loss that a micro-batch has, times `scale` (`engine_scale`, for engines that average).
    `weights` are the rows of this micro-batch. A trained token without finite log-probabilities adds nothing and is
    counted as unusable: where that number, over all ranks, is not 0, something is wrong with the data or the weights.
    Raises BadInput for shapes that do not fit, and for a rollout that is not whole where ratios are of whole
    rollouts."""
    settings = settings or ObjectiveSettings()
    _check_whole(tokens, weights, settings)
    finite = tokens.logprobs.detach().isfinite() & tokens.old_logprobs.isfinite()
    chosen = Chosen.of(weights.mask & finite, tokens.rollouts)
    difference = chosen.flat(at_least_float32(tokens.logprobs))
    difference = difference - chosen.flat(tokens.old_logprobs).detach().to(difference.dtype)
    weight = chosen.flat(weights.token).to(difference.dtype)
    clipped = _clipped(chosen, difference, tokens, settings)
    kl = divergence(difference, settings.kl_estimator)
    loss = -(weight * clipped.gain).sum()
    if settings.kl_weight:
        loss = loss + settings.kl_weight * (weight * kl).sum()
    unusable = (weights.mask & ~finite).sum()
    return Objective(loss * scale, _figures(chosen, clipped, weight, kl, unusable, tokens.entropy))


class _Clipped(NamedTuple):
    gain: Tensor
    ratio: Tensor
    at_low: Tensor
    at_high: Tensor


def _clipped(chosen: Chosen, difference: Tensor, tokens: Tokens, settings: ObjectiveSettings) -> _Clipped:
    """What each token gains, and where the clip cut its gradient off."""
    advantage = chosen.flat(tokens.advantages).detach().to(difference.dtype)
    ratio = bounded(_log_ratio(chosen, difference, settings)).exp()
    least, most = 1 - settings.clip_low, 1 + settings.clip_high
    gain = torch.minimum(ratio * advantage, ratio.clamp(least, most) * advantage)
    at_low, at_high = (advantage < 0) & (ratio < least), (advantage > 0) & (ratio > most)
    if settings.dual_clip is not None:
        gain = torch.where(advantage < 0, torch.maximum(gain, settings.dual_clip * advantage), gain)
        at_high = at_high | ((advantage < 0) & (ratio > settings.dual_clip))
    if tokens.mismatch is not None:
        gain = gain * chosen.flat(tokens.mismatch).detach().to(difference.dtype)
    return _Clipped(gain, ratio.detach(), at_low, at_high)


def _log_ratio(chosen: Chosen, difference: Tensor, settings: ObjectiveSettings) -> Tensor:
    if settings.ratio == "sequence":
        return chosen.means(difference)
    return chosen.sums(difference) if settings.ratio == "trajectory" else difference


def _check_whole(tokens: Tokens, weights: RowWeights, settings: ObjectiveSettings) -> None:
    shape = weights.mask.shape
    if tokens.logprobs.shape != shape or tokens.old_logprobs.shape != shape:
        raise BadInput(
            f"log-probabilities of shapes {tuple(tokens.logprobs.shape)} and {tuple(tokens.old_logprobs.shape)} do not"
            f" go with a mask of shape {tuple(shape)}; give one for each token."
        )
    if settings.ratio == "token":
        return
    chosen = Chosen.of(weights.mask, tokens.rollouts)
    here = chosen.sums(torch.ones_like(chosen.rows))
    if not torch.equal(here, chosen.flat(weights.rollout_tokens)):
        raise BadInput(
            f"a rollout's rows are in several micro-batches, but the ratio is of the whole {settings.ratio}; put them"
            " into one, or take ratio = token."
        )


def _figures(
    chosen: Chosen, clipped: _Clipped, weight: Tensor, kl: Tensor, unusable: Tensor, entropy: Tensor | None
) -> ObjectiveFigures:  # fmt: skip
    return ObjectiveFigures.of(
        gain=(weight * clipped.gain).detach(), kl=(weight * kl).detach(), ratio=clipped.ratio,
        at_low=clipped.at_low, at_high=clipped.at_high, unusable=unusable,
        entropy=None if entropy is None else chosen.flat(entropy).detach(),
    )  # fmt: skip
