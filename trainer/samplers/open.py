"""The sampler that the settings ask for.

Invariant: it begins with the weights of the model's folder, or of whatever a server has, and nothing may be sampled
before the learner's were sent (`stages.sending`). Not covered: what cannot be run (`run`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autoforge.trainer.samplers.replicas import Replicas
from autoforge.trainer.samplers.sampler import Sampler
from autoforge.trainer.samplers.torch_sampler import TorchSampler
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings
from autoforge.trainer.samplers.vllm_engine import VllmEngineSampler
from autoforge.trainer.samplers.vllm_engine_parts import VllmEngineSettings
from autoforge.trainer.samplers.vllm_server import VllmServerSampler, VllmServerSettings
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["open_sampler"]


def open_sampler(settings: TrainerSettings, model: Path, *, stop_ids: Sequence[int], version: int) -> Sampler:
    """Not entered yet. Raises BadInput."""
    if settings.sampler.engine == "vllm":
        return VllmEngineSampler.open(model, _engine(settings), stop_ids=stop_ids, version=version)
    if settings.sampler.engine == "vllm-server":
        each = [_server(settings, url) for url in settings.sampler.urls]
        return Replicas([VllmServerSampler(one, stop_ids=stop_ids, version=version) for one in each])
    return TorchSampler.open(model, _torch(settings), stop_ids=stop_ids, version=version)


def _torch(settings: TrainerSettings) -> TorchSamplerSettings:
    own, context = settings.sampler, settings.rollouts.policy.context
    most: int = TorchSamplerSettings.model_fields["tokens"].default
    return TorchSamplerSettings(
        temperature=own.temperature, sequences=own.sequences, device=settings.run.device,
        dtype="bfloat16" if settings.model.precision == "bf16" else "float32",
        context=context, tokens=min(most, own.sequences * context),  # not more than the plan of memory has
    )  # fmt: skip


def _engine(settings: TrainerSettings) -> VllmEngineSettings:
    own = settings.sampler
    return VllmEngineSettings(
        temperature=own.temperature, sequences=own.sequences, memory_share=own.memory_share,
        dtype="bfloat16" if settings.model.precision == "bf16" else "float32",
        context=settings.rollouts.policy.context, eager=settings.run.device == "cpu",
    )  # fmt: skip


def _server(settings: TrainerSettings, url: str) -> VllmServerSettings:
    own = settings.sampler
    patience = 0.9 * settings.sync.seconds  # so that the server's own words are told before the deadline is missed
    return VllmServerSettings(
        url=url.rstrip("/").removesuffix("/v1"), temperature=own.temperature, connections=own.sequences,
        seconds=settings.rollouts.policy.sample_seconds, load_seconds=patience,
    )  # fmt: skip
