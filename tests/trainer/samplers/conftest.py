"""A tiny random Qwen3 in float32, and samplers over copies of it."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import torch
from transformers import PreTrainedModel, Qwen3Config, Qwen3ForCausalLM

from autoforge.trainer.samplers.torch_sampler import TorchSampler
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings

VOCABULARY = 300
CONTEXT = 512
STOP = 1


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def tiny_model(seed: int = 0, **changes: Any) -> PreTrainedModel:
    """Weights large enough that its choices are far from uniform."""
    shape = {
        "vocab_size": VOCABULARY, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 128, "max_position_embeddings": CONTEXT,
        "initializer_range": 0.3, "pad_token_id": 0, "eos_token_id": STOP, "bos_token_id": None,
    }  # fmt: skip
    torch.manual_seed(seed)
    model: PreTrainedModel = Qwen3ForCausalLM(Qwen3Config(**{**shape, **changes})).train(False)
    return model


@pytest.fixture(scope="session")
def model() -> PreTrainedModel:
    """Shared: never changed."""
    return tiny_model()


def sampler_of(model: PreTrainedModel, *, stop_ids: Sequence[int] = (), **settings: Any) -> TorchSampler:
    """A sampler over a copy of the model, on the CPU."""
    return TorchSampler(copy.deepcopy(model), TorchSamplerSettings(device="cpu", **settings), stop_ids=stop_ids)


def prompt_of(length: int, offset: int = 0) -> list[int]:
    return [2 + (7 * place + 13 * offset) % (VOCABULARY - 2) for place in range(length)]


@torch.no_grad()
def expected_logprobs(model: PreTrainedModel, ids: Sequence[int], temperature: float = 1.0) -> list[float]:
    """Of ids[1:], by one pass over the ids alone."""
    logits = model(torch.tensor([list(ids)])).logits[0, :-1].float() / temperature
    logprobs = torch.log_softmax(logits, dim=-1)
    return [float(row[id]) for row, id in zip(logprobs, ids[1:], strict=True)]
