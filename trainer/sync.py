"""Weights from the learner to the sampler, each time with a proof.

Pause, gather the weights from all ranks, send them under a deadline, stamp the version, reset what the sampler kept of
the old ones (its `load` does that), then compare the log-probabilities of a fixed sequence under both, and go on.

Invariant: nothing is sampled between the old and the proved new weights; a sampler that does not agree with the learner
ends the run with the reason (tied embeddings that stay behind, names that were skipped); of many replicas each is
proved. Not covered: how an engine takes weights (`samplers`), which way they go (`stages.sending`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

import anyio
import torch
from torch import Tensor

from autoforge.mcp_envs.errors import AutoForgeError
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.samplers.replicas import replicas_of
from autoforge.trainer.samplers.sampler import Sampler, Weights

__all__ = ["Probe", "ProbeBatch", "SyncSettings", "gathered", "probe_batch", "proved", "synchronise"]

T = TypeVar("T")
InLearner = Callable[[Callable[[], T]], Awaitable[T]]
"""Runs something in the learner's thread, on every rank."""


class SyncSettings(NamedTuple):
    """How it is done and proved."""

    seconds: float = 300.0
    """For the transfer."""
    probe_tokens: int = 64
    tolerance: float = 0.05
    """Most that the mean absolute difference may be, in nats."""


class ProbeBatch(NamedTuple):
    """A sequence as the learner takes it."""

    ids: Tensor
    attention: Tensor
    trainable: Tensor


class Probe(NamedTuple):
    """What the fixed sequence showed."""

    difference: float
    """Mean absolute difference of the log-probabilities, in nats."""
    largest: float


def probe_batch(vocabulary: int, tokens: int) -> ProbeBatch:
    """The fixed sequence: the same ids for the same vocabulary."""
    dice = random.Random(f"probe/{vocabulary}")
    ids = torch.tensor([[dice.randrange(vocabulary) for _ in range(tokens)]])
    trainable = torch.ones_like(ids, dtype=torch.bool)
    trainable[:, 0] = False
    return ProbeBatch(ids, torch.ones_like(ids), trainable)


def gathered(learner: Learner, keep: bool) -> dict[str, Tensor]:
    """All weights on the CPU, under every name, where they are kept; every rank must call it."""
    found: dict[str, Tensor] = {}
    for piece in learner.weights():
        for weight in piece if keep else ():
            tensor = weight.tensor.to("cpu", copy=True)
            found |= dict.fromkeys((weight.name, *weight.aliases), tensor)
    return found


async def synchronise(
    sampler: Sampler, weights: Weights, logprobs: Sequence[float], batch: ProbeBatch, version: int,
    settings: SyncSettings,
) -> Probe:  # fmt: skip
    """Load and prove. `logprobs` are the learner's of the probe. Raises AutoForgeError where the deadline is missed, or
    sampler and learner do not agree."""

    async def deliver() -> Sequence[float]:
        await sampler.load(weights, version)
        return logprobs

    return await proved(sampler, deliver, batch, version, settings)


async def proved(
    sampler: Sampler, deliver: Callable[[], Awaitable[Sequence[float]]], batch: ProbeBatch, version: int,
    settings: SyncSettings,
) -> Probe:  # fmt: skip
    """In a pause, have the weights delivered and prove them. `deliver` ends when they are stamped and in use, and gives
    the learner's log-probabilities of the probe. Raises AutoForgeError as `synchronise` does. A delivery that waits for
    a thread misses the deadline only when the thread is done."""
    async with sampler.paused():
        try:
            with anyio.fail_after(settings.seconds):
                learned = await deliver()
        except TimeoutError:
            words = f"the weights of version {version} did not reach the sampler within {settings.seconds:g} s"
            raise AutoForgeError(f"{words}; raise sync.seconds, or look after the sampler.") from None
        ids = batch.ids[0].tolist()
        found = [_compared(await replica.logprobs(ids), learned) for replica in replicas_of(sampler)]
    worst = max(found, key=lambda probe: (not math.isfinite(probe.difference), probe.difference))
    if not worst.difference <= settings.tolerance:
        where = f" (replica {found.index(worst) + 1} of {len(found)})" if len(found) > 1 else ""
        words = (
            f"after the transfer of version {version} sampler{where} and learner differ by {worst.difference:.3g} nats"
        )
        raise AutoForgeError(
            f"{words} (at most {worst.largest:.3g} at one token, allowed {settings.tolerance:g}): the sampler does not"
            " have the weights that are trained; look for tied or fused weights that it did not take, or raise"
            " sync.probe_tolerance where its precision is lower."
        )
    return worst


def _compared(sampled: Sequence[float], learned: Sequence[float]) -> Probe:
    differences = [abs(a - b) for a, b in zip(sampled, learned, strict=True)]
    return Probe(math.fsum(differences) / len(differences), max(differences))
