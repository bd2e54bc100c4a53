"""Users compared on the same agent and tasks, as a swap of the user asks for; or agents on the same user.

Invariant: a difference is over the tasks that both have episodes that count for, paired by task. Not covered: printing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.gym.runs.estimates import Estimate, difference
from autoforge.gym.runs.outcome import Outcome
from autoforge.gym.runs.summary import Figures, figures_of, tallies_of

__all__ = ["Compared", "Comparison", "compare"]


class Compared(NamedTuple):
    """One row: an agent with a user."""

    agent: str
    user: str
    figures: Figures
    """Over all its own tasks."""
    difference: Estimate | None
    """Of pass@1 from the first row, over the tasks that both have; None for the first row and where they share none."""

    def record(self) -> dict[str, JsonValue]:
        """As JSON holds it."""
        return {
            "agent": self.agent,
            "user": self.user,
            **self.figures.record(),
            "difference": None if self.difference is None else dict(self.difference._asdict()),
        }


class Comparison(NamedTuple):
    """Rows of which the first is what the others are compared with."""

    title: str
    rows: tuple[Compared, ...]


def compare(outcomes: Iterable[Outcome], seed: int = 0) -> list[Comparison]:
    """One comparison for each agent that several users were tried with; where there is none, all rows in one."""
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.agent, outcome.user), []).append(outcome)
    by_agent: dict[str, list[tuple[str, str]]] = {}
    for pair in groups:
        by_agent.setdefault(pair[0], []).append(pair)
    if all(len(pairs) == 1 for pairs in by_agent.values()):
        return [Comparison("agents", _rows(list(groups), groups, seed))] if groups else []
    return [Comparison(f"users with {agent}", _rows(pairs, groups, seed)) for agent, pairs in by_agent.items()]


def _rows(
    pairs: Sequence[tuple[str, str]], groups: dict[tuple[str, str], list[Outcome]], seed: int
) -> tuple[Compared, ...]:
    first = pairs[0]
    return tuple(
        Compared(*pair, figures_of(groups[pair], seed), _difference(groups[first], groups[pair], seed))
        if pair != first
        else Compared(*pair, figures_of(groups[pair], seed), None)
        for pair in pairs
    )


def _difference(first: Sequence[Outcome], second: Sequence[Outcome], seed: int) -> Estimate | None:
    one, two = tallies_of(first), tallies_of(second)
    return difference([(one[place].share, two[place].share) for place in one if place in two], seed)
