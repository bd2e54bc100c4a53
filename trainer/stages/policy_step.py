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
from autoforge.trainer.learner.batch import moved
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.step import LossSum, StepReport
from autoforge.trainer.mismatch import MismatchFigures
from autoforge.trainer.objective_figures import ObjectiveFigures
from autoforge.trainer.ranks import Gather
from autoforge.trainer.selection import Contrast, contrasts
from autoforge.trainer.stages.work import StepWork, WorkItem, outcomes_of
from autoforge.trainer.tokens.batch import RowOf, TokenBatch, micro_batches, padded, rows_of

__all__ = ["PolicyStep", "StepSettings", "policy_step"]

_CPU = torch.device("cpu")


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
    parts = _parts(work, learner.ranks.rank, learner.ranks.world, settings)
    rows = [row for part in parts for rows in part for row in rows]
    batches = [[padded(rows, padding=0) for rows in part] for part in parts]
    flat = [batch for part in batches for batch in part]
    plan = plan_step(outcomes_of(items), _step_rows(learner, items, rows, flat), settings.erpo, gather=gather)
    values = _plan_values(plan, settings.erpo, gather)
    environments = _environments(plan)
    if not plan.decision.trains:
        return PolicyStep(plan.decision.why, {**values, "updates": 0.0}, environments)
    reports, figures = _updates(learner, plan, batches, settings, gather)
    return PolicyStep("", {**values, **_read(reports, figures, gather)}, environments)


def _parts(work: StepWork, rank: int, world: int, settings: StepSettings) -> list[list[list[RowOf]]]:
    """The rank's rows by update and micro-batch. Rollouts are divided among the updates by their place in the whole
    work, so that an update holds the same ones whatever the ranks and the size of micro-batches."""
    trained = [place for place, item in enumerate(work.items) if item.rollout is not None]
    update_of = {place: number * settings.updates // len(trained) for number, place in enumerate(trained)}
    parts = []
    for update in range(settings.updates):
        own = [place for place in trained if update_of[place] == update and place % world == rank]
        rollouts = [rollout for place in own if (rollout := work.items[place].rollout) is not None]
        rows = [row._replace(rollout=own[row.rollout] // world) for row in rows_of(rollouts)]
        parts.append(list(micro_batches(rows, settings.micro_batch_tokens)))
    return parts


def _step_rows(
    learner: Learner, items: Sequence[WorkItem], rows: Sequence[RowOf], batches: Sequence[TokenBatch]
) -> StepRows:
    """As the algorithm wants them: one entry for each id but the first of a row, all rows of the rank at one width, on
    the learner's device."""
    old = learner.logprobs_of(batches)
    width = max((batch.ids.shape[1] - 1 for batch in batches), default=1)
    made = StepRows(
        rollouts=torch.tensor([row.rollout for row in rows], dtype=torch.int64),
        mask=_joined([batch.trainable[:, 1:] for batch in batches], width, False),
        old_logprobs=_joined([scores.logprobs.cpu() for scores in old], width, math.nan),
        sampler_logprobs=_joined([batch.logprobs[:, 1:] for batch in batches], width, math.nan),
        turns=_turns(items, rows, width),
    )
    return moved(made, learner.ranks.device)


def _turns(items: Sequence[WorkItem], rows: Sequence[RowOf], width: int) -> TurnGains:
    """Which turn of the agent sampled each id, and what the turns gained."""
    turns = torch.zeros(len(rows), width, dtype=torch.int64)
    most = max((len(items[row.rollout].gains) for row in rows), default=1) or 1
    gains = torch.zeros(len(rows), most, dtype=torch.float64)
    for place, row in enumerate(rows):
        item = items[row.rollout]
        gains[place, : len(item.gains)] = torch.tensor(item.gains, dtype=torch.float64)
        numbers = _turn_numbers(item)
        for span in row.row.turns:
            turns[place, max(0, span.start - 1) : span.end - 1] = numbers[span.turn]
    return TurnGains(turns, gains)


def _turn_numbers(item: WorkItem) -> dict[int, int]:
    """The number of each turn of the agent, from 0, by its place in the trajectory; a rollout may have several rows."""
    places = sorted(span.turn for row in item.rollout.rows for span in row.turns) if item.rollout is not None else []
    return {place: number for number, place in enumerate(places)}


def _joined(parts: Sequence[Tensor], width: int, filling: float) -> Tensor:
    """[rows, width], each part filled up at its end."""
    if not parts:
        return torch.full((0, width), filling, dtype=torch.bool if filling is False else torch.float32)
    return torch.cat([torch.nn.functional.pad(part, (0, width - part.shape[1]), value=filling) for part in parts])


def _updates(
    learner: Learner, plan: StepPlan, parts: Sequence[Sequence[TokenBatch]], settings: StepSettings, gather: Gather
) -> tuple[list[StepReport], list[ObjectiveFigures]]:
    """The optimizer's steps. What an update holds weighs a part of the step, so its loss is made as large as the whole;
    one that holds nothing is left out on every rank."""
    figures: list[ObjectiveFigures] = []
    reports = []
    divided = _policy_batches(parts)
    masses = [math.fsum(gather(_mass(plan, batches))) for batches in divided]
    for batches, mass in zip(divided, masses, strict=True):
        if not mass:
            continue
        scale = math.fsum(masses) / mass

        def loss(logprobs: Tensor, entropy: Tensor | None, batch: PolicyBatch, scale: float = scale) -> LossSum:
            found = step_loss(logprobs, plan, batch.places, settings.erpo, scale=scale, entropy=entropy)
            figures.append(found.figures)
            return LossSum(found.loss)

        reports.append(learner.train_step(batches, loss, entropy=True))
    return reports, figures


def _mass(plan: StepPlan, batches: Sequence[PolicyBatch]) -> float:
    """What the tokens of micro-batches weigh together, on this rank."""
    weights = plan.weights
    own = [(weights.token[b.places][:, None] * weights.mask[b.places]).sum().item() for b in batches]
    return math.fsum(own)


def _policy_batches(parts: Sequence[Sequence[TokenBatch]]) -> list[list[PolicyBatch]]:
    found, first = [], 0
    for part in parts:
        batches = []
        for batch in part:
            places = torch.arange(first, first + len(batch.ids))
            batches.append(PolicyBatch(batch.ids, batch.attention, batch.trainable, places))
            first += len(batch.ids)
        found.append(batches)
    return found


# Figures.


def _plan_values(plan: StepPlan, settings: ErpoSettings, gather: Gather) -> dict[str, float]:
    told = gather(moved(plan.mismatch_figures, _CPU))
    read = reduce(MismatchFigures.merged, told).read()
    found = Counter(contrasts(plan.groups, settings.selection).values())
    names = {"mean_difference": "mismatch", "mismatch_kl": "mismatch_kl", "cut_share": "mismatch_cut_share"}
    effective = sum(gather(int((plan.rollout_advantages.values != 0).sum())))
    return {
        "groups": float(found.total()),
        "contrast_share": found[Contrast.CONTRAST] / max(1, found.total()),
        "effective_batch": float(effective),
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
    merged = moved(reduce(ObjectiveFigures.merged, figures), _CPU) if figures else None
    told = [one for one in gather(merged) if one is not None]
    read = dict(reduce(ObjectiveFigures.merged, told).read()) if told else {}
    read.pop("tokens", None)
    last = reports[-1]
    return {
        **read,
        "loss": sum(report.loss for report in reports) / len(reports),
        "gradient_norm": sum(report.gradient_norm for report in reports) / len(reports),
        "learning_rate": last.learning_rate,
        "updates": float(len(reports)),
        "trained_tokens": float(sum(report.trained_ids for report in reports)),
    }
