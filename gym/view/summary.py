"""What many episodes come to: how many, what they were worth, why some say nothing.

Invariant: the mean is over the scored episodes alone, and those that were not scored are counted by who is to blame.
Not covered: confidence intervals and comparisons (`runs`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from autoforge.gym.runs.outcome import Outcome

__all__ = ["Figures", "Group", "Summary"]


class Group(NamedTuple):
    """Episodes of one environment with one agent and one user."""

    environment: str
    agent: str
    user: str


@dataclass
class Figures:
    """Counts of some episodes."""

    episodes: int = 0
    scored: int = 0
    total: float = 0.0
    """Sum of the rewards."""
    masked: int = 0
    clear: int = 0
    """Scored and not masked."""
    clear_total: float = 0.0
    seconds: float = 0.0
    cost: float = 0.0
    """US dollars."""
    unscored: Counter[str] = field(default_factory=Counter)
    """By who is to blame, or `no state`."""

    def add(self, episode: Outcome) -> None:
        self.episodes += 1
        self.masked += episode.masked
        self.seconds += episode.seconds
        self.cost += episode.cost
        if episode.unscored is not None:
            self.unscored[episode.unscored] += 1
        if episode.reward is not None:
            self.scored += 1
            self.total += episode.reward
            self.clear += episode.counts
            self.clear_total += episode.reward if episode.counts else 0.0

    @property
    def mean(self) -> float | None:
        """Reward over the scored episodes."""
        return self.total / self.scored if self.scored else None

    @property
    def clear_mean(self) -> float | None:
        """Reward over the scored episodes that are not masked."""
        return self.clear_total / self.clear if self.clear else None


class Summary:
    """Figures of all episodes and of each group, in the order in which they came."""

    def __init__(self) -> None:
        self.all = Figures()
        self.groups: dict[Group, Figures] = {}

    def add(self, episode: Outcome) -> None:
        self.all.add(episode)
        group = Group(episode.environment, episode.agent, episode.user)
        self.groups.setdefault(group, Figures()).add(episode)
