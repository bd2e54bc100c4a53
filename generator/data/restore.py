"""The documents again, from the rows of a database and the layout of the sample.

Invariant: `restore(read_data(files), database filled with its rows)` equals the files: JSON values with their types
(1 is not 1.0) and the order of lists. A CSV file is a list of objects of texts, an SQLite file an object of tables,
each a list of rows in the order of its key. Not covered: order of the keys of an object; quoting and delimiter of a
CSV file.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, assert_never

from pydantic import JsonValue

from autoforge.generator.data.sample import Cell, Constant, DataSample, Group, Key, Recipe, Row, Rows, Single
from autoforge.generator.data.types import read_back
from autoforge.generator.ir import ColumnType, Entity
from autoforge.mcp_envs.state import quote

__all__ = ["restore", "rows_of"]


class _Missing:
    """Says that the object has no such property."""


_MISSING: Final = _Missing()


def restore(sample: DataSample, source: sqlite3.Connection | Mapping[str, Sequence[Row]]) -> dict[str, JsonValue]:
    """Each file's value, from a database with the tables of the sample's entities, or from rows as in
    `DataSample.rows`."""
    rows = rows_of(sample, source) if isinstance(source, sqlite3.Connection) else source
    restorer = _Restorer(sample, rows)
    return {file: restorer.document(recipe) for file, recipe in sample.layout.items()}


def rows_of(sample: DataSample, connection: sqlite3.Connection) -> dict[str, list[Row]]:
    """The rows of every entity as `DataSample.rows` has them, in no order."""
    return {entity.name: list(_read_table(entity, connection)) for entity in sample.entities}


def _read_table(entity: Entity, connection: sqlite3.Connection) -> Iterator[Row]:
    names = [a.name for a in entity.attributes]
    cursor = connection.cursor()
    cursor.row_factory = None
    # The plus keeps converters of the declared type off the column.
    columns = ", ".join("+" + quote(n) for n in names)
    for cells in cursor.execute(f"SELECT {columns} FROM {quote(entity.table)}"):
        yield {a.name: _decoded(a.type, cell) for a, cell in zip(entity.attributes, cells, strict=True)}


def _decoded(type: ColumnType, cell: JsonValue) -> JsonValue:
    if type is ColumnType.JSON and isinstance(cell, str):
        decoded: JsonValue = json.loads(cell)
        return decoded
    return bool(cell) if type is ColumnType.BOOLEAN and cell is not None else cell


class _Restorer:
    def __init__(self, sample: DataSample, rows: Mapping[str, Sequence[Row]]) -> None:
        self._rows = rows
        self._keys = {e.name: e.key for e in sample.entities}
        self._owned: dict[tuple[str, str], dict[JsonValue, list[Row]]] = {}

    def document(self, recipe: Recipe) -> JsonValue:
        value = self._value(recipe, "", {})
        assert not isinstance(value, _Missing)
        return value

    def _value(self, recipe: Recipe, entity: str, row: Row) -> JsonValue | _Missing:
        match recipe:
            case Constant(value):
                return value
            case Single():
                return self._single(recipe)
            case Cell():
                return self._cell(recipe, entity, row)
            case Group():
                absent = self._absent(recipe, entity, row)
                return self._object(recipe.fields, entity, row) if absent is True else absent
            case Rows():
                absent = self._absent(recipe, entity, row)
                return self._members(recipe, self._selected(recipe, entity, row)) if absent is True else absent
        assert_never(recipe)

    def _key(self, entity: str, row: Row) -> Key:
        return tuple(row[k] for k in self._keys[entity])

    def _absent(self, recipe: Group | Rows, entity: str, row: Row) -> _Missing | bool | None:
        """True where it is there."""
        if not recipe.missing and not recipe.null:
            return True
        key = self._key(entity, row)
        return _MISSING if key in recipe.missing else None if key in recipe.null else True

    def _single(self, recipe: Single) -> JsonValue:
        if recipe.entity is None:
            return self._object(recipe.fields, "", {})
        (row,) = self._rows[recipe.entity]
        return self._object(recipe.fields, recipe.entity, row)

    def _object(self, fields: Sequence[tuple[str, Recipe]], entity: str, row: Row) -> dict[str, JsonValue]:
        values = ((name, self._value(recipe, entity, row)) for name, recipe in fields)
        return {name: value for name, value in values if not isinstance(value, _Missing)}

    def _cell(self, cell: Cell, entity: str, row: Row) -> JsonValue | _Missing:
        value = row[cell.column]
        if value is not None:
            return read_back(value, cell.codec, cell.forms.get(self._key(entity, row)) if cell.forms else None)
        if cell.null_is == "empty":
            return ""
        missing = (cell.null_is == "missing") != (bool(cell.otherwise) and self._key(entity, row) in cell.otherwise)
        return _MISSING if missing else None

    def _selected(self, recipe: Rows, entity: str, row: Row) -> list[Row]:
        """The member rows of the current row, in the order of the list."""
        if recipe.owner is None:
            found = list(self._rows[recipe.entity])
        else:
            (key,) = self._key(entity, row)
            found = self._by_owner(recipe.entity, recipe.owner).get(key, [])
        return sorted(found, key=lambda r: [_sortable(r[c]) for c in recipe.order]) if recipe.order else found

    def _by_owner(self, entity: str, column: str) -> dict[JsonValue, list[Row]]:
        if (entity, column) not in self._owned:
            grouped: dict[JsonValue, list[Row]] = defaultdict(list)
            for row in self._rows[entity]:
                grouped[row[column]].append(row)
            self._owned[entity, column] = grouped
        return self._owned[entity, column]

    def _members(self, recipe: Rows, rows: list[Row]) -> JsonValue:
        items = [self._value(recipe.item, recipe.entity, row) for row in rows]
        values = [item for item in items if not isinstance(item, _Missing)]
        if recipe.shape == "list":
            return values
        assert recipe.key is not None
        keys = [str(self._cell(recipe.key, recipe.entity, row)) for row in rows]
        if recipe.shape == "entries":
            return [{key: value} for key, value in zip(keys, values, strict=True)]
        if not recipe.many:
            return dict(zip(keys, values, strict=True))
        lists: dict[str, JsonValue] = {}
        for key, value in zip(keys, values, strict=True):
            member = lists.setdefault(key, [])
            assert isinstance(member, list)
            member.append(value)
        return lists


def _sortable(value: JsonValue) -> tuple[bool, JsonValue]:
    """Rows that a tool added have no position: they come last."""
    return (value is None, 0 if value is None else value)
