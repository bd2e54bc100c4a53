"""Weights from the learner to the sampler, each time with a proof.

Pause, gather the weights from all ranks, send them under a deadline, stamp the version, reset what the sampler kept of
the old ones (its `load` does that), then compare the log-probabilities of a fixed sequence under both, and go on.

Invariant: nothing is sampled between the old and the proved new weights; a sampler that does not agree with the learner
ends the run with the reason (tied embeddings that stay behind, names that were skipped). Not covered: how an engine
takes weights (`samplers`), vLLM's transfer over NCCL.
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
from autoforge.trainer.samplers.sampler import Sampler

__all__ = ["Probe", "SyncSettings", "gathered", "probe_batch", "synchronise"]

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
    sampler: Sampler, weights: dict[str, Tensor], logprobs: Sequence[float], batch: ProbeBatch, version: int,
    settings: SyncSettings,
) -> Probe:  # fmt: skip
    """Send and prove. `logprobs` are the learner's of the probe. Raises AutoForgeError where the deadline is missed, or
    sampler and learner do not agree."""
    async with sampler.paused():
        try:
            with anyio.fail_after(settings.seconds):
                await sampler.load(weights, version)
        except TimeoutError:
            words = f"the weights of version {version} did not reach the sampler within {settings.seconds:g} s"
            raise AutoForgeError(f"{words}; raise sync.seconds, or look after the sampler.") from None
        found = _compared(await sampler.logprobs(batch.ids[0].tolist()), logprobs)
    if not found.difference <= settings.tolerance:
        words = f"after the transfer of version {version} sampler and learner differ by {found.difference:.3g} nats"
        raise AutoForgeError(
            f"{words} (at most {found.largest:.3g} at one token, allowed {settings.tolerance:g}): the sampler does not"
            " have the weights that are trained; look for tied or fused weights that it did not take, or raise"
            " sync.probe_tolerance where its precision is lower."
        )
    return found


def _compared(sampled: Sequence[float], learned: Sequence[float]) -> Probe:
    differences = [abs(a - b) for a, b in zip(sampled, learned, strict=True)]
    return Probe(math.fsum(differences) / len(differences), max(differences))
