"""A part of `server.py`: the states of the episodes.

Invariant: every name has a state of its own, made from the seed at its first use, and no call on one name reads or
writes another. Only the states used last are open: the rest wait in temporary files, or in their own files when there
is a folder for them. Measured on a seed of 150 KB: 0.4 ms to open, 0.3 MB while open. Not covered: two processes that
serve one file at once take turns by SQLite's locks, no more.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sqlite3
import tempfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

from autoforge.generator.emit.server_images import BadState, from_image, run_initial, structure, write_whole
from autoforge.generator.emit.server_tools import BadStart
from autoforge.mcp_envs.runtime import Connection, connect, create_state

DEFAULT_EPISODE = "default"
"""The episode of clients that name none."""
MAX_EPISODES = 10_000
OPEN_BYTES = 128 * 2**20
"""Memory for the states that are open at once."""
OVERHEAD_BYTES = 192 * 2**10
"""What one open connection costs beside its pages: schema, statements, page cache; measured."""
MAX_OPEN = 512
"""Open states at most: each may hold a file descriptor."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)


class TooManyEpisodes(Exception):
    """There are as many episodes as `--max-episodes` allows."""


def is_episode_name(name: object) -> bool:
    """Whether `name` can name an episode: 1 to 64 ASCII letters, digits, `_`, `.` and `-`, and no path step."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None and name not in (".", "..")


class Episodes:
    """The states by episode name, for one thread.

    `path`: None keeps them in memory; a folder (or a path that ends with a separator) gives each a file
    `<name>.sqlite`; a file is the default state's, and the other episodes are kept in memory.
    """

    def __init__(self, environment: Path, path: str | None = None, limit: int = MAX_EPISODES) -> None:
        self._environment = environment
        self._limit = limit
        self._folder: Path | None = None
        self._file: Path | None = None
        self._open: OrderedDict[str, Connection] = OrderedDict()
        self._asleep: dict[str, Path | None] = {}  # None: as the seed made it
        self._changed: set[str] = (
            set()
        )  # open in memory, and not as the seed made it even if nothing was written since it was opened
        self._image: bytes | None = None
        self._structure: list[Any] = []
        self._process = secrets.token_hex(4)
        self._versions: dict[str, int] = {}
        self._touched = 0
        self._swap: Path | None = None
        self._swapped = 0
        if path is not None:
            self._place(path)

    def _place(self, path: str) -> None:
        if not path:
            raise BadStart("--db is empty; name a file, or a folder with / at its end")
        if path.endswith(("/", os.sep)) or Path(path).is_dir():
            self._folder = Path(path)
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise BadStart(f"--db {path}: the folder cannot be made ({error.strerror})") from None
            self._asleep = {file.stem: file for file in self._folder.glob("*.sqlite") if is_episode_name(file.stem)}
            return
        self._file = Path(path)
        if not self._file.parent.is_dir():
            raise BadStart(f"--db {path}: the folder {self._file.parent} does not exist")
        self._asleep[DEFAULT_EPISODE] = self._file
        try:
            self.connection(DEFAULT_EPISODE)
        except (BadState, OSError, sqlite3.Error) as error:
            raise BadStart(f"--db {path}: {error}") from None

    def connection(self, name: str) -> Connection:
        """The open state of an episode, made from the seed when there is none.

        Raises `TooManyEpisodes`; `BadState` when a file with its name is not a state of this environment.
        """
        connection = self._open.get(name)
        if connection is None:
            if name not in self._asleep and name != DEFAULT_EPISODE and self._count() >= self._limit:
                raise TooManyEpisodes(
                    f"{self._limit} episodes exist; delete one or start the server with a larger --max-episodes"
                )
            connection = self._open[name] = self._wake(name)
            self._asleep.pop(name, None)
            self._sleep_oldest()
        self._open.move_to_end(name)
        return connection

    def touch(self, name: str) -> None:
        """The state may not be as it was."""
        self._touched += 1
        self._versions[name] = self._touched

    def version(self, name: str) -> str:
        """The same as long as this process has not touched the state of an episode, and the same in no other."""
        return f"{self._process}.{self._versions.get(name, 0)}"

    def replace(self, name: str, initial: list[str] | bytes) -> None:
        """Give an episode a new state: statements on top of the seed, or a whole SQLite file.

        Raises `BadState`, and then the episode is as before; `TooManyEpisodes`.
        """
        known = name in self._open or name in self._asleep or name == DEFAULT_EPISODE
        if not known and self._count() >= self._limit:
            raise TooManyEpisodes(
                f"{self._limit} episodes exist; delete one or start the server with a larger --max-episodes"
            )
        image = initial if isinstance(initial, bytes) else self.seed_image()
        connection = from_image(image)
        with contextlib.closing(connection):  # and with it what no file holds: settings and temporary triggers
            if isinstance(initial, bytes):
                self._inspect(connection, every_page=True)
            else:
                run_initial(connection, initial)
                self._inspect(connection)
            image = connection.serialize()
        self.delete(name)
        self.touch(name)
        path = self._path(name)
        if path is not None:
            write_whole(path, image)
            self._asleep[name] = path
        else:
            self._open[name] = from_image(image)
            self._changed.add(name)
            self._sleep_oldest()

    def image(self, name: str) -> bytes | None:
        """The SQLite file of an episode's state; None when it has none yet."""
        if name in self._open:
            return self._open[name].serialize()
        if name in self._asleep:
            return self.connection(name).serialize()
        return None

    def delete(self, name: str) -> None:
        """Forget an episode's state; the next call on it starts from the seed."""
        connection = self._open.pop(name, None)
        if connection is not None:
            connection.close()
        self._changed.discard(name)
        self._versions.pop(name, None)
        file = self._asleep.pop(name, None) or self._path(name)
        if file is not None:
            for suffix in (
                "",
                "-journal",
                "-wal",
                "-shm",
            ):  # a journal left by a kill would be played into the next file
                file.with_name(file.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """Close every state and remove the temporary ones."""
        while self._open:
            self._open.popitem()[1].close()
        self._asleep.clear()
        self.remove_temporary()

    def remove_temporary(self) -> None:
        """Remove the temporary files, and leave open what is open: for the last moment of the process."""
        if self._swap is not None:
            shutil.rmtree(self._swap, ignore_errors=True)
            self._swap = None

    def seed_image(self) -> bytes:
        """The SQLite file that `schema.sql` and `seed.sql` make."""
        if self._image is None:
            with contextlib.closing(connect()) as connection:
                try:
                    create_state(self._environment, connection)
                except (OSError, sqlite3.Error) as error:
                    raise BadState(f"schema.sql and seed.sql make no state: {error}") from None
                self._image = connection.serialize()
                self._structure = structure(connection)
        return self._image

    def _count(self) -> int:
        return len(self._open.keys() | self._asleep.keys()) - (
            DEFAULT_EPISODE in self._open or DEFAULT_EPISODE in self._asleep
        )

    def _path(self, name: str) -> Path | None:
        if self._folder is not None:
            return self._folder / f"{name}.sqlite"
        return self._file if name == DEFAULT_EPISODE else None

    def _wake(self, name: str) -> Connection:
        path = self._path(name)
        if path is None:
            file = self._asleep.get(name)
            image = self.seed_image() if file is None else file.read_bytes()
            if file is not None:
                file.unlink()
                self._changed.add(name)
            return from_image(image)
        if not path.exists():
            write_whole(path, self.seed_image(), replace=False)
        try:
            connection = connect(path)
        except sqlite3.Error as error:
            raise BadState(f"the file is not a SQLite database that can be opened ({error})") from None
        with contextlib.ExitStack() as unusable:
            unusable.callback(connection.close)
            self._inspect(connection)
            connection.execute("PRAGMA journal_mode=DELETE")
            unusable.pop_all()
        return connection

    def _sleep_oldest(self) -> None:
        room = OPEN_BYTES // (len(self._image or b"") + OVERHEAD_BYTES)
        while len(self._open) > max(4, min(room, MAX_OPEN)):
            name, connection = self._open.popitem(last=False)
            file = self._path(name)
            if file is None and (connection.total_changes or name in self._changed):
                self._changed.discard(name)
                file = self._swap_file()
                file.write_bytes(connection.serialize())
            connection.close()
            self._asleep[name] = file

    def _swap_file(self) -> Path:
        if self._swap is None:
            self._swap = Path(tempfile.mkdtemp(prefix="autoforge-"))
        self._swapped += 1
        return self._swap / str(self._swapped)

    def _inspect(self, connection: Connection, every_page: bool = False) -> None:
        """Refuse a file with another structure than the environment's: tools would run against it, triggers and all."""
        self.seed_image()
        try:
            same = structure(connection) == self._structure
            sound = same and (not every_page or connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
        except sqlite3.DatabaseError as error:
            raise BadState(f"the file is not a SQLite database ({error})") from None
        if not sound:
            raise BadState("the file is not a state of this version of the environment; remove it or name another")
