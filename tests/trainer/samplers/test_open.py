"""Which sampler the settings open, and what a run refuses before it begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.run import run_training
from autoforge.trainer.samplers.open import open_sampler
from autoforge.trainer.samplers.replicas import Replicas
from autoforge.trainer.samplers.torch_sampler import TorchSampler
from autoforge.trainer.settings.load import load_settings
from tests.trainer.samplers.conftest import tiny_model


def test_torch_samples_from_the_models_folder(tmp_path: Path) -> None:
    tiny_model().save_pretrained(tmp_path)
    settings = load_settings("tiny", ["rollouts.policy.context=256"]).settings
    sampler = open_sampler(settings, tmp_path, stop_ids=(1,), version=3)
    assert isinstance(sampler, TorchSampler) and sampler.version == 3


def test_what_torch_keeps_is_no_more_than_the_plan_of_memory_has(tmp_path: Path) -> None:
    tiny_model().save_pretrained(tmp_path)
    few = load_settings("tiny", ["sampler.sequences=4", "rollouts.policy.context=256"]).settings
    sampler = open_sampler(few, tmp_path, stop_ids=(1,), version=0)
    assert isinstance(sampler, TorchSampler) and sampler._generation._keep_columns == 4 * 256


def test_servers_are_replicas_whose_addresses_may_end_in_v1(tmp_path: Path) -> None:
    urls = "sampler.urls=['http://one:8000/v1/', 'http://two:8000']"
    settings = load_settings("tiny", ["sampler.engine=vllm-server", "sampler.placement=apart", urls]).settings
    sampler = open_sampler(settings, tmp_path, stop_ids=(1,), version=3)
    assert isinstance(sampler, Replicas) and sampler.version == 3
    assert [server.url for server in sampler.samplers] == ["http://one:8000", "http://two:8000"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("option", ["sampler.placement=apart", "sampler.tensor_parallel=2", "learner.ranks=2"])
def test_the_vllm_of_a_run_has_no_gpus_of_its_own(option: str, tmp_path: Path) -> None:
    more = ["sampler.gpus=2", "sampler.placement=apart"] if option == "sampler.tensor_parallel=2" else []
    given = ["sampler.engine=vllm", option, *more, "run.device=cuda", f"run.folder={tmp_path / 'run'}"]
    with pytest.raises(BadInput, match=r"the engine 'vllm' lives on the device of a single rank.*vllm-server"):
        run_training(load_settings("tiny", given).settings, resume=False)
    assert not (tmp_path / "run").exists()
