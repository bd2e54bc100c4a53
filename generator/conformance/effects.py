"""Whether a call changed more than its tool's manifest says.

Invariant: told from the rows before and after; what SQLite does by itself on the way of a foreign key (rows deleted,
references emptied or carried over) follows from the effects that are named, and is allowed. Not covered: what a tool
reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from autoforge.mcp_envs.manifest import Effects, Manifest, Table, ToolRecord
from autoforge.mcp_envs.runtime import COUNTER_TABLE
from autoforge.mcp_envs.state import Change, State, changes

__all__ = ["undeclared"]


def undeclared(record: ToolRecord, manifest: Manifest, before: State, after: State) -> tuple[str, ...]:
    """What changed and is not named, each as a short sentence without its end; `after` holds the tables that differ."""
    effects = Effects() if record.kind == "weak" else record.effects
    known = {table.name: table for table in manifest.tables}
    found = [f"changed the table {name}" for name in after if name not in known and name != COUNTER_TABLE]
    differing = {name: contents for name, contents in after.items() if name in known}
    for change in changes({name: before[name] for name in differing if name in before}, differing, manifest):
        if known[change.table].key:
            found += _unnamed(effects, known, change)
    for name in differing:
        if not known[name].key:
            found += _unnamed_in_bag(effects, known, name, before, after)
    return tuple(dict.fromkeys(found))


def _unnamed(effects: Effects, known: Mapping[str, Table], change: Change) -> Iterator[str]:
    table = known[change.table]
    rekeyed = bool(_updated(effects, known, table) & set(table.key))
    if change.before is None:
        if change.table not in effects.creates and not rekeyed:
            yield f"made rows in {change.table}"
    elif change.after is None:
        if change.table not in _emptied(effects, known) and not rekeyed:
            yield f"deleted rows of {change.table}"
    else:
        allowed = _updated(effects, known, table)
        for column, value in change.after.items():
            if column not in allowed and not (value is None and column in _released(effects, known, table)):
                yield f"changed {change.table}.{column}"


def _unnamed_in_bag(
    effects: Effects, known: Mapping[str, Table], name: str, before: State, after: State
) -> Iterator[str]:
    """Of a table without a key, whose rows cannot be told apart: a changed row is one gone and one new."""
    old = Counter(before[name].rows if name in before else ())
    new = Counter(after[name].rows)
    updated = bool(_updated(effects, known, known[name]))
    if new - old and name not in effects.creates and not updated:
        yield f"made rows in {name}"
    if old - new and name not in _emptied(effects, known) and not updated:
        yield f"deleted rows of {name}"


def _updated(effects: Effects, known: Mapping[str, Table], table: Table) -> set[str]:
    """Columns that may change: the ones named, and those that hold a key that may."""
    keys = {name for name, columns in effects.updates.items() if name in known and set(columns) & set(known[name].key)}
    return set(effects.updates.get(table.name, ())) | _pointing(table, keys)


def _released(effects: Effects, known: Mapping[str, Table], table: Table) -> set[str]:
    """Columns that a deletion may empty."""
    return _pointing(table, _emptied(effects, known))


def _emptied(effects: Effects, known: Mapping[str, Table]) -> set[str]:
    """Tables that may lose rows: the ones named, and those whose rows point to one of them, at any distance."""
    reached = set(effects.deletes)
    while further := {t.name for t in known.values() if _pointing(t, reached)} - reached:
        reached |= further
    return reached


def _pointing(table: Table, to: Collection[str]) -> set[str]:
    return {column.name for column in table.columns if column.references in to}
