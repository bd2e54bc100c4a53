"""Makes sure that every operation has rows to succeed on, and rows to refuse.

Invariant: edits are few, each keeps all laws of the seed (`edits`), and none takes away what an operation already
had; what cannot be had so is left. An operation counts as served by two choices of rows on which nothing certain
stops it; a refusal is served by one choice that meets it. Not covered: arguments that name no row, conditions of
unknown form (`conditions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from autoforge.generator.ir import Find, Refuse, walk_steps
from autoforge.generator.seed.coherence import settle
from autoforge.generator.seed.copies import copied_columns
from autoforge.generator.seed.edits import Cell, Edit, Editor
from autoforge.generator.seed.proposals import proposals
from autoforge.generator.seed.scenario import Scenario
from autoforge.generator.seed.search import Choice, choices_with, sampled
from autoforge.generator.seed.states import empty_by_state
from autoforge.generator.seed.totals import sum_up

__all__ = ["WITNESSES", "witness"]

WITNESSES = 2
"""Choices of rows wanted for each operation."""
WIDE = 4
"""One in so many rows should do, where a call chooses several and the others are well chosen."""
MOST_WIDE = 4
"""Rows that are enough in any case."""
MOST_ROUNDS = 3
"""Settling what follows from edited cells may undo them; so often is it tried again."""
MOST_TRIES = 150
"""Edits that are tried for one choice of rows."""
MOST_REFUSING = 16
"""Edits that are tried to bring a refusal about on one choice of rows."""
SAMPLES = 16
"""Choices of rows by chance that are looked at."""
MOST_STARTS = 8
"""Choices of rows that are mended, until one is."""


class _Promise(NamedTuple):
    """Something that an operation has and keeps."""

    scenario: Scenario
    choice: Choice
    met: Refuse | None
    """The refusal that the choice meets; None: it meets none."""

    def holds(self) -> bool:
        failures = self.scenario.play(self.choice)
        return not failures if self.met is None else any(f.step is self.met for f in failures)


def witness(editor: Editor) -> None:
    """Edit generated rows until the operations are served, as far as that can be."""
    setting = editor.setting
    _settle(editor)
    scenarios = [s for o in setting.world.operations if (s := Scenario(setting, o)).refusals or _finds(s)]
    work = _Work(editor)
    work.look(scenarios)
    for _ in range(MOST_ROUNDS):
        for scenario in scenarios:
            work.serve(scenario)
        for scenario in scenarios:
            work.widen(scenario)
        for scenario in scenarios:
            work.oppose(scenario)
        if not editor.changed:
            return
        _settle(editor)
        work.again()


def _finds(scenario: Scenario) -> bool:
    return any(isinstance(s, Find) and len(s.where) > 1 for s in walk_steps(scenario.operation.steps))


def _settle(editor: Editor) -> None:
    """Bring what follows from edited cells up to date, and remember which cells do themselves."""
    setting = editor.setting
    if not editor.changed:
        return
    for name, indices in editor.changed.items():
        entity, rows = editor.entities[name], setting.rows[name]
        given = {(c.number, c.column) for c in editor.kept if c.entity == name}
        for column, values in copied_columns(setting, entity, rows).items():
            for i in sorted(indices):
                if (name, i, column) not in setting.pinned and (i, column) not in given:
                    rows[i][column] = values[i]
        settle(setting, entity, rows)
        empty_by_state(setting, entity, rows)
    sum_up(setting)
    for cell in editor.kept:
        if setting.rows[cell.entity][cell.number][cell.column] != cell.value:
            editor.derived.add((cell.entity, cell.number, cell.column))
    editor.changed.clear()
    editor.kept.clear()


class _Work:
    """What the operations have so far, and what they still want."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._promises: list[_Promise] = []
        self._readers: dict[str, list[int]] = {}
        """Entity -> promises that hang on its rows."""
        self._hopeless: list[Refuse] = []

    def look(self, scenarios: list[Scenario]) -> None:
        """Hold on to what the rows already give."""
        for scenario in scenarios:
            for choice, _ in islice(choices_with(scenario, 0), WITNESSES):
                self._promise(_Promise(scenario, choice, None))
            open_ones = list(scenario.refusals)
            for choice, failures in sampled(scenario, SAMPLES):
                for refusal in [r for r in open_ones if any(f.step is r for f in failures)]:
                    open_ones.remove(refusal)
                    self._promise(_Promise(scenario, choice, refusal))

    def again(self) -> None:
        """Let go of what did not survive settling."""
        promises, self._promises, self._readers = self._promises, [], {}
        for promise in promises:
            if promise.holds():
                self._promise(promise)

    def _promise(self, promise: _Promise) -> None:
        for entity in promise.scenario.reads:
            self._readers.setdefault(entity, []).append(len(self._promises))
        self._promises.append(promise)

    def _has(self, scenario: Scenario, met: Refuse | None) -> list[Choice]:
        return [p.choice for p in self._promises if p.scenario is scenario and p.met is met]

    def serve(self, scenario: Scenario) -> None:
        """Mend choices of rows until enough of them succeed."""
        wanted = WITNESSES if any(isinstance(s, Find) and s.where and s.missing for s in scenario.steps) else 1
        if len(self._has(scenario, None)) >= wanted:
            return
        for choice in self._starts(scenario):
            served = self._has(scenario, None)
            if len(served) >= wanted:
                return
            if (
                choice not in served
                and all(_first(choice) != _first(other) for other in served)
                and self._mend(scenario, choice)
            ):
                self._promise(_Promise(scenario, choice, None))

    def widen(self, scenario: Scenario) -> None:
        """Where a call chooses several rows, let each be one of several: whoever looks for a good choice should not
        have to meet one in a hundred.
        """
        served = self._has(scenario, None)
        for place in served[0] if served and len(served[0]) > 1 else ():
            step = scenario.steps[place]
            assert isinstance(step, Find)
            count = len(self._editor.setting.rows[step.entity])
            found = sorted((len(scenario.play(c)), i) for i in range(count) if (c := {**served[0], place: i}))
            good = sum(not failures for failures, _ in found)
            for _, i in found[good:]:
                if good >= min(MOST_WIDE, count // WIDE):
                    break
                choice = {**served[0], place: i}
                if self._mend(scenario, choice):
                    self._promise(_Promise(scenario, choice, None))
                    good += 1

    def _starts(self, scenario: Scenario) -> Iterator[Choice]:
        """Choices with few failures, the fewest first."""
        near = sorted(
            [
                *islice(choices_with(scenario, 1), 40),
                *islice(choices_with(scenario, 2), 40),
                *sampled(scenario, SAMPLES),
            ],
            key=lambda found: len(found[1]),
        )
        seen: list[Choice] = []
        for choice, _ in near:
            if (
                choice not in seen
                and len(seen) < MOST_STARTS
                and all(_first(choice) != _first(other) for other in seen)
            ):
                seen.append(choice)
        return iter(seen)

    def _mend(self, scenario: Scenario, choice: Choice) -> bool:
        """Edit until nothing stops the call, or make no edit at all."""
        made: list[list[Cell]] = []
        tries = MOST_TRIES
        failures = scenario.play(choice)
        while failures and tries > 0:
            before = None
            for edit in proposals(self._editor, failures[0]):
                tries -= 1
                before = self._try(edit, _fewer(scenario, choice, len(failures)))
                if before is not None or tries <= 0:
                    break
            if before is None:
                break
            made.append(before)
            failures = scenario.play(choice)
        if failures:
            for before in reversed(made):
                self._editor.unmake(before)
            return False
        for before in made:
            self._editor.keep(before)
        return True

    def _try(self, edit: Edit, goal: Callable[[], bool]) -> list[Cell] | None:
        before = self._editor.make(edit)
        if before is None:
            return None
        if goal() and self._kept({c.entity for c in before}):
            return before
        self._editor.unmake(before)
        return None

    def _kept(self, entities: set[str]) -> bool:
        touched = sorted({i for entity in entities for i in self._readers.get(entity, ())})
        return all(self._promises[i].holds() for i in touched)

    def oppose(self, scenario: Scenario) -> None:
        """Make each refusal possible that can be."""
        for refusal in scenario.refusals:
            tried = any(r is refusal for r in self._hopeless)
            if not tried and not self._has(scenario, refusal) and not self._bring_about(scenario, refusal):
                self._hopeless.append(refusal)

    def _bring_about(self, scenario: Scenario, refusal: Refuse) -> bool:
        for choice, _ in sampled(scenario, 3):
            seen = scenario.at(choice, refusal)
            for edit in proposals(self._editor, seen)[:MOST_REFUSING] if seen is not None else ():
                promise = _Promise(scenario, choice, refusal)
                before = self._try(edit, promise.holds)
                if before is not None:
                    self._editor.keep(before)
                    self._promise(promise)
                    return True
        return False


def _fewer(scenario: Scenario, choice: Choice, most: int) -> Callable[[], bool]:
    """Whether fewer steps than before stop the call."""
    return lambda: len(scenario.play(choice)) < most


def _first(choice: Choice) -> int | None:
    return next(iter(choice.values()), None)
