"""What is trained, and how.

Invariant: nothing here depends on the machine; what `auto` comes to is decided where a run begins (`ranks`). Not
covered: batches, losses, how long a run is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["LearnerSettings", "LoraSettings"]


class LoraSettings(BaseModel):
    """Low-rank adapters (arXiv 2106.09685) by peft: the weights of the model stay as they are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rank: int = Field(default=16, ge=1)
    """Of the two factors."""
    alpha: float = Field(default=32.0, gt=0)
    """What the product of the factors is multiplied by, times 1 / rank."""
    dropout: float = Field(default=0.0, ge=0, lt=1)
    """Share of an adapter's inputs that are dropped in training; any but 0 makes the ratio to the old policy differ
    from 1 where nothing was learnt."""
    targets: tuple[str, ...] = ()
    """Ends of the names of linear layers that get adapters; empty: all but the output head."""


class LearnerSettings(BaseModel):
    """A model and its optimizer (AdamW, arXiv 1711.05101)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: Path
    """A Hugging Face folder: config.json, weights, tokenizer."""
    device: Literal["auto", "cuda", "cpu"] = "auto"
    """`auto`: a GPU where there is one."""
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    """Of weights and activations; `auto`: bf16 on GPUs, else fp32. The optimizer's copy is fp32 always."""
    zero_stage: Literal[0, 1, 2, 3] = 2
    """What is split over the ranks (arXiv 1910.02054): 0 nothing, 1 optimizer states, 2 gradients too, 3 weights too.
    In bf16, stages 0 and 1 add up gradients in bf16, the others in fp32."""
    offload: bool = False
    """Whether the optimizer's states are in the memory of the host; for stages 1 to 3, saves 12 bytes of GPU memory for
    each parameter and is slower."""
    whole_below: int = Field(default=100_000, ge=0)
    """Stage 3: parameters with fewer elements are kept whole on every rank."""
    gradient_checkpointing: bool = True
    """Whether activations of layers are computed again in the backward pass: a third slower, far less memory."""
    head_tokens: int = Field(default=1024, ge=1)
    """Tokens whose logits exist at a time: 4 bytes × vocabulary × this, a few times over."""
    temperature: float = Field(default=1.0, gt=0)
    """Of the log-probabilities that are trained on: the one that is sampled with."""
    learning_rate: float = Field(default=1e-6, gt=0)
    """After the warm-up."""
    warmup_steps: int = Field(default=0, ge=0)
    """Steps over which the learning rate rises to its value, linearly: step n of them has n / warmup_steps of it."""
    weight_decay: float = Field(default=0.0, ge=0)
    """Of matrices; biases and norms have none."""
    betas: tuple[float, float] = (0.9, 0.999)
    """Of AdamW's running means."""
    epsilon: float = Field(default=1e-8, gt=0)
    """Of AdamW."""
    gradient_clip: float = Field(default=1.0, ge=0)
    """The norm that the gradient of a step is scaled down to; 0: it is not."""
    lora: LoraSettings | None = None
    """Adapters; None: every weight is trained."""
    seed: int = Field(default=0, ge=0)
    """Of adapters' first weights and of dropout; each rank has dice of its own."""
