"""One step of the policy: log-probabilities of before, the plan over all ranks, micro-batches, the optimizer.

The old policy is the learner at the step's start. With one update and without dropout that is the learner in the pass
that is trained on, so no pass of its own is made for it.

Invariant: every rank calls it with the same work; a step in which nothing is to be learned changes nothing on any rank;
with and without a pass for the old policy, numbers are the same. Not covered: the algorithm (`erpo`), the engine
(`learner`), playing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import torch
from torch import Tensor

from autoforge.trainer.algorithm.credit import TurnGains
from autoforge.trainer.algorithm.erpo import StepPlan, StepRows, plan_step, step_loss
from autoforge.trainer.algorithm.erpo_settings import ErpoSettings
from autoforge.trainer.algorithm.mismatch import MismatchFigures, mismatch
from autoforge.trainer.algorithm.objective_figures import ObjectiveFigures
from autoforge.trainer.algorithm.selection import Contrast, contrasts
from autoforge.trainer.learner.batch import moved
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.step import LossSum, StepReport
from autoforge.trainer.ranks import Gather
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
    old = None if _one_pass(learner, work, settings) else [scores.logprobs for scores in learner.logprobs_of(flat)]
    plan = plan_step(outcomes_of(items), _step_rows(learner, items, rows, flat, old), settings.erpo, gather=gather)
    values = _plan_values(plan, settings.erpo, gather)
    environments = _environments(plan)
    if not plan.decision.trains:
        return PolicyStep(plan.decision.why, {**values, "updates": 0.0}, environments)
    done = _updates(learner, plan, batches, settings, gather, as_old=old is None)
    told = [plan.mismatch_figures, *done.mismatch]
    values |= _mismatch_values(reduce(MismatchFigures.merged, told), gather)
    return PolicyStep("", {**values, **_read(done.reports, done.figures, gather)}, environments)


def _one_pass(learner: Learner, work: StepWork, settings: StepSettings) -> bool:
    """Whether the pass that is trained on says what the old policy's would; the same on every rank. A mismatch of whole
    rollouts wants all their rows, which several micro-batches may hold."""
    lora = learner.settings.lora
    if settings.updates > 1 or (lora is not None and lora.dropout):
        return False
    if settings.erpo.mismatch.level in ("off", "token"):
        return True
    return all(len(rows_of([item.rollout])) < 2 for item in work.items if item.rollout is not None)


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
    learner: Learner, items: Sequence[WorkItem], rows: Sequence[RowOf], batches: Sequence[TokenBatch],
    old: Sequence[Tensor] | None,
) -> StepRows:  # fmt: skip
    """As the algorithm wants them: one entry for each id but the first of a row, all rows of the rank at one width, on
    the learner's device. Without `old` its log-probabilities are NaN until a micro-batch is passed."""
    old = [torch.full_like(batch.logprobs[:, 1:], math.nan) for batch in batches] if old is None else old
    width = max((batch.ids.shape[1] - 1 for batch in batches), default=1)
    made = StepRows(
        rollouts=torch.tensor([row.rollout for row in rows], dtype=torch.int64),
        mask=_joined([batch.trainable[:, 1:] for batch in batches], width, False),
        old_logprobs=_joined([part.cpu() for part in old], width, math.nan),
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


class _Done(NamedTuple):
    reports: list[StepReport]
    figures: list[ObjectiveFigures]
    mismatch: list[MismatchFigures]
    """Of the passes that stood for the old policy's."""


def _updates(
    learner: Learner, plan: StepPlan, parts: Sequence[Sequence[TokenBatch]], settings: StepSettings, gather: Gather,
    *, as_old: bool,
) -> _Done:  # fmt: skip
    """The optimizer's steps. What an update holds weighs a part of the step, so its loss is made as large as the whole;
    one that holds nothing is left out on every rank. With `as_old` each pass is the old policy's, too."""
    done = _Done([], [], [])
    divided = _policy_batches(parts)
    masses = [math.fsum(gather(_mass(plan, batches))) for batches in divided]
    for batches, mass in zip(divided, masses, strict=True):
        if not mass:
            continue
        scale = math.fsum(masses) / mass

        def loss(logprobs: Tensor, entropy: Tensor | None, batch: PolicyBatch, scale: float = scale) -> LossSum:
            if as_old:
                done.mismatch.append(_take_as_old(plan, logprobs.detach(), batch.places, settings.erpo))
            found = step_loss(logprobs, plan, batch.places, settings.erpo, scale=scale, entropy=entropy)
            done.figures.append(found.figures)
            return LossSum(found.loss)

        done.reports.append(learner.train_step(batches, loss, entropy=True))
    return done


def _take_as_old(plan: StepPlan, logprobs: Tensor, places: Tensor, settings: ErpoSettings) -> MismatchFigures:
    """Writes what the learner says of some rows into the plan, as the old policy's, and what follows from it."""
    rows, length = plan.rows, logprobs.shape[1]
    rows.old_logprobs[places, :length] = logprobs
    found = mismatch(
        rows.old_logprobs[places], rows.sampler_logprobs[places], plan.weights.mask[places], rows.rollouts[places],
        settings.mismatch,
    )  # fmt: skip
    plan.mismatch[places] = found.weights
    return found.figures


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
    found = Counter(contrasts(plan.groups, settings.selection).values())
    effective = sum(gather(int((plan.rollout_advantages.values != 0).sum())))
    return {
        "groups": float(found.total()),
        "contrast_share": found[Contrast.CONTRAST] / max(1, found.total()),
        "effective_batch": float(effective),
        **_mismatch_values(plan.mismatch_figures, gather),
    }


def _mismatch_values(own: MismatchFigures, gather: Gather) -> dict[str, float]:
    read = reduce(MismatchFigures.merged, gather(moved(own, _CPU))).read()
    names = {"mean_difference": "mismatch", "mismatch_kl": "mismatch_kl", "cut_share": "mismatch_cut_share"}
    return {name: read[key] for key, name in names.items() if key in read}


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
