"""The gold state of a task: its initial state with the rows of `gold.diff` changed.

Invariant: the inverse of `mcp_envs.state.changes`, for all that states are compared by; counters and columns of kind
`log` stay as they were at the start. Not covered: whether the gold is right (`generator.tasks.gate`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.manifest import Manifest, Table
from autoforge.mcp_envs.state import Change, Contents, Row, State, Value
from autoforge.mcp_envs.task import RowChange, Task

__all__ = ["gold_state", "row_change"]

_Key: TypeAlias = tuple[Value, ...]


def gold_state(initial: State, task: Task, manifest: Manifest) -> State:
    """The state that gold leaves. Raises CheckFailed where the diff does not fit the initial state."""
    by_table: dict[str, list[RowChange]] = {}
    for change in task.gold.diff:
        by_table.setdefault(change.table, []).append(change)
    tables = {table.name: table for table in manifest.tables}
    gold = dict(initial)
    for name, changes in by_table.items():
        if name not in tables or name not in initial:
            raise _misfit(task, name, (), "there is no such table")
        gold[name] = _changed(task, tables[name], initial[name], changes)
    return gold


def row_change(change: Change) -> RowChange:
    """A change as tasks and trajectories keep it."""
    before, after = ({n: _shown(v) for n, v in row.items()} if row is not None else None for row in change[2:])
    return RowChange(table=change.table, key=tuple(map(_shown, change.key)), before=before, after=after)


def _changed(task: Task, table: Table, contents: Contents, changes: Iterable[RowChange]) -> Contents:
    rows = _by_key(table, contents)
    for change in changes:
        key, old = tuple(map(_plain, change.key)), rows.get(tuple(map(_plain, change.key)))
        if (old is None) != (change.before is None):
            words = "is not there before the task" if old is None else "is there before the task"
            raise _misfit(task, table.name, key, words)
        if change.before is not None:
            _expect(task, table, key, contents.columns, old or (), change.before)
        if change.after is None:
            del rows[key]
        else:
            rows[key] = _row(task, table, key, contents.columns, old, change.after)
    return Contents(contents.columns, tuple(rows.values()))


def _by_key(table: Table, contents: Contents) -> dict[_Key, Row]:
    """The rows as `state.changes` names them: by key; by key and place where there is none or it is taken."""
    places = [contents.columns.index(name) if name in contents.columns else None for name in table.key]
    if places and None not in places:
        keys = zip(*([row[place] for row in contents.rows] for place in places if place is not None), strict=True)
        quick = dict(zip(keys, contents.rows, strict=True)) if contents.rows else {}
        if len(quick) == len(contents.rows):
            return quick
    found: dict[_Key, Row] = {}
    for number, row in enumerate(contents.rows):
        key = tuple(None if place is None else row[place] for place in places)
        found[key if key and key not in found else (*key, number)] = row
    return found


def _expect(task: Task, table: Table, key: _Key, columns: tuple[str, ...], row: Row, before: Mapping[str, Any]) -> None:
    stored = dict(zip(columns, row, strict=True))
    for name, value in before.items():
        if name not in stored or _shown(stored[name]) != value:
            raise _misfit(task, table.name, key, f"{name} is {stored.get(name)!r} before the task, not {value!r}")


def _row(
    task: Task, table: Table, key: _Key, columns: tuple[str, ...], old: Row | None, after: Mapping[str, Any]
) -> Row:
    unknown = [name for name in after if name not in columns]
    if unknown:
        raise _misfit(task, table.name, key, f"the table has no column {unknown[0]!r}")
    stored = dict.fromkeys(columns) if old is None else dict(zip(columns, old, strict=True))
    return tuple({**stored, **{name: _plain(value) for name, value in after.items()}}.values())


def _plain(value: Any) -> Value:
    """A value as SQLite stores it."""
    return int(value) if isinstance(value, bool) else value


def _shown(value: Value) -> Any:
    """A stored value as JSON has it."""
    return value.hex() if isinstance(value, bytes) else value


def _misfit(task: Task, table: str, key: _Key, words: str) -> CheckFailed:
    where = f"{table} {', '.join(map(str, key))}".rstrip()
    again = f"prove the tasks of {task.environment} again with autoforge-gen check"
    return CheckFailed(f"the gold diff of task {task.id} does not fit its initial state: {where}: {words}; {again}.")
