"""Weights by name into a model that is already there.

Invariant: after `copy_weights` every parameter of the model has the new value, or WeightsMixed is raised, or BadInput
with nothing changed. Weights that are tied in the model are given under one name or under all, with the same values.
Not covered: names of other libraries, quantized models; whether the values are right (`sync` compares probabilities).
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor
from transformers import AutoModelForCausalLM, PreTrainedModel

from autoforge.mcp_envs.errors import AutoForgeError, BadInput

__all__ = [
    "EMBEDDINGS",
    "HEAD",
    "WeightsMixed",
    "copy_weights",
    "folder_weights",
    "name_head",
    "open_model",
    "write_weights",
]

HEAD: Final = "lm_head.weight"
EMBEDDINGS: Final = "model.embed_tokens.weight"


_BROKEN: Final = (RuntimeError, OSError, ValueError, KeyError, MemoryError)
"""What reading a weight raises."""


class WeightsMixed(AutoForgeError):
    """A copy ended halfway: the model has old and new weights."""


def open_model(folder: Path, dtype: torch.dtype, device: str) -> PreTrainedModel:
    """The model of a Hugging Face folder on this machine. Raises BadInput."""
    try:
        model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise BadInput(f"{folder} is no folder of a causal language model: {error}") from error
    placed: PreTrainedModel = model.to(device)
    return placed


def folder_weights(folder: Path, dtype: torch.dtype) -> Mapping[str, Tensor]:
    """All weights of a Hugging Face folder under the names that they have in the model, read onto the CPU: files may
    have other names, as those of experts. Raises BadInput."""
    return open_model(folder, dtype, "cpu").state_dict()


def write_weights(weights: Mapping[str, Tensor], exchange: Path, version: int) -> Path:
    """A folder of the exchange with the weights as safetensors; those of other versions are removed."""
    exchange.mkdir(parents=True, exist_ok=True)
    folder = exchange / f"weights-{version}"
    folder.mkdir(exist_ok=True)
    # Tied weights share memory, which the format does not allow.
    named = {name: weights[name].detach().cpu().contiguous().clone() for name in weights}
    part = folder / "model.safetensors.part"
    save_file(named, part, metadata={"format": "pt"})
    part.replace(folder / "model.safetensors")
    for other in exchange.glob("weights-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder


def name_head(folder: Path) -> None:
    """Give the output head of a tied model a file of its own in its folder, for a sampler that was made without the
    tie. Nothing is done where the model is not tied or in many files."""
    file = folder / "model.safetensors"
    if not file.is_file():
        return
    with safe_open(file, framework="pt") as weights:
        names = set(weights.keys())
        if EMBEDDINGS in names and HEAD not in names:
            save_file({HEAD: weights.get_tensor(EMBEDDINGS)}, folder / "head.safetensors", metadata={"format": "pt"})


@torch.no_grad()
def copy_weights(model: PreTrainedModel, weights: Mapping[str, Tensor]) -> None:
    """Each weight is read once, in the order of the mapping. Raises BadInput, and WeightsMixed where the shape of one
    is another or two that are tied differ."""
    own = model.state_dict()
    _check_names(model, own, set(weights))
    done: set[int] = set()
    for name in weights:
        try:
            source = weights[name].to(own[name])
        except _BROKEN as error:
            kind = WeightsMixed if done else BadInput
            raise kind(f"{name} could not be read: {type(error).__name__}: {error}") from error
        target = own[name]
        if target.shape != source.shape:
            raise WeightsMixed(f"{name} has the shape {tuple(source.shape)}, in the sampler {tuple(target.shape)}")
        if target.data_ptr() not in done:
            target.copy_(source)
        elif not torch.equal(target, source):
            raise WeightsMixed(f"{name} is tied to another weight in the sampler, and was given with other values")
        done.add(target.data_ptr())


def _check_names(model: PreTrainedModel, own: Mapping[str, Tensor], given: set[str]) -> None:
    unknown = sorted(given - own.keys())
    if unknown:
        raise BadInput(
            f"the model of the sampler has no weight {_some(unknown)}; give weights of the same architecture"
        )
    places = {own[name].data_ptr() for name in given}
    parameters = (name for name, _ in model.named_parameters(remove_duplicate=False))
    missing = [name for name in parameters if name not in given and own[name].data_ptr() not in places]
    if missing:
        raise BadInput(f"the weights lack {_some(missing)}; give all weights of the model")


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
