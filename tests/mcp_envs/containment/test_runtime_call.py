"""One call on a state, without a process around it: what commits, what is rolled back, what is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from autoforge.mcp_envs import runtime

SCHEMA = """
CREATE TABLE parent (id INTEGER PRIMARY KEY);
CREATE TABLE child (
    id INTEGER PRIMARY KEY, day DATE, parent_id INTEGER REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE autoforge_clock (now TEXT);
CREATE TABLE autoforge_calls (id TEXT PRIMARY KEY, reply TEXT);
"""


@pytest.fixture
def connection() -> Iterator[runtime.Connection]:
    connection = runtime.connect()
    connection.executescript(SCHEMA)
    yield connection
    connection.close()


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM child").fetchone()[0])


def test_a_commit_that_fails_is_rolled_back(connection: runtime.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        runtime.call(connection, lambda db: db.run("INSERT INTO child(parent_id) VALUES (7)"), {})
    assert not connection.in_transaction and _count(connection) == 0
    assert runtime.call(connection, lambda db: db.run("INSERT INTO child(parent_id) VALUES (NULL)"), {}) == 1


def test_a_record_that_fails_undoes_the_call(connection: runtime.Connection) -> None:
    def refuse(text: str) -> None:
        raise ValueError(text)

    with pytest.raises(ValueError, match=r"^1$"):
        runtime.call(connection, lambda db: db.run("INSERT INTO child DEFAULT VALUES"), {}, record=refuse)
    assert _count(connection) == 0


def test_a_record_commits_with_the_call(connection: runtime.Connection) -> None:
    def keep(text: str) -> None:
        connection.execute("INSERT INTO autoforge_calls VALUES ('c', ?)", (text,))

    runtime.call(connection, lambda db: {"n": db.run("INSERT INTO child DEFAULT VALUES")}, {}, record=keep)
    assert connection.execute("SELECT reply FROM autoforge_calls").fetchone() == ('{"n":1}',)


def test_a_date_column_arrives_as_text(connection: runtime.Connection) -> None:
    sql = "INSERT INTO child(day) VALUES (?) RETURNING day"
    assert runtime.call(connection, lambda db: db.one(sql, "2026-03-02"), {}) == {"day": "2026-03-02"}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT datetime('now')", "SELECT CURRENT_TIMESTAMP", "SELECT random()", "SELECT unixepoch()",
        "SELECT * FROM autoforge_calls", "UPDATE autoforge_clock SET now = 1", "CREATE TABLE x(y)",
        "PRAGMA user_version",
        "SAVEPOINT a", "COMMIT", "ATTACH ':memory:' AS x", "SELECT * FROM pragma_user_version",
        "CREATE TEMP TABLE x(y)",
        "CREATE TRIGGER t AFTER INSERT ON child BEGIN SELECT 1; END",
    ],
)  # fmt: skip
def test_what_a_tool_may_not_ask_is_refused_before_it_runs(connection: runtime.Connection, sql: str) -> None:
    with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
        runtime.call(connection, lambda db: db.all(sql), {})
