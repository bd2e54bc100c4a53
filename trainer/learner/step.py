"""One step of the optimizer over micro-batches: the same numbers however rows are spread over them and over ranks.

The loss of each micro-batch is a sum that was divided by a normaliser of the whole step, so the losses of all
micro-batches and ranks add up to the step's. DeepSpeed would divide by the number of accumulated micro-batches and
averages over ranks; here nothing is divided by the former, and losses are multiplied by the latter. Invariant: every
rank runs as many passes as the one with most micro-batches, on empty ones where it has no more; a step without a
trainable id is left out on every rank. Not covered: what the loss is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, cast

import torch
from torch import Tensor

from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.learner.batch import Batch, fault_of, moved
from autoforge.trainer.learner.failures import enough_memory
from autoforge.trainer.learner.head import Scores
from autoforge.trainer.learner.ranks import Ranks

__all__ = ["Loss", "LossSum", "Plan", "Scoring", "StepReport", "plan_of", "scores", "train"]

B_contra = TypeVar("B_contra", bound=Batch, contravariant=True)
B = TypeVar("B", bound=Batch)


class LossSum(NamedTuple):
    """Of a micro-batch."""

    value: Tensor
    """[]: the micro-batch's part of the step's loss."""
    sums: Mapping[str, Tensor] = {}
    """[] each: figures that are added up over micro-batches and ranks; a mean is two of them."""


class Loss(Protocol[B_contra]):
    """What is minimised."""

    def __call__(self, logprobs: Tensor, entropy: Tensor | None, batch: B_contra, /) -> LossSum:
        """`logprobs` [rows, length − 1] are of ids[:, 1:], 0 where these are not trainable; `entropy` likewise, where
        it is asked for; the batch is on the learner's device."""
        ...


class StepReport(NamedTuple):
    """The same on every rank."""

    step: int
    """Steps of the optimizer until now, this one included."""
    skipped: bool
    """Whether nothing was trainable; then all figures are 0 and nothing changed."""
    loss: float
    gradient_norm: float
    """Before clipping."""
    learning_rate: float
    trained_ids: int
    passes: int
    """Forward passes of each rank."""
    sums: Mapping[str, float]


class Scoring(NamedTuple):
    """What is wanted of a pass."""

    temperature: float
    entropy: bool
    everywhere: bool = False
    """At every id, not at trainable ones only."""


class Plan(NamedTuple):
    """What all ranks do together."""

    passes: int
    trained_ids: int


def plan_of(batches: Sequence[Batch], vocabulary: int, ranks: Ranks) -> Plan:
    """Every rank must call it. Raises BadInput, on every rank, where a batch of any is bad."""
    faults = [(place, fault_of(batch, vocabulary)) for place, batch in enumerate(batches)]
    fault = next((f"micro-batch {place}: {words}" for place, words in faults if words), None)
    trained = 0 if fault else sum(int(batch.trainable.sum()) for batch in batches)
    heard = cast("list[tuple[str | None, int, int]]", ranks.gather((fault, len(batches), trained)))
    for rank, (words, _, _) in enumerate(heard):
        if words:
            raise BadInput(f"rank {rank}, {words}.")
    return Plan(max(passes for _, passes, _ in heard), sum(trained for _, _, trained in heard))


def train(engine: Any, ranks: Ranks, plan: Plan, batches: Sequence[B], loss: Loss[B], scoring: Scoring) -> StepReport:
    """One step. Raises AutoForgeError where memory runs out and where loss or gradients are not finite; then the
    weights are as before, and the learner is of no more use."""
    engine.train()
    values: list[Tensor] = []
    sums: dict[str, Tensor] = {}
    with enough_memory("training"):
        for place in range(plan.passes):
            engine.set_gradient_accumulation_boundary(place == plan.passes - 1)
            found = _passed(engine, ranks, batches[place] if place < len(batches) else None, loss, scoring)
            values.append(found.value.detach())
            for name, value in found.sums.items():
                sums[name] = sums.get(name, 0) + value.detach().double()
        total, added = _over_ranks(ranks, values, sums)
        _check_finite("loss", total, engine)
        rate = float(engine.get_lr()[0])
        norm = _update(engine)
    return StepReport(engine.global_steps, False, total, norm, rate, plan.trained_ids, plan.passes, added)


def scores(engine: Any, ranks: Ranks, batch: Batch | None, scoring: Scoring) -> Scores:
    """A pass over the batch, or over an empty one."""
    wanted = scoring.temperature, scoring.entropy
    if batch is None:
        ids = torch.zeros(1, 2, dtype=torch.int64, device=ranks.device)
        return cast(Scores, engine(ids, torch.ones_like(ids), ids[:, 1:].bool(), *wanted))
    chosen = batch.attention.bool() if scoring.everywhere else batch.trainable
    return cast(Scores, engine(batch.ids, batch.attention, chosen[:, 1:], *wanted))


def _passed(engine: Any, ranks: Ranks, batch: B | None, loss: Loss[B], scoring: Scoring) -> LossSum:
    """Forward and backward of one micro-batch."""
    batch = None if batch is None else moved(batch, ranks.device)
    scored = scores(engine, ranks, batch, scoring)
    found = LossSum(scored.logprobs.new_zeros(()))
    if batch is not None:
        found = loss(scored.logprobs, scored.entropy if scoring.entropy else None, batch)
    # Gradients flow through every output in every pass, if only zeros: under ZeRO-3 ranks that differ in which would
    # wait for each other for ever.
    value = found.value.float() + sum(output.flatten()[:0].sum() for output in scored)
    engine.backward(value * ranks.world, scale_wrt_gas=False)
    return found


def _over_ranks(ranks: Ranks, values: Sequence[Tensor], sums: Mapping[str, Tensor]) -> tuple[float, dict[str, float]]:
    own = float(torch.stack([value.double() for value in values]).sum()), {k: float(v) for k, v in sums.items()}
    heard = cast("list[tuple[float, dict[str, float]]]", ranks.gather(own))
    names = dict.fromkeys(name for _, told in heard for name in told)
    added = {name: math.fsum(told.get(name, 0.0) for _, told in heard) for name in names}
    return sum(value for value, _ in heard), added


def _update(engine: Any) -> float:
    """The optimizer's step; the norm of the gradient."""
    norm = None
    if not hasattr(engine.optimizer, "_global_grad_norm"):  # stage 0 in fp32 has torch's optimizer, and no norm
        gradients = [p.grad for p in engine.module.parameters() if p.grad is not None]
        norm = float(torch.nn.utils.get_total_norm(gradients))
        _check_finite("gradient norm", norm, engine)
    engine.step()
    if norm is None:
        norm = float(engine.get_global_grad_norm())
        _check_finite("gradient norm", norm, engine)
    return norm


def _check_finite(what: str, value: float, engine: Any) -> None:
    if not math.isfinite(value):
        raise AutoForgeError(
            f"the {what} after step {engine.global_steps} is {value}, and the weights were left as they are; look for"
            " log-probabilities that are not finite, lower learning_rate, and go on from the last checkpoint."
        )
