"""The DeepSpeed engine: its configuration, optimizer and learning rate.

Invariant: the engine never divides a gradient by anything but the number of ranks; what a step accumulates is decided
by the caller (`step`). Not covered: batches, checkpoints.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

from autoforge.trainer.learner.model import full_shape
from autoforge.trainer.learner.ranks import Ranks
from autoforge.trainer.learner.settings import LearnerSettings

__all__ = ["engine_config", "prepare", "start"]

_MOST_BUCKET = 200_000_000
"""Elements of gradients that are reduced at a time."""


def prepare(ranks: Ranks) -> None:
    """Before the first model: DeepSpeed takes its accelerator from the environment at its first import, and this rank's
    place on its host whenever it wants."""
    os.environ.setdefault("LOCAL_RANK", str(ranks.local))
    if ranks.device.type == "cpu":
        os.environ.setdefault("DS_ACCELERATOR", "cpu")
    deepspeed: Any = import_module("deepspeed")
    if ranks.device.type == "cpu":
        # An all-reduce that inference alone uses, and that takes a compiler and a minute to build.
        import_module("deepspeed.ops").__compatible_ops__["deepspeed_shm_comm"] = False
    deepspeed.init_distributed(dist_backend=torch.distributed.get_backend(), verbose=False)


def engine_config(settings: LearnerSettings, ranks: Ranks, parameters: int = _MOST_BUCKET) -> dict[str, Any]:
    """DeepSpeed's configuration for a model with so many parameters."""
    half = ranks.dtype == torch.bfloat16
    bucket = max(1, min(_MOST_BUCKET, parameters))
    zero: dict[str, Any] = {
        "stage": settings.zero_stage,
        "reduce_bucket_size": bucket,
        "allgather_bucket_size": bucket,
    }
    if settings.zero_stage == 3:
        zero["stage3_param_persistence_threshold"] = settings.whole_below
    if settings.offload and settings.zero_stage:
        zero["offload_optimizer"] = {"device": "cpu", "pin_memory": ranks.device.type == "cuda"}
    return {
        "train_micro_batch_size_per_gpu": 1,
        "gradient_accumulation_steps": 1,
        "gradient_clipping": settings.gradient_clip,
        "steps_per_print": 2**31,
        # A step with gradients that are not finite is left out, as in fp32.
        "bf16": {"enabled": half, "check_grad_overflow": half},
        # For fp32 sums of bf16 gradients stage 0 has nothing, and stage 1 an optimizer that loses them (0.19.8).
        "data_types": {"grad_accum_dtype": "bf16" if half and settings.zero_stage < 2 else "fp32"},
        # torch's AdamW is taken for offloaded states, too: DeepSpeed's own wants a compiler on the host.
        "zero_force_ds_cpu_optimizer": False,
        "zero_optimization": zero,
    }


def start(settings: LearnerSettings, ranks: Ranks, policy: nn.Module) -> Any:
    """The engine over the module, which it takes over."""
    trained = [parameter for parameter in policy.parameters() if parameter.requires_grad]
    number = sum(full_shape(parameter).numel() for parameter in trained)
    engine, *_ = import_module("deepspeed").initialize(
        model=policy,
        optimizer=_optimizer(trained, settings, ranks),
        lr_scheduler=lambda optimizer: LambdaLR(optimizer, _Warmup(settings.warmup_steps)),
        config=engine_config(settings, ranks, number),
    )
    torch.manual_seed(settings.seed * 1_000_003 + ranks.rank)
    return engine


class _Warmup:
    """The share of the learning rate at a step, counted from 0."""

    def __init__(self, steps: int) -> None:
        self._steps = steps

    def __call__(self, step: int) -> float:
        return min(1.0, (step + 1) / self._steps) if self._steps else 1.0


def _optimizer(trained: list[nn.Parameter], settings: LearnerSettings, ranks: Ranks) -> torch.optim.Optimizer:
    groups: list[dict[str, Any]] = [{"params": trained, "weight_decay": 0.0}]
    if settings.weight_decay:
        matrices = [parameter for parameter in trained if len(full_shape(parameter)) > 1]
        others = [parameter for parameter in trained if len(full_shape(parameter)) < 2]
        decayed = {"params": matrices, "weight_decay": settings.weight_decay}
        groups = [group for group in (decayed, {"params": others, "weight_decay": 0.0}) if group["params"]]
    fused = ranks.device.type == "cuda" and not settings.offload
    return torch.optim.AdamW(
        groups, lr=settings.learning_rate, betas=settings.betas, eps=settings.epsilon, fused=fused or None
    )  # fmt: skip
