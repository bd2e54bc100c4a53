"""A learner that is saved, continued, loaded and exported, on two ranks with the real DeepSpeed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.trainer.learner.launched import Launched
from tests.trainer.learner.tiny import TEMPLATE, rows

NAMES = {
    "stage 0": "stage-0", "stage 2": "stage-2", "stage 3": "stage-3",
    "adapters, stage 2": "adapters-2", "adapters, stage 3": "adapters-3",
}  # fmt: skip


@pytest.fixture(params=NAMES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[0, 1])
def seen(launched: Launched, kind: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = launched.seen("life", 2, request.param)[kind]
    return found


@pytest.fixture
def exported(launched: Launched, kind: str) -> Path:
    return launched.folder(2) / NAMES[kind] / "exported"


def _logprobs(folder: Path, temperature: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
    """And the entropy, of the exported model on all rows."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    with torch.no_grad():
        logits = model(input_ids=rows().ids, attention_mask=rows().attention).logits[:, :-1]
    every = torch.log_softmax(logits / temperature, -1)
    return every.gather(-1, rows().ids[:, 1:, None])[..., 0], -(every.exp() * every).sum(-1)


def test_what_is_loaded_continues_bit_for_bit(seen: dict[str, Any]) -> None:
    assert seen["steps"] == 2
    assert seen["loaded"] and seen["same dice"] and seen["continued"]


def test_nothing_is_saved_over(seen: dict[str, Any]) -> None:
    assert seen["again"].startswith("BadInput: ") and "is there already" in seen["again"]


def test_a_checkpoint_that_is_split_otherwise_is_refused(seen: dict[str, Any]) -> None:
    assert seen["stage"].startswith("BadInput: ") and "zero_stage" in seen["stage"]


def test_a_saved_folder_has_nothing_unfinished_beside_it(exported: Path, seen: dict[str, Any]) -> None:
    assert sorted(path.name for path in exported.parent.iterdir()) == ["exported", "saved"]


def test_weights_stay_as_they_were_when_training_goes_on(seen: dict[str, Any]) -> None:
    assert seen["steady"]


def test_an_export_loads_in_transformers_and_says_the_same(exported: Path, seen: dict[str, Any]) -> None:
    logprobs, entropy = _logprobs(exported)
    attended = rows().attention[:, 1:].bool()
    assert torch.allclose(seen["logprobs"][attended], logprobs[attended], atol=1e-5)
    assert torch.allclose(seen["entropy"][attended], entropy[attended], atol=1e-5)
    assert torch.allclose(seen["hot"][attended], _logprobs(exported, 2.0)[0][attended], atol=1e-5)
    assert not seen["logprobs"][~attended].any()


def test_scores_of_trainable_ids_are_those_of_all_ids_there(seen: dict[str, Any]) -> None:
    wanted = torch.where(rows().trainable[:, 1:], seen["logprobs"], 0.0)
    assert torch.allclose(seen["trainable logprobs"], wanted, atol=1e-5)


def test_each_rank_gets_scores_for_its_own_batches(launched: Launched, kind: str) -> None:
    assert [launched.seen("life", 2, rank)[kind]["number"] for rank in (0, 1)] == [1, 2]


def test_weights_are_those_of_the_exported_model(exported: Path, seen: dict[str, Any]) -> None:
    model = AutoModelForCausalLM.from_pretrained(exported, dtype=torch.float32)
    own = dict(model.named_parameters())
    assert own.keys() == seen["weights"].keys()
    assert all(torch.equal(own[name], tensor) for name, tensor in seen["weights"].items())
    assert seen["shapes fit"]


def test_a_tied_parameter_comes_once_with_its_other_name(kind: str, seen: dict[str, Any]) -> None:
    tied = {"model.embed_tokens.weight": ["lm_head.weight"]}
    assert seen["aliases"] == (tied if kind.startswith("stage") else {})


def test_pieces_keep_to_their_size_or_hold_one_weight(seen: dict[str, Any]) -> None:
    sizes = list(zip(seen["sizes"], seen["numbers in pieces"], strict=True))
    assert all(size <= 4000 or number == 1 for size, number in sizes)
    assert any(number > 1 for _, number in sizes)


def test_stage_3_holds_matrices_in_parts_only(kind: str, seen: dict[str, Any]) -> None:
    assert seen["split"] == kind.endswith("stage 3")


def test_adapters_change_the_layers_that_they_are_in_and_nothing_else(launched: Launched) -> None:
    base = AutoModelForCausalLM.from_pretrained(launched.folder(2) / "untied", dtype=torch.float32)
    weights = launched.seen("life", 2)["adapters, stage 3"]["weights"]
    changed = {name for name, tensor in base.named_parameters() if not torch.equal(tensor, weights[name])}
    assert changed == {name for name in weights if "_proj." in name}


def test_an_export_has_the_tokenizer_with_its_template_or_the_one_given(exported: Path, kind: str) -> None:
    tokenizer = AutoTokenizer.from_pretrained(exported)
    assert tokenizer.chat_template == ("other" if kind == "stage 0" else TEMPLATE)
    assert tokenizer("w3 w5")["input_ids"] == [3, 5]
