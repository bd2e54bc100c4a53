"""How far a state has come from the initial one to gold: a signal for turn-level credit.

The share of the cells in which gold differs from the initial state that hold gold's value now, less those that differ
from the initial state where gold does not; rows that gold creates are found by their compared columns, since their
generated ids may be others, also where other rows hold them. Of words that the agent chooses it counts whether there
are any. Invariant: 0 on the initial state where gold is another, 1 on gold, between 0 and 1 everywhere. Not covered:
the reward, which is all or nothing (`reward`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Table
from autoforge.mcp_envs.state import Change, State, Value, changes

__all__ = ["Progress"]

_COMPARED = (ColumnKind.KEY, ColumnKind.VALUE, ColumnKind.FREE_TEXT)
_GENERATED = ["generated"]
"""Stands for an id that came up in the episode."""


class Progress:
    """Of one episode."""

    def __init__(self, initial: State, gold: State, manifest: Manifest) -> None:
        self._initial = initial
        self._manifest = manifest
        self._tables = {table.name: table for table in manifest.tables}
        referenced = {column.references for table in manifest.tables for column in table.columns}
        self._fixed = {t.name: _ids(t, initial) for t in manifest.tables if t.name in referenced}
        self._wanted = self._marks(changes(initial, gold, manifest))

    def share(self, now: State) -> float:
        """Between 0 and 1."""
        found = self._marks(changes(self._initial, now, self._manifest))
        total = sum(self._wanted.values())
        if not total:
            return 0.0 if found else 1.0
        reached = sum((self._wanted & found).values())
        beside = sum((found - self._wanted).values())
        return max(0.0, (reached - beside) / total)

    def _marks(self, made: Iterable[Change]) -> Counter[str]:
        """One mark for each compared cell that changed."""
        known = ((change, self._tables.get(change.table)) for change in made)
        return Counter(mark for change, table in known if table is not None for mark in self._cells(change, table))

    def _cells(self, change: Change, table: Table) -> list[str]:
        columns = [column for column in table.columns if column.kind in _COMPARED]
        if change.before is not None and change.after is not None:
            old, new = change.before, change.after
            changed = [c for c in columns if self._told(c, new.get(c.name)) != self._told(c, old.get(c.name))]
            return [self._mark(table, "~", change.key, column, new) for column in changed]
        row = change.after or change.before or {}
        way, known = ("+", ()) if change.before is None else ("-", change.key)
        cells = [self._mark(table, way, known, column, row) for column in columns]
        return cells or [json.dumps([table.name, way, known], default=repr)]

    def _mark(self, table: Table, way: str, key: tuple[Value, ...], column: Column, row: Mapping[str, Value]) -> str:
        return json.dumps([table.name, way, key, column.name, self._told(column, row.get(column.name))], default=repr)

    def _told(self, column: Column, value: Value) -> Any:
        """What counts of a value."""
        if column.kind is ColumnKind.FREE_TEXT:
            return value not in (None, "")
        fixed = self._fixed.get(column.references or "")
        return value if fixed is None or value is None or value in fixed else _GENERATED


def _ids(table: Table, initial: State) -> frozenset[Value] | None:
    """The keys of the rows that are there at first; None where they are not one column's."""
    contents = initial.get(table.name)
    if contents is None or len(table.key) != 1 or table.key[0] not in contents.columns:
        return None
    place = contents.columns.index(table.key[0])
    return frozenset(row[place] for row in contents.rows)
