"""Shares with what they are uncertain by: pass@1, pass^k, their intervals.

pass@1 is the mean over tasks of the mean over trials; pass^k, the chance that k trials of a task all succeed, is the
mean over tasks of C(c, k) / C(n, k) for c successes in n trials, which is unbiased. Intervals are 95 %: percentiles of
a bootstrap over tasks, or Wilson's where each task was played once, where there is one task, and over the tasks where
all came out alike (resampling them would claim certainty). Invariant: the same counts and the same seed give the same
numbers. Not covered: which episodes count (`summary`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Estimate", "Tally", "difference", "pass_at_1", "pass_hat"]

RESAMPLES = 2000
_Z = 1.959963984540054
"""The 97.5th percentile of the normal distribution."""


class Tally(NamedTuple):
    """What came of the trials of one task."""

    successes: int
    trials: int

    @property
    def share(self) -> float:
        return self.successes / self.trials


class Estimate(NamedTuple):
    """A share and its 95 % interval."""

    value: float
    low: float | None
    """None where nothing can be said: one task, or none."""
    high: float | None
    tasks: int
    """Over which the mean is."""


def pass_at_1(tallies: Sequence[Tally], seed: int = 0) -> Estimate | None:
    """Of tasks with at least one trial; None where there is no task."""
    if not tallies:
        return None
    if len(tallies) == 1 or all(tally.trials == 1 for tally in tallies):
        return _wilson(sum(t.successes for t in tallies), sum(t.trials for t in tallies), len(tallies))
    return _bootstrapped([tally.share for tally in tallies], seed)


def pass_hat(tallies: Sequence[Tally], k: int, seed: int = 0) -> Estimate | None:
    """The chance that `k` trials all succeed, of the tasks with as many; None where no task has."""
    values = [math.comb(t.successes, k) / math.comb(t.trials, k) for t in tallies if t.trials >= k]
    if not values:
        return None
    return pass_at_1(tallies, seed) if k == 1 else _bootstrapped(values, seed)


def difference(pairs: Sequence[tuple[float, float]], seed: int = 0) -> Estimate | None:
    """The mean of the second of each pair less the first; None where there is no pair. Where all differ by the same,
    there is no interval: resampling would claim certainty."""
    if not pairs:
        return None
    values = [second - first for first, second in pairs]
    if len(set(values)) == 1:
        return Estimate(values[0], None, None, len(values))
    return _resampled(values, seed)


def _wilson(successes: int, trials: int, tasks: int) -> Estimate:
    """Wilson's interval of a binomial share."""
    share, square = successes / trials, _Z * _Z / trials
    centre = (share + square / 2) / (1 + square)
    half = _Z * math.sqrt(share * (1 - share) / trials + square / (4 * trials)) / (1 + square)
    low, high = (0.0 if not successes else centre - half), (1.0 if successes == trials else centre + half)
    return Estimate(share, low, high, tasks)


def _bootstrapped(values: Sequence[float], seed: int) -> Estimate:
    """Of shares of tasks."""
    if len(values) > 1 and set(values) in ({0.0}, {1.0}):
        return _wilson(int(sum(values)), len(values), len(values))
    return _resampled(values, seed)


def _resampled(values: Sequence[float], seed: int) -> Estimate:
    """The mean, with the percentiles of the means of resampled tasks."""
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return Estimate(mean, None, None, 1)
    chance = random.Random(f"bootstrap {seed}")
    means = sorted(math.fsum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return Estimate(mean, _percentile(means, 0.025), _percentile(means, 0.975), len(values))


def _percentile(values: Sequence[float], share: float) -> float:
    """Of sorted values, with linear interpolation."""
    place = share * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)
