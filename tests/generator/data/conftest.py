"""Fixtures: a sample of what a test writes down, and a database that holds it as an environment would."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from autoforge.generator.data import DataSample, read_data
from autoforge.generator.emit.schema import schema_sql
from autoforge.generator.ir import World
from autoforge.generator.seed.sql import seed_sql

Fill = Callable[[DataSample], sqlite3.Connection]


def open_database(sample: DataSample) -> sqlite3.Connection:
    """A new database with the schema and the seed of the sample, written as text and run."""
    world = World(name="sample", entities=sample.entities, operations=())
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.executescript(schema_sql(world))
    connection.executescript(seed_sql(world, sample.rows))
    return connection


@pytest.fixture
def fill() -> Iterator[Fill]:
    """Fill databases, closed at the end of the test."""
    opened: list[sqlite3.Connection] = []

    def filled(sample: DataSample) -> sqlite3.Connection:
        opened.append(open_database(sample))
        return opened[-1]

    yield filled
    for connection in opened:
        connection.close()


@pytest.fixture
def sample_of(tmp_path: Path) -> Callable[..., DataSample]:
    """A sample of one JSON document."""

    def read(document: Any, name: str = "data.json", hints: tuple[str, ...] = ()) -> DataSample:
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return read_data([path], hints)

    return read


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """An SQLite file with what real ones have: references, composite keys, BLOBs, odd names, loose types."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name NVARCHAR(120));
            CREATE TABLE [Album Title] (
              AlbumId INTEGER PRIMARY KEY, Title TEXT NOT NULL, ArtistId INTEGER NOT NULL REFERENCES Artist (ArtistId),
              Cover BLOB, Price NUMERIC(10, 2) DEFAULT 0.99, Sold BOOLEAN, Added DATETIME);
            CREATE TABLE Employee (
              EmployeeId INTEGER PRIMARY KEY, ReportsTo INTEGER REFERENCES Employee (EmployeeId),
              Email TEXT UNIQUE, Grade TEXT CHECK (Grade IN ('junior', 'senior', 'chief')));
            CREATE TABLE Playlist (Id TEXT PRIMARY KEY, Name TEXT) WITHOUT ROWID;
            CREATE TABLE PlaylistAlbum (
              PlaylistId TEXT REFERENCES Playlist (Id), AlbumId INTEGER REFERENCES [Album Title] (AlbumId),
              PRIMARY KEY (PlaylistId, AlbumId));
            CREATE TABLE Log (message, number);
            CREATE TABLE Unused (Id INTEGER PRIMARY KEY, At DATE);
            CREATE VIEW Names AS SELECT Name FROM Artist;
            INSERT INTO Artist VALUES (2, 'B'), (1, 'A');
            INSERT INTO [Album Title] VALUES
              (1, 'x', 1, x'00ff', 1, 1, '2024-01-01 10:00:00'), (2, 'y', 2, NULL, 1.5, 0, NULL);
            INSERT INTO Employee VALUES (1, 3, 'a@x', 'junior'), (2, 1, 'b@x', 'senior'), (3, NULL, 'c@x', 'senior');
            INSERT INTO Playlist VALUES ('p2', 'q'), ('p1', 'r');
            INSERT INTO PlaylistAlbum VALUES ('p2', 1), ('p1', 2), ('p1', 1);
            INSERT INTO Log VALUES ('a', 1), (2, 2.5), (NULL, 'x'), ('a', 1);
            """
        )
        connection.commit()
    return path
