"""State files that are written over while a connection to them stays open: what it then reads is what was written."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from autoforge.mcp_envs.containment.states import States

SCHEMA = """
CREATE TABLE autoforge_clock (now TEXT);
CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT UNIQUE, times INTEGER);
CREATE INDEX words_by_times ON words (times);
"""
NAMES = ("a", "b", "c", "d")


def of_file(name: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{name}.sqlite")) as fresh:
        assert fresh.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return fresh.execute("SELECT * FROM words ORDER BY id").fetchall()


@pytest.mark.parametrize("seed", range(6))
def test_an_open_connection_reads_what_was_copied_into_its_file(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    states = States([SCHEMA], most_open=3)
    rows: dict[str, dict[int, tuple[str, int]]] = {}
    for name in NAMES:
        states.reset(name, [])
        rows[name] = {}
    for step in range(400):
        name, other = chance.sample(NAMES, 2)
        connection = states.connection(name)
        if chance.random() < 0.3:
            states.fork(name, other)
            rows[other] = dict(rows[name])
        elif chance.random() < 0.1:
            states.reset(name, [])
            rows[name] = {}
        else:
            connection.guard.trusted = True
            connection.execute("BEGIN IMMEDIATE")
            for _ in range(chance.choice((1, 1, 40))):
                key, text = chance.randrange(200), "x" * chance.choice((3, 300, 5000))
                connection.execute("DELETE FROM words WHERE id = ?", (key,))
                connection.execute("INSERT INTO words VALUES (?, ?, ?)", (key, f"{key} {step} {text}", step))
                rows[name][key] = f"{key} {step} {text}", step
            connection.execute("COMMIT")
        looked = chance.choice(NAMES)
        expected = [(key, *row) for key, row in sorted(rows[looked].items())]
        assert states.connection(looked).execute("SELECT * FROM words ORDER BY id").fetchall() == expected
        assert of_file(looked) == expected
