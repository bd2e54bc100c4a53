"""One step of the policy: log-probabilities of before, the plan over all ranks, micro-batches, the optimizer.

Invariant: every rank calls it with the same work; a step in which nothing is to be learned changes nothing on any rank.
Not covered: the algorithm (`erpo`), the engine (`learner`), playing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import torch
from torch import Tensor

from autoforge.trainer.credit import TurnGains
from autoforge.trainer.erpo import StepPlan, StepRows, plan_step, step_loss
from autoforge.trainer.erpo_settings import ErpoSettings
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.step import LossSum, StepReport
from autoforge.trainer.mismatch import MismatchFigures
from autoforge.trainer.objective_figures import ObjectiveFigures
from autoforge.trainer.ranks import Gather
from autoforge.trainer.selection import Contrast, contrasts
from autoforge.trainer.stages.work import StepWork, WorkItem, outcomes_of
from autoforge.trainer.tokens.batch import RowOf, TokenBatch, micro_batches, padded, rows_of

__all__ = ["PolicyStep", "StepSettings", "policy_step"]


class StepSettings(NamedTuple):
    """How a step is made."""

    erpo: ErpoSettings
    micro_batch_tokens: int
    updates: int = 1
    """Optimizer steps that the batch is divided into."""


class PolicyStep(NamedTuple):
    """What a step came to; the same on every rank."""

    skipped: str
    """Why nothing was learned; empty where something was."""
    values: dict[str, float]
    """By the names of `metrics.catalogue`."""
    environments: dict[str, dict[str, float]]


class PolicyBatch(NamedTuple):
    """A micro-batch."""

    ids: Tensor
    attention: Tensor
    trainable: Tensor
    places: Tensor
    """[rows] int64: which rows of the plan these are."""


def policy_step(learner: Learner, work: StepWork, settings: StepSettings, gather: Gather) -> PolicyStep:
    """Learn from the work. Raises BadInput and AutoForgeError as the learner does, on every rank."""
    items = work.share(learner.ranks.rank, learner.ranks.world)
    rollouts = [(place, item.rollout) for place, item in enumerate(items) if item.rollout is not None]
    rows = [row._replace(rollout=rollouts[row.rollout][0]) for row in rows_of([rollout for _, rollout in rollouts])]
    parts = list(micro_batches(rows, settings.micro_batch_tokens))
    batches = [padded(part, padding=0) for part in parts]
    ordered = [row for part in parts for row in part]
    plan = plan_step(outcomes_of(items), _step_rows(learner, items, ordered, batches), settings.erpo, gather=gather)
    values = _plan_values(plan, settings.erpo, gather)
    environments = _environments(plan)
    if not plan.decision.trains:
        return PolicyStep(plan.decision.why, {**values, "updates": 0.0}, environments)
    reports, figures = _updates(learner, plan, batches, settings)
    return PolicyStep("", {**values, **_read(reports, figures, gather)}, environments)


def _step_rows(
    learner: Learner, items: Sequence[WorkItem], rows: Sequence[RowOf], batches: Sequence[TokenBatch]
) -> StepRows:
    """As the algorithm wants them: one entry for each id but the first of a row, all rows of the rank at one width."""
    old = learner.logprobs_of(batches)
    width = max((batch.ids.shape[1] - 1 for batch in batches), default=1)
    rollouts = torch.tensor([row.rollout for row in rows], dtype=torch.int64)
    return StepRows(
        rollouts=rollouts,
        mask=_joined([batch.trainable[:, 1:] for batch in batches], width, False),
        old_logprobs=_joined([scores.logprobs.cpu() for scores in old], width, math.nan),
        sampler_logprobs=_joined([batch.logprobs[:, 1:] for batch in batches], width, math.nan),
        turns=_turns(items, rows, width),
    )


def _turns(items: Sequence[WorkItem], rows: Sequence[RowOf], width: int) -> TurnGains:
    """Which turn of the agent sampled each id, and what the turns gained."""
    turns = torch.zeros(len(rows), width, dtype=torch.int64)
    most = max((len(items[row.rollout].gains) for row in rows), default=1) or 1
    gains = torch.zeros(len(rows), most, dtype=torch.float64)
    begun: dict[int, int] = {}
    for place, row in enumerate(rows):
        own = items[row.rollout].gains
        gains[place, : len(own)] = torch.tensor(own, dtype=torch.float64)
        for span in row.row.turns:
            number = begun.get(row.rollout, 0)
            turns[place, max(0, span.start - 1) : span.end - 1] = number
            begun[row.rollout] = number + 1
    return TurnGains(turns, gains)


def _joined(parts: Sequence[Tensor], width: int, filling: float) -> Tensor:
    """[rows, width], each part filled up at its end."""
    if not parts:
        return torch.full((0, width), filling, dtype=torch.bool if filling is False else torch.float32)
    return torch.cat([torch.nn.functional.pad(part, (0, width - part.shape[1]), value=filling) for part in parts])


def _updates(
    learner: Learner, plan: StepPlan, batches: Sequence[TokenBatch], settings: StepSettings
) -> tuple[list[StepReport], list[ObjectiveFigures]]:
    """The optimizer's steps; each sees its part of the micro-batches, so its loss is made as large as the whole."""
    figures: list[ObjectiveFigures] = []

    def loss(logprobs: Tensor, entropy: Tensor | None, batch: PolicyBatch) -> LossSum:
        found = step_loss(logprobs, plan, batch.places, settings.erpo, scale=float(settings.updates), entropy=entropy)
        figures.append(found.figures)
        return LossSum(found.loss)

    own = _policy_batches(batches)
    parts = [own[place :: settings.updates] for place in range(settings.updates)]
    return [learner.train_step(part, loss, entropy=True) for part in parts], figures


def _policy_batches(batches: Sequence[TokenBatch]) -> list[PolicyBatch]:
    found, first = [], 0
    for batch in batches:
        places = torch.arange(first, first + len(batch.ids))
        found.append(PolicyBatch(batch.ids, batch.attention, batch.trainable, places))
        first += len(batch.ids)
    return found


# Figures.


def _plan_values(plan: StepPlan, settings: ErpoSettings, gather: Gather) -> dict[str, float]:
    told = [one for one in gather(plan.mismatch_figures) if one is not None]
    read = reduce(MismatchFigures.merged, told).read()
    found = Counter(contrasts(plan.groups, settings.selection).values())
    names = {"mean_difference": "mismatch", "mismatch_kl": "mismatch_kl", "cut_share": "mismatch_cut_share"}
    moved = sum(gather(int((plan.rollout_advantages.values != 0).sum())))
    return {
        "groups": float(found.total()),
        "contrast_share": found[Contrast.CONTRAST] / max(1, found.total()),
        "effective_batch": float(moved),
        **{name: read[key] for key, name in names.items() if key in read},
    }


def _environments(plan: StepPlan) -> dict[str, dict[str, float]]:
    return {
        name: {"reward_std": figures.std, "advantage_rms": figures.advantage_rms}
        for name, figures in plan.rollout_advantages.environments.items()
    }


def _read(
    reports: Sequence[StepReport], figures: Sequence[ObjectiveFigures], gather: Gather
) -> dict[str, float]:  # fmt: skip
    merged = reduce(ObjectiveFigures.merged, figures) if figures else None
    told = [one for one in gather(merged) if one is not None]
    read = dict(reduce(ObjectiveFigures.merged, told).read()) if told else {}
    read.pop("tokens", None)
    last = reports[-1]
    return {
        **read,
        "loss": sum(report.loss for report in reports) / len(reports),
        "gradient_norm": sum(report.gradient_norm for report in reports) / len(reports),
        "learning_rate": last.learning_rate,
        "updates": float(sum(not report.skipped for report in reports)),
        "trained_tokens": float(sum(report.trained_ids for report in reports)),
    }
