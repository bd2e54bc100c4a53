"""Steps that are left out, and failures that every rank tells alike, on two ranks with the real DeepSpeed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.trainer.learner.launched import Launched


@pytest.fixture(params=[0, 1])
def seen(launched: Launched, request: pytest.FixtureRequest) -> dict[str, Any]:
    return launched.seen("refusals", 2, request.param)


def test_a_step_without_a_trainable_id_is_left_out_on_every_rank(seen: dict[str, Any]) -> None:
    assert seen["skipped"]["skipped"] and seen["skipped"]["step"] == 0
    assert seen["unchanged"]


def test_a_rank_without_a_trainable_id_takes_part_where_another_has_some(seen: dict[str, Any]) -> None:
    assert not seen["one rank masked"]["skipped"]
    assert seen["one rank masked"]["step"] == 1
    assert seen["one rank masked"]["sums"]["ids"] == seen["one rank masked"]["trained_ids"] == 29


def test_the_learning_rate_rises_to_its_value(seen: dict[str, Any]) -> None:
    assert seen["one rank masked"]["learning_rate"] == pytest.approx(0.0025)
    assert seen["rates"] == pytest.approx([0.005, 0.0075, 0.01, 0.01])


def test_a_bad_micro_batch_of_one_rank_is_refused_on_all(seen: dict[str, Any]) -> None:
    assert seen["bad batch"].startswith("BadInput: rank 1, micro-batch 1: an id is 1000")


def test_a_loss_or_gradient_that_is_not_finite_changes_nothing(seen: dict[str, Any]) -> None:
    assert seen["not finite"].startswith("AutoForgeError: the loss after step 5 is nan")
    for words, unchanged in seen["gradient not finite"]:
        assert words.startswith("AutoForgeError: the gradient norm after step")
        assert unchanged


def test_running_out_of_memory_names_the_settings_to_change(seen: dict[str, Any]) -> None:
    assert seen["memory"].startswith("AutoForgeError: memory ran out while training; ")
    for setting in ("head_tokens", "gradient_checkpointing", "zero_stage", "offload", "lora"):
        assert setting in seen["memory"]
    assert seen["unchanged after failures"]
