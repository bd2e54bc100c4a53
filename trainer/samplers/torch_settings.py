"""How the embedded sampler samples, where, and how much at a time.

Invariant: "auto" is the GPU in bfloat16 where there is one, else the CPU in float32. Not covered: more than one GPU.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import torch
from pydantic import BaseModel, ConfigDict, Field
from transformers import PreTrainedModel

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.samplers.weights import open_model

__all__ = ["TorchSamplerSettings", "opened_model"]


class TorchSamplerSettings(BaseModel):
    """The knobs of the embedded sampler."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float = Field(default=1.0, ge=0)
    """Of `sample`; 0 is greedy."""
    sequences: int = Field(default=64, ge=1)
    """Rows that are decoded at a time."""
    tokens: int = Field(default=131_072, ge=1)
    """Columns of keys and values over all rows, padding included; one row alone may have more. What rows in flight
    and their buffers leave of them holds finished turns, which the next turn of their episode goes on from. For Qwen3
    of 0.6 billion parameters in bfloat16 they take 14 GiB."""
    context: int | None = Field(default=None, ge=2)
    """Ids of a whole conversation, at most those of the model; the model's where it is absent."""
    device: str = "auto"
    """A device of torch: cpu, cuda, cuda:1."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """Of weights, keys and values; probabilities are always computed in float32."""


def opened_model(folder: Path, settings: TorchSamplerSettings) -> PreTrainedModel:
    """The model of a Hugging Face folder where the settings want it. Raises BadInput."""
    device = _device(settings.device)
    wanted = ("bfloat16" if device.type == "cuda" else "float32") if settings.dtype == "auto" else settings.dtype
    return open_model(folder, torch.bfloat16 if wanted == "bfloat16" else torch.float32, str(device))


def _device(name: str) -> torch.device:
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise BadInput(f"the device of the sampler is {name!r}, which torch does not know; give cpu or cuda") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        words = f"the device of the sampler is {name}, and torch sees {torch.cuda.device_count()} GPUs"
        raise BadInput(f'{words}; set device = "cpu", or install a torch with CUDA on a machine with a GPU')
    return device
