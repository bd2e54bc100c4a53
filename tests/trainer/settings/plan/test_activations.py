"""The estimate of activations against what torch keeps for the backward pass of transformers' own models."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pytest
import torch

from autoforge.trainer.settings.load import load_settings
from autoforge.trainer.settings.plan.learner_memory import learner_memory
from autoforge.trainer.settings.plan.shape import shape_from_config

TOKENS = 256
SIZES = {"vocab_size": 64, "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16,
         "intermediate_size": 192}  # fmt: skip
MIXTURE = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 48}


def kept(config: Any, dtype: torch.dtype) -> int:
    """Bytes that the backward pass of a model needs beside its weights."""
    from transformers import AutoModelForCausalLM

    maker: Any = AutoModelForCausalLM
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = maker.from_config(config, attn_implementation="sdpa", dtype=dtype).train()
    weights = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    found: dict[int, torch.Tensor] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        place = tensor.untyped_storage().data_ptr()
        if place not in weights:
            found[place] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        model.model(input_ids=torch.arange(TOKENS).remainder(64)[None])
    return sum(tensor.untyped_storage().nbytes() for tensor in found.values())


@pytest.mark.parametrize("precision", ["bf16", "fp32"])
@pytest.mark.parametrize(("family", "extra"), [("qwen3", {}), ("llama", {}), ("qwen3_moe", MIXTURE)])
def test_a_layer_keeps_what_was_estimated_within_15_percent(family: str, extra: dict[str, int], precision: str) -> None:
    from transformers import AutoConfig

    torch.set_num_threads(1)
    dtype = torch.bfloat16 if precision == "bf16" else torch.float32
    configs = [AutoConfig.for_model(family, num_hidden_layers=layers, **SIZES, **extra) for layers in (1, 3)]
    measured = [kept(config, dtype) for config in configs]
    settings = load_settings("tiny", [f"model.precision={precision}", f"learner.micro_batch_tokens={TOKENS}",
                                      f"rollouts.policy.context={TOKENS}"]).settings  # fmt: skip
    shapes = [shape_from_config(json.loads(config.to_json_string(use_diff=False)), family) for config in configs]
    estimated = [learner_memory(settings, shape).activations for shape in shapes]
    assert estimated[1] - estimated[0] == pytest.approx(measured[1] - measured[0], rel=0.15)
