"""Settings that nothing would heed beside the others: refused where a person wrote them.

Invariant: a value of a preset that does not matter is passed over, one that was written is not. Not covered: values
that contradict each other (`consistency`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["Fault", "idle_keys", "unheeded"]


class Fault(NamedTuple):
    """What is wrong with one key."""

    key: str
    words: str
    """To be put behind the key."""


def unheeded(settings: TrainerSettings, given: Collection[str]) -> Iterator[Fault]:
    """Those among the `given` dotted keys that nothing heeds, and why."""
    for key, why in _idle(settings):
        for name in sorted(given):
            if name == key or name.startswith(key + "."):
                yield Fault(name, f"would not be heeded: {why}; leave it out.")


def idle_keys(settings: TrainerSettings) -> frozenset[str]:
    """The dotted keys, of settings or of whole tables, that do not matter beside the rest."""
    return frozenset(key for key, _ in _idle(settings))


def _idle(settings: TrainerSettings) -> Iterator[Fault]:
    """Keys that do not matter beside the rest, and why."""
    yield from _idle_world(settings)
    yield from _idle_sampling(settings)
    yield from _idle_learning(settings)


def _idle_world(settings: TrainerSettings) -> Iterator[Fault]:
    user, judge = settings.user.model, settings.judge.model
    if not user.startswith("openai:"):
        yield Fault("user.base_url", f"it is for a model of openai:, and user.model is {user!r}")
    if not judge.startswith("openai:"):
        yield Fault("judge.base_url", f"it is for a model of openai:, and judge.model is {judge!r}")
    if user != "scripted":
        yield Fault("user.errors", f"the user errs on purpose where it is scripted, and user.model is {user!r}")
    if ":" not in user and ":" not in judge:
        yield Fault("user.max_cost", "neither user nor judge is a model that costs anything")
    if judge == "none":
        yield Fault("judge.mask", "nobody looks for errors where judge.model is 'none'")
    if not settings.environments.evaluate_tasks:
        yield Fault("environments.evaluate_every", "environments.evaluate_tasks is 0")
        yield Fault("environments.evaluate_split", "environments.evaluate_tasks is 0")
        yield Fault("environments.unseen", "environments.evaluate_tasks is 0, and these are only measured on")
    if settings.model.config is not None and (Path(settings.model.path) / "config.json").is_file():
        yield Fault("model.config", f"{settings.model.path} has a config.json of its own")


def _idle_sampling(settings: TrainerSettings) -> Iterator[Fault]:
    engine, cpu = settings.sampler.engine, settings.run.device == "cpu"
    if engine == "torch":
        yield Fault("sampler.tensor_parallel", "only vLLM shares one copy of the weights among GPUs")
        yield Fault("sampler.memory_share", "only vLLM takes its memory in advance")
    if cpu:
        yield Fault("sampler.memory_share", "run.device is 'cpu'")
        yield Fault("assumptions.overhead", "run.device is 'cpu'")
    if settings.sampler.placement == "shared" or cpu:
        yield Fault("sampler.gpus", "the sampler is on the learner's devices (sampler.placement, run.device)")
    if engine != "vllm-server":
        yield Fault("sampler.urls", f"they are for the engine 'vllm-server', and sampler.engine is {engine!r}")
    if engine == "vllm-server":
        yield Fault("sampler.memory_share", "a server that runs already has taken its memory")
    if settings.run.steps == 0:
        for name in ("rollouts.group", "rollouts.max_staleness", "learner.updates", "sync", "erpo"):
            yield Fault(name, "run.steps is 0: there is a cold start alone")


def _idle_learning(settings: TrainerSettings) -> Iterator[Fault]:
    if settings.cold_start.source == "none":
        for name in ("files", "thoughts", "reward", "steps", "rows", "learning_rate", "warmup"):
            yield Fault(f"cold_start.{name}", "cold_start.source is 'none'")
    if settings.cold_start.source in ("gold", "hasty"):
        yield Fault("cold_start.files", f"cold_start.source is {settings.cold_start.source!r}")
    if settings.cold_start.source == "trajectories":
        yield Fault("cold_start.thoughts", "the episodes of files are taken as they are")
    objective, mismatch = settings.erpo.objective, settings.erpo.mismatch
    if not objective.kl_weight:
        yield Fault("erpo.objective.kl_estimator", "erpo.objective.kl_weight is 0")
    if mismatch.level == "off":
        for name in ("mode", "low", "high"):
            yield Fault(f"erpo.mismatch.{name}", "erpo.mismatch.level is 'off'")
    if settings.erpo.advantage.scale == "none":
        for name in ("std_over", "std_about", "ddof", "eps"):
            yield Fault(f"erpo.advantage.{name}", "erpo.advantage.scale is 'none'")
