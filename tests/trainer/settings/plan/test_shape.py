"""Parameter counts from a config alone: published numbers, and transformers' own models."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.settings.model import ModelSettings
from autoforge.trainer.settings.plan.shape import shape_from_config, shape_of


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("Qwen/Qwen3-0.6B", 596_049_920),
        ("Qwen/Qwen3-1.7B-Base", 1_720_574_976),
        ("Qwen/Qwen3-8B", 8_190_735_360),
        ("Qwen/Qwen3-30B-A3B-Thinking-2507", 30_532_122_624),
        ("Qwen/Qwen2.5-0.5B-Instruct", 494_032_768),
    ],
)
def test_known_models_have_the_published_number_of_parameters(name: str, parameters: int) -> None:
    assert shape_of(ModelSettings(path=name)).parameters == parameters


def test_a_mixture_of_experts_counts_what_a_token_goes_through() -> None:
    shape = shape_of(ModelSettings(path="Qwen/Qwen3-30B-A3B"))
    # 120 of 128 experts of 3 × 2048 × 768 are passed by, in 48 layers.
    assert shape.parameters - shape.active == 48 * 120 * 3 * 2048 * 768
    assert shape.cached == 2 * 48 * 4 * 128


def counted(config: dict[str, Any]) -> tuple[int, int]:
    """By transformers, on no device; and by us, from the JSON that it would save."""
    from transformers import AutoConfig, AutoModelForCausalLM

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kept = AutoConfig.for_model(**config)
        maker: Any = AutoModelForCausalLM
        with torch.device("meta"):
            model = maker.from_config(kept)
    saved = json.loads(kept.to_json_string(use_diff=False))
    return sum(p.numel() for p in model.parameters()), shape_from_config(saved, "config").parameters


SIZES = st.fixed_dictionaries({
    "vocab_size": st.integers(8, 90), "hidden_size": st.sampled_from([16, 32]),
    "num_hidden_layers": st.integers(1, 4), "num_attention_heads": st.sampled_from([2, 4]),
    "num_key_value_heads": st.sampled_from([1, 2]), "intermediate_size": st.integers(8, 50),
    "tie_word_embeddings": st.booleans(),
})  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(SIZES, st.sampled_from(["llama", "qwen2", "qwen3"]), st.booleans())
def test_dense_models_have_as_many_parameters_as_transformers_makes(
    sizes: dict[str, Any], family: str, bias: bool
) -> None:
    extra: dict[str, Any] = {"attention_bias": bias} if family != "qwen2" else {}
    extra |= {"head_dim": 24} if family == "qwen3" else {"mlp_bias": bias} if family == "llama" else {}
    theirs, ours = counted({"model_type": family, **sizes, **extra})
    assert ours == theirs


@settings(max_examples=15, deadline=None)
@given(SIZES, st.integers(2, 6), st.sampled_from([1, 2]), st.lists(st.integers(0, 3), max_size=2))
def test_mixtures_have_as_many_parameters_as_transformers_makes(
    sizes: dict[str, Any], experts: int, step: int, dense: list[int]
) -> None:  # fmt: skip
    mixture = {"num_experts": experts, "num_experts_per_tok": 2, "moe_intermediate_size": 12, "head_dim": 8,
               "decoder_sparse_step": step, "mlp_only_layers": dense}  # fmt: skip
    theirs, ours = counted({"model_type": "qwen3_moe", **sizes, **mixture})
    assert ours == theirs


def test_the_config_of_a_folder_is_read(tmp_path: Path) -> None:
    config = {"model_type": "llama", "vocab_size": 10, "hidden_size": 4, "num_hidden_layers": 1,
              "num_attention_heads": 2, "intermediate_size": 8}  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    # Embedding and head 2·10·4, attention 4·4·4, feed-forward 3·4·8, norms 3·4.
    assert shape_of(ModelSettings(path=str(tmp_path))).parameters == 80 + 64 + 96 + 12
    beside = ModelSettings(path="somebody/something", config=tmp_path / "config.json")
    assert shape_of(beside).parameters == 252


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"model_type": "mamba"}', "architecture 'mamba' cannot be counted"),
        ('{"model_type": "llama"}', "lacks a size"),
        ("[]", "is no JSON object"),
        ("{", "cannot be read"),
    ],
)
def test_a_config_that_cannot_be_counted_is_refused(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "config.json").write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=words):
        shape_of(ModelSettings(path=str(tmp_path)))


def test_a_name_that_is_not_known_asks_for_its_config() -> None:
    with pytest.raises(BadInput, match=r"--set model\.config=FILE"):
        shape_of(ModelSettings(path="somebody/something"))
