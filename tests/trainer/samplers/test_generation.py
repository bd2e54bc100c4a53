"""What the embedded sampler gives is what the model says, whoever is in the batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from anyio import create_task_group
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from transformers import (
    GemmaConfig,
    GemmaForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
)

from autoforge.gym.agents.policy import Sampled
from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.samplers import causal_model
from autoforge.trainer.samplers.cache import GrowingLayer
from autoforge.trainer.samplers.causal_model import CausalModel
from autoforge.trainer.samplers.generation import Generation
from autoforge.trainer.samplers.row import Row
from tests.trainer.samplers.conftest import STOP, expected_logprobs, prompt_of, sampler_of, tiny_model

pytestmark = pytest.mark.anyio

PARITY = 1e-4


def rows_of(lengths: Sequence[int], temperature: float = 1.0) -> list[Row]:
    return [
        Row(prompt_of(length, place), limit=4 + 5 * place, temperature=temperature, seed=place)
        for place, length in enumerate(lengths)
    ]


def finished(generation: Generation, rows: Sequence[Row], at_a_time: int = 100) -> list[Sampled]:
    """All rows to their ends, so many coming in at each stretch."""
    waiting = list(rows)
    while waiting or generation.rows:
        generation.advance([waiting.pop(0) for _ in range(min(at_a_time, len(waiting)))], 0)
    return [row.sampled() for row in rows]


def keys_of(generation: Generation) -> Tensor:
    """The keys of the first layer, which nothing shows to the outside."""
    assert generation._batch is not None
    layer = generation._batch.cache.layers[0]
    assert isinstance(layer, GrowingLayer) and layer.keys is not None
    return layer.keys


def assert_parity(model: PreTrainedModel, rows: Sequence[Row], temperature: float = 1.0) -> None:
    for row in rows:
        sampled = row.sampled()
        expected = expected_logprobs(model, row.ids, temperature)[len(row.prompt) - 1 :]
        assert sampled.logprobs == pytest.approx(expected, abs=PARITY)


@pytest.mark.parametrize("temperature", [1.0, 0.7, 1.5])
def test_logprobs_are_those_of_a_pass_over_the_ids_alone(model: PreTrainedModel, temperature: float) -> None:
    rows = rows_of([1, 3, 60, 9, 33, 5], temperature)
    finished(Generation(CausalModel(model), frozenset({STOP})), rows)
    assert_parity(model, rows, temperature)


def test_rows_that_come_in_later_change_nothing(model: PreTrainedModel) -> None:
    lengths = [20, 3, 60, 9, 33, 5, 1, 80]
    together = finished(Generation(CausalModel(model), frozenset()), rows_of(lengths))
    one_by_one = finished(Generation(CausalModel(model), frozenset()), rows_of(lengths), at_a_time=1)
    assert [sampled.ids for sampled in together] == [sampled.ids for sampled in one_by_one]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.integers(1, 6))
def test_a_row_gets_the_ids_that_it_gets_alone(lengths: list[int], at_a_time: int) -> None:
    model = tiny_model()
    rows = rows_of(lengths)
    together = finished(Generation(CausalModel(model), frozenset({STOP})), rows, at_a_time)
    for sampled, row in zip(together, rows_of(lengths), strict=True):
        assert finished(Generation(CausalModel(model), frozenset({STOP})), [row])[0].ids == sampled.ids
    assert_parity(model, rows)


def test_a_row_that_is_taken_out_and_begun_again_goes_on_as_before(model: PreTrainedModel) -> None:
    straight, broken = rows_of([7, 21, 4])[1:], rows_of([7, 21, 4])[1:]
    for row in (*straight, *broken):
        row.limit = 40
    expected = finished(Generation(CausalModel(model), frozenset()), straight)
    generation = Generation(CausalModel(model), frozenset())
    generation.advance(broken, 0)
    generation.drop(broken[:1])
    generation.advance([], 0)
    assert generation.rows == broken[1:]
    assert [sampled.ids for sampled in finished(generation, broken[:1])] == [expected[0].ids]
    assert [row.sampled().ids for row in broken] == [sampled.ids for sampled in expected]
    assert_parity(model, broken)


def test_finished_rows_are_taken_out_of_the_cache(model: PreTrainedModel) -> None:
    rows = rows_of([30, 4, 4, 4, 4])
    for row in rows[:4]:
        row.limit = 2
    generation = Generation(CausalModel(model), frozenset())
    generation.advance(rows, 0)
    rows_kept, _, columns, _ = keys_of(generation).shape
    assert (generation.rows, rows_kept) == (rows[4:], 1)
    assert columns == rows[4].columns - 1, "the padding that only longer rows needed is gone"


def test_a_step_writes_into_the_buffers_that_are_there(model: PreTrainedModel) -> None:
    rows = rows_of([30, 4])
    for row in rows:
        row.limit = 100
    generation = Generation(CausalModel(model), frozenset())
    generation.advance(rows, 0)
    before = keys_of(generation).data_ptr()
    generation.advance([], 0)
    assert keys_of(generation).data_ptr() == before


def test_long_generations_outgrow_their_buffers(model: PreTrainedModel) -> None:
    rows = rows_of([5, 9])
    for row in rows:
        row.limit = 300
    finished(Generation(CausalModel(model), frozenset()), rows)
    assert_parity(model, rows)


def test_long_prompts_are_read_in_slices(model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(causal_model, "PASS", 24)
    rows = rows_of([50, 77, 90])
    finished(Generation(CausalModel(model), frozenset()), rows)
    assert_parity(model, rows)


def test_scores_are_those_of_one_pass(model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(causal_model, "SCORED", 7)
    for length in (2, 7, 8, 9, 50):
        ids = prompt_of(length)
        assert CausalModel(model).logprobs(ids) == pytest.approx(expected_logprobs(model, ids), abs=PARITY)


SMALL: dict[str, Any] = {"vocab_size": 300, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2,
         "num_key_value_heads": 1, "intermediate_size": 64, "head_dim": 16, "initializer_range": 0.3,
         "max_position_embeddings": 256}  # fmt: skip


def others() -> list[PreTrainedModel]:
    torch.manual_seed(1)
    return [
        MistralForCausalLM(MistralConfig(**SMALL, sliding_window=6)),
        GemmaForCausalLM(GemmaConfig(**SMALL)),
        GPT2LMHeadModel(GPT2Config(vocab_size=300, n_embd=32, n_layer=2, n_head=2, n_positions=256, bos_token_id=1,
                                   eos_token_id=1, initializer_range=0.3)),
        tiny_model(use_sliding_window=True, sliding_window=8, max_window_layers=1),
        tiny_model(tie_word_embeddings=True),
    ]  # fmt: skip


@pytest.mark.parametrize("model", others(), ids=lambda model: type(model).__name__)
def test_other_architectures_keep_parity_too(model: PreTrainedModel) -> None:
    rows = rows_of([3, 40, 18])
    finished(Generation(CausalModel(model.train(False)), frozenset()), rows, at_a_time=2)
    assert_parity(model, rows)


def test_a_model_with_other_layers_than_attention_is_refused() -> None:
    model = tiny_model()
    model.config.layer_types = ["linear_attention", "full_attention"]
    with pytest.raises(BadInput, match="linear_attention in Qwen3ForCausalLM; sample with vLLM"):
        CausalModel(model)


async def test_greedy_turns_are_those_of_transformers(model: PreTrainedModel) -> None:
    prompts = [prompt_of(length, length) for length in (4, 30, 11, 19)]
    found: dict[int, Sampled] = {}

    async def ask(number: int) -> None:
        found[number] = await sampler.sample(prompts[number], max_tokens=40, seed=number)

    async with sampler_of(model, stop_ids=[STOP], temperature=0) as sampler, create_task_group() as group:
        for number in range(len(prompts)):
            group.start_soon(ask, number)
    for number, prompt in enumerate(prompts):
        assert list(found[number].ids) == generated(model, prompt, 40)


def generated(model: PreTrainedModel, prompt: list[int], max_tokens: int) -> list[int]:
    ids = torch.tensor([prompt])
    options: dict[str, Any] = {"max_new_tokens": max_tokens, "do_sample": False, "eos_token_id": STOP}
    output = model.generate(ids, attention_mask=torch.ones_like(ids), pad_token_id=0, **options)  # type: ignore[operator]
    return output[0, len(prompt) :].tolist()  # type: ignore[no-any-return]
