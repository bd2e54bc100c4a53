"""The episodes' state files inside a worker: made from a template, copied, opened when needed.

Invariant: a file is only ever written over or copied while no transaction is half done in it (its journal is gone), so
a state is always whole. Not covered: what runs on a state (`worker`).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections import OrderedDict
from collections.abc import Sequence

from autoforge.mcp_envs import runtime

__all__ = ["FILE_SUFFIX", "States"]

FILE_SUFFIX = ".sqlite"
_UNSAFE = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "random", "randomblob"})
_CALLS = f"CREATE TABLE {runtime.CALL_TABLE} (id TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID"


_VERSION = slice(24, 40)
"""The change counter and the numbers of pages, by which a connection knows that a file was written by others."""


class States:
    """State files `<episode>.sqlite` of the working directory."""

    def __init__(self, scripts: Sequence[str], most_open: int) -> None:
        self._template = _template(scripts)
        self._most_open = most_open
        self._open: OrderedDict[str, runtime.Connection] = OrderedDict()

    def connection(self, episode: str) -> runtime.Connection:
        """The connection of an existing episode; KeyError where there is none. The longest unused are closed."""
        known = self._open.get(episode)
        if known is not None:
            self._open.move_to_end(episode)
            return known
        if not os.path.exists(_file(episode)):
            raise KeyError(episode)
        while len(self._open) >= self._most_open:
            self._open.popitem(last=False)[1].close()
        connection = runtime.connect(_file(episode))
        connection.execute(
            "PRAGMA journal_mode=TRUNCATE"
        ).fetchone()  # also rolls back what a killed worker left half done
        self._open[episode] = connection
        return connection

    def attach(self, episode: str, initial: Sequence[str]) -> None:
        """Open an episode, made from the template and `initial` where it does not exist."""
        if os.path.exists(_file(episode)):
            self.connection(episode).execute("SELECT 1 FROM sqlite_master").fetchone()
        else:
            self.reset(episode, initial)

    def reset(self, episode: str, initial: Sequence[str]) -> None:
        """Write an episode anew from the template, then run the statements `initial` on it, all or none."""
        self._write(episode, self._template)
        if initial:
            runtime.call(self.connection(episode), lambda db: _run_all(db, initial), {})

    def fork(self, source: str, target: str) -> None:
        """Copy a state, its replies by call id included."""
        self.connection(source).execute("SELECT 1 FROM sqlite_master").fetchone()
        with open(_file(source), "rb") as stream:
            self._write(target, stream.read())

    def close(self, episode: str, keep: bool) -> None:
        """Close an episode's file, and remove it unless it is to be kept."""
        connection = self._open.pop(episode, None)
        if connection is not None:
            connection.close()
        for name in () if keep else (_file(episode) + "-journal", _file(episode)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)

    def _write(self, episode: str, content: bytes) -> None:
        """Give an episode other content. An open connection stays where it will see that: all contents come of one
        template, so the schema that it has read still holds, and where the change counter is another one it reads the
        pages again (SQLite file format, 1.3.7)."""
        connection = self._open.get(episode)
        stays = connection is not None and not connection.in_transaction and _is_told_apart(episode, content)
        if not stays:
            self.close(episode, keep=False)
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC  # not O_TRUNC: what was cut to nothing, ext4 flushes on closing
        with open(os.open(_file(episode), flags, 0o644), "wb", buffering=0) as stream:
            stream.write(content)
            stream.truncate(len(content))
        if stays and connection is not None:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # sees it now, whatever is written next


def _file(episode: str) -> str:
    return episode + FILE_SUFFIX


def _is_told_apart(episode: str, content: bytes) -> bool:
    """Whether the header says that the content is not the one that the file has."""
    with open(_file(episode), "rb", buffering=0) as stream:
        return stream.read(_VERSION.stop)[_VERSION] != content[_VERSION]


def _run_all(db: runtime.Database, statements: Sequence[str]) -> None:
    for statement in statements:
        db.run(statement)


def _template(scripts: Sequence[str]) -> bytes:
    """The bytes of a database file. The scripts may define structure, but neither reach out nor depend on chance."""
    with contextlib.closing(runtime.connect()) as connection:
        connection.execute(_CALLS)
        connection.set_authorizer(_authorize_script)
        for script in scripts:
            connection.executescript(script)
        connection.set_authorizer(None)
        if connection.in_transaction:
            connection.execute("COMMIT")
        return connection.serialize()


def _authorize_script(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    unsafe = action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _UNSAFE
    return (
        sqlite3.SQLITE_DENY if unsafe or action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH) else sqlite3.SQLITE_OK
    )
