"""Deadlines inside and outside, and what becomes of the siblings of a call that was killed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from time import monotonic

import anyio
import pytest

from autoforge.mcp_envs.containment import Call, Limits, Source, SyncWorker, contained

SWALLOW = """
def attempt(db):
    db.run("UPDATE item SET name = 'spoiled'")
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""
SLOW_SQL = """
def attempt(db):
    db.run("UPDATE item SET name = 'spoiled'")
    db.value("WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t")
"""
BIG_WRITE = """
def attempt(db):
    db.run("WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 20000) "
           "INSERT INTO item(name) SELECT hex(x) || '%s' FROM t")
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
""" % ("x" * 200)


def _names(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute("SELECT name FROM item ORDER BY id LIMIT 5")]


def test_a_loop_that_swallows_everything_is_killed_and_changes_nothing(start: Callable[..., SyncWorker]) -> None:
    worker = start(SWALLOW, unchecked=True)
    began = monotonic()
    result = worker.call("e", "attempt", {}, seconds=0.3)
    assert result.kind == "deadline" and monotonic() - began < 3
    assert worker.starts == 2
    assert _names(worker.state_path("e")) == ["one", "two"]


def test_slow_sql_ends_at_the_deadline_without_a_kill(start: Callable[..., SyncWorker]) -> None:
    worker = start(SLOW_SQL)
    assert worker.call("e", "attempt", {}, seconds=0.2).kind == "deadline"
    assert worker.starts == 1
    assert worker.call("e", "names", {}).value == ["one", "two"]


def test_a_kill_in_a_transaction_that_spilled_to_the_file_is_rolled_back(start: Callable[..., SyncWorker]) -> None:
    """Four megabytes of rows do not fit the page cache, so they are in the file when the process dies; the journal
    undoes them."""
    worker = start(BIG_WRITE, unchecked=True)
    path = worker.state_path("e")
    assert worker.call("e", "attempt", {}, seconds=1.0).kind == "deadline"
    assert _names(path) == ["one", "two"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_calls_after_the_culprit_of_a_batch_are_still_made(start: Callable[..., SyncWorker]) -> None:
    worker = start(SWALLOW, unchecked=True)
    calls = [Call("add", {"name": "three"}), Call("attempt"), Call("names")]
    results = worker.calls("e", calls, seconds=0.3)
    assert [r.kind for r in results] == ["ok", "deadline", "ok"]
    assert results[2].value == ["one", "two", "three"]


def test_a_batch_can_stop_at_its_first_failure(start: Callable[..., SyncWorker]) -> None:
    worker = start("raise ToolError('no')")
    results = worker.calls("e", [Call("add", {"name": "x"}), Call("attempt"), Call("names")], stop=True)
    assert [(r.kind, r.message) for r in results] == [("ok", ""), ("refused", "no")]


@pytest.mark.parametrize("code", [SWALLOW, SLOW_SQL])
def test_siblings_of_a_hanging_call_finish_correctly(code: str, module: Callable[[str], str], tmp_path: Path) -> None:
    source = Source(module(code), (_table(),), {}, unchecked=True)

    async def scenario() -> None:
        async with contained(source, 1, tmp_path, Limits(seconds=0.3, grace=0.2)) as tools:
            for name in ("culprit", *siblings):
                await tools.open(name)

            async def work(episode: str) -> None:
                for index in range(10):
                    kinds[episode].append(
                        (await tools.call(episode, "add", {"name": f"{episode}{index}"}, call_id=f"{index}")).kind
                    )

            async def hang() -> None:
                kinds["culprit"].append((await tools.call("culprit", "attempt", {})).kind)

            with anyio.fail_after(20):
                async with anyio.create_task_group() as group:
                    group.start_soon(work, siblings[0])
                    group.start_soon(hang)
                    for episode in siblings[1:]:
                        group.start_soon(work, episode)
                for episode in siblings:
                    names[episode] = (await tools.call(episode, "names", {})).value
                names["culprit"] = (await tools.call("culprit", "names", {})).value

    siblings = [f"s{n}-" for n in range(5)]
    kinds: dict[str, list[str]] = {name: [] for name in ("culprit", *siblings)}
    names: dict[str, list[str]] = {}
    anyio.run(scenario)
    assert kinds == {"culprit": ["deadline"], **{episode: ["ok"] * 10 for episode in siblings}}
    assert names == {
        "culprit": ["one", "two"],
        **{s: ["one", "two", *(f"{s}{i}" for i in range(10))] for s in siblings},
    }


def _table() -> str:
    from_seed = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'one'), (2, 'two');"
    return from_seed + "CREATE TABLE autoforge_counters (name TEXT PRIMARY KEY, value INTEGER);"
