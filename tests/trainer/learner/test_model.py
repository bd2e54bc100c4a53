from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.learner.model import Loaded, load
from autoforge.trainer.learner.ranks import Ranks
from tests.trainer.learner.tiny import VOCABULARY, save_model, settings

ALONE = Ranks(0, 0, 1, torch.device("cpu"), torch.float32)


def _load(folder: Path, **changed: object) -> Loaded:
    return load(settings(folder, zero_stage=0, **changed), ALONE, {})


@pytest.fixture
def copy(model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(model, tmp_path / "copy"))


def _change_config(folder: Path, **changed: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))


def test_a_model_comes_with_its_tokenizer_and_vocabulary(model: Path) -> None:
    loaded = _load(model)
    assert loaded.vocabulary == len(loaded.tokenizer) == VOCABULARY
    assert all(parameter.requires_grad for parameter in loaded.policy.parameters())


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"has no config\.json; give a Hugging Face folder"):
        _load(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer"])
def test_a_folder_that_is_not_whole_is_refused(copy: Path, name: str) -> None:
    for path in copy.glob(f"{name}*"):
        path.unlink()
    with pytest.raises(BadInput, match="has no weights" if name.startswith("model") else "has no tokenizer"):
        _load(copy)


def test_a_kind_of_model_that_nobody_knows_is_refused(copy: Path) -> None:
    _change_config(copy, model_type="nobody-knows")
    with pytest.raises(BadInput, match="of no model that transformers knows"):
        _load(copy)


def test_a_head_that_does_more_than_one_linear_map_is_refused(copy: Path) -> None:
    _change_config(copy, final_logit_softcapping=30.0)
    with pytest.raises(BadInput, match="final_logit_softcapping"):
        _load(copy)


def test_a_tokenizer_with_more_ids_than_the_model_is_refused(tmp_path: Path) -> None:
    save_model(tmp_path, tied=False, tokens=VOCABULARY + 1)
    with pytest.raises(BadInput, match="the tokenizer has 49 ids and the model 48; resize"):
        _load(tmp_path)


def test_adapters_alone_are_trained_and_begin_the_same_each_time(model: Path) -> None:
    one, other = (_load(model, lora={"rank": 2}).policy for _ in range(2))
    trained = {name for name, parameter in one.named_parameters() if parameter.requires_grad}
    assert trained and all(".lora_" in name for name in trained)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


@pytest.mark.parametrize(("targets", "words"), [(("no_such",), "lora.targets: "), (("lm_head",), "leave it out")])
def test_adapters_where_none_can_be_are_refused(model: Path, targets: tuple[str, ...], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        _load(model, lora={"targets": targets})
