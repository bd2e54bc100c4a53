"""How far a run is, while it runs.

Invariant: what is shown is on disk. Not covered: the bar (`commandline.terminal`), figures with intervals.
"""

from __future__ import annotations

from collections.abc import Iterable

from autoforge.gym.commandline.terminal import Meter
from autoforge.gym.runs.outcome import Outcome

__all__ = ["Live"]


class Live:
    """Counts episodes as they are finished and tells a meter."""

    def __init__(self, tell: Meter, total: int, before: Iterable[Outcome]) -> None:
        """`before` are those of an earlier run that are not played again."""
        self._tell = tell
        self._total = total
        self.done = 0
        self._won = self._counted = self._unscored = self._masked = 0
        self._cost = 0.0
        for outcome in before:
            self._count(outcome)
        self._show()

    def add(self, outcome: Outcome) -> None:
        """One more."""
        self._count(outcome)
        self._show()

    def _count(self, outcome: Outcome) -> None:
        self.done += 1
        self._counted += outcome.counts
        self._won += outcome.counts and outcome.reward == 1.0
        self._unscored += outcome.reward is None
        self._masked += outcome.masked
        self._cost += outcome.cost

    def _show(self) -> None:
        parts = [f"{self._won / self._counted:.0%} won"] if self._counted else []
        parts += [f"{self._unscored} unscored"] if self._unscored else []
        parts += [f"{self._masked} masked"] if self._masked else []
        parts += [f"${self._cost:.2f}"] if self._cost else []
        self._tell(", ".join(parts) or "episodes", self.done, self._total)
