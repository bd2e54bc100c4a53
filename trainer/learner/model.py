"""A model folder → the module that is trained, with its tokenizer.

Invariant: a folder that cannot be trained is refused with the reason; under ZeRO-3 no rank ever holds the whole model.
Not covered: quantized models, heads with soft caps or scaling.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
from transformers.integrations.deepspeed import HfDeepSpeedConfig

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.learner.policy import Policy
from autoforge.trainer.learner.ranks import Ranks
from autoforge.trainer.learner.settings import LearnerSettings, LoraSettings

__all__ = ["Loaded", "full_shape", "load"]

_UNKNOWN_TO_THE_HEAD = "final_logit_softcapping", "logits_scaling", "logit_scale", "lm_head_multiplier"


class Loaded(NamedTuple):
    """What a folder holds."""

    policy: Policy
    tokenizer: Any
    vocabulary: int
    """Rows of the embedding: ids below this can be trained on."""


def load(settings: LearnerSettings, ranks: Ranks, config: dict[str, Any]) -> Loaded:
    """The model of the settings; `config` is DeepSpeed's, for the partitioned loading of ZeRO-3. Raises BadInput for a
    folder that is none, a model whose head is not one linear map, a tokenizer that does not fit, and unknown targets of
    adapters."""
    folder = settings.model
    _check_folder(folder)
    _check_config(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    # While this object lives, transformers loads weights in parts.
    partitioned = _partitioned(config) if settings.zero_stage == 3 else None
    causal = _causal(folder, ranks.dtype)
    del partitioned
    vocabulary = full_shape(causal.get_input_embeddings().weight)[0]
    if len(tokenizer) > vocabulary:
        raise BadInput(
            f"{folder}: the tokenizer has {len(tokenizer)} ids and the model {vocabulary}; resize the model's"
            " embeddings, or use the tokenizer that it was trained with."
        )
    if settings.lora is not None:
        _add_adapters(causal, settings.lora, settings.seed)
    if settings.gradient_checkpointing:
        _save_memory(causal)
    policy = Policy(causal, head_tokens=settings.head_tokens)
    return Loaded(policy, tokenizer, vocabulary)


_partitioned: Any = HfDeepSpeedConfig


def full_shape(parameter: Any) -> torch.Size:
    """Of a parameter that may be split over the ranks."""
    shape: torch.Size = getattr(parameter, "ds_shape", parameter.shape)
    return shape


def _check_folder(folder: Path) -> None:
    if not (folder / "config.json").is_file():
        raise BadInput(f"{folder} is no model: it has no config.json; give a Hugging Face folder.")
    if not any(folder.glob("*.safetensors")):
        raise BadInput(f"{folder} has no weights (*.safetensors); give a whole Hugging Face folder.")
    if not (folder / "tokenizer_config.json").is_file() and not (folder / "tokenizer.json").is_file():
        raise BadInput(f"{folder} has no tokenizer; save the model's tokenizer into it.")


def _check_config(folder: Path) -> None:
    try:
        config = AutoConfig.from_pretrained(folder)
    except (ValueError, OSError) as error:
        raise BadInput(f"{folder}/config.json is of no model that transformers knows: {error}") from error
    for name in _UNKNOWN_TO_THE_HEAD:
        if getattr(config, name, None) not in (None, 1, 1.0):
            raise BadInput(f"{folder}: the model's head has {name}, which the learner does not compute; take another.")


def _causal(folder: Path, dtype: torch.dtype) -> Any:
    try:
        causal: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
    except (ValueError, OSError) as error:
        raise BadInput(f"{folder} cannot be loaded as a causal language model: {error}") from error
    if not isinstance(causal.get_output_embeddings(), nn.Linear):
        raise BadInput(
            f"{folder}: the model's head is no linear map, which the learner does not compute; take another."
        )
    return causal


def _save_memory(causal: Any) -> None:
    """Checkpoints layers, by the name that this version of transformers has for it."""
    enable = getattr(causal, "activation_checkpointing_enable", None) or causal.gradient_checkpointing_enable
    # Parameters change their storage between the passes under ZeRO-3, which the check would take for a fault.
    enable({"use_reentrant": False, "determinism_check": "none"})


def _add_adapters(causal: Any, lora: LoraSettings, seed: int) -> None:
    """Low-rank adapters in the place of linear layers; everything else is frozen."""
    from peft import LoraConfig, inject_adapter_in_model

    torch.manual_seed(seed)
    targets = list(lora.targets) or _linear_layers(causal)
    factors: dict[str, Any] = {"r": lora.rank, "lora_alpha": lora.alpha, "lora_dropout": lora.dropout}
    config = LoraConfig(**factors, target_modules=targets)
    try:
        inject_adapter_in_model(config, causal)
    except ValueError as error:
        raise BadInput(f"lora.targets: {error}") from error
    if not isinstance(causal.get_output_embeddings(), nn.Linear):
        raise BadInput("lora.targets names the output head, which can have no adapter; leave it out.")


def _linear_layers(causal: Any) -> list[str]:
    head = causal.get_output_embeddings()
    return [name for name, module in causal.named_modules() if isinstance(module, nn.Linear) and module is not head]
