"""Which settings to change where a run does not fit.

Each change is tried on the plan itself. Invariant: what is advised makes the run fit, by the same estimate, and holds
together; where nothing that is tried does, that is said. Not covered: what a change costs in time (the plan says it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pydantic import BaseModel

from autoforge.trainer.settings.consistency import disagreements
from autoforge.trainer.settings.plan.fit import devices_of
from autoforge.trainer.settings.plan.sampler_memory import reserves
from autoforge.trainer.settings.plan.shape import ModelShape
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.settings.toml_text import literal

__all__ = ["Change", "advice", "changed"]

Change: TypeAlias = Mapping[str, Any]
"""New values by dotted key."""
_MOST = 3
"""Alternatives that are named."""
_SHARES = (0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)


def advice(settings: TrainerSettings, shape: ModelShape) -> str:
    """In words, as a sentence that follows what does not fit."""
    alone = [c for c in (*_changes(settings), *_shares(settings)) if _fits(changed(settings, c), shape)]
    if alone:
        return "set " + ", or ".join(map(_words, alone[:_MOST]))
    for share in ({}, *_shares(settings)):
        together = _together(settings, share, shape)
        if together is not None:
            return "set " + _words(_needed(settings, together, shape))
    return "take a smaller model, or GPUs with more memory (assumptions.memory): no setting here is enough"


def _together(settings: TrainerSettings, first: Change, shape: ModelShape) -> Change | None:
    """As many of the changes after one another as it takes; None where all are not enough."""
    together = dict(first)
    for change in _changes(settings):
        stage = max(together.get("learner.zero", 0), change.get("learner.zero", 0))
        together |= {**change, **({"learner.zero": stage} if stage else {})}
        if _fits(changed(settings, together), shape):
            return together
    return None


def changed(settings: TrainerSettings, change: Change) -> TrainerSettings:
    """The settings with other values."""
    for key, value in change.items():
        settings = _with(settings, key.split("."), value)
    return settings


def _with(table: Any, names: Sequence[str], value: Any) -> Any:
    assert isinstance(table, BaseModel)
    inner = value if len(names) == 1 else _with(getattr(table, names[0]), names[1:], value)
    return table.model_copy(update={names[0]: inner})


def _fits(settings: TrainerSettings, shape: ModelShape) -> bool:
    return all(device.fits for device in devices_of(settings, shape)) and not any(disagreements(settings))


def _needed(settings: TrainerSettings, change: Change, shape: ModelShape) -> Change:
    """Without what is not needed."""
    for key in list(change):
        fewer = {name: value for name, value in change.items() if name != key}
        if _fits(changed(settings, fewer), shape):
            change = fewer
    return change


def _words(change: Change) -> str:
    return " and ".join(f"{key}={literal(value)}" for key, value in change.items())


def _changes(settings: TrainerSettings) -> Iterator[Change]:
    """What may be changed, the cheapest first."""
    learner, cuda = settings.learner, settings.run.device == "cuda"
    if not learner.checkpointing:
        yield {"learner.checkpointing": True}
    context = settings.rollouts.policy.context
    if learner.micro_batch_tokens > context:
        yield {"learner.micro_batch_tokens": context}
    if learner.ranks > 1:
        yield from ({"learner.zero": stage} for stage in range(learner.zero + 1, 4))
    yield from _sampler_changes(settings)
    if cuda and not learner.offload:
        yield {"learner.offload": True, **({"learner.zero": 1} if learner.zero == 0 else {})}
    for times in (2, 4):
        yield {"learner.ranks": learner.ranks * times, "learner.zero": 3}
    for part in (2, 4):
        yield _shorter(settings, context // part)


def _sampler_changes(settings: TrainerSettings) -> Iterator[Change]:
    sampler = settings.sampler
    if sampler.engine == "torch":
        yield from ({"sampler.sequences": sampler.sequences // part} for part in (2, 4, 8) if sampler.sequences >= part)
        return
    if settings.run.device == "cpu" or sampler.placement == "shared":
        return
    if sampler.memory_share < 0.9:
        yield {"sampler.memory_share": 0.9}
    for times in (2, 4, 8):
        parallel = sampler.tensor_parallel * times
        yield {"sampler.tensor_parallel": parallel, **({"sampler.gpus": parallel} if sampler.gpus % parallel else {})}


def _shares(settings: TrainerSettings) -> Iterator[Change]:
    """Other shares for a vLLM that lives on the learner's GPUs."""
    if settings.sampler.placement == "shared" and reserves(settings):
        yield from ({"sampler.memory_share": share} for share in _SHARES if share != settings.sampler.memory_share)


def _shorter(settings: TrainerSettings, context: int) -> Change:
    policy = settings.rollouts.policy
    change = {"rollouts.policy.context": context, "learner.micro_batch_tokens": context}
    return change | ({"rollouts.policy.max_tokens": context} if policy.max_tokens > context else {})
