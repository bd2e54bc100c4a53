"""The first rows of each table of the seed, read by running `schema.sql` and `seed.sql` in a database in memory.

Invariant: nothing outside the memory of this process is touched: attaching other databases and loading extensions is
refused. Not covered: text that is no SQL; then the page says why there are no rows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import NamedTuple

from autoforge.mcp_envs.state import dump

__all__ = ["Rows", "Sample", "seed_sample"]

_MOST_STEPS = 2_000
"""Times 10,000 virtual machine instructions: a seed takes far fewer, a runaway query is cut off within seconds."""


class Rows(NamedTuple):
    """The first rows of a table, as stored."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    total: int


class Sample(NamedTuple):
    """Rows by table, or the reason why there are none."""

    tables: dict[str, Rows]
    problem: str = ""


def seed_sample(files: Mapping[str, str], rows: int = 5) -> Sample:
    """At most `rows` rows of each table, in the order in which the seed inserts them."""
    if "schema.sql" not in files or "seed.sql" not in files:
        return Sample({}, "schema.sql or seed.sql is not there")
    with closing(sqlite3.connect(":memory:")) as connection:
        _confine(connection)
        try:
            connection.executescript(files["schema.sql"])
            connection.executescript(files["seed.sql"])
            state = dump(connection)
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            return Sample({}, str(error))
    return Sample({name: Rows(c.columns, c.rows[:rows], len(c.rows)) for name, c in state.items()})


def _confine(connection: sqlite3.Connection) -> None:
    steps = iter(range(_MOST_STEPS))

    def decide(action: int, *_: str | None) -> int:
        return sqlite3.SQLITE_DENY if action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH) else sqlite3.SQLITE_OK

    connection.set_authorizer(decide)
    connection.set_progress_handler(lambda: int(next(steps, None) is None), 10_000)
