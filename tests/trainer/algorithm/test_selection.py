"""What is drawn, which groups say anything, what is drawn again, and whether the step trains."""

from __future__ import annotations

import pytest

from autoforge.trainer.algorithm.aggregation import Totals
from autoforge.trainer.algorithm.outcomes import group_tallies
from autoforge.trainer.algorithm.selection import Contrast, contrasts, decide
from tests.trainer.algorithm.steps import NAN, Rollout, outcomes_of


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


def test_a_step_trains_where_a_token_counts_and_a_group_has_contrast() -> None:
    contrast = group_tallies(outcomes_of([Rollout("A", "x", 1), Rollout("A", "x", 0)]))
    equal = group_tallies(outcomes_of([Rollout("A", "x", 1), Rollout("A", "x", 1)]))
    some, none = Totals(1, 2, 9), Totals(0, 0, 0)
    assert decide(some, contrast, contrast_needed=True).trains
    assert decide(some, equal, contrast_needed=False).trains
    assert not decide(some, equal, contrast_needed=True).trains
    assert not decide(none, contrast, contrast_needed=False).trains
