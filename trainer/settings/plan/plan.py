"""The plan of a run: work, memory and seconds of a step, and what stands in its way.

Invariant: the same settings give the same plan, and whatever does not fit is said with what to change. Not covered:
drawing it (`text`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autoforge.trainer.settings.plan.advice import advice
from autoforge.trainer.settings.plan.fit import Device, devices_of
from autoforge.trainer.settings.plan.learner_memory import learner_memory, trained_parameters
from autoforge.trainer.settings.plan.sampler_memory import GIB, Replicas, SamplerMemory, replicas_of, sampler_memory
from autoforge.trainer.settings.plan.seconds import Seconds, seconds_of
from autoforge.trainer.settings.plan.shape import ModelShape, shape_of
from autoforge.trainer.settings.plan.tasks import EnvironmentTasks, task_problems, tasks_of
from autoforge.trainer.settings.plan.work import Work, work_of
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["Plan", "plan_of"]


@dataclass(frozen=True)
class Plan:
    """Estimates for one run."""

    settings: TrainerSettings
    shape: ModelShape
    trained: int
    """Parameters that are trained."""
    work: Work
    devices: list[Device]
    host: float
    """Bytes of an offloaded optimizer in the hosts' memory, all ranks together."""
    sampler: SamplerMemory
    replicas: Replicas
    seconds: Seconds
    tasks: list[EnvironmentTasks]
    problems: list[str]
    """What stands in the way, a sentence each."""
    notes: list[str]
    """What will be slower than it looks, a sentence each."""

    def record(self) -> dict[str, Any]:
        """As JSON; bytes and seconds."""
        shape = self.shape
        return {
            "settings": self.settings.model_dump(mode="json"),
            "model": {"parameters": shape.parameters, "active": shape.active, "trained": self.trained},
            "environments": [tasks._asdict() for tasks in self.tasks],
            "step": self.work._asdict()
            | {"sampled_tokens": self.work.sampled_tokens, "trained_tokens": self.work.trained_tokens},
            "devices": [{**device._asdict(), "needed": device.needed, "fits": device.fits} for device in self.devices],
            "host_bytes": self.host,
            "sampler": self.sampler._asdict() | {"replicas": self.replicas._asdict()},
            "seconds": self.seconds._asdict(),
            "problems": self.problems,
            "notes": self.notes,
        }


def plan_of(settings: TrainerSettings) -> Plan:
    """Raises BadInput where the sizes of the model are not known."""
    shape, work, tasks = shape_of(settings.model), work_of(settings), tasks_of(settings)
    devices, replicas = devices_of(settings, shape), replicas_of(settings)
    sampler = sampler_memory(settings, shape, work)
    return Plan(
        settings=settings, shape=shape, trained=trained_parameters(settings, shape), work=work, devices=devices,
        host=learner_memory(settings, shape).host * settings.learner.ranks, sampler=sampler, replicas=replicas,
        seconds=seconds_of(settings, shape, work), tasks=tasks,
        problems=[*_misfits(settings, shape, devices), *_short(work), *task_problems(settings, tasks)],
        notes=list(_notes(settings, sampler, replicas)),
    )  # fmt: skip


def _misfits(settings: TrainerSettings, shape: ModelShape, devices: list[Device]) -> list[str]:
    wrong = [_misfit(settings, device) for device in devices if not device.fits]
    return [f"{'. '.join(wrong)}: {advice(settings, shape)}."] if wrong else []


def _misfit(settings: TrainerSettings, device: Device) -> str:
    each = f"Each {device.name}" if device.number > 1 else f"The {device.name}"
    if device.needed > device.capacity:
        return f"{each} needs {device.needed / GIB:.1f} GiB and has {device.capacity / GIB:.1f}"
    context = settings.rollouts.policy.context
    return f"The sampler has no room for one conversation of {context} tokens beside its weights on a {device.name}"


def _short(work: Work) -> list[str]:
    if work.turns:
        return []
    return [
        "No turn fits into rollouts.policy.context after assumptions.opening_tokens: raise the one, or lower the other."
    ]


def _notes(settings: TrainerSettings, sampler: SamplerMemory, replicas: Replicas) -> list[str]:
    found = []
    served = replicas.number * replicas.sequences
    if served < settings.rollouts.in_flight:
        words = f"the sampler serves {served} of {settings.rollouts.in_flight} episodes in flight at a time"
        found.append(f"{words}: the others wait; raise sampler.sequences.")
    if 1 <= sampler.room < replicas.sequences:
        words = f"the cache of a replica has room for {sampler.room} episodes of the assumed length"
        found.append(f"{words}, and it serves {replicas.sequences}: the others wait or are computed again.")
    if settings.rollouts.in_flight < settings.erpo.selection.tasks * settings.rollouts.group:
        found.append("rollouts.in_flight is less than a batch: episodes of a step come in more than one wave.")
    return found
