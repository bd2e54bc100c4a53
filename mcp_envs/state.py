"""The rows of a state, read from outside its server: contents, digest, differences.

Invariant: reading changes nothing, and what is read depends on the rows only, not on how the file holds them. Not
covered: which differences matter (`equality`), the process that writes (`containment`).
"""

from __future__ import annotations

import hashlib
import json
import operator
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, TypeAlias

from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest, Table
from autoforge.mcp_envs.runtime import CALL_TABLE, CLOCK_TABLE, COUNTER_TABLE, LOG_TABLE

__all__ = [
    "MACHINERY",
    "Change",
    "Contents",
    "State",
    "changes",
    "digest",
    "dump",
    "literal",
    "quote",
    "read_state",
    "state_of_bytes",
    "wary",
    "without_log",
]

MACHINERY = frozenset({CALL_TABLE, CLOCK_TABLE, COUNTER_TABLE, LOG_TABLE})
"""Tables of the runtime, which no manifest lists."""

_READ_SECONDS = 10.0
"""Longest time to read a file that code which nobody trusts has written."""
_READ_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the clock."""
_LONGEST_VALUE = 64 * 1024 * 1024
"""Bytes of one value or row; a worker's file as a whole may not be longer."""

Value: TypeAlias = int | float | str | bytes | None
Row: TypeAlias = tuple[Value, ...]


class Contents(NamedTuple):
    """One table: its columns, and its rows as stored (booleans 0 and 1, JSON as text), in storage order."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def records(self) -> list[dict[str, Value]]:
        """The rows as dictionaries by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


State: TypeAlias = Mapping[str, Contents]
"""Table name -> contents. Two states with the same rows in the same order are equal (`==`)."""


def dump(connection: sqlite3.Connection, tables: Iterable[str] | None = None) -> State:
    """Read the tables, by default all but the replies by call id. Raises BadInput for a table that is not there. For a
    file that untrusted code wrote, use `read_state` or `state_of_bytes`, which bound what reading may cost.

    `connection` may have converters (`runtime.connect` has): stored values are read, not converted ones.
    """
    known = [
        name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    ]
    names = [n for n in known if n != CALL_TABLE and not n.startswith("sqlite_")] if tables is None else list(tables)
    for name in names:
        if name not in known:
            raise BadInput(f"the state has no table {name!r}; it has {', '.join(known) or 'none'}")
    return {name: _contents(connection, name) for name in names}


def _contents(connection: sqlite3.Connection, table: str) -> Contents:
    columns = tuple(row[1] for row in connection.execute(f"PRAGMA table_info({quote(table)})"))
    selected = ", ".join("+" + quote(column) for column in columns)  # an expression has no declared type to convert by
    return Contents(columns, tuple(map(tuple, connection.execute(f"SELECT {selected} FROM {quote(table)}"))))


@contextmanager
def wary(connection: sqlite3.Connection) -> Iterator[None]:
    """Read what untrusted code wrote: its schema may call nothing, a value has a longest length, and reading ends (with
    `sqlite3.OperationalError`).
    """
    ends = time.monotonic() + _READ_SECONDS
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.set_progress_handler(lambda: time.monotonic() > ends, _READ_STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, _READ_STEPS)


def read_state(path: Path) -> State:
    """The state in a file that another process may hold open, as of its last commit. Raises BadInput for what is no
    state file.
    """
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection, wary(connection):
            return dump(connection)
    except sqlite3.Error as error:
        raise BadInput(f"{path} is not a readable state file: {error}") from None


def state_of_bytes(data: bytes, connection: sqlite3.Connection, tables: Iterable[str] | None = None) -> State:
    """The state in the bytes of a database file, or some of its tables; `connection` is one in memory, given for
    re-use, which holds these bytes afterwards. Raises BadInput.
    """
    if not data:  # which SQLite would take for a lack of memory
        raise BadInput("these bytes are not a state file: there are none")
    try:
        connection.deserialize(data)
        with wary(connection):
            return dump(connection, tables)
    except sqlite3.Error as error:
        raise BadInput(f"these bytes are not a state file: {error}") from None


def without_log(state: State, manifest: Manifest) -> State:
    """A state without what is for the record only: the log and columns of kind `log`."""
    tables = [table for table in manifest.tables if table.name in state]
    logs = {table.name: {c.name for c in table.columns if c.kind == "log"} for table in tables}
    return {
        name: _without(table, logs.get(name, set()))
        for name, table in state.items()
        if name not in (LOG_TABLE, CALL_TABLE)
    }


def _without(table: Contents, names: set[str]) -> Contents:
    if not names:
        return table
    kept = [i for i, column in enumerate(table.columns) if column not in names]
    if len(kept) < 2:  # of which `itemgetter` makes no tuple
        return Contents(tuple(table.columns[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in table.rows))
    chosen = operator.itemgetter(*kept)
    return Contents(chosen(table.columns), tuple(map(chosen, table.rows)))


def digest(state: State, tables: Iterable[str] | None = None) -> str:
    """SHA-256 over the contents, in hexadecimal; the order in which rows are stored does not matter."""
    names = sorted(state if tables is None else tables)
    hashed = hashlib.sha256()
    for name in names:
        contents = state[name]
        lines = [ascii((name, contents.columns)), *sorted(map(ascii, contents.rows)), ""]  # `ascii` has no line breaks
        hashed.update("\n".join(lines).encode())
    return hashed.hexdigest()


class Change(NamedTuple):
    """What happened to one row. Of an updated row, only the changed columns."""

    table: str
    key: tuple[Value, ...]
    before: dict[str, Value] | None
    """None: the row is new."""
    after: dict[str, Value] | None
    """None: the row is gone."""

    def __str__(self) -> str:
        where = f"{self.table} {', '.join(map(str, self.key))}".rstrip()
        if self.before is None or self.after is None:
            row, fate = (self.after, "new") if self.before is None else (self.before, "gone")
            return f"{where}: {fate} {json.dumps(row, ensure_ascii=False, default=bytes.hex)}"
        return f"{where}: " + ", ".join(f"{n} {b!r} -> {self.after[n]!r}" for n, b in self.before.items())


def changes(before: State, after: State, manifest: Manifest) -> tuple[Change, ...]:
    """The rows that differ, by table and key; without counters, log and replies. Rows of a table without a key are
    told by their place.
    """
    found: list[Change] = []
    for table in manifest.tables:
        if table.name not in MACHINERY and before.get(table.name) != after.get(table.name):
            found += _changes_of(table, before.get(table.name), after.get(table.name))
    return tuple(found)


def _changes_of(table: Table, before: Contents | None, after: Contents | None) -> list[Change]:
    logs = {column.name for column in table.columns if column.kind == "log"}
    old, new = _by_key(table, before, logs), _by_key(table, after, logs)
    found = []
    for key in [*old, *(k for k in new if k not in old)]:
        was, now = old.get(key), new.get(key)
        if was is not None and now is not None:
            names = [name for name in now if was.get(name) != now[name]]
            if names:
                found.append(Change(table.name, key, {n: was.get(n) for n in names}, {n: now[n] for n in names}))
        else:
            found.append(Change(table.name, key, was, now))
    return found


def _by_key(table: Table, contents: Contents | None, logs: set[str]) -> dict[tuple[Value, ...], dict[str, Value]]:
    records = [] if contents is None else contents.records()
    found: dict[tuple[Value, ...], dict[str, Value]] = {}
    for place, record in enumerate(records):
        key = tuple(record.get(name) for name in table.key)
        found[key if key and key not in found else (*key, place)] = {n: v for n, v in record.items() if n not in logs}
    return found


def quote(name: str) -> str:
    """A table or column name in SQL, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: Value) -> str:
    """A stored value in SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else json.dumps(value)
