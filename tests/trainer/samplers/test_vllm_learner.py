"""The real DeepSpeed and the real vLLM in one process: the same log-probabilities before and after a step."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.settings import LearnerSettings
from autoforge.trainer.learner.step import LossSum
from autoforge.trainer.samplers.vllm_engine import VllmEngineSampler
from autoforge.trainer.samplers.vllm_engine_parts import VllmEngineSettings
from autoforge.trainer.sync import ProbeBatch, SyncSettings, gathered, probe_batch, synchronise
from tests.trainer.learner.tiny import save_model
from tests.trainer.samplers.conftest import prompt_of, tiny_model
from tests.trainer.samplers.real_vllm import ON_CPU, installed

# vLLM's own imports warn.
pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("default"), installed]

PARITY = 1e-3
MOVED = 0.05
"""Less is no step that would tell old from new weights."""


class Fitted(NamedTuple):
    """A batch that is learned by heart."""

    ids: Tensor
    attention: Tensor
    trainable: Tensor


def trained(learner: Learner) -> None:
    ids = torch.tensor([[(5 * place + 3) % 290 for place in range(32)]])
    trainable = torch.ones_like(ids, dtype=torch.bool)
    trainable[:, 0] = False
    batch = Fitted(ids, torch.ones_like(ids), trainable)

    def loss(logprobs: Tensor, entropy: Tensor | None, part: Fitted) -> LossSum:
        return LossSum(-logprobs[part.trainable[:, 1:]].mean(), {})

    learner.train_step([batch], loss)


def said(learner: Learner, probe: ProbeBatch) -> list[float]:
    found: list[float] = learner.logprobs(probe, temperature=1.0, everywhere=True).logprobs[0].tolist()
    return found


@pytest.mark.parametrize("tied", [True, False], ids=["tied", "untied"])
async def test_learner_and_sampler_agree_before_and_after_every_way_of_sending(tied: bool, tmp_path: Path) -> None:
    os.environ |= ON_CPU | {"DS_ACCELERATOR": "cpu"}
    folder = tmp_path / "model"
    save_model(folder, tied=tied)  # for its tokenizer; the model is one that vLLM's kernels take
    tiny_model(tie_word_embeddings=tied, head_dim=32).save_pretrained(folder)
    learner = Learner(LearnerSettings(model=folder, device="cpu", precision="fp32", learning_rate=0.03))
    settings = VllmEngineSettings(dtype="float32", context=128, eager=True, sequences=4)
    sampler = VllmEngineSampler.open(folder, settings, stop_ids=[])
    probe = probe_batch(learner.vocabulary, 24)
    ids = probe.ids[0].tolist()
    how = SyncSettings(probe_tokens=24, tolerance=PARITY)
    async with sampler:
        before = said(learner, probe)
        assert await sampler.logprobs(ids) == pytest.approx(before, abs=PARITY)
        ways: tuple[Callable[[Learner], dict[str, Tensor] | Path], ...] = (memory, published(tmp_path / "weights"))
        for version, send in enumerate(ways, start=1):
            trained(learner)
            after = said(learner, probe)
            assert max(abs(a - b) for a, b in zip(after, before, strict=True)) > MOVED
            found = await synchronise(sampler, send(learner), after, probe, version, how)
            assert found.largest <= PARITY
            sampled = await sampler.sample(prompt_of(9), max_tokens=12, seed=1)
            assert set(sampled.versions) == {version}
            before = after
    learner.close()


def memory(learner: Learner) -> dict[str, Tensor]:
    return gathered(learner, keep=True)


def published(folder: Path) -> Callable[[Learner], Path]:
    def send(learner: Learner) -> Path:
        learner.export(folder)
        return folder

    return send
