"""Settings of what learns: the engine, its optimizer, and the supervised cold start.

Invariant: a batch's gradient does not depend on ranks, ZeRO stage or micro-batches, so these are about memory and speed
alone. Not covered: the loss (`trainer.erpo_settings`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from autoforge.trainer.settings.section import Section

__all__ = ["ColdStartSettings", "LearnerSettings", "LoraSettings"]


class LoraSettings(Section):
    """Adapters of low rank in place of training all weights."""

    rank: int = Field(default=16, ge=1)
    """Of each adapter."""
    alpha: float = Field(default=32.0, gt=0)
    """Adapters count with alpha / rank."""
    targets: tuple[str, ...] = ("q_proj", "k_proj", "v_proj", "o_proj")
    """Names of the linear layers that get one."""


class LearnerSettings(Section):
    """The engine that trains (DeepSpeed), and its optimizer (AdamW)."""

    ranks: int = Field(default=1, ge=1)
    """Processes, one GPU each on GPUs; as many as the launcher starts."""
    zero: int = Field(default=0, ge=0, le=3)
    """ZeRO stage: ranks share nothing (0), the optimizer (1), gradients, too (2), weights, too (3)."""
    offload: Literal["none", "cpu"] = "none"
    """Where the optimizer's state lives; `cpu` needs ZeRO 1 or more."""
    checkpointing: bool = False
    """Whether activations are computed again in the backward pass: less memory, a third more arithmetic."""
    micro_batch_tokens: int = Field(default=32768, ge=1)
    """Padded tokens of one micro-batch on one rank; at least the longest conversation."""
    updates: int = Field(default=1, ge=1)
    """Optimizer steps that a batch is divided into."""
    learning_rate: float = Field(default=1e-6, gt=0)
    """The highest."""
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    """How it falls after the warm-up, to 0 at the last step."""
    warmup: int = Field(default=0, ge=0)
    """Steps in which it rises from 0."""
    weight_decay: float = Field(default=0.0, ge=0)
    """AdamW's."""
    beta1: float = Field(default=0.9, ge=0, lt=1)
    """AdamW's decay of the mean gradient."""
    beta2: float = Field(default=0.999, ge=0, lt=1)
    """AdamW's decay of the mean squared gradient."""
    gradient_norm: float = Field(default=1.0, gt=0)
    """Longer gradients are cut to it."""
    lora: LoraSettings | None = None
    """Left out: all weights are trained."""


class ColdStartSettings(Section):
    """Supervised training on good episodes before ERPO; tokens of the assistant only."""

    source: Literal["none", "gold", "trajectories"] = "none"
    """`none`: no cold start; `gold`: the oracle's episodes on the training tasks; `trajectories`: of `files`."""
    files: tuple[Path, ...] = ()
    """Files that autoforge-gym run wrote."""
    reward: float = Field(default=1.0, ge=0, le=1)
    """Only episodes with at least this, and none that is masked."""
    steps: int = Field(default=100, ge=1)
    """Optimizer steps."""
    rows: int = Field(default=32, ge=1)
    """Conversations of one step."""
    learning_rate: float = Field(default=1e-5, gt=0)
    """The highest; it falls to 0 at the last step."""
    warmup: int = Field(default=10, ge=0)
    """Steps in which it rises from 0."""
