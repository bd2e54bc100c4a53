"""The store of the episodes' states."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from autoforge.generator.emit import server_episodes, server_images
from autoforge.generator.emit.server_episodes import Episodes, TooManyEpisodes, is_episode_name
from autoforge.generator.emit.server_images import BadState
from autoforge.generator.emit.server_tools import BadStart
from autoforge.mcp_envs.runtime import CALL_TABLE

Make = Callable[..., Episodes]


@pytest.fixture
def episodes(shop: Path) -> Iterator[Make]:
    made: list[Episodes] = []

    def make(path: str | None = None, limit: int = 100) -> Episodes:
        made.append(Episodes(shop, path, limit))
        return made[-1]

    yield make
    for one in made:
        one.close()


def names(store: Episodes, episode: str) -> list[str]:
    return [name for (name,) in store.connection(episode).execute("SELECT name FROM items ORDER BY id")]


def rename(store: Episodes, episode: str, name: str) -> None:
    store.connection(episode).execute("UPDATE items SET name = ? WHERE id = 1", (name,))


def file_names(image: bytes) -> list[str]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(image)
        return [name for (name,) in connection.execute("SELECT name FROM items ORDER BY id")]


@pytest.mark.parametrize("name", ["a", "A-b_c.9", "x" * 64, "...", "default"])
def test_a_plain_name_names_an_episode(name: str) -> None:
    assert is_episode_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "x" * 65, "é", "a b", "a\n", "a\0", None, 7, b"a"])
def test_any_other_name_does_not(name: object) -> None:
    assert not is_episode_name(name)


@pytest.mark.parametrize("kind", ["memory", "file", "folder"])
def test_episodes_are_apart_and_start_from_the_seed(episodes: Make, tmp_path: Path, kind: str) -> None:
    store = episodes({"memory": None, "file": str(tmp_path / "x.sqlite"), "folder": f"{tmp_path}/states/"}[kind])
    rename(store, "a", "torch")
    assert names(store, "a") == ["torch", "desk"] and names(store, "b") == names(store, "default") == ["lamp", "desk"]


@pytest.mark.parametrize("kind", ["memory", "folder"])
def test_states_that_wait_come_back_as_they_were(
    episodes: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(server_episodes, "MAX_OPEN", 4)
    store = episodes(None if kind == "memory" else f"{tmp_path}/states/")
    for number in range(12):
        rename(store, f"e{number}", f"lamp {number}")
    for _ in range(3):  # read only in the later rounds: a state that was written once is kept when it waits again
        assert [names(store, f"e{number}")[0] for number in range(12)] == [f"lamp {number}" for number in range(12)]


def test_waiting_states_leave_no_file_behind(episodes: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_episodes, "MAX_OPEN", 4)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    store = episodes()
    for number in range(9):
        rename(store, f"e{number}", "torch")
    assert list(tmp_path.rglob("*"))
    store.close()
    assert not list(tmp_path.iterdir())


def test_a_limit_counts_named_episodes_and_deleting_one_makes_room(episodes: Make) -> None:
    store = episodes(limit=2)
    for name in ("default", "a", "b"):
        store.connection(name)
    with pytest.raises(TooManyEpisodes, match="2 episodes exist"):
        store.connection("c")
    with pytest.raises(TooManyEpisodes):
        store.replace("c", [])
    store.delete("a")
    assert names(store, "c") == ["lamp", "desk"]


@pytest.mark.parametrize("kind", ["memory", "folder"])
def test_a_state_can_be_replaced_read_and_deleted(episodes: Make, tmp_path: Path, kind: str) -> None:
    store = episodes(None if kind == "memory" else f"{tmp_path}/states/")
    assert store.image("a") is None
    store.replace(
        "a", ["UPDATE items SET name = 'torch' WHERE id = 1", "UPDATE autoforge_clock SET now = '2027-01-01T00:00:00'"]
    )
    image = store.image("a")
    assert image is not None and file_names(image) == names(store, "a") == ["torch", "desk"]
    store.replace("b", image)
    assert names(store, "b") == ["torch", "desk"]
    store.delete("a")
    assert store.image("a") is None and names(store, "a") == ["lamp", "desk"]


@pytest.mark.parametrize(
    ("initial", "reason"),
    [
        (
            ["UPDATE items SET name = 'x' WHERE id = 1", "UPDATE nowhere SET a = 1"],
            "initial statement 2: no such table",
        ),
        (
            ["UPDATE items SET name = 'x' WHERE id = 1", "UPDATE items SET name = 'x' WHERE id = 2"],
            "statement 2: UNIQUE",
        ),
        (["DROP TABLE items"], "not a state of this version"),
        (["CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items; END"], "not a state of this version"),
        (["ATTACH ':memory:' AS other"], "statement 1"),
        (["SELECT 1; SELECT 2"], "statement 1"),
        (["BEGIN"], "transaction open"),
        (
            ["WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"],
            "statement 1: interrupted",
        ),
        (b"", "not a SQLite file"),
        (b"SQLite format 3\0", "not a SQLite file"),
        (b"SQLite format 3\0" + bytes(4096), "not a"),
    ],
)
def test_a_bad_state_is_refused_and_the_episode_stays_as_it_was(
    episodes: Make, monkeypatch: pytest.MonkeyPatch, initial: list[str] | bytes, reason: str
) -> None:
    monkeypatch.setattr(server_images, "CALL_SECONDS", 0.2)
    store = episodes()
    rename(store, "a", "torch")
    with pytest.raises(BadState, match=reason):
        store.replace("a", initial)
    assert names(store, "a") == ["torch", "desk"]


def test_a_damaged_file_is_refused(episodes: Make) -> None:
    store = episodes()
    image = store.seed_image()
    with pytest.raises(BadState):
        store.replace("a", image[:4096] + bytes(len(image) - 4096))


def test_a_file_in_wal_mode_and_the_workers_own_table_are_taken(episodes: Make, tmp_path: Path) -> None:
    store = episodes()
    path = tmp_path / "wal.sqlite"
    path.write_bytes(store.seed_image())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"CREATE TABLE {CALL_TABLE} (id TEXT PRIMARY KEY, reply TEXT)")
        connection.execute("UPDATE items SET name = 'torch' WHERE id = 1")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert path.read_bytes()[18:20] == b"\2\2"
    store.replace("a", path.read_bytes())
    assert names(store, "a") == ["torch", "desk"]


@pytest.mark.parametrize("suffix", ["state.sqlite", "states/"])
def test_a_state_on_disk_outlives_the_store(episodes: Make, tmp_path: Path, suffix: str) -> None:
    store = episodes(f"{tmp_path}/{suffix}")
    rename(store, "default", "torch")
    store.close()
    assert names(episodes(f"{tmp_path}/{suffix}"), "default") == ["torch", "desk"]
    assert [file.suffix for file in tmp_path.rglob("*") if file.is_file()] == [".sqlite"]


def test_a_folder_has_one_file_for_each_episode_and_counts_those_it_finds(episodes: Make, tmp_path: Path) -> None:
    store = episodes(str(tmp_path), limit=2)
    for name in ("a", "b"):
        store.connection(name)
    store.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.sqlite", "b.sqlite"]
    with pytest.raises(TooManyEpisodes):
        episodes(str(tmp_path), limit=2).connection("c")


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be one" * 20, b""])
def test_a_file_that_is_no_state_is_refused_at_the_start_and_left_alone(
    episodes: Make, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(content)
    with pytest.raises(BadStart, match=r"--db .*x\.sqlite: (the )?file is not"):
        episodes(str(path))
    assert path.read_bytes() == content


def test_a_file_of_a_folder_that_is_no_state_is_refused_when_its_episode_is_called(
    episodes: Make, tmp_path: Path
) -> None:
    (tmp_path / "a.sqlite").write_bytes(b"not a database at all, but long enough to be one" * 20)
    store = episodes(f"{tmp_path}/")
    with pytest.raises(BadState, match="the file is not a SQLite database"):
        store.connection("a")
    assert names(store, "b") == ["lamp", "desk"]


def test_settings_and_temporary_triggers_of_initial_statements_do_not_reach_the_calls(episodes: Make) -> None:
    store = episodes()
    trigger = "CREATE TEMP TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items; END"
    store.replace("a", ["PRAGMA foreign_keys=OFF", trigger])
    connection = store.connection("a")
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM sqlite_temp_master").fetchone() == (0,)


def test_a_state_of_another_environment_is_refused(episodes: Make, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as connection:
        connection.execute("CREATE TABLE other (a)")
    with pytest.raises(BadStart, match="not a state of this version"):
        episodes(str(tmp_path / "x.sqlite"))


def test_a_missing_folder_is_named(episodes: Make, tmp_path: Path) -> None:
    with pytest.raises(BadStart, match="does not exist"):
        episodes(str(tmp_path / "nowhere" / "x.sqlite"))
