"""Looking through the rows that a call can name for those on which an operation succeeds.

Invariant: the number of plays is bounded, whatever the number of rows; what is found depends on the rows alone. Not
covered: what to do where nothing is found (`witness`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from autoforge.generator.ir import Find
from autoforge.generator.seed.conditions import Reference, Scope
from autoforge.generator.seed.scenario import Binders, Failure, Scenario

__all__ = ["Choice", "choices_with", "sampled"]

Choice = dict[int, int]
"""Row numbers by the number of the step that finds them."""
MOST_PLAYS = 600
"""Rows that are tried in one look through an operation."""


def choices_with(scenario: Scenario, failures: int) -> Iterator[tuple[Choice, list[Failure]]]:
    """Choices of rows on which at most so many steps stop a call, with what stops it; each begins with another row."""
    yield from _Look(scenario, failures, MOST_PLAYS, lambda rows: rows).follow(0, scenario.scope(), {}, {}, [])


def sampled(scenario: Scenario, count: int) -> Iterator[tuple[Choice, list[Failure]]]:
    """Choices by chance, whatever stops a call there."""
    draw = scenario.setting.draw("@calls", scenario.operation.tool)
    for _ in range(count):
        look = _Look(scenario, 10**6, 100, lambda rows: [draw.one(rows)] if rows else [])
        yield from look.follow(0, scenario.scope(), {}, {}, [])


class _Look:
    """One walk through the choices of an operation."""

    def __init__(
        self, scenario: Scenario, most: int, plays: int, order: Callable[[Sequence[int]], Sequence[int]]
    ) -> None:
        self._scenario, self._most, self._plays, self._order = scenario, most, plays, order

    def follow(
        self, i: int, scope: Scope, binders: Binders, chosen: Choice, failures: list[Failure]
    ) -> Iterator[tuple[Choice, list[Failure]]]:
        """Take the steps from the i-th on; branch where a call chooses a row."""
        steps = self._scenario.steps
        while i < len(steps) and not self._scenario.is_free(steps[i], scope):
            self._scenario.take(steps[i], scope, binders, failures)
            i += 1
            if len(failures) > self._most:
                return
        step = steps[i] if i < len(steps) else None
        if not isinstance(step, Find):
            yield chosen, failures
            return
        for row in self._order(self._scenario.choices(step, scope)):
            self._plays -= 1
            if self._plays < 0:
                return
            inner = scope.copy()
            self._scenario.bind(step, Reference(step.entity, row), inner)
            for found in self.follow(i + 1, inner, {**binders, step.row: step}, {**chosen, i: row}, list(failures)):
                yield found
                if not chosen:
                    break
