"""Settings of what samples: the engine, the episodes that it serves, and how it gets the weights.

Invariant: what an episode may be (`limits`, `policy`) has the gym's own names and defaults. Not covered: the algorithm
(`trainer.algorithm.erpo_settings`), the learner (`learning`).
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from autoforge.gym.agents.policy import PolicySettings
from autoforge.gym.environment import EpisodeLimits
from autoforge.trainer.settings.section import Section

__all__ = ["RolloutsSettings", "SamplerSettings", "SyncSettings"]


class SamplerSettings(Section):
    """What samples from the policy."""

    engine: Literal["torch", "vllm", "vllm-server"] = "torch"
    """`torch`: on the first rank's device, nothing else needed; `vllm`: the same with vLLM, beside a single rank;
    `vllm-server`: servers that run already (`vllm serve`; how they are started, `trainer/samplers/vllm_server.py`
    says)."""
    placement: Literal["shared", "apart"] = "shared"
    """Whether the sampler lives on the learner's GPUs or on its own; on its own it is `vllm-server`."""
    gpus: int = Field(default=1, ge=1)
    """GPUs of the sampler, all replicas together, where it is apart."""
    tensor_parallel: int = Field(default=1, ge=1)
    """GPUs that share one copy of the weights; vLLM only."""
    sequences: int = Field(default=64, ge=1)
    """Most sequences that one replica generates at a time."""
    memory_share: float = Field(default=0.9, gt=0, lt=1)
    """Share of a GPU's memory that vLLM takes, weights included."""
    temperature: float = Field(default=1.0, gt=0)
    """Of sampling; log-probabilities are taken after it."""
    urls: tuple[str, ...] = ()
    """Base URLs of the servers of `vllm-server`, one a replica; turns go to the least busy."""


class RolloutsSettings(Section):
    """The episodes of a step; of how many tasks, `erpo.selection` says."""

    group: int = Field(default=8, ge=2)
    """Rollouts of each task."""
    in_flight: int = Field(default=64, ge=1)
    """Episodes that are played at a time."""
    max_staleness: int = Field(default=1, ge=0)
    """Most steps by which the weights that sampled a token may be older than those that are trained; 0: sampling waits
    for the learner."""
    seconds: float = Field(default=1800.0, gt=0)
    """For one episode, waiting for the sampler included; a slower one is played anew."""
    attempts: int = Field(default=3, ge=1)
    """How often an episode is tried that fails by no fault of the policy."""
    limits: EpisodeLimits = EpisodeLimits()
    """How long an episode may become."""
    policy: PolicySettings = PolicySettings()
    """How long turns and conversations of the policy may become."""


class SyncSettings(Section):
    """How weights get from the learner to the sampler, and how each time is proved."""

    way: Literal["auto", "memory", "nccl", "reload"] = "auto"
    """`memory`: within one process; `nccl`: vLLM's native transfer from GPU to GPU, which needs vLLM beside the learner
    and has not been run on GPUs yet; `reload`: by a checkpoint in the run's folder, which servers must see under the
    same path; `auto`: `memory` where it can be, else `reload`."""
    seconds: float = Field(default=300.0, gt=0)
    """Deadline of one transfer; then the run stops with the reason."""
    probe_tokens: int = Field(default=64, ge=2)
    """Length of the fixed sequence whose log-probabilities sampler and learner must agree on after each transfer."""
    probe_tolerance: float = Field(default=0.05, gt=0)
    """Most that their mean absolute difference may be, in nats."""
