"""Sums of rewards that can be merged: number, sum, sum of squares, least and greatest.

The sums are exact (a float is a fraction whose denominator is a power of two), so that neither their order nor the
ranks over which rollouts are spread change one bit of a mean or a standard deviation, and nothing cancels. Invariant:
the tally of two parts merged is the tally of the whole. Not covered: what is tallied (`advantages`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

__all__ = ["EMPTY", "Tally", "merged", "root"]

_RELATIVE_NOISE = 1e-6
_ABSOLUTE_NOISE = 1e-12


class Tally(NamedTuple):
    """Of some rewards."""

    number: int
    total: Fraction
    squares: Fraction
    low: float
    high: float

    @classmethod
    def of(cls, rewards: Iterable[float]) -> Tally:
        """Of finite rewards."""
        values = tuple(rewards)
        exact = [Fraction(value) for value in values]
        squares = sum((value * value for value in exact), Fraction(0))
        low, high = min(values, default=math.inf), max(values, default=-math.inf)
        return cls(len(values), sum(exact, Fraction(0)), squares, low, high)

    def merged(self, other: Tally) -> Tally:
        """Of both."""
        return Tally(
            self.number + other.number, self.total + other.total, self.squares + other.squares,
            min(self.low, other.low), max(self.high, other.high),
        )  # fmt: skip

    @property
    def constant(self) -> bool:
        """Whether the rewards are equal but for noise of floating point arithmetic, such as 0.1 + 0.2 and 0.3: they lie
        within a millionth of the greatest, or within 1e-12. So are fewer than two."""
        if self.number < 2:
            return True
        size = max(abs(self.low), abs(self.high))
        return self.high - self.low <= max(_RELATIVE_NOISE * size, _ABSOLUTE_NOISE)

    @property
    def mean(self) -> Fraction:
        """0 of none."""
        return self.total / self.number if self.number else Fraction(0)

    @property
    def deviations(self) -> Fraction:
        """The sum of the squared deviations from the mean."""
        return self.squares - self.total * self.mean

    def std(self, ddof: int) -> float:
        """The standard deviation, 0 where it is not defined."""
        return root(self.deviations, self.number - ddof)


EMPTY = Tally.of(())
"""Of nothing."""


def merged(tallies: Iterable[Tally]) -> Tally:
    """Of all."""
    whole = EMPTY
    for tally in tallies:
        whole = whole.merged(tally)
    return whole


def root(deviations: Fraction, number: int) -> float:
    """The square root of deviations over a number, 0 where it is not defined."""
    return math.sqrt(deviations / number) if number > 0 else 0.0
