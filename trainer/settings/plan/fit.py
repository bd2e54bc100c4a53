"""Whether what a run needs fits into its devices.

Invariant: every device that a run uses is here once, with all that lives on it. Not covered: what to change
(`advice`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from autoforge.trainer.settings.plan.learner_memory import LearnerMemory, learner_memory
from autoforge.trainer.settings.plan.sampler_memory import GIB, SamplerMemory, sampler_memory
from autoforge.trainer.settings.plan.shape import ModelShape
from autoforge.trainer.settings.plan.work import work_of
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["Device", "devices_of"]


class Device(NamedTuple):
    """Devices that hold the same."""

    name: str
    number: int
    parts: Mapping[str, float]
    """Bytes of each of them, by what they are for."""
    capacity: float
    """Bytes of each."""
    serves: bool
    """Whether the sampler, where it is here, has room for one conversation as long as the context."""

    @property
    def needed(self) -> float:
        return sum(self.parts.values())

    @property
    def fits(self) -> bool:
        return self.serves and self.needed <= self.capacity


def devices_of(settings: TrainerSettings, shape: ModelShape) -> list[Device]:
    """All devices of a run."""
    learner = _learner_parts(learner_memory(settings, shape))
    memory = sampler_memory(settings, shape, work_of(settings))
    sampler, serves = _sampler_parts(memory), memory.longest >= 1
    capacity, ranks = settings.assumptions.memory * GIB, settings.learner.ranks
    overhead = {"overhead": settings.assumptions.overhead * GIB}
    if settings.run.device == "cpu":
        every = {name: ranks * value for name, value in (learner | sampler).items()}
        return [Device("host", 1, every, capacity, serves)]
    if settings.sampler.placement == "shared":
        return [Device("GPU", ranks, learner | sampler | overhead, capacity, serves)]
    return [
        Device("learner's GPU", ranks, learner | overhead, capacity, True),
        Device("sampler's GPU", settings.sampler.gpus, sampler | overhead, capacity, serves),
    ]


def _learner_parts(memory: LearnerMemory) -> dict[str, float]:
    return {
        "learner: weights": memory.weights, "learner: whole layers of ZeRO 3": memory.gathered,
        "learner: gradients": memory.gradients, "learner: optimizer": memory.optimizer,
        "learner: activations": memory.activations, "learner: logits": memory.head,
    }  # fmt: skip


def _sampler_parts(memory: SamplerMemory) -> dict[str, float]:
    return {"sampler: weights": memory.weights, "sampler: cache": max(memory.cache, 0.0)}
