"""ERPO: policy optimization with advantages by environment (arXiv 2512.22857, §3.4), and its baselines by settings.

    A_ij = (R_ij − mean_j R_ij) / (std over all tasks and rollouts of the environment + eps)               `advantages`
    J = mean over tasks of the mean over rollouts of min(ρ A, clip(ρ) A) − β KL(π_θ ‖ π_old)                `objective`

Before the first micro-batch of a step `plan_step` makes all that depends on the whole step and on the other ranks; then
`step_loss` of each micro-batch is pure, and needs no other rank. Invariant: masked rollouts change nothing but their
number; every rank comes to the same decision; the losses of micro-batches and ranks sum to the loss of the step,
whatever their number. Not covered: who runs rollouts, how rows are made of them, the optimizer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.advantages import Advantages, advantages_among
from autoforge.trainer.algorithm.aggregation import RowWeights, engine_scale, row_weights
from autoforge.trainer.algorithm.credit import TurnGains, turn_advantages
from autoforge.trainer.algorithm.erpo_settings import METHODS, ErpoSettings
from autoforge.trainer.algorithm.mismatch import MismatchFigures, mismatch
from autoforge.trainer.algorithm.objective import Objective, Tokens, policy_loss
from autoforge.trainer.algorithm.outcomes import Group, Outcomes, group_tallies
from autoforge.trainer.algorithm.selection import Decision, decide
from autoforge.trainer.algorithm.tally import Tally
from autoforge.trainer.ranks import Gather, alone, gather_over

__all__ = [
    "METHODS", "ErpoSettings", "Gather", "Objective", "Outcomes", "StepPlan", "StepRows", "TurnGains",
    "contrast_needed", "engine_scale", "gather_over", "plan_step", "step_loss",
]  # fmt: skip


class StepRows(NamedTuple):
    """The rows that one rank trains on in a step, [rows, length] each where nothing else is said; there may be none."""

    rollouts: Tensor
    """[rows], int64: which entry of the outcomes each belongs to. The rows of a rollout are all on one rank."""
    mask: Tensor
    """bool: tokens that were sampled and are trained on."""
    old_logprobs: Tensor
    """Of the ids under the learner at the start of the step; anything, NaN included, where the mask is not set."""
    sampler_logprobs: Tensor
    """As the sampler gave them."""
    turns: TurnGains | None = None
    """For credit by turn."""


class StepPlan(NamedTuple):
    """What one rank's micro-batches need; rows in the order of `StepRows`."""

    decision: Decision
    """Where it does not train, no rank may call the learner."""
    rows: StepRows
    weights: RowWeights
    advantages: Tensor
    """[rows], or [rows, length] with credit by turn."""
    mismatch: Tensor
    """[rows, length]."""
    rollout_advantages: Advantages
    """Of the outcomes, with figures of each environment, the same on every rank."""
    groups: Mapping[Group, Tally]
    """Over all ranks."""
    mismatch_figures: MismatchFigures
    """Of this rank."""


def plan_step(outcomes: Outcomes, rows: StepRows, settings: ErpoSettings, *, gather: Gather = alone) -> StepPlan:
    """The plan of a step. `outcomes` are all completed rollouts of this rank, also of groups that are dropped from the
    loss: those have no rows. Every rank must call it. Raises BadInput for what does not fit together, on
    every rank where it is a reward or the shape of a mask on one."""
    groups = group_tallies(outcomes, gather)
    made = advantages_among(groups, outcomes, settings.advantage)
    weights = row_weights(rows.mask, rows.rollouts, outcomes, settings.objective, gather=gather)
    weighed = mismatch(rows.old_logprobs, rows.sampler_logprobs, weights.mask, rows.rollouts, settings.mismatch)
    return StepPlan(
        decision=decide(weights.totals, groups, contrast_needed=contrast_needed(settings)),
        rows=rows, weights=weights, advantages=_by_row(made.values, rows, weights, settings),
        mismatch=weighed.weights, rollout_advantages=made, groups=groups, mismatch_figures=weighed.figures,
    )  # fmt: skip


def step_loss(
    logprobs: Tensor, plan: StepPlan, places: Tensor, settings: ErpoSettings, *, scale: float = 1.0,
    entropy: Tensor | None = None,
) -> Objective:  # fmt: skip
    """The part of the step's loss that a micro-batch has. `places` [micro-batch], int64, says which rows of the plan it
    holds; `logprobs` [micro-batch, length] are theirs under π_θ, of the plan's length or shorter where the rest of
    these rows is not trained on; `entropy` has the same shape. `scale` is `engine_scale` for an engine that averages
    over micro-batches and ranks. Raises BadInput as `policy_loss` does, and for a trained token beyond the length."""
    tokens, weights = _micro_batch(logprobs, plan, places)
    return policy_loss(tokens._replace(entropy=entropy), weights, settings.objective, scale=scale)


def _micro_batch(logprobs: Tensor, plan: StepPlan, places: Tensor) -> tuple[Tokens, RowWeights]:
    rows, weights, length = plan.rows, plan.weights, logprobs.shape[-1]
    mask = weights.mask[places]
    if bool(mask[:, length:].any()):
        raise BadInput(f"a token beyond the {length} of the log-probabilities is trained on; give them all.")
    advantages = plan.advantages[places]
    tokens = Tokens(
        logprobs, rows.old_logprobs[places, :length], advantages if advantages.dim() == 1 else advantages[:, :length],
        rows.rollouts[places], plan.mismatch[places, :length],
    )  # fmt: skip
    return tokens, RowWeights(
        weights.token[places], mask[:, :length], weights.rollout_tokens[places], weights.totals
    )  # fmt: skip


def _by_row(values: Tensor, rows: StepRows, weights: RowWeights, settings: ErpoSettings) -> Tensor:
    own = values.to(rows.mask.device)[rows.rollouts]
    if not settings.credit.weight or not len(own):
        return own
    if rows.turns is None:
        raise BadInput("credit by turn has a weight, but rows say nothing of turns; give turns, or take weight 0.")
    return turn_advantages(own, rows.turns, weights.mask, rows.rollouts, settings.credit)


def contrast_needed(settings: ErpoSettings) -> bool:
    """Whether advantages alone move the policy, and they are 0 in a group whose rewards are equal."""
    return settings.advantage.baseline != "batch" and not settings.objective.kl_weight
