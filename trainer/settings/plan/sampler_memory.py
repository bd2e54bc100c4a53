"""Memory of one GPU of the sampler, in bytes.

Weights: b·P / tensor_parallel. Cache of keys and values: 2 × layers × kv_heads × head_dim × b for each token of each
episode that is being played, divided by tensor_parallel as far as there are heads. vLLM takes `memory_share` of the GPU
in advance, and its cache has what weights and overhead leave of that; torch takes what the episodes need. Invariant:
`room` episodes of the assumed length have their cache at the same time. Not covered: servers that run already have the
same estimate, from their GPUs as `assumptions` has them.
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.trainer.settings.plan.learner_memory import bytes_of
from autoforge.trainer.settings.plan.shape import ModelShape
from autoforge.trainer.settings.plan.work import Work
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["GIB", "Replicas", "SamplerMemory", "replicas_of", "reserves", "sampler_memory"]

GIB = 1 << 30


class Replicas(NamedTuple):
    """Copies of the model that sample."""

    number: int
    gpus: int
    """Of each."""
    sequences: int
    """Episodes that one serves at a time."""


class SamplerMemory(NamedTuple):
    """Bytes on one device."""

    weights: float
    cache_token: float
    """For one token of one episode."""
    cache: float
    """What is set aside for, or taken by, keys and values; negative where the weights leave nothing."""
    wanted: float
    """What the episodes in flight want at their assumed length."""
    room: int
    """Episodes of the assumed length."""
    longest: int
    """Episodes as long as the context."""

    @property
    def total(self) -> float:
        """Without overhead."""
        return self.weights + max(self.cache, 0.0)


def replicas_of(settings: TrainerSettings) -> Replicas:
    """Of the sampler."""
    sampler = settings.sampler
    own = sampler.placement == "apart" and settings.run.device == "cuda"
    gpus = sampler.gpus if own else settings.learner.ranks
    each = sampler.tensor_parallel if sampler.engine != "torch" else 1
    number = max(1, gpus // each)
    return Replicas(number, each, min(sampler.sequences, -(-settings.rollouts.in_flight // number)))


def sampler_memory(settings: TrainerSettings, shape: ModelShape, work: Work) -> SamplerMemory:
    """Of one GPU; of one process on a CPU."""
    size, replicas = bytes_of(settings), replicas_of(settings)
    weights = shape.parameters * size / replicas.gpus
    token = shape.cached * size / min(replicas.gpus, shape.kv_heads)
    wanted = replicas.sequences * work.length * token
    cache = replicas.sequences * settings.rollouts.policy.context * token
    if reserves(settings):
        assumed = settings.assumptions
        cache = (settings.sampler.memory_share * assumed.memory - assumed.overhead) * GIB - weights
    room, longest = (
        max(0, int(cache // (length * token))) for length in (work.length, settings.rollouts.policy.context)
    )
    return SamplerMemory(weights, token, cache, wanted, room, longest)


def reserves(settings: TrainerSettings) -> bool:
    """Whether the sampler takes its memory in advance."""
    return settings.sampler.engine != "torch" and settings.run.device == "cuda"
