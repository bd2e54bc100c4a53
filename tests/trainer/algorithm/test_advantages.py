"""Advantages: golden vectors, the reference in loops, and what masking, noise and lone survivors do."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.algorithm.advantages import advantages
from autoforge.trainer.algorithm.erpo_settings import METHODS, AdvantageSettings
from autoforge.trainer.algorithm.outcomes import Outcomes
from autoforge.trainer.ranks import Gather
from tests.trainer.algorithm.reference import reference_advantages
from tests.trainer.algorithm.steps import EXAMPLES, NAN, Rollout, Step, outcomes_of, steps

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures/trainer/advantages.json").read_text(encoding="utf-8")
)


def golden_outcomes(*, masked: bool = False) -> Outcomes:
    kept = torch.tensor(GOLDEN["kept"], dtype=torch.bool)
    return Outcomes(
        GOLDEN["environment"],
        [str(group) for group in GOLDEN["group"]],
        torch.tensor(GOLDEN["reward"], dtype=torch.float64),
        ~kept if masked else torch.zeros_like(kept),
    )


def values_of(step: Step, settings: AdvantageSettings | None = None) -> list[float]:
    made: list[float] = advantages(outcomes_of(step), settings).values.tolist()
    return made


def of_rewards(*rewards: float, settings: AdvantageSettings | None = None) -> list[float]:
    return values_of([Rollout("A", "x", reward) for reward in rewards], settings)


@pytest.mark.parametrize(
    ("name", "masked", "settings", "tolerance"),
    [
        ("erpo", False, AdvantageSettings(eps=0), 1e-14),
        ("erpo_masked", True, AdvantageSettings(eps=0), 1e-14),
        ("about_the_group", False, AdvantageSettings(eps=0, std_about="group"), 1e-14),
        ("grpo", False, AdvantageSettings(eps=1e-6, scale="group"), 4e-6),
    ],
)
def test_golden_vectors(name: str, masked: bool, settings: AdvantageSettings, tolerance: float) -> None:
    made = advantages(golden_outcomes(masked=masked), settings).values
    wanted = torch.tensor(GOLDEN[name], dtype=torch.float64)
    assert torch.allclose(made, wanted, rtol=0, atol=tolerance)


@EXAMPLES
@given(steps())
def test_the_reference_in_loops_agrees(step: list[Rollout]) -> None:
    assert values_of(step) == pytest.approx(reference_advantages(step), rel=1e-12, abs=1e-12)


def test_a_lone_survivor_of_masking_gets_0() -> None:
    step = [Rollout("A", "x", 0.7), Rollout("A", "x", 0.1, masked=True), Rollout("A", "y", 1), Rollout("A", "y", 0)]
    assert values_of(step)[:2] == [0.0, 0.0]


def test_a_lone_survivor_still_counts_in_the_standard_deviation_of_its_environment() -> None:
    step = [Rollout("A", "x", 5.0), Rollout("A", "y", 1), Rollout("A", "y", 0)]
    assert values_of(step) == pytest.approx(reference_advantages(step))
    assert values_of(step)[1] != pytest.approx(values_of(step[1:])[0])


@pytest.mark.parametrize("rewards", [(0.1 + 0.2, 0.3, 0.3), (1e-17, 0.0), (1.0,), (-0.1 - 0.2, -0.3)])
@pytest.mark.parametrize("method", sorted(METHODS))
def test_an_environment_that_is_constant_but_for_noise_has_exactly_0(rewards: tuple[float, ...], method: str) -> None:
    settings = METHODS[method](100).advantage
    assert of_rewards(*rewards, settings=settings) == [0.0] * len(rewards)
    assert of_rewards(*rewards, settings=settings.model_copy(update={"eps": 0.0})) == [0.0] * len(rewards)


def test_a_group_that_is_constant_but_for_noise_has_exactly_0_in_an_environment_that_is_not() -> None:
    step = [Rollout("A", "x", 0.1 + 0.2), Rollout("A", "x", 0.3), Rollout("A", "y", 1), Rollout("A", "y", 0)]
    for settings in (AdvantageSettings(), AdvantageSettings(scale="group", eps=0), AdvantageSettings(scale="none")):
        assert values_of(step, settings)[:2] == [0.0, 0.0]


def test_rewards_in_single_precision_are_constant_where_only_rounding_differs() -> None:
    parts = torch.tensor([0.1, 0.1, 0.5])
    rewards = torch.stack(((parts[0] + parts[1]) + parts[2], parts[0] + (parts[1] + parts[2])))
    assert rewards[0] != rewards[1]
    made = advantages(Outcomes("AA", "xx", rewards, torch.zeros(2, dtype=torch.bool)))
    assert made.values.tolist() == [0.0, 0.0]
    assert made.values.dtype == torch.float32


@EXAMPLES
@given(steps())
def test_masked_and_unscorable_are_the_same_as_not_there_bit_for_bit(step: list[Rollout]) -> None:
    values = values_of(step)
    assert [v for v, r in zip(values, step, strict=True) if r.counts] == values_of([r for r in step if r.counts])
    assert all(v == 0.0 for v, r in zip(values, step, strict=True) if not r.counts)


@EXAMPLES
@given(steps(), st.randoms(use_true_random=False))
def test_order_changes_no_bit(step: list[Rollout], dice: Any) -> None:
    order = list(range(len(step)))
    dice.shuffle(order)
    values = values_of(step)
    assert values_of([step[place] for place in order]) == [values[place] for place in order]


@EXAMPLES
@given(steps(), st.floats(0.01, 100))
def test_a_factor_on_the_rewards_of_one_environment_changes_nothing_anywhere(step: list[Rollout], by: float) -> None:
    settings = AdvantageSettings(eps=0)
    scaled = [r._replace(reward=r.reward * by) if r.environment == "A" else r for r in step]
    before, after = values_of(step, settings), values_of(scaled, settings)
    assert after == pytest.approx(before, rel=1e-9)
    others = [place for place, r in enumerate(step) if r.environment != "A"]
    assert [after[p] for p in others] == [before[p] for p in others]


@EXAMPLES
@given(steps())
def test_one_task_an_environment_is_grpo(step: list[Rollout]) -> None:
    apart = [r._replace(environment=r.environment + r.task) for r in step]
    assert values_of(apart) == values_of(step, AdvantageSettings(scale="group"))


@EXAMPLES
@given(steps())
def test_within_one_environment_it_is_the_batch_that_is_divided_by(step: list[Rollout]) -> None:
    one = [r._replace(environment="A", task=r.environment + r.task) for r in step]
    assert values_of(one) == values_of(one, AdvantageSettings(scale="batch"))


@EXAMPLES
@given(steps())
def test_advantages_of_a_group_sum_to_0(step: list[Rollout]) -> None:
    for settings in (AdvantageSettings(), AdvantageSettings(baseline="leave_one_out", scale="none")):
        values = values_of(step, settings)
        for group in {(r.environment, r.task) for r in step}:
            own = [v for v, r in zip(values, step, strict=True) if (r.environment, r.task) == group]
            assert math.fsum(own) == pytest.approx(0, abs=1e-12)


def test_leave_one_out_subtracts_the_mean_of_the_others() -> None:
    settings = METHODS["rloo"](100).advantage
    assert of_rewards(1, 0, 0.5, settings=settings) == pytest.approx([0.75, -0.75, 0.0])


def test_dr_grpo_does_not_divide() -> None:
    assert of_rewards(1, 0, 0, 1, settings=METHODS["dr_grpo"](100).advantage) == [0.5, -0.5, -0.5, 0.5]


def test_reinforce_normalises_over_the_batch_whatever_the_groups() -> None:
    step = [Rollout("A", "x", 1), Rollout("B", "y", 0), Rollout("B", "y", 0), Rollout("B", "z", 1)]
    deviation = math.sqrt(1 / 3)
    settings = AdvantageSettings(baseline="batch", scale="batch", eps=0)
    assert values_of(step, settings) == pytest.approx([s * 0.5 / deviation for s in (1, -1, -1, 1)])


def test_reinforce_with_a_baseline_normalises_what_is_left_of_each_group() -> None:
    step = [Rollout("A", "x", 1), Rollout("A", "x", 0), Rollout("B", "y", 10), Rollout("B", "y", 8)]
    left = [0.5, -0.5, 1.0, -1.0]
    deviation = math.sqrt(sum(v * v for v in left) / 3)
    settings = METHODS["reinforce++-baseline"](100).advantage.model_copy(update={"eps": 0.0})
    assert values_of(step, settings) == pytest.approx([v / deviation for v in left])


@pytest.mark.parametrize("reward", [0.3, 0.1 + 0.2])
@pytest.mark.parametrize("scale", ["environment", "group"])
def test_where_the_scale_is_constant_advantages_are_0_though_the_batch_is_not(reward: float, scale: Any) -> None:
    step = [Rollout("A", "x", 0.3), Rollout("A", "x", reward), Rollout("B", "y", 1), Rollout("B", "y", 0)]
    assert values_of(step, AdvantageSettings(baseline="batch", scale=scale))[:2] == [0.0, 0.0]


def test_constant_groups_count_in_the_standard_deviation_unless_only_kept_ones_do() -> None:
    contrast = [Rollout("A", "x", 1), Rollout("A", "x", 0)]
    solved = [Rollout("A", "y", 1), Rollout("A", "y", 1)]
    kept = AdvantageSettings(std_over="kept")
    assert values_of(contrast + solved, kept)[:2] == values_of(contrast)
    assert values_of(contrast + solved)[:2] == pytest.approx([0.5 / (0.5 + 1e-6), -0.5 / (0.5 + 1e-6)])


def test_an_infinite_reward_is_refused_and_its_rollout_named() -> None:
    with pytest.raises(BadInput, match="rollout 1, task x of A is inf"):
        of_rewards(0, math.inf)


def test_outcomes_of_different_lengths_are_refused() -> None:
    with pytest.raises(BadInput, match="one of each"):
        advantages(Outcomes(["A"], ["x"], torch.zeros(2), torch.zeros(1, dtype=torch.bool)))


def test_a_step_of_nothing_has_no_advantages() -> None:
    assert of_rewards() == []


def test_figures_of_an_environment_say_what_its_advantages_are() -> None:
    step = [
        Rollout("A", "x", 1), Rollout("A", "x", 0), Rollout("A", "y", 1), Rollout("A", "z", NAN),
        Rollout("B", "x", 0, masked=True),
    ]  # fmt: skip
    made = advantages(outcomes_of(step))
    figures = made.environments["A"]
    counted = [v for v, r in zip(made.values.tolist(), step, strict=True) if r.counts]
    assert figures[:3] == (3, 3, 1)
    assert figures.mean == pytest.approx(2 / 3)
    assert figures.std == pytest.approx(math.sqrt(1 / 3))
    assert figures.advantage_rms == pytest.approx(math.sqrt(sum(v * v for v in counted) / 3))
    assert made.environments["B"] == (0, 1, 0, 0.0, 0.0, 0.0)


def test_what_one_rank_cannot_use_is_refused_on_every_rank() -> None:
    fine, broken = ([Rollout("A", "x", reward)] for reward in (1.0, math.inf))

    def gather_with(other: Step) -> Gather:
        return lambda told, /: (told, outcomes_of(other).problem)  # type: ignore[return-value]

    with pytest.raises(BadInput, match="rank 1: the reward of rollout 0"):
        advantages(outcomes_of(fine), gather=gather_with(broken))
    with pytest.raises(BadInput, match="rank 0: the reward of rollout 0"):
        advantages(outcomes_of(broken), gather=gather_with(fine))
