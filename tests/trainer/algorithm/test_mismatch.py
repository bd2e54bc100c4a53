"""Weights for the mismatch of sampler and learner: bounds at each level, figures, and what is not trained on."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from autoforge.trainer.algorithm.erpo_settings import MismatchSettings
from autoforge.trainer.algorithm.mismatch import mismatch
from tests.trainer.algorithm.steps import EXAMPLES, NAN, Rollout, steps, tensors_of

LEVELS = st.sampled_from(["off", "token", "sequence", "geometric"])
MODES = st.sampled_from(["truncate", "mask", "gate"])
OLD = torch.tensor([[math.log(3.0), math.log(0.25), 0.0]], dtype=torch.float64)
"""Against a sampler of 0 the ratios are 3, 1/4 and 1; their product is 3/4."""


def weights_of(**settings: Any) -> list[float]:
    mask = torch.ones(1, 3, dtype=torch.bool)
    made = mismatch(OLD, torch.zeros_like(OLD), mask, torch.zeros(1, dtype=torch.int64), MismatchSettings(**settings))
    found: list[float] = made.weights[0].tolist()
    return found


@pytest.mark.parametrize(
    ("settings", "weights"),
    [
        ({"level": "off"}, (1, 1, 1)),
        ({}, (2, 0.25, 1)),
        ({"low": 0.5}, (2, 0.5, 1)),
        ({"mode": "mask", "low": 0.5}, (0, 0, 1)),
        ({"mode": "gate", "low": 0.5}, (0, 0, 1)),
        ({"level": "sequence", "high": 2}, (0.75, 0.75, 0.75)),
        ({"level": "sequence", "low": 0.8}, (0.8, 0.8, 0.8)),
        ({"level": "sequence", "low": 0.8, "mode": "mask"}, (0, 0, 0)),
        ({"level": "sequence", "mode": "gate"}, (3, 0.25, 1)),
        ({"level": "geometric", "low": 0.8, "mode": "mask"}, (0.75 ** (1 / 3),) * 3),
        ({"level": "geometric", "low": 0.8, "mode": "gate"}, (3, 0.25, 1)),
        ({"level": "geometric", "low": 0.95, "mode": "gate"}, (0, 0, 0)),
    ],
)
def test_ratios_are_cut_left_out_or_looked_at(settings: dict[str, Any], weights: tuple[float, ...]) -> None:
    assert weights_of(**settings) == pytest.approx(list(weights))


@EXAMPLES
@given(steps(), LEVELS, MODES)
def test_weights_are_finite_within_bounds_and_0_where_nothing_is_trained(
    step: list[Rollout], level: Any, mode: Any
) -> None:
    rows = tensors_of(step).rows
    settings = MismatchSettings(level=level, mode=mode, low=0.9, high=1.2)
    made = mismatch(rows.old_logprobs, rows.sampler_logprobs, rows.mask, rows.rollouts, settings)
    assert made.weights.isfinite().all()
    assert made.weights[~rows.mask].eq(0).all()
    assert not made.weights.requires_grad
    if mode == "truncate":
        inside = (made.weights[rows.mask] >= 0.9) & (made.weights[rows.mask] <= 1.2)
        assert inside.all()


@EXAMPLES
@given(steps(), LEVELS, MODES)
def test_where_sampler_and_learner_agree_all_weigh_1(step: list[Rollout], level: Any, mode: Any) -> None:
    rows = tensors_of(step).rows
    settings = MismatchSettings(level=level, mode=mode, low=1, high=1)
    made = mismatch(rows.old_logprobs, rows.old_logprobs, rows.mask, rows.rollouts, settings)
    assert made.weights[rows.mask].eq(1).all()
    assert made.figures.read().get("mismatch_kl", 0.0) == 0


def test_rows_of_one_rollout_share_its_ratio() -> None:
    old, mask = OLD.reshape(3, 1), torch.ones(3, 1, dtype=torch.bool)
    settings = MismatchSettings(level="sequence")
    made = mismatch(old, torch.zeros_like(old), mask, torch.tensor([4, 4, 9]), settings)
    assert made.weights[:, 0].tolist() == pytest.approx([0.75, 0.75, 1.0])


@pytest.mark.parametrize("broken", [NAN, -math.inf])
def test_a_trained_token_without_finite_probability_weighs_0_and_is_counted(broken: float) -> None:
    sampler = torch.tensor([[broken, 0.0, 0.0]], dtype=torch.float64)
    mask = torch.ones(1, 3, dtype=torch.bool)
    made = mismatch(OLD, sampler, mask, torch.zeros(1, dtype=torch.int64))
    assert made.weights[0].tolist() == pytest.approx([0, 0.25, 1])
    assert (made.figures.read()["unusable_tokens"], made.figures.read()["tokens"]) == (1, 2)


def test_figures_are_of_the_sampler_against_the_learner_and_add_up() -> None:
    mask = torch.ones(1, 3, dtype=torch.bool)
    place = torch.zeros(1, dtype=torch.int64)
    whole = mismatch(OLD, torch.zeros_like(OLD), mask, place).figures
    read = whole.read()
    assert read["mean_difference"] == pytest.approx((math.log(3) + math.log(4)) / 3)
    assert read["largest_difference"] == pytest.approx(math.log(4))
    assert read["mismatch_kl"] == pytest.approx(((3 - 1 - math.log(3)) + (0.25 - 1 + math.log(4))) / 3)
    assert read["cut_share"] == pytest.approx(1 / 3)
    parts = [mismatch(OLD[:, k], torch.zeros(1, 1), mask[:, k], place).figures for k in ([0], [1], [2])]
    assert parts[0].merged(parts[1]).merged(parts[2]).read() == pytest.approx(read)


def test_bounds_that_cut_agreement_are_refused() -> None:
    for wrong in ({"low": 1.1}, {"high": 0.9}):
        with pytest.raises(ValidationError, match="must hold 1"):
            MismatchSettings.model_validate(wrong)
