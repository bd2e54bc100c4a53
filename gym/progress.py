"""How far a state has come from the initial one to gold: a signal for turn-level credit.

The share of the cells in which gold differs from the initial state that hold gold's value now, less those that differ
from the initial state where gold does not; rows that gold creates are found by their compared columns, since their
generated ids may be others. Invariant: 0 on the initial state, 1 on gold, between 0 and 1 everywhere. Not covered: the
reward, which is all or nothing (`reward`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from autoforge.mcp_envs.manifest import ColumnKind, Manifest, Table
from autoforge.mcp_envs.state import Change, State, changes

__all__ = ["Progress"]

_COMPARED = (ColumnKind.KEY, ColumnKind.VALUE)


class Progress:
    """Of one episode."""

    def __init__(self, initial: State, gold: State, manifest: Manifest) -> None:
        self._initial = initial
        self._manifest = manifest
        self._tables = {table.name: table for table in manifest.tables}
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
        return Counter(mark for change in made for mark in _cells(change, self._tables.get(change.table)))


def _cells(change: Change, table: Table | None) -> list[str]:
    if table is None:
        return []
    names = [column.name for column in table.columns if column.kind in _COMPARED and column.references is None]
    if change.before is None or change.after is None:
        row: Any = change.after or change.before or {}
        way = "+" if change.before is None else "-"
        known = [] if change.before is None else list(change.key)
        cells = [(name, row.get(name)) for name in names]
        return [json.dumps([table.name, way, known, name, value], default=repr) for name, value in cells]
    after, before = change.after, change.before
    return [
        json.dumps([table.name, "~", list(change.key), name, after.get(name)], default=repr)
        for name in names
        if after.get(name) != before.get(name)
    ]
