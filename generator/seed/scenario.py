"""An operation seen as a choice of rows: which it finds, and which of its refusals they meet.

Invariant: `play` follows the steps in their order and changes nothing; a refusal counts as met only where that is
certain. Rows that a call names freely are given by the caller; all others follow from them by keys and foreign keys.
Not covered: choosing rows (`search`), making them fit (`witness`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.generator.ir import (
    Apply,
    Assign,
    Each,
    Filter,
    Find,
    Insert,
    Operation,
    Parameter,
    Refuse,
    RowField,
    Select,
    Step,
    Update,
    When,
    expressions_of,
    walk_steps,
)
from autoforge.generator.seed.conditions import UNKNOWN, Reference, Scope, evaluate, slot_of
from autoforge.generator.seed.setting import Setting

__all__ = ["Binders", "Failure", "Scenario", "matching"]

Binders = dict[str, Find | Select]
"""What bound a row or a list of rows, by its name."""

_SIMPLE = frozenset(("equal", "not_equal", "in", "is_null", "less", "less_equal", "greater", "greater_equal"))


class Failure(NamedTuple):
    """A step that stops a call."""

    step: Refuse | Find
    scope: Scope
    """What was bound there."""
    binders: Binders
    """How it was bound."""


class Scenario:
    """One operation on the rows of one setting."""

    def __init__(self, setting: Setting, operation: Operation) -> None:
        self.setting, self.operation = setting, operation
        self.steps = tuple(_flat(operation.steps))
        naming = set(_naming(operation.steps))
        samples = {p.name: _sample(p) for p in operation.parameters if p.name not in naming}
        self.samples = {name: value for name, value in samples.items() if value is not UNKNOWN}
        self.reads = frozenset(_entities(operation.steps))
        self.watched: Refuse | None = None
        self.seen: Failure | None = None
        self.refusals = tuple(s for s in walk_steps(operation.steps) if isinstance(s, Refuse))

    def scope(self) -> Scope:
        return Scope(self.setting, samples=self.samples)

    def play(self, chosen: Mapping[int, int]) -> list[Failure]:
        """What stops a call on the chosen rows: row numbers by the number of the step that finds them."""
        scope, failures = self.scope(), list[Failure]()
        binders: Binders = {}
        for i, step in enumerate(self.steps):
            if i in chosen and isinstance(step, Find):
                self.bind(step, Reference(step.entity, chosen[i]), scope)
                binders[step.row] = step
                if not _fits(step.where, scope, self.setting.rows[step.entity][chosen[i]]):
                    failures.append(Failure(step, scope.copy(), dict(binders)))
            else:
                self.take(step, scope, binders, failures)
        return failures

    def at(self, chosen: Mapping[int, int], refusal: Refuse) -> Failure | None:
        """What is bound at a refusal, met or not; None where it is not reached or cannot be judged."""
        self.watched, self.seen = refusal, None
        self.play(chosen)
        self.watched = None
        return self.seen

    def bind(self, step: Find, row: Reference, scope: Scope) -> None:
        """Bind a row that a call names, and what the call names it by."""
        scope.rows[step.row] = row
        for part in step.where:
            slot = slot_of(part.value)
            if part.comparison == "equal" and slot is not None and not part.through:
                scope.slots.setdefault(slot, (step.row, part.column))

    def take(self, step: Step, scope: Scope, binders: Binders, failures: list[Failure]) -> None:
        """One step that leaves no choice."""
        if isinstance(step, Refuse):
            met = evaluate(step.when, scope)
            if step is self.watched and met is not UNKNOWN:
                self.seen = Failure(step, scope.copy(), dict(binders))
            if met is not UNKNOWN and met:
                failures.append(Failure(step, scope.copy(), dict(binders)))
        elif isinstance(step, Find):
            binders[step.row] = step
            found = matching(step.entity, step.where, scope)
            scope.rows[step.row] = UNKNOWN if found is None else found[0] if found else None
            if found == [] and step.missing is not None:
                failures.append(Failure(step, scope.copy(), dict(binders)))
        elif isinstance(step, Select):
            binders[step.rows] = step
            found = matching(step.entity, step.where, scope) if step.search is None else None
            scope.rows[step.rows] = UNKNOWN if found is None else found
        elif isinstance(step, Assign):
            scope.rows[step.name] = evaluate(step.value, scope)
        elif isinstance(step, Update):
            scope.stale.update((step.row, column) for column, _ in step.values)
        elif isinstance(step, Insert):
            scope.rows[step.row] = UNKNOWN
        elif isinstance(step, When):
            self._branch(step, scope, binders, failures)
        elif isinstance(step, Each):
            self._loop(step, scope, binders, failures)

    def _branch(self, step: When, scope: Scope, binders: Binders, failures: list[Failure]) -> None:
        condition = evaluate(step.condition, scope)
        if condition is not UNKNOWN:
            for inner in step.steps if condition else step.otherwise:
                self.take(inner, scope, binders, failures)

    def _loop(self, step: Each, scope: Scope, binders: Binders, failures: list[Failure]) -> None:
        over = evaluate(step.over, scope)
        for item in over if isinstance(over, list) else ():
            inner = scope.copy()
            inner.rows[step.item] = item
            for part in step.steps:
                self.take(part, inner, binders, failures)

    def is_free(self, step: Step, scope: Scope) -> bool:
        """Whether a call chooses the row that a step finds."""
        if not isinstance(step, Find) or step.missing is None or not step.where:
            return False
        plain = all(f.comparison in ("equal", "equal_text") and not f.through for f in step.where)
        return plain and any(evaluate(f.value, scope) is UNKNOWN and slot_of(f.value) is not None for f in step.where)

    def choices(self, step: Find, scope: Scope) -> Sequence[int]:
        """Rows that a call may choose, by number."""
        known = _known(step.where, scope)
        rows = self.setting.rows[step.entity]
        return [i for i, row in enumerate(rows) if all(_holds(p.comparison, row.get(p.column), v) for p, v in known)]


def _flat(steps: Sequence[Step]) -> Iterator[Step]:
    """Loops over lists that a call gives become their steps: one item is as good as several."""
    for step in steps:
        if isinstance(step, Each) and not _over_rows(step, steps):
            yield from _flat(step.steps)
        else:
            yield step


def _over_rows(step: Each, steps: Sequence[Step]) -> bool:
    slot = slot_of(step.over)
    return slot is not None and slot[0] == "@" and any(isinstance(s, Select) and s.rows == slot[1] for s in steps)


def _entities(steps: tuple[Step, ...]) -> Iterator[str]:
    for step in walk_steps(steps):
        if isinstance(step, Find | Select):
            yield step.entity


def _naming(steps: tuple[Step, ...]) -> Iterator[str]:
    """Arguments that rows are found by, or that must equal what a row holds."""
    for step in walk_steps(steps):
        for part in expressions_of(step):
            sides = part.arguments if isinstance(part, Apply) and part.function in ("equal", "not_equal") else ()
            if any(isinstance(side, RowField) for side in sides):
                yield from (name for side in sides for name in slot_of(side) or ())
        if isinstance(step, Find | Select):
            for part in step.where:
                yield from slot_of(part.value) or ()


def _sample(parameter: Parameter) -> Any:
    """A value that a call surely can give: the least amount, from 1 on."""
    schema = parameter.json_schema
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if not {"integer", "number"} & set(map(str, kinds)) or schema.get("enum"):
        return UNKNOWN
    low, high = schema.get("minimum", 1), schema.get("maximum")
    least = max(1, low) if isinstance(low, int | float) else 1
    return min(least, high) if isinstance(high, int | float) else least


def _fits(where: Sequence[Filter], scope: Scope, row: Mapping[str, Any]) -> bool:
    """Whether a row matches those filters whose values are known."""
    return all(_holds(part.comparison, row.get(part.column), value) for part, value in _known(where, scope))


def _known(where: Sequence[Filter], scope: Scope) -> list[tuple[Filter, Any]]:
    values = [(part, evaluate(part.value, scope)) for part in where if not part.through]
    return [(part, value) for part, value in values if value is not UNKNOWN]


def matching(entity: str, where: Sequence[Filter], scope: Scope) -> list[Reference] | None:
    """The rows that match, in order; None where an argument decides."""
    known: list[tuple[Filter, Any]] = []
    for part in where:
        value = evaluate(part.value, scope)
        if part.optional and value in (UNKNOWN, None, []):
            continue
        if value is UNKNOWN or part.through or part.comparison not in _SIMPLE:
            return None
        known.append((part, value))
    rows: Sequence[tuple[int, Mapping[str, Any]]] = list(enumerate(scope.setting.rows[entity]))
    for part, value in known:
        rows = [(i, row) for i, row in rows if _holds(part.comparison, row.get(part.column), value)]
    return [Reference(entity, i) for i, _ in rows]


def _holds(comparison: str, cell: Any, value: Any) -> bool:
    if comparison == "equal":
        return cell is not None and bool(cell == value)
    if comparison == "is_null":
        return (cell is None) is bool(value)
    if comparison == "not_equal":
        return bool(cell != value)
    if cell is None or value is None:
        return False
    if comparison == "in":
        return isinstance(value, list) and cell in value
    if comparison == "equal_text":
        return bool(cell == value)
    return _compares(comparison, cell, value)


def _compares(comparison: str, cell: Any, value: Any) -> bool:
    if isinstance(cell, str) is not isinstance(value, str) or not isinstance(cell, str | int | float):
        return False
    low: Any
    high: Any
    low, high = (cell, value) if comparison.startswith("less") else (value, cell)
    return bool(low < high or (comparison.endswith("_equal") and low == high))
