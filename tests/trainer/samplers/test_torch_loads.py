"""Other weights for the embedded sampler, by name or from a folder."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path

import anyio
import pytest
import torch
from torch import Tensor
from transformers import PreTrainedModel

from autoforge.mcp_envs.errors import BadInput, ModelFailure
from autoforge.trainer.samplers.torch_sampler import TorchSampler
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings
from autoforge.trainer.samplers.weights import WeightsMixed
from tests.trainer.samplers.asking import LONG, Asked, until
from tests.trainer.samplers.conftest import (
    STOP,
    expected_logprobs,
    prompt_of,
    sampler_of,
    tiny_model,
)

pytestmark = pytest.mark.anyio


async def test_a_load_changes_probabilities_and_the_version(model: PreTrainedModel) -> None:
    other = tiny_model(5)
    async with sampler_of(model) as sampler:
        before = await sampler.logprobs(prompt_of(20))
        await sampler.load(other.state_dict(), 3)
        after = await sampler.logprobs(prompt_of(20))
        sampled = await sampler.sample(prompt_of(5), max_tokens=4, seed=0)
    assert before == pytest.approx(expected_logprobs(model, prompt_of(20)), abs=1e-4)
    assert after == pytest.approx(expected_logprobs(other, prompt_of(20)), abs=1e-4)
    assert (sampler.version, sampled.versions) == (3, (3,) * 4)


async def test_a_turn_over_a_load_has_both_versions_and_no_old_keys(model: PreTrainedModel) -> None:
    other, one = tiny_model(5), Asked()
    async with sampler_of(model) as sampler, anyio.create_task_group() as group:
        group.start_soon(one.run, sampler, prompt_of(5), LONG, 0)
        await until(lambda: bool(sampler._generation.rows))
        await sampler.load(other.state_dict(), 1)
    assert one.sampled is not None
    versions = one.sampled.versions
    assert versions == tuple(sorted(versions)) and set(versions) == {0, 1}
    change = versions.index(1)
    ids = [*prompt_of(5), *one.sampled.ids]
    old, new = expected_logprobs(model, ids)[4:], expected_logprobs(other, ids)[4:]
    assert one.sampled.logprobs == pytest.approx(old[:change] + new[change:], abs=1e-4)


@pytest.mark.parametrize("tied", [False, True])
async def test_weights_come_from_a_folder(model: PreTrainedModel, tied: bool, tmp_path: Path) -> None:
    other = tiny_model(5, tie_word_embeddings=tied)
    other.save_pretrained(tmp_path)
    async with sampler_of(tiny_model(0, tie_word_embeddings=tied)) as sampler:
        await sampler.load(tmp_path, 1)
        assert await sampler.logprobs(prompt_of(9)) == pytest.approx(expected_logprobs(other, prompt_of(9)), abs=1e-4)


async def test_one_name_is_enough_for_weights_that_are_tied() -> None:
    other = tiny_model(5, tie_word_embeddings=True)
    named = dict(other.named_parameters())
    assert "lm_head.weight" not in named
    async with sampler_of(tiny_model(0, tie_word_embeddings=True)) as sampler:
        await sampler.load(named, 1)
        assert await sampler.logprobs(prompt_of(9)) == pytest.approx(expected_logprobs(other, prompt_of(9)), abs=1e-4)


def without(weights: Mapping[str, Tensor], name: str) -> dict[str, Tensor]:
    return {key: value for key, value in weights.items() if key != name}


async def test_weights_of_another_model_are_refused_and_change_nothing(model: PreTrainedModel) -> None:
    weights = tiny_model(5).state_dict()
    async with sampler_of(model) as sampler:
        with pytest.raises(BadInput, match=r"the weights lack model\.norm\.weight; give all"):
            await sampler.load(without(weights, "model.norm.weight"), 1)
        with pytest.raises(BadInput, match="has no weight extra; give weights of the same architecture"):
            await sampler.load({**weights, "extra": torch.zeros(1)}, 1)
        assert await sampler.logprobs(prompt_of(9)) == pytest.approx(expected_logprobs(model, prompt_of(9)), abs=1e-4)
        assert sampler.version == 0


async def test_a_load_that_ends_halfway_stops_the_sampler_until_one_succeeds(model: PreTrainedModel) -> None:
    weights, one = tiny_model(5).state_dict(), Asked()
    async with sampler_of(model) as sampler, anyio.create_task_group() as group:
        group.start_soon(one.run, sampler, prompt_of(5), LONG, 0)
        await until(lambda: sampler.pending == 1)
        with pytest.raises(WeightsMixed, match=r"lm_head\.weight has the shape \(3,\), in the sampler \(300, 64\)"):
            await sampler.load({**weights, "lm_head.weight": torch.zeros(3)}, 1)
        for call in (sampler.sample(prompt_of(5), max_tokens=3, seed=0), sampler.logprobs(prompt_of(5))):
            with pytest.raises(ModelFailure, match="old and new weights"):
                await call
        await sampler.load(weights, 2)
        assert (await sampler.sample(prompt_of(5), max_tokens=3, seed=0)).versions == (2, 2, 2)
    assert one.error is not None


async def test_weights_that_are_tied_may_not_differ() -> None:
    weights = tiny_model(5).state_dict()
    async with sampler_of(tiny_model(0, tie_word_embeddings=True)) as sampler:
        with pytest.raises(WeightsMixed, match=r"lm_head\.weight is tied to another weight"):
            await sampler.load(weights, 1)


async def test_what_is_no_model_folder_is_refused(model: PreTrainedModel, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no folder of a causal language model"):
        TorchSampler.open(tmp_path, TorchSamplerSettings(device="cpu"), stop_ids=[])
    async with sampler_of(model) as sampler:
        with pytest.raises(BadInput, match="is no folder of a causal language model"):
            await sampler.load(tmp_path, 1)
        assert (await sampler.sample(prompt_of(3), max_tokens=2, seed=0)).versions == (0, 0)


async def test_a_folder_is_opened_where_the_settings_say(model: PreTrainedModel, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    settings = TorchSamplerSettings(device="cpu", dtype="bfloat16")
    async with TorchSampler.open(tmp_path, settings, stop_ids=[STOP], version=4) as sampler:
        sampled = await sampler.sample(prompt_of(5), max_tokens=20, seed=0)
        scored = await sampler.logprobs([*prompt_of(5), *sampled.ids])
    assert set(sampled.versions) == {4}
    assert sampled.logprobs == pytest.approx(scored[4:], abs=0.3), "bfloat16 has three digits"


@pytest.mark.parametrize(
    ("device", "words"), [("cuda:99", "torch sees [0-9]+ GPUs; set device"), ("gpu", "torch does not know; give cpu")]
)
async def test_a_device_that_is_not_there_is_refused(tmp_path: Path, device: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        TorchSampler.open(tmp_path, TorchSamplerSettings(device=device), stop_ids=[])


async def test_the_weights_that_are_given_stay_the_callers(model: PreTrainedModel) -> None:
    weights = copy.deepcopy(model.state_dict())
    async with sampler_of(tiny_model(5)) as sampler:
        await sampler.load(weights, 1)
        for tensor in weights.values():
            tensor.zero_()
        assert await sampler.logprobs(prompt_of(9)) == pytest.approx(expected_logprobs(model, prompt_of(9)), abs=1e-4)
