"""What many episodes come to: per environment, and in all.

Invariant: masked episodes, and those without a reward, leave every figure and are counted by what is to blame. Not
covered: the formulas (`estimates`), printing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.gym.runs.estimates import Estimate, Tally, pass_at_1, pass_hat
from autoforge.gym.runs.outcome import Outcome, Unscored

__all__ = ["Figures", "figures_of", "per_environment", "tallies_of"]


class Figures(NamedTuple):
    """Of a set of episodes of one agent and one user."""

    episodes: int
    counted: int
    """Scored and not masked."""
    masked: int
    unscored: Mapping[Unscored, int]
    """Episodes without a reward, by what is to blame."""
    pass_at_1: Estimate | None
    pass_hat: Mapping[int, Estimate]
    """By k, from 1 to the most trials of a task."""
    turns: float | None
    """Mean turns of the agent in episodes that count."""
    calls: float | None
    """Mean calls of the agent, likewise."""
    cost: float
    """US dollars, all episodes."""

    def record(self) -> dict[str, JsonValue]:
        """As JSON holds it."""
        return {
            "episodes": self.episodes,
            "counted": self.counted,
            "masked": self.masked,
            "unscored": {str(blame): count for blame, count in self.unscored.items()},
            "pass@1": _record(self.pass_at_1),
            "pass^k": {str(k): _record(estimate) for k, estimate in self.pass_hat.items()},
            "mean_turns": self.turns,
            "mean_calls": self.calls,
            "cost": self.cost,
        }


def figures_of(outcomes: Iterable[Outcome], seed: int = 0) -> Figures:
    """Figures of episodes of one agent and one user."""
    every = list(outcomes)
    counted = [outcome for outcome in every if outcome.counts]
    tallies = list(tallies_of(counted).values())
    most = max((tally.trials for tally in tallies), default=0)
    hats = {k: pass_hat(tallies, k, seed) for k in range(1, most + 1)}
    unscored: Counter[Unscored] = Counter(o.unscored for o in every if o.unscored is not None)
    return Figures(
        episodes=len(every), counted=len(counted), masked=sum(o.masked for o in every if o.reward is not None),
        unscored=dict(sorted(unscored.items())), pass_at_1=pass_at_1(tallies, seed),
        pass_hat={k: estimate for k, estimate in hats.items() if estimate is not None},
        turns=_mean([o.turns for o in counted]), calls=_mean([o.calls for o in counted]),
        cost=round(math.fsum(o.cost for o in every), 6),
    )  # fmt: skip


def per_environment(outcomes: Iterable[Outcome], seed: int = 0) -> dict[str, Figures]:
    """Figures of each environment, in the order in which they come."""
    parts: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        parts.setdefault(outcome.environment, []).append(outcome)
    return {name: figures_of(part, seed) for name, part in parts.items()}


def tallies_of(outcomes: Iterable[Outcome]) -> dict[tuple[str, str], Tally]:
    """Successes and trials of each task, of the episodes that count. A success is a reward of 1."""
    found: dict[tuple[str, str], list[bool]] = {}
    for outcome in outcomes:
        if outcome.counts:
            found.setdefault(outcome.place, []).append(outcome.reward == 1.0)
    return {place: Tally(sum(won), len(won)) for place, won in sorted(found.items())}


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _record(estimate: Estimate | None) -> JsonValue:
    return None if estimate is None else dict(estimate._asdict())
