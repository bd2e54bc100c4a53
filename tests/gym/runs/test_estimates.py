"""pass@1 and pass^k against values computed by hand and by counting, and intervals that claim no more than they may."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.gym.runs.estimates import Estimate, Tally, difference, pass_at_1, pass_hat

tallies = st.lists(
    st.integers(1, 6).flatmap(lambda n: st.builds(Tally, st.integers(0, n), st.just(n))), min_size=1, max_size=6
)


def value(estimate: Estimate | None) -> float:
    assert estimate is not None
    return estimate.value


def test_pass_hat_is_what_is_computed_by_hand() -> None:
    """4 trials: 2 of 4 succeed in one task, all in the other. Pairs: 1 of 6 and 6 of 6; triples: 0 of 4 and 4 of 4."""
    played = [Tally(2, 4), Tally(4, 4)]
    assert value(pass_at_1(played)) == (0.5 + 1) / 2
    assert value(pass_hat(played, 1)) == 0.75
    assert value(pass_hat(played, 2)) == pytest.approx((1 / 6 + 1) / 2)
    assert value(pass_hat(played, 3)) == 0.5 and value(pass_hat(played, 4)) == 0.5
    assert pass_hat(played, 5) is None


@given(tallies, st.integers(1, 6))
def test_pass_hat_is_the_share_of_sets_of_k_trials_that_all_succeed(played: list[Tally], k: int) -> None:
    def counted(tally: Tally) -> Fraction:
        trials = [True] * tally.successes + [False] * (tally.trials - tally.successes)
        sets = list(combinations(trials, k))
        return Fraction(sum(map(all, sets)), len(sets))

    enough = [tally for tally in played if tally.trials >= k]
    found = pass_hat(played, k)
    if not enough:
        assert found is None
    else:
        assert value(found) == pytest.approx(float(sum(map(counted, enough)) / len(enough)))
        assert found is not None and found.tasks == (len(played) if k == 1 else len(enough))


def test_tasks_weigh_alike_whatever_their_number_of_trials() -> None:
    assert value(pass_at_1([Tally(1, 1), Tally(0, 9)])) == 0.5


def test_a_single_trial_of_each_task_has_wilsons_interval() -> None:
    """8 of 10: 0.4902 to 0.9433 (Newcombe 1998, method 3)."""
    found = pass_at_1([Tally(1, 1)] * 8 + [Tally(0, 1)] * 2)
    assert found == pytest.approx((0.8, 0.4902, 0.9433, 10), abs=5e-5)


def test_resampling_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    played = [Tally(n % 4, 3 + n % 2) for n in range(30)]
    assert pass_at_1(played, 7) == pass_at_1(played, 7) != pass_at_1(played, 8)


@given(st.lists(st.builds(Tally, st.integers(0, 4), st.just(4)), min_size=2, max_size=12), st.integers(0, 3))
def test_an_interval_holds_its_value_and_lies_between_0_and_1(played: list[Tally], seed: int) -> None:
    for k in (1, 2, 4):
        found = pass_hat(played, k, seed)
        assert found is not None and found.low is not None and found.high is not None
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_an_interval_has_about_the_width_of_the_standard_error() -> None:
    """100 tasks, half of which always succeed: ± 1.96 × 0.05."""
    found = pass_at_1([Tally(2, 2), Tally(0, 2)] * 50)
    assert found is not None and found.low == pytest.approx(0.402, abs=0.015)
    assert found.high == pytest.approx(0.598, abs=0.015)


def test_tasks_that_all_came_out_alike_claim_no_certainty() -> None:
    """Wilson over 12 tasks, not resampling, which gives 1 to 1."""
    found = pass_at_1([Tally(4, 4)] * 12)
    assert found == pytest.approx((1.0, 0.7575, 1.0, 12), abs=5e-5)
    assert pass_hat([Tally(4, 4)] * 12, 4) == found
    assert difference([(0.0, 1.0)] * 5) == Estimate(1.0, None, None, 5)


def test_of_one_task_only_its_trials_say_something() -> None:
    found = pass_at_1([Tally(3, 4)])
    assert found is not None and found.low == pytest.approx(0.3006, abs=5e-4) and found.tasks == 1
    assert pass_hat([Tally(3, 4)], 2) == Estimate(0.5, None, None, 1)


def test_of_nothing_there_is_no_estimate() -> None:
    assert pass_at_1([]) is None and pass_hat([], 1) is None and difference([]) is None


def test_a_difference_is_that_of_the_pairs() -> None:
    found = difference([(0.0, 1.0), (0.5, 0.5), (1.0, 0.75)], seed=1)
    assert found is not None and found.value == pytest.approx(0.25) and found.tasks == 3
    assert found.low is not None and found.high is not None and found.low < 0.25 < found.high
    assert found == difference([(0.0, 1.0), (0.5, 0.5), (1.0, 0.75)], seed=1)
