"""SQLite files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from autoforge.generator.data import DataSample, read_data, restore
from autoforge.generator.ir import ColumnType
from autoforge.mcp_envs.errors import BadInput

Fill = Callable[[DataSample], sqlite3.Connection]


def test_declared_keys_references_and_constraints_are_kept(shop: Path) -> None:
    sample = read_data([shop])
    assert sample.entity("playlist_album").key == ("playlist_id", "album_id")
    assert {a.name: a.references for a in sample.entity("playlist_album").attributes} == {
        "playlist_id": "playlist",
        "album_id": "album_title",
    }
    title = sample.entity("album_title").attribute("title")
    assert title is not None and not title.nullable
    email, grade = (sample.entity("employee").attribute(n) for n in ("email", "grade"))
    assert email is not None and email.unique
    assert grade is not None and grade.enum == ("junior", "senior", "chief")
    price = sample.entity("album_title").attribute("price")
    assert price is not None and price.default == 0.99


def test_declared_types_hold_where_the_values_agree(shop: Path) -> None:
    sample = read_data([shop])
    types = {a.name: a.type for a in sample.entity("album_title").attributes}
    assert (types["price"], types["sold"], types["added"]) == (ColumnType.REAL, ColumnType.BOOLEAN, ColumnType.DATETIME)
    assert {a.type for a in sample.entity("log").attributes if a.name != "position"} == {ColumnType.JSON}
    assert [a.type for a in sample.entity("unused").attributes] == [ColumnType.INTEGER, ColumnType.DATE]


def test_every_row_comes_back_in_the_order_of_its_key(shop: Path, fill: Fill) -> None:
    sample = read_data([shop])
    restored = restore(sample, fill(sample))["shop.db"]
    assert isinstance(restored, dict)
    assert restored["Album Title"] == [
        {
            "AlbumId": 1,
            "Title": "x",
            "ArtistId": 1,
            "Cover": "AP8=",
            "Price": 1,
            "Sold": 1,
            "Added": "2024-01-01 10:00:00",
        },
        {"AlbumId": 2, "Title": "y", "ArtistId": 2, "Cover": None, "Price": 1.5, "Sold": 0, "Added": None},
    ]
    assert restored["Log"] == [
        {"message": "a", "number": 1},
        {"message": 2, "number": 2.5},
        {"message": None, "number": "x"},
        {"message": "a", "number": 1},
    ]
    assert restored["Unused"] == []
    with closing(sqlite3.connect(shop)) as connection:
        connection.row_factory = sqlite3.Row
        for table in ("Artist", "Employee", "Playlist", "PlaylistAlbum"):
            assert restored[table] == [dict(r) for r in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]


def test_what_is_left_out_is_said(shop: Path) -> None:
    notes = " ".join(read_data([shop]).notes)
    assert "the view Names is left out" in notes
    assert "BLOBs of Album Title.Cover become base64" in notes


def test_the_file_is_not_written(shop: Path) -> None:
    before = shop.read_bytes()
    read_data([shop])
    assert shop.read_bytes() == before
    assert [p.name for p in shop.parent.iterdir()] == [shop.name]


def test_a_reference_to_a_row_that_is_not_there_is_dropped_and_noted(tmp_path: Path, fill: Fill) -> None:
    path = tmp_path / "loose.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE a (id INTEGER PRIMARY KEY);"
            "CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id));"
        )
        connection.executescript("INSERT INTO a VALUES (1); INSERT INTO b VALUES (1, 1), (2, 7);")
    sample = read_data([path])
    assert any("b.a_id holds values that are no keys of a" in note for note in sample.notes)
    assert restore(sample, fill(sample)) == {
        "loose.sqlite": {"a": [{"id": 1}], "b": [{"id": 1, "a_id": 1}, {"id": 2, "a_id": 7}]}
    }


def test_tables_that_declare_references_in_a_circle_load(tmp_path: Path, fill: Fill) -> None:
    path = tmp_path / "circle.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE team (id INTEGER PRIMARY KEY, lead INTEGER REFERENCES person (id));"
            "CREATE TABLE person (id INTEGER PRIMARY KEY, team INTEGER REFERENCES team (id));"
            "INSERT INTO team VALUES (1, 5); INSERT INTO person VALUES (5, 1);"
        )
    sample = read_data([path])
    assert any("refer to each other" in note for note in sample.notes)
    assert restore(sample, fill(sample))["circle.db"] == {
        "team": [{"id": 1, "lead": 5}],
        "person": [{"id": 5, "team": 1}],
    }


@pytest.mark.parametrize("damage", ["cut", "encrypted"])
def test_a_damaged_file_is_refused(shop: Path, damage: str) -> None:
    content = shop.read_bytes()
    shop.write_bytes(content[:5000] + b"\xff" * 3000 if damage == "cut" else bytes(b ^ 0x5A for b in content))
    with pytest.raises(BadInput, match=r"shop\.db"):
        read_data([shop])


def test_changes_that_are_still_in_the_log_are_not_lost_silently(shop: Path) -> None:
    shop.with_name("shop.db-wal").write_bytes(b"pending")
    with pytest.raises(BadInput, match="wal_checkpoint"):
        read_data([shop])


def test_virtual_tables_and_references_of_several_columns_are_noted(tmp_path: Path, fill: Fill) -> None:
    path = tmp_path / "odd.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE a (x INTEGER, y INTEGER, PRIMARY KEY (x, y));"
            "CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, FOREIGN KEY (x, y) REFERENCES a (x, y));"
            "CREATE VIRTUAL TABLE words USING fts5 (body);"
            "INSERT INTO a VALUES (1, 2); INSERT INTO b VALUES (1, 1, 2); INSERT INTO words VALUES ('hello');"
        )
    sample = read_data([path])
    notes = " ".join(sample.notes)
    assert "the virtual table words is left out" in notes
    assert "b.x refers to a, but not to its one key column" in notes
    assert [e.name for e in sample.entities] == ["a", "b"]
    assert restore(sample, fill(sample)) == {"odd.db": {"a": [{"x": 1, "y": 2}], "b": [{"id": 1, "x": 1, "y": 2}]}}


def test_numbers_that_are_no_json_are_refused_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "far.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE a (x REAL); INSERT INTO a VALUES (9e999);")
    with pytest.raises(BadInput, match="table a, column x: inf is no JSON number"):
        read_data([path])
