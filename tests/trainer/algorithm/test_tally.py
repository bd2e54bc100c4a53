"""Tallies: exact, mergeable, and what they call constant."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.trainer.algorithm.tally import EMPTY, Tally, merged
from tests.trainer.algorithm.steps import EXAMPLES

REWARDS = st.lists(st.floats(-1e6, 1e6), max_size=12)


@EXAMPLES
@given(REWARDS, REWARDS)
def test_parts_merged_are_the_whole(first: list[float], second: list[float]) -> None:
    assert merged([Tally.of(first), Tally.of(second)]) == Tally.of(first + second)
    assert Tally.of(first).merged(EMPTY) == Tally.of(first)


@EXAMPLES
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=12), st.integers(0, 1))
def test_the_standard_deviation_is_that_of_the_standard_library(rewards: list[float], ddof: int) -> None:
    wanted = statistics.stdev(rewards) if ddof else statistics.pstdev(rewards)
    assert Tally.of(rewards).std(ddof) == pytest.approx(wanted, rel=1e-12, abs=1e-150)


def test_nothing_cancels_far_from_0() -> None:
    assert Tally.of([1e9, 1e9 + 1]).std(1) == 0.5**0.5


def test_a_standard_deviation_that_is_not_defined_is_0() -> None:
    assert (Tally.of([3.0]).std(1), EMPTY.std(0), float(EMPTY.mean)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("rewards", "constant"),
    [
        ((), True), ((5.0,), True), ((0.1 + 0.2, 0.3), True), ((0.0, 5e-17), True), ((0.0, 1e-3), False),
        ((1000.0, 1000.0 + 1e-9), True), ((1, 1.001), False),
    ],
)  # fmt: skip
def test_constant_is_what_differs_by_noise_alone(rewards: tuple[float, ...], constant: bool) -> None:
    assert Tally.of(rewards).constant is constant
