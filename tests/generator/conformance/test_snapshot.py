"""What differs between two states is found as comparing every row would find it, without reading every table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.conformance.snapshot import Snapshot
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.state import Contents, State, state_of_bytes

SCHEMA = """
PRAGMA page_size = 512;
CREATE TABLE letters (id INTEGER PRIMARY KEY, text TEXT, kind TEXT UNIQUE);
CREATE INDEX letters_text ON letters (text);
CREATE TABLE places (name TEXT PRIMARY KEY, size INTEGER) WITHOUT ROWID;
CREATE TABLE quiet (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT);
INSERT INTO letters SELECT value, 'text ' || value, 'kind ' || value FROM generate_series(1, 60);
INSERT INTO places SELECT 'place ' || value, value FROM generate_series(1, 60);
INSERT INTO quiet (text) VALUES ('still');
""".replace("generate_series(1, 60)", "(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE "
            "value < 60) SELECT value FROM n)")  # fmt: skip
"""Small pages, so that trees have more than one, and long texts overflow."""
NUMBERS = st.integers(1, 70)
STATEMENTS = st.one_of(
    NUMBERS.map(lambda n: f"UPDATE letters SET text = 'other' WHERE id = {n}"),
    NUMBERS.map(lambda n: f"DELETE FROM letters WHERE id < {n}"),
    NUMBERS.map(lambda n: f"UPDATE letters SET text = printf('%.{9 * n}c', 'x') WHERE id = {n}"),
    NUMBERS.map(lambda n: f"UPDATE letters SET text = replace(text, 'x', 'y') WHERE id = {n}"),
    NUMBERS.map(lambda n: f"INSERT OR IGNORE INTO places VALUES ('place {n} again', {n})"),
    NUMBERS.map(lambda n: f"DELETE FROM places WHERE size > {n}"),
    NUMBERS.map(lambda n: f"INSERT INTO quiet (text) VALUES ('{n}')"),
    st.sampled_from(
        [
            "UPDATE letters SET id = id",
            "DELETE FROM quiet",
            "CREATE TABLE IF NOT EXISTS more (id)",
            "DROP TABLE IF EXISTS quiet",
            "ALTER TABLE places ADD COLUMN colour TEXT",
            "PRAGMA user_version = 7",
            "VACUUM",
        ]
    ),
)


@pytest.fixture(scope="module")
def memory() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


def after(start: bytes | None, statements: Sequence[str]) -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        if start is None:
            connection.executescript(SCHEMA)
        else:
            connection.deserialize(start)
        for statement in statements:
            try:
                connection.execute(statement)
            except sqlite3.OperationalError:  # a table is gone, or a column is there already
                continue
        return connection.serialize()


SEED = after(None, ())


def by_every_row(before: State, now: State) -> dict[str, Contents | None]:
    return {name: now.get(name) for name in {*before, *now} if before.get(name) != now.get(name)}


@given(st.lists(STATEMENTS, max_size=3), st.lists(STATEMENTS, max_size=4))
def test_what_differs_is_what_comparing_every_row_finds(
    memory: sqlite3.Connection, first: list[str], then: list[str]
) -> None:
    before = after(SEED, first)
    now = after(before, then)
    expected = by_every_row(state_of_bytes(before, memory), state_of_bytes(now, memory))
    assert Snapshot(before, memory).differing(now) == expected


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("UPDATE letters SET text = 'other' WHERE id = 3", "letters"),
        ("INSERT INTO places VALUES ('new', 1)", "places"),
        ("INSERT INTO quiet (text) VALUES ('loud')", "quiet"),
    ],
)
def test_only_the_table_that_a_call_changed_is_read(statement: str, table: str) -> None:
    now = after(SEED, [statement])
    with closing(sqlite3.connect(":memory:")) as watched:
        snapshot = Snapshot(SEED, watched)
        snapshot.differing(SEED)  # everything about the place itself is known then
        read: list[str] = []
        watched.set_trace_callback(read.append)
        assert set(snapshot.differing(now)) == {table}
    selected = [sql for sql in read if sql.startswith("SELECT") and "sqlite_master" not in sql]
    assert len(selected) == 1 and f'"{table}"' in selected[0]


@pytest.mark.parametrize("data", [b"", b"x" * 1024, SEED[:700]], ids=["empty", "noise", "cut"])
def test_what_is_no_state_file_is_refused(memory: sqlite3.Connection, data: bytes) -> None:
    with pytest.raises(BadInput):
        Snapshot(SEED, memory).differing(data)
