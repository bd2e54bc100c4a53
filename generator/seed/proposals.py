"""Edits that may take away what stops a call, or bring it about, the cheapest first.

Invariant: proposals come from the step, from what it reads and from how that was bound, never from names; they are few
whatever the number of rows. Whether one helps, and whether it is allowed, is found by making it (`edits`). The forms:
point a row at another parent, change a value that a condition reads, take the state of another row together with what
hangs on the state, move children away or in. Not covered: several edits at once (`search`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType, Entity, Filter, Refuse, RowField, Select, Variable
from autoforge.generator.seed.conditions import UNKNOWN, Reference, evaluate, parts_of
from autoforge.generator.seed.edits import Cell, Edit, Editor
from autoforge.generator.seed.plan import parent_entity
from autoforge.generator.seed.scenario import Failure
from autoforge.generator.seed.states import state_columns, status_column

__all__ = ["proposals"]

MOST_VALUES = 12
"""Values that are tried in one cell."""
MOST_CHILDREN = 6
"""Children that are moved at once."""


class _Place(NamedTuple):
    """A cell by its row."""

    row: Reference
    column: str


def proposals(editor: Editor, failure: Failure) -> list[Edit]:
    """Edits of what a step reads, cheapest first; each changes as little as it can."""
    found = [edit for place in _places(failure) for edit in _at(editor, failure, place)]
    found += _children(editor, failure) if isinstance(failure.step, Refuse) else _targets(editor, failure)
    return sorted(dict.fromkeys(found), key=lambda edit: edit.cost)


# --- cells that a step reads ---


def _places(failure: Failure) -> list[_Place]:
    step = failure.step
    names: list[tuple[str, str | None]] = []
    if isinstance(step, Refuse):
        for part in parts_of(step.when):
            if isinstance(part, RowField):
                names.append((part.row, part.column))
            elif isinstance(part, Variable):
                names += _of_filters(failure, part.name)
    else:
        names += [(f.value.row, f.value.column) for f in step.where if isinstance(f.value, RowField)]
    found: dict[_Place, None] = {}
    for name, column in names:
        _follow(failure, name, column, found, 0)
    return list(found)


def _of_filters(failure: Failure, name: str) -> list[tuple[str, str | None]]:
    binder = failure.binders.get(name)
    where = binder.where if binder is not None else ()
    return [(f.value.row, f.value.column) for f in where if isinstance(f.value, RowField)]


def _follow(failure: Failure, name: str, column: str | None, found: dict[_Place, None], depth: int) -> None:
    """The cell, and those by which its row was reached."""
    row = failure.scope.rows.get(name)
    if isinstance(row, Reference) and column is not None:
        found.setdefault(_Place(row, column))
    if depth < 3:
        for outer, link in _of_filters(failure, name):
            _follow(failure, outer, link, found, depth + 1)


def _at(editor: Editor, failure: Failure, place: _Place) -> Iterator[Edit]:
    """Other values for one cell."""
    row, column = place
    entity, attribute = editor.entities[row.entity], editor.attribute(row.entity, column)
    if attribute is None or not editor.may_change(row.entity, row.number, column):
        return
    held = editor.setting.rows[row.entity][row.number].get(column)
    status = attribute == status_column(entity) or attribute.type is ColumnType.BOOLEAN
    for value in _values(editor, failure, entity, attribute):
        if value == held or value is None:
            continue
        if attribute.references is not None:
            yield Edit(2 if entity.owner == column else 1, (Cell(row.entity, row.number, column, value),))
        elif status and not entity.singleton:
            yield from _states(editor, entity, row.number, attribute, value)
        else:
            yield Edit(3, (Cell(row.entity, row.number, column, value),))


def _values(editor: Editor, failure: Failure, entity: Entity, attribute: Attribute) -> list[JsonValue]:
    parent = parent_entity(editor.setting.world, attribute)
    if parent is not None:
        return editor.setting.keys(parent)
    if attribute.type is ColumnType.BOOLEAN:
        return [True, False]
    if attribute.enum:
        return list(attribute.enum)
    known = [row.get(attribute.name) for row in editor.setting.rows[entity.name]]
    return list(
        dict.fromkeys([*_numbers(failure, attribute), *(v for v in known if isinstance(v, str | int | float))])
    )[:MOST_VALUES]


def _numbers(failure: Failure, attribute: Attribute) -> Iterator[JsonValue]:
    """Numbers that the condition speaks of, and those beside them."""
    if attribute.type not in (ColumnType.INTEGER, ColumnType.REAL) or not isinstance(failure.step, Refuse):
        return
    for part in parts_of(failure.step.when):
        value = evaluate(part, failure.scope)
        if isinstance(value, int | float) and not isinstance(value, bool) and value is not UNKNOWN:
            for number in (value, value + 1, value - 1, value * 3 + 9):
                yield round(number) if attribute.type is ColumnType.INTEGER else round(float(number), 2)


def _states(editor: Editor, entity: Entity, index: int, attribute: Attribute, value: JsonValue) -> Iterator[Edit]:
    """Exchange the state, and what hangs on it, with a row that has the wanted one; a fresh state where none has."""
    rows = editor.setting.rows[entity.name]
    donors = [i for i, row in enumerate(rows) if row.get(attribute.name) == value]
    columns = [attribute.name, *(c for c in state_columns(editor.setting, entity) if c != attribute.name)]
    for donor in donors[:4]:
        free = [c for c in columns if not {(entity.name, i, c) for i in (index, donor)} & editor.setting.pinned]
        cells = [
            Cell(entity.name, i, c, rows[j].get(c))
            for i, j in ((index, donor), (donor, index))
            for c in free
            if rows[i].get(c) != rows[j].get(c)
        ]
        yield Edit(4, tuple(cells))
    yield Edit(6 if donors else 5, (Cell(entity.name, index, attribute.name, value),))


# --- rows that hang on a row ---


def _children(editor: Editor, failure: Failure) -> Iterator[Edit]:
    """Move rows that a condition counts to other parents, or rows of other parents in."""
    assert isinstance(failure.step, Refuse)
    names = {p.name for p in parts_of(failure.step.when) if isinstance(p, Variable)}
    for name in sorted(names & set(failure.binders)):
        binder, counted = failure.binders[name], failure.scope.rows.get(name)
        if isinstance(binder, Select) and isinstance(counted, list):
            for part in binder.where:
                attribute = editor.attribute(binder.entity, part.column)
                if (
                    attribute is not None
                    and part.comparison == "equal"
                    and attribute.references is not None
                    and not part.through
                ):
                    yield from _away(editor, binder, part, counted)
                    yield from _inward(editor, failure, binder, part, counted)


def _away(editor: Editor, binder: Select, part: Filter, counted: list[Any]) -> Iterator[Edit]:
    parents = _parents(editor, binder.entity, part.column)
    held = {repr(editor.setting.rows[r.entity][r.number].get(part.column)) for r in counted}
    others = [key for key in parents if repr(key) not in held]
    for count in range(1, min(len(counted), MOST_CHILDREN) + 1):
        for turn in range(min(4, len(others))):
            cells = (
                Cell(r.entity, r.number, part.column, others[(turn + i) % len(others)])
                for i, r in enumerate(counted[:count])
            )
            yield Edit(2 + count, tuple(cells))


def _inward(editor: Editor, failure: Failure, binder: Select, part: Filter, counted: list[Any]) -> Iterator[Edit]:
    value = evaluate(part.value, failure.scope)
    rest = [(f, evaluate(f.value, failure.scope)) for f in binder.where if f is not part]
    rows = editor.setting.rows[binder.entity]
    fits = [
        i
        for i, row in enumerate(rows)
        if Reference(binder.entity, i) not in counted and all(_close(f, row, v) for f, v in rest)
    ]
    if value is UNKNOWN or value is None:
        return
    for count in range(1, min(len(fits), MOST_CHILDREN) + 1):
        yield Edit(3 + count, tuple(Cell(binder.entity, i, part.column, value) for i in fits[:count]))


def _close(part: Filter, row: dict[str, JsonValue], value: Any) -> bool:
    if value is UNKNOWN:
        return True
    return (
        row.get(part.column) in value
        if part.comparison == "in" and isinstance(value, list)
        else row.get(part.column) == value
    )


def _parents(editor: Editor, entity: str, column: str) -> list[JsonValue]:
    attribute = editor.attribute(entity, column)
    parent = parent_entity(editor.setting.world, attribute) if attribute is not None else None
    return editor.setting.keys(parent) if parent is not None else []


def _targets(editor: Editor, failure: Failure) -> Iterator[Edit]:
    """Make some row the one that is looked for."""
    step = failure.step
    assert not isinstance(step, Refuse)
    wanted = [
        (f.column, value)
        for f in step.where
        if (value := evaluate(f.value, failure.scope)) is not UNKNOWN and f.comparison == "equal"
    ]
    rows = editor.setting.rows[step.entity]
    distance = sorted((sum(row.get(c) != v for c, v in wanted), i) for i, row in enumerate(rows))
    for missing, i in distance[:MOST_VALUES]:
        cells = tuple(Cell(step.entity, i, c, v) for c, v in wanted if rows[i].get(c) != v)
        yield Edit(2 + 2 * missing, cells)
