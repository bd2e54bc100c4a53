"""What tool functions see of their state, and how one call is run on it.

This text is standalone (standard library only) and is copied byte for byte into every generated `server.py`; the
contained worker imports it from here. Invariant: a call either commits whole or changes nothing, and its result depends
on the state and the arguments only. Not covered: checking the source of `tools.py` (`containment.static`), the process
around it (`containment.worker`), MCP.
"""

from __future__ import annotations

import json
import math
import sqlite3
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

CLOCK_TABLE = "autoforge_clock"
COUNTER_TABLE = "autoforge_counters"
LOG_TABLE = "autoforge_log"
CALL_TABLE = "autoforge_calls"
"""Replies by call id, kept by the contained worker; no tool touches it and no comparison of states reads it."""

CALL_SECONDS = 5.0
"""Deadline of the SQL inside one tool call."""
PROGRESS_OPCODES = 20_000
"""SQLite virtual-machine steps between two looks at the deadline: about a millisecond."""
LENGTH_LIMIT = 16_000_000
"""Largest text, blob or row in bytes."""

_SETTINGS = (
    *("foreign_keys=ON", "synchronous=OFF", "cache_size=-256", "temp_store=MEMORY", "trusted_schema=OFF"),
    "recursive_triggers=OFF",
)
_READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
_WRITES = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_UNSAFE_FUNCTIONS = {
    *("load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "random", "randomblob", "last_insert_rowid"),
    *("changes", "total_changes"),
    *("current_timestamp", "current_time", "current_date", "date", "time", "datetime", "julianday", "unixepoch"),
    *("strftime", "timediff", "zeroblob", "printf", "format"),
}
"""What reaches outside, is not deterministic (`date('now')`: the time is `Database.now`) or fills the memory at
once."""

sqlite3.register_converter("BOOLEAN", lambda raw: raw not in (b"0", b""))
sqlite3.register_converter("JSON", lambda raw: json.loads(raw))
for _text in ("DATE", "TIMESTAMP"):  # for which sqlite3 would make date objects, and no JSON holds those
    sqlite3.register_converter(_text, lambda raw: raw.decode())


_TOOL_MARK = "/*tool*/ "
"""Begins every statement of a tool, so that none is ever a cached statement that was prepared outside a call, where all
is allowed."""


class DeadlineExceeded(Exception):
    """One call used more time than it may."""


class Guard:
    """What a connection allows now: everything outside a call; inside one no structure, no transaction, no chance and
    no time past `ends`.

    It is installed once. Setting an authorizer expires every prepared statement, so setting it for each call would
    prepare each of its statements again: twice the time of a small call.
    """

    __slots__ = ("ends", "trusted")

    def __init__(self) -> None:
        self.trusted = True
        self.ends = math.inf

    def authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        """SQLite's authorizer, asked once for each step of a statement when it is prepared."""
        if self.trusted:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            allowed = (second or "").lower() not in _UNSAFE_FUNCTIONS
        elif action in _WRITES:
            allowed = first not in (CALL_TABLE, CLOCK_TABLE)
        else:
            allowed = action in _READS and first != CALL_TABLE
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    def expired(self) -> bool:
        """SQLite's progress handler: whether to interrupt."""
        return time.monotonic() > self.ends


class Connection(sqlite3.Connection):
    """A connection that carries its guard; made by `connect` only."""

    guard: Guard


def connect(path: str | Path = ":memory:") -> Connection:
    """A connection for an episode: foreign keys on, explicit transactions, no durability (an episode is not worth an
    fsync)."""
    connection = sqlite3.connect(
        str(path),
        isolation_level=None,
        detect_types=sqlite3.PARSE_DECLTYPES,
        check_same_thread=False,
        cached_statements=256,
        factory=Connection,
    )
    connection.executescript("".join(f"PRAGMA {setting};" for setting in _SETTINGS))
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LENGTH_LIMIT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.guard = Guard()
    connection.set_authorizer(connection.guard.authorize)
    connection.set_progress_handler(connection.guard.expired, PROGRESS_OPCODES)
    return connection


def create_state(folder: Path, connection: sqlite3.Connection) -> None:
    """Fill an empty database from `schema.sql` and `seed.sql`."""
    for name in ("schema.sql", "seed.sql"):
        connection.executescript((folder / name).read_text(encoding="utf-8"))


def _bind(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return value.isoformat() if isinstance(value, date) else value


class Database:
    """The state as a tool function sees it: statements in, plain rows out.

    Booleans and JSON columns arrive as Python values and may be given as such. Names never come from arguments; values
    are always bound.
    """

    __slots__ = ("_connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """Every row, as dictionaries by column name."""
        cursor = self._connection.execute(_TOOL_MARK + sql, [_bind(v) for v in values])
        names = [d[0] for d in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def one(self, sql: str, *values: Any) -> dict[str, Any] | None:
        """The first row, or None."""
        cursor = self._connection.execute(_TOOL_MARK + sql, [_bind(v) for v in values])
        row = cursor.fetchone()
        return None if row is None else dict(zip([d[0] for d in cursor.description], row, strict=True))

    def value(self, sql: str, *values: Any) -> Any:
        """The first column of the first row, or None."""
        row = self._connection.execute(_TOOL_MARK + sql, [_bind(v) for v in values]).fetchone()
        return None if row is None else row[0]

    def run(self, sql: str, *values: Any) -> int:
        """Run INSERT, UPDATE or DELETE; the number of rows changed."""
        return self._connection.execute(_TOOL_MARK + sql, [_bind(v) for v in values]).rowcount

    def next_id(self, counter: str) -> int:
        """The next number of a counter that is part of the state."""
        insert = f"INSERT INTO {COUNTER_TABLE}(name, value) VALUES (?, 1)"
        self.run(f"{insert} ON CONFLICT(name) DO UPDATE SET value = value + 1", counter)
        return int(self.value(f"SELECT value FROM {COUNTER_TABLE} WHERE name = ?", counter))

    def now(self) -> str:
        """The state's clock, `YYYY-MM-DDTHH:MM:SS`."""
        return str(self.value(f"SELECT now FROM {CLOCK_TABLE}"))

    def today(self) -> str:
        """The date of the state's clock, `YYYY-MM-DD`."""
        return self.now()[:10]

    def log(self, tool: str, arguments: dict[str, Any]) -> None:
        """Record a call in the log table, which no comparison of states reads."""
        self.run(f"INSERT INTO {LOG_TABLE}(tool, arguments) VALUES (?, ?)", tool, arguments)


def call(
    connection: sqlite3.Connection,
    function: Callable[..., Any],
    arguments: dict[str, Any],
    seconds: float = CALL_SECONDS,
    record: Callable[[str], object] | None = None,
) -> Any:
    """Run one tool function in a transaction that is rolled back when anything in it raises.

    `record` gets the result as JSON text and may write to the connection in the same transaction. `connection` comes
    from `connect`. Raises what the function raises (`ToolError` for a refusal), `DeadlineExceeded` when its SQL
    outlasts `seconds`, `ValueError` or `TypeError` when its result is not JSON in UTF-8.
    """
    if not isinstance(connection, Connection):
        raise TypeError("call needs a connection made by runtime.connect")
    guard = connection.guard
    if connection.in_transaction:  # a timer's exception met the end of the call before
        connection.execute("ROLLBACK")
    connection.execute("BEGIN IMMEDIATE")
    guard.ends = time.monotonic() + seconds
    guard.trusted = False
    try:
        result = function(Database(connection), **arguments)
        guard.trusted, guard.ends = True, math.inf
        text = json.dumps(result, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()
        if record is not None:
            record(text)
        connection.execute("COMMIT")
    except BaseException as error:
        guard.trusted, guard.ends = True, math.inf
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.OperationalError) and str(error) == "interrupted":
            raise DeadlineExceeded(f"the call did not end within {seconds:g} s") from None
        raise
    return result
