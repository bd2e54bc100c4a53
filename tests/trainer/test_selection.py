"""What is drawn, which groups say anything, what is drawn again, and whether the step trains."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.aggregation import Totals
from autoforge.trainer.erpo_settings import SelectionSettings
from autoforge.trainer.outcomes import group_tallies
from autoforge.trainer.selection import Contrast, contrasts, decide, draw, redraw, refills
from tests.trainer.steps import EXAMPLES, NAN, Rollout, outcomes_of


def world(*sizes: int) -> dict[str, list[str]]:
    """Environments of as many tasks."""
    return {f"environment {n}": [f"task {k}" for k in range(size)] for n, size in enumerate(sizes)}


@pytest.mark.parametrize(
    ("rewards", "contrast"),
    [
        ((1, 0, 1), Contrast.CONTRAST),
        ((1, 1), Contrast.ALL_RIGHT),
        ((0, 0), Contrast.ALL_WRONG),
        ((0.5, 0.5), Contrast.FLAT),
        ((0.1 + 0.2, 0.3), Contrast.FLAT),
        ((1,), Contrast.TOO_FEW),
        ((1, NAN), Contrast.TOO_FEW),
        ((NAN, NAN), Contrast.TOO_FEW),
    ],
)
def test_a_group_has_contrast_or_a_reason_why_not(rewards: tuple[float, ...], contrast: Contrast) -> None:
    step = [Rollout("A", "x", reward) for reward in rewards]
    assert contrasts(group_tallies(outcomes_of(step))) == {("A", "x"): contrast}


def test_masked_rollouts_make_no_contrast() -> None:
    step = [Rollout("A", "x", 1), Rollout("A", "x", 1), Rollout("A", "x", 0, masked=True)]
    assert contrasts(group_tallies(outcomes_of(step))) == {("A", "x"): Contrast.ALL_RIGHT}


def test_as_many_tasks_are_drawn_again_in_an_environment_as_had_no_contrast_for_three_rounds() -> None:
    found = {
        ("A", "x"): Contrast.CONTRAST,
        ("A", "y"): Contrast.ALL_RIGHT,
        ("B", "x"): Contrast.ALL_WRONG,
        ("B", "y"): Contrast.TOO_FEW,
    }
    assert [refills(found, rounds) for rounds in range(5)] == [{"A": 1, "B": 2}] * 3 + [{}] * 2
    assert refills(found, 0, SelectionSettings(refill_rounds=0)) == {}


def test_tasks_drawn_again_are_others_of_the_same_environment() -> None:
    tasks = world(6, 5)
    drawn = draw(tasks, SelectionSettings(tasks=8), seed=1, step=0)
    again = redraw(tasks, {"environment 0": 1, "environment 1": 4}, drawn, seed=1, step=0, round=1)
    assert not set(again) & set(drawn)
    assert Counter(name for name, _ in again) == {"environment 0": 1, "environment 1": 1}
    assert again == redraw(tasks, {"environment 1": 4, "environment 0": 1}, drawn, seed=1, step=0, round=1)


@EXAMPLES
@given(st.lists(st.integers(4, 12), min_size=1, max_size=9), st.integers(4, 40), st.integers(0, 5), st.integers(0, 5))
def test_a_batch_holds_at_least_four_tasks_of_each_environment_in_it(
    sizes: list[int], number: int, seed: int, step: int
) -> None:
    tasks = world(*sizes)
    drawn = draw(tasks, SelectionSettings(tasks=number), seed=seed, step=step)
    shares = Counter(name for name, _ in drawn)
    assert len(set(drawn)) == len(drawn) <= number
    assert all(task in tasks[name] for name, task in drawn)
    assert min(shares.values()) >= 4
    assert len(shares) == min(len(sizes), number // 4)
    # Room is left only where every environment that was drawn is used up.
    assert len(drawn) == number or all(share == len(tasks[name]) for name, share in shares.items())


def test_the_same_step_draws_the_same_tasks_in_whatever_order_they_are_given() -> None:
    tasks = world(9, 9, 9)
    turned = {name: list(reversed(own)) for name, own in reversed(tasks.items())}
    settings = SelectionSettings(tasks=8)
    assert draw(tasks, settings, seed=1, step=2) == draw(turned, settings, seed=1, step=2)
    assert draw(tasks, settings, seed=1, step=2) != draw(tasks, settings, seed=1, step=3)
    assert draw(tasks, settings, seed=1, step=2) != draw(tasks, settings, seed=2, step=2)


def test_every_environment_has_its_turn() -> None:
    tasks, settings = world(5, 5, 5, 50), SelectionSettings(tasks=8)
    batches = [draw(tasks, settings, seed=0, step=step) for step in range(300)]
    seen = Counter(name for batch in batches for name in {name for name, _ in batch})
    assert all(100 < times < 200 for times in seen.values())
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("tasks", "number", "words"),
    [({}, 32, "no environment"), (world(4), 3, "cannot hold 4"), (world(5, 3), 32, "environment 1 has 3 tasks")],
)
def test_too_few_tasks_are_refused(tasks: dict[str, list[str]], number: int, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        draw(tasks, SelectionSettings(tasks=number), seed=0, step=0)


def test_a_step_trains_where_a_token_counts_and_a_group_has_contrast() -> None:
    contrast = group_tallies(outcomes_of([Rollout("A", "x", 1), Rollout("A", "x", 0)]))
    equal = group_tallies(outcomes_of([Rollout("A", "x", 1), Rollout("A", "x", 1)]))
    some, none = Totals(1, 2, 9), Totals(0, 0, 0)
    assert decide(some, contrast, contrast_needed=True).trains
    assert decide(some, equal, contrast_needed=False).trains
    assert not decide(some, equal, contrast_needed=True).trains
    assert not decide(none, contrast, contrast_needed=False).trains
