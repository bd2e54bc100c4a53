"""Whether a call changed more than its tool's manifest says.

Invariant: told from the rows before and after; what SQLite does by itself on the way of a foreign key (rows deleted,
references emptied or carried over) follows from the effects that are named, and is allowed. Not covered: what a tool
reads.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator

from autoforge.mcp_envs.manifest import Effects, Manifest, Table, ToolRecord
from autoforge.mcp_envs.runtime import COUNTER_TABLE
from autoforge.mcp_envs.state import Change, State, changes

__all__ = ["Declarations"]


class Declarations:
    """What the manifest of an environment allows its tools to change."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._known = {table.name: table for table in manifest.tables}
        self._pointing_to: dict[str, set[str]] = defaultdict(set)
        """Table -> the tables whose rows point to it."""
        for table in manifest.tables:
            for column in table.columns:
                if column.references is not None:
                    self._pointing_to[column.references].add(table.name)

    def undeclared(self, record: ToolRecord, before: State, after: State) -> tuple[str, ...]:
        """What changed and is not named, each as a short sentence without its end. `after` holds the tables that
        differ, `before` at least the same ones where they were.
        """
        effects = Effects() if record.kind == "weak" else record.effects
        found = [f"changed the table {name}" for name in after if name not in self._known and name != COUNTER_TABLE]
        differing = {name: contents for name, contents in after.items() if name in self._known}
        were = {name: before[name] for name in differing if name in before}
        for change in changes(were, differing, self._manifest):
            if self._known[change.table].key:
                found += self._unnamed(effects, change)
        for name in differing:
            if not self._known[name].key:
                found += self._unnamed_in_bag(effects, name, before, after)
        return tuple(dict.fromkeys(found))

    def _unnamed(self, effects: Effects, change: Change) -> Iterator[str]:
        table = self._known[change.table]
        rekeyed = bool(self._updated(effects, table) & set(table.key))
        if change.before is None:
            if change.table not in effects.creates and not rekeyed:
                yield f"made rows in {change.table}"
        elif change.after is None:
            if change.table not in self._emptied(effects) and not rekeyed:
                yield f"deleted rows of {change.table}"
        else:
            allowed = self._updated(effects, table)
            for column, value in change.after.items():
                if column not in allowed and not (value is None and column in self._released(effects, table)):
                    yield f"changed {change.table}.{column}"

    def _unnamed_in_bag(self, effects: Effects, name: str, before: State, after: State) -> Iterator[str]:
        """Of a table without a key, whose rows cannot be told apart: a changed row is one gone and one new."""
        old = Counter(before[name].rows if name in before else ())
        new = Counter(after[name].rows)
        updated = bool(self._updated(effects, self._known[name]))
        if new - old and name not in effects.creates and not updated:
            yield f"made rows in {name}"
        if old - new and name not in self._emptied(effects) and not updated:
            yield f"deleted rows of {name}"

    def _updated(self, effects: Effects, table: Table) -> set[str]:
        """Columns that may change: the ones named, and those that hold a key that may."""
        rekeyed = {
            name
            for name, columns in effects.updates.items()
            if name in self._known and set(columns) & set(self._known[name].key)
        }
        return set(effects.updates.get(table.name, ())) | _pointing(table, rekeyed)

    def _released(self, effects: Effects, table: Table) -> set[str]:
        """Columns that a deletion may empty."""
        return _pointing(table, self._emptied(effects))

    def _emptied(self, effects: Effects) -> set[str]:
        """Tables that may lose rows: the ones named, and those whose rows point to one of them, at any distance."""
        reached = set(effects.deletes)
        waiting = list(reached)
        while waiting:
            further = self._pointing_to.get(waiting.pop(), set()) - reached
            reached |= further
            waiting += further
        return reached


def _pointing(table: Table, to: Collection[str]) -> set[str]:
    return {column.name for column in table.columns if column.references in to}
