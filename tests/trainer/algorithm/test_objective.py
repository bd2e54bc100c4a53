"""The loss: golden values, the reference in loops, finite differences, and what clips, forks and NaN do."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from torch import Tensor

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.aggregation import row_weights
from autoforge.trainer.algorithm.erpo_settings import MismatchSettings, ObjectiveSettings
from autoforge.trainer.algorithm.mismatch import mismatch
from autoforge.trainer.algorithm.objective import Objective, Tokens, policy_loss
from tests.trainer.algorithm.reference import reference_advantages, reference_loss
from tests.trainer.algorithm.steps import EXAMPLES, NAN, Rollout, Row, Step, outcomes_of, steps, tensors_of

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures/trainer/policy_loss.json").read_text(encoding="utf-8")
)
NO_MISMATCH = MismatchSettings(level="off")


class Made:
    """A loss and the gradient of its log-probabilities."""

    def __init__(self, objective: Objective, logprobs: Tensor) -> None:
        objective.loss.backward()  # type: ignore[no-untyped-call]
        assert logprobs.grad is not None
        self.loss = float(objective.loss.detach())
        self.gradient = logprobs.grad
        self.figures = objective.figures.read()


def made(
    step: Step,
    settings: ObjectiveSettings,
    advantages: list[float] | None = None,
    weighing: MismatchSettings = NO_MISMATCH,
) -> Made:
    outcomes, rows, logprobs = tensors_of(step)
    values = torch.tensor(reference_advantages(step) if advantages is None else advantages, dtype=torch.float64)
    weights = row_weights(rows.mask, rows.rollouts, outcomes, settings)
    ratios = mismatch(rows.old_logprobs, rows.sampler_logprobs, weights.mask, rows.rollouts, weighing)
    tokens = Tokens(logprobs, rows.old_logprobs, values[rows.rollouts], rows.rollouts, ratios.weights)
    return Made(policy_loss(tokens, weights, settings), logprobs)


def one(now: float, old: float, advantage: float, **settings: Any) -> Made:
    """Of one rollout with one token."""
    row = Row((True, False, False, False), (now,) * 4, (old,) * 4, (old,) * 4)
    return made([Rollout("A", "x", 1, rows=(row,))], ObjectiveSettings(**settings), [advantage])


@pytest.mark.parametrize("name", sorted(GOLDEN["cases"]))
def test_golden_losses_and_gradients(name: str) -> None:
    case = GOLDEN["cases"][name]
    given = zip(GOLDEN["mask"], GOLDEN["logprobs"], GOLDEN["old"], GOLDEN["sampler"], strict=True)
    rows = [Row(tuple(map(bool, mask)), *map(tuple, rest)) for mask, *rest in given]
    step = [Rollout("A", "x", 1, rows=(row,)) for row in rows]
    weighing = MismatchSettings(**case.get("mismatch", {"level": "off"}))
    found = made(step, ObjectiveSettings(**case["objective"]), GOLDEN["advantages"], weighing)
    assert found.loss == pytest.approx(case["loss"], abs=3e-9)
    assert float(found.gradient.sum()) == pytest.approx(case["gradient"], abs=3e-9)
    untrained = ~torch.tensor(GOLDEN["mask"], dtype=torch.bool)
    assert found.gradient[untrained].eq(0).all()


@EXAMPLES
@given(
    steps(),
    st.sampled_from(["task_mean", "token_mean", "sequence_mean"]),
    st.sampled_from(["token", "sequence", "trajectory"]),
    st.sampled_from([0.0, 0.3]),
)
def test_the_reference_in_loops_agrees(step: list[Rollout], aggregation: Any, ratio: Any, beta: float) -> None:
    settings = ObjectiveSettings(aggregation=aggregation, ratio=ratio, kl_weight=beta)
    found = made(step, settings, weighing=MismatchSettings(low=0.9, high=1.1))
    values = reference_advantages(step)
    wanted = reference_loss(step, values, aggregation=aggregation, ratio=ratio, beta=beta, bounds=(0.9, 1.1))
    assert found.loss == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@EXAMPLES
@given(steps(most=6), st.sampled_from(["k1", "k2", "k3"]))
def test_the_gradient_is_that_of_finite_differences(step: list[Rollout], estimator: Any) -> None:
    settings = ObjectiveSettings(kl_weight=0.2, kl_estimator=estimator)
    found = made(step, settings)
    place = next((divmod(int(n), 4) for n in found.gradient.flatten().nonzero()[:, 0]), None)
    if place is None:
        return
    width = 1e-6
    low, high = (made(_moved(step, place, by), settings).loss for by in (-width, width))
    # A token at the very edge of the clip has one gradient to each side.
    assert (high - low) / (2 * width) == pytest.approx(float(found.gradient[place]), rel=1e-4, abs=1e-7)


def _moved(step: Step, place: tuple[int, int], by: float) -> list[Rollout]:
    places = [(n, k) for n, rollout in enumerate(step) for k in range(len(rollout.rows))]
    number, row = places[place[0]]
    own = list(step[number].rows)
    values = [v + by * (column == place[1]) for column, v in enumerate(own[row].logprobs)]
    own[row] = own[row]._replace(logprobs=tuple(values))
    return [r._replace(rows=tuple(own)) if n == number else r for n, r in enumerate(step)]


@EXAMPLES
@given(steps(), st.sampled_from(["task_mean", "token_mean", "sequence_mean"]), st.sampled_from(["token", "sequence"]))
def test_masked_is_the_same_as_not_there_bit_for_bit(step: list[Rollout], aggregation: Any, ratio: Any) -> None:
    settings = ObjectiveSettings(aggregation=aggregation, ratio=ratio, kl_weight=0.1)
    whole, rest = made(step, settings), made([r for r in step if r.counts], settings)
    assert whole.loss == rest.loss
    assert whole.figures == rest.figures
    kept = torch.tensor([r.counts for r in step for _ in r.rows], dtype=torch.bool)
    assert torch.equal(whole.gradient[kept], rest.gradient)
    assert whole.gradient[~kept].eq(0).all()


@EXAMPLES
@given(steps(), st.sampled_from(["token", "sequence", "trajectory"]))
def test_what_is_not_trained_on_has_gradient_exactly_0_though_nan_stands_there(step: list[Rollout], ratio: Any) -> None:
    found = made(step, ObjectiveSettings(ratio=ratio, kl_weight=0.1))
    mask = torch.tensor([row.mask for r in step for row in r.rows], dtype=torch.bool)
    assert math.isfinite(found.loss)
    assert found.gradient.isfinite().all()
    assert found.gradient[~mask].eq(0).all()


@pytest.mark.parametrize("where", ["logprobs", "old"])
@pytest.mark.parametrize("value", [NAN, -math.inf])
def test_a_trained_token_without_finite_probability_adds_nothing_and_is_counted(where: str, value: float) -> None:
    row = Row((True, True, False, False), (-1.0, -0.5, 0, 0), (-1.0, -0.6, 0, 0), (-1.0, -0.6, 0, 0))
    broken = row._replace(**{where: (value, *getattr(row, where)[1:])})
    found = made([Rollout("A", "x", 1, rows=(broken,))], ObjectiveSettings(kl_weight=1.0), [1.0])
    assert math.isfinite(found.loss)
    assert found.gradient[0, 0] == 0
    assert found.gradient[0, 1] != 0
    assert found.figures["unusable_tokens"] == 1


@pytest.mark.parametrize("aggregation", ["task_mean", "sequence_mean"])
@pytest.mark.parametrize("ratio", ["token", "sequence"])
def test_a_rollout_forked_into_rows_weighs_as_one(aggregation: Any, ratio: Any) -> None:
    step = _two_rollouts()
    settings = ObjectiveSettings(aggregation=aggregation, ratio=ratio, kl_weight=0.1)
    forked = [step[0]._replace(rows=step[0].rows * 5), step[1]]
    assert made(forked, settings).loss == pytest.approx(made(step, settings).loss, rel=1e-12)


@pytest.mark.parametrize("aggregation", ["task_mean", "token_mean", "sequence_mean", "constant_length"])
@pytest.mark.parametrize("ratio", ["token", "sequence", "trajectory"])
def test_tokens_of_a_rollout_weigh_the_same_in_one_row_and_in_several(aggregation: Any, ratio: Any) -> None:
    step = _two_rollouts()
    row = step[0].rows[0]
    first, second = (tuple(m and (n < 2) == early for n, m in enumerate(row.mask)) for early in (True, False))
    forked = [step[0]._replace(rows=(row._replace(mask=first), row._replace(mask=second))), step[1]]
    length = 7 if aggregation == "constant_length" else None
    settings = ObjectiveSettings(aggregation=aggregation, ratio=ratio, kl_weight=0.1, length=length)
    assert made(forked, settings).loss == pytest.approx(made(step, settings).loss, rel=1e-12)


def _two_rollouts() -> list[Rollout]:
    first = Row((True, True, True, True), (-0.2, -0.4, -0.1, -1.0), (-0.5, -0.4, -0.3, -1.0), (-0.5,) * 4)
    second = Row((True, True, False, False), (-0.7, -0.3, -0.2, -0.5), (-0.7, -0.6, -0.2, -0.1), (-0.5,) * 4)
    return [Rollout("A", "x", 1, rows=(first,)), Rollout("A", "x", 0, rows=(second,))]


def test_a_rollout_in_two_micro_batches_is_refused_where_the_ratio_is_the_rollouts() -> None:
    step = _two_rollouts()
    forked = [step[0]._replace(rows=step[0].rows * 2), step[1]]
    outcomes, rows, logprobs = tensors_of(forked)
    settings = ObjectiveSettings(ratio="sequence")
    weights = row_weights(rows.mask, rows.rollouts, outcomes, settings)
    half = weights._replace(token=weights.token[:1], mask=weights.mask[:1], rollout_tokens=weights.rollout_tokens[:1])
    tokens = Tokens(logprobs[:1], rows.old_logprobs[:1], torch.ones(1), rows.rollouts[:1])
    with pytest.raises(BadInput, match="several micro-batches"):
        policy_loss(tokens, half, settings)
    assert policy_loss(tokens, half, ObjectiveSettings()).loss.isfinite()


def test_dr_grpo_divides_by_the_same_length_whatever_was_sampled() -> None:
    settings = ObjectiveSettings(aggregation="constant_length", length=10)
    step = [r._replace(rows=tuple(row._replace(logprobs=row.old) for row in r.rows)) for r in _two_rollouts()]
    # Four tokens of advantage 1, two of −1, two rollouts.
    assert made(step, settings, [1.0, -1.0]).loss == pytest.approx(-(4 - 2) / 20)


@pytest.mark.parametrize(
    ("ratio", "advantage", "gain", "moves"),
    [
        (1.5, 1.0, 1.28, False),
        (1.25, 1.0, 1.25, True),
        (0.5, 1.0, 0.5, True),
        (0.5, -1.0, -0.8, False),
        (1.5, -1.0, -1.5, True),
    ],
)
def test_the_clip_takes_the_gradient_where_the_policy_went_far_enough(
    ratio: float, advantage: float, gain: float, moves: bool
) -> None:
    found = one(math.log(ratio) - 5, -5, advantage, clip_low=0.2, clip_high=0.28)
    assert found.loss == pytest.approx(-gain)
    assert bool(found.gradient.any()) is moves
    assert found.figures["clipped_share"] == (0.0 if moves else 1.0)
    assert found.figures["ratio_high"] == pytest.approx(ratio)


def test_the_dual_clip_bounds_what_a_bad_token_costs() -> None:
    free, bounded = one(math.log(9) - 5, -5, -1.0), one(math.log(9) - 5, -5, -1.0, dual_clip=3.0)
    assert (free.loss, bounded.loss) == pytest.approx((9.0, 3.0))
    assert not bounded.gradient.any()
    assert bounded.figures["clipped_high_share"] == 1


def test_the_dual_clip_does_not_touch_what_a_good_token_gains() -> None:
    for ratio in (0.5, 1.1, 9.0):
        free, bounded = (one(math.log(ratio) - 5, -5, 1.0, dual_clip=clip) for clip in (None, 3.0))
        assert (bounded.loss, bounded.figures) == (free.loss, free.figures)


@pytest.mark.parametrize("ratio", ["token", "sequence", "trajectory"])
def test_probabilities_worlds_apart_stay_finite(ratio: str) -> None:
    for now, old in ((-0.001, -900.0), (-900.0, -0.001)):
        found = one(now, old, -1.0, ratio=ratio, kl_weight=0.1)
        assert math.isfinite(found.loss)
        assert found.gradient.isfinite().all()


def test_half_precision_is_computed_in_single() -> None:
    outcomes, rows, logprobs = tensors_of(_two_rollouts())
    weights = row_weights(rows.mask, rows.rollouts, outcomes, ObjectiveSettings())
    half = logprobs.detach().bfloat16().requires_grad_()
    values = torch.tensor([1.0, -1.0])
    found = policy_loss(Tokens(half, rows.old_logprobs.bfloat16(), values, rows.rollouts), weights)
    found.loss.backward()  # type: ignore[no-untyped-call]
    assert found.loss.dtype == torch.float32
    assert half.grad is not None
    assert half.grad.isfinite().all()


def test_entropy_is_averaged_over_the_trained_tokens() -> None:
    outcomes, rows, logprobs = tensors_of(_two_rollouts())
    weights = row_weights(rows.mask, rows.rollouts, outcomes, ObjectiveSettings())
    entropy = torch.where(rows.mask, torch.arange(8.0).reshape(2, 4), torch.nan)
    found = policy_loss(
        Tokens(logprobs, rows.old_logprobs, torch.zeros(2), rows.rollouts, entropy=entropy), weights
    )  # fmt: skip
    assert found.figures.read()["entropy"] == pytest.approx((0 + 1 + 2 + 3 + 4 + 5) / 6)


def test_a_constant_length_must_be_given_and_only_then() -> None:
    for wrong in ({"aggregation": "constant_length"}, {"length": 5}):
        with pytest.raises(ValidationError, match="length goes with"):
            ObjectiveSettings.model_validate(wrong)


def test_shapes_that_do_not_fit_are_refused() -> None:
    outcomes, rows, logprobs = tensors_of(_two_rollouts())
    weights = row_weights(rows.mask, rows.rollouts, outcomes, ObjectiveSettings())
    with pytest.raises(BadInput, match="one for each token"):
        policy_loss(Tokens(logprobs[:, :2], rows.old_logprobs, torch.zeros(2), rows.rollouts), weights)
    with pytest.raises(BadInput, match="one entry for each row"):
        policy_loss(Tokens(logprobs, rows.old_logprobs, torch.zeros(3), rows.rollouts), weights)
    with pytest.raises(BadInput, match="none of the 2 rollouts"):
        row_weights(rows.mask, rows.rollouts + 1, outcomes_of(_two_rollouts()), ObjectiveSettings())
    with pytest.raises(BadInput, match="rows, length"):
        row_weights(rows.mask[0], rows.rollouts, outcomes, ObjectiveSettings())
