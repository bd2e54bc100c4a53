"""Settings of what learns: the engine, its optimizer, and the supervised cold start.

Invariant: a batch's gradient does not depend on ranks, ZeRO stage or micro-batches, so these are about memory and speed
alone. Not covered: the loss (`trainer.algorithm.erpo_settings`).
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
    dropout: float = Field(default=0.0, ge=0, lt=1)
    """Share of an adapter's inputs that are dropped in training."""
    targets: tuple[str, ...] = ()
    """Ends of the names of linear layers that get one; empty: all but the output head."""


class LearnerSettings(Section):
    """The engine that trains (DeepSpeed), and its optimizer (AdamW)."""

    ranks: int = Field(default=1, ge=1)
    """Processes, one GPU each on GPUs; as many as the launcher starts."""
    zero: Literal[0, 1, 2, 3] = 0
    """ZeRO stage: ranks share nothing (0), the optimizer (1), gradients, too (2), weights, too (3)."""
    offload: bool = False
    """Whether the optimizer's state is in the host's memory; for ZeRO 1 or more, on GPUs."""
    checkpointing: bool = False
    """Whether activations are computed again in the backward pass: less memory, a third more arithmetic."""
    micro_batch_tokens: int = Field(default=32768, ge=1)
    """Padded tokens of one micro-batch on one rank; at least the longest conversation."""
    head_tokens: int = Field(default=1024, ge=1)
    """Tokens whose logits exist at a time."""
    updates: int = Field(default=1, ge=1)
    """Optimizer steps that a batch is divided into."""
    learning_rate: float = Field(default=1e-6, gt=0)
    """After the warm-up."""
    warmup: int = Field(default=0, ge=0)
    """Optimizer steps in which it rises from 0."""
    weight_decay: float = Field(default=0.0, ge=0)
    """AdamW's, of matrices."""
    betas: tuple[float, float] = (0.9, 0.999)
    """AdamW's decay of the mean gradient and of its square."""
    gradient_clip: float = Field(default=1.0, ge=0)
    """Longer gradients are cut to this norm; 0: none is."""
    lora: LoraSettings | None = None
    """Left out: all weights are trained."""


class ColdStartSettings(Section):
    """Supervised training on good episodes before ERPO; tokens of the assistant only."""

    source: Literal["none", "gold", "hasty", "trajectories"] = "none"
    """`none`: no cold start; `gold`: the oracle's episodes on the training tasks; `hasty`: those of an oracle that
    leaves out the last call, and the answers, of about every second task, to see what rewards add (give `reward` 0);
    `trajectories`: of `files`."""
    files: tuple[Path, ...] = ()
    """Files that autoforge-gym run wrote."""
    thoughts: bool = False
    """Whether the teacher of `gold` or `hasty` notes before each turn what it has done so far, as a thought."""
    reward: float = Field(default=1.0, ge=0, le=1)
    """Only episodes with at least this, and none that is masked."""
    steps: int = Field(default=100, ge=1)
    """Optimizer steps."""
    rows: int = Field(default=32, ge=1)
    """Conversations of one step."""
    learning_rate: float = Field(default=1e-5, gt=0)
    """After the warm-up."""
    warmup: int = Field(default=10, ge=0)
    """Steps in which it rises from 0."""
