"""A part of `server.py`: states as SQLite files, in memory and on disk.

Invariant: what is no state is refused before anything runs on it; a file is never seen half written. Not covered: which
episode a state is of.
"""

from __future__ import annotations

import contextlib
import math
import os
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any

from autoforge.mcp_envs.runtime import CALL_SECONDS, CALL_TABLE, Connection, connect

SQLITE_MAGIC = b"SQLite format 3\0"


class BadState(Exception):
    """A given initial state is no state of this environment: one sentence."""


def structure(connection: Connection) -> list[Any]:
    """What the tables are, without the one that the contained worker keeps its replies in."""
    named = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name <> ? ORDER BY type, name"
    return connection.execute(named, (CALL_TABLE,)).fetchall()


def from_image(image: bytes) -> Connection:
    """A state in memory. Raises `BadState`."""
    if not image.startswith(SQLITE_MAGIC) or len(image) < 512:
        raise BadState("the body is not a SQLite file")
    connection = connect()
    try:
        # Bytes 18 and 19 say whether the file is in WAL mode, which a database in memory cannot be.
        connection.deserialize(image if image[18:20] == b"\1\1" else image[:18] + b"\1\1" + image[20:])
        connection.execute("PRAGMA cache_size=-256")
    except sqlite3.Error as error:
        connection.close()
        raise BadState(f"the body is not a SQLite file ({error})") from None
    return connection


def run_initial(connection: Connection, statements: list[str]) -> None:
    """Run the statements of a task, which unlike a tool's may set the clock. Raises `BadState`."""
    connection.guard.ends = time.monotonic() + CALL_SECONDS
    try:
        for number, statement in enumerate(statements, 1):
            try:
                connection.execute(statement)
            except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
                raise BadState(f"initial statement {number}: {error}") from None
        if connection.in_transaction:
            raise BadState("the initial statements leave a transaction open")
    finally:
        connection.guard.ends = math.inf


def write_whole(path: Path, image: bytes, replace: bool = True) -> None:
    """Write a file that is never seen half written; without `replace` the one that is there first stays."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".autoforge-")
    with os.fdopen(handle, "wb") as file:
        file.write(image)
    if replace:
        os.replace(name, path)
        return
    with contextlib.suppress(FileExistsError):
        os.link(name, path)
    os.unlink(name)
