"""How long a step takes, from the throughput that `assumptions` states.

F is `teraflops`, B `bandwidth`; m are the matrix elements that a token is multiplied by, at 2 operations each.

- generation: with c sequences at a time a replica's step takes the longer of reading the weights that they touch and
  their caches (half the length on average) at sampler_share × B, and of 2·m·c operations at sampler_share × F, over the
  GPUs of the replica. Of E experts, c tokens that choose k each touch 1 − (1 − k/E)^c.
- reading: 2·m operations for each token that was not sampled.
- an episode: sampled tokens × seconds of a step + turns of the user × user_seconds + calls × call_seconds.
- rollouts: the longer of all replicas' work and of ⌈played / in_flight⌉ such episodes one after the other.
- training: each token forwards and backwards is 6·m + 6·layers·q·length operations (causal attention), a third more
  with checkpointing, and forwards once more for the old policy where a step has several updates or LoRA drops something
  out, at learner_share × F on each rank.
- sync: b·P / sync_bandwidth.
- step: the sum; where the sampler is apart and may be stale, the longer of rollouts and training, and the sync.

Invariant: more of any device never makes a step longer. Not covered: padding, imbalance, the judge (it overlaps).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from autoforge.trainer.settings.plan.learner_memory import bytes_of
from autoforge.trainer.settings.plan.sampler_memory import Replicas, replicas_of
from autoforge.trainer.settings.plan.shape import ModelShape
from autoforge.trainer.settings.plan.work import Work
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["Seconds", "seconds_of"]


class Seconds(NamedTuple):
    """Of one step."""

    token: float
    """Between two tokens of one sequence."""
    episode: float
    """Of one episode from beginning to end."""
    user: float
    """Of it, waiting for the user."""
    calls: float
    """Of it, tool calls."""
    sampling: float
    """Of the replicas, if nothing waited for anything."""
    rollouts: float
    training: float
    sync: float
    step: float


def seconds_of(settings: TrainerSettings, shape: ModelShape, work: Work) -> Seconds:
    """As assumed."""
    assumed, replicas = settings.assumptions, replicas_of(settings)
    token = _token(settings, shape, work, replicas)
    user = assumed.user_turns * assumed.user_seconds
    calls = max(0, work.turns - assumed.user_turns) * assumed.call_seconds
    episode = work.sampled * token + user + calls
    generated = work.sampled_tokens * token / (replicas.number * replicas.sequences)
    read = work.read_tokens * 2 * shape.multiplied / _speed(settings, replicas) / replicas.number
    rollouts = max(generated + read, math.ceil(work.played / settings.rollouts.in_flight) * episode)
    training = _training(settings, shape, work)
    sync = shape.parameters * bytes_of(settings) / (assumed.sync_bandwidth * 1e9)
    overlap = settings.sampler.placement == "apart" and settings.rollouts.max_staleness > 0
    step = (max if overlap else _sum)(rollouts, training) + sync
    return Seconds(token, episode, user, calls, generated + read, rollouts, training, sync, step)


def _sum(one: float, other: float) -> float:
    return one + other


def _speed(settings: TrainerSettings, replicas: Replicas) -> float:
    """Operations per second of one replica."""
    return settings.assumptions.teraflops * 1e12 * settings.assumptions.sampler_share * replicas.gpus


def _token(settings: TrainerSettings, shape: ModelShape, work: Work, replicas: Replicas) -> float:
    size, at_once = bytes_of(settings), replicas.sequences
    untouched = (1 - shape.chosen / shape.experts) ** at_once if shape.experts else 0.0
    idle = shape.sparse_layers * shape.experts * 3 * shape.hidden * shape.expert_intermediate * untouched
    moved = (shape.parameters - idle + at_once * shape.cached * work.length / 2) * size
    assumed = settings.assumptions
    reading = moved / (assumed.bandwidth * 1e9 * assumed.sampler_share * replicas.gpus)
    return max(reading, 2 * shape.multiplied * at_once / _speed(settings, replicas))


def _training(settings: TrainerSettings, shape: ModelShape, work: Work) -> float:
    forward = 2 * shape.multiplied + 2 * shape.layers * shape.query * work.length
    passes = 3 + (1 if settings.learner.checkpointing else 0) + (1 if _old_policy(settings) else 0)
    operations = passes * forward * work.trained_tokens
    assumed = settings.assumptions
    return operations / (assumed.teraflops * 1e12 * assumed.learner_share * settings.learner.ranks)


def _old_policy(settings: TrainerSettings) -> bool:
    lora = settings.learner.lora
    return settings.learner.updates > 1 or (lora is not None and lora.dropout > 0)
