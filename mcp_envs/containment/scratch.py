"""Temporary folders that do not outlive their process for long, even one that is killed.

Invariant: a folder goes with its owner, or at the next start of a process of ours after the owner has died: no process
has its number, and nobody holds its lock (the number alone would mislead where containers share a temporary folder, or
where it was given out again). What is in use, or another user's, is left alone. Not covered: the moment between making
a folder and locking it; one that is left then stays.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path
from types import TracebackType

__all__ = ["ScratchFolder", "remove_stale"]

_PREFIX = "autoforge-"
_NAME = re.compile(_PREFIX + r"(\d{1,9})-.+")
_LOCK = "lock"


class ScratchFolder:
    """A new temporary folder, until `close`. As a context manager it gives its path."""

    def __init__(self, purpose: str) -> None:
        """`purpose` is part of its name, beside the number of this process."""
        _at_start()
        self._temporary = tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-{purpose}-")
        root = Path(self._temporary.name)
        self._lock = _locked(root)
        self.path = root / "files"
        self.path.mkdir()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove it and all it holds; once more does nothing."""
        self._temporary.cleanup()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _locked(root: Path) -> int | None:
    """The descriptor of a lock that ends with this process. The file has its name only once it is locked."""
    fresh = root / "unlocked"
    descriptor = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fresh.rename(root / _LOCK)
    return descriptor


@functools.cache
def _at_start() -> None:
    remove_stale()


def remove_stale() -> None:
    """Remove the folders of processes that are dead."""
    with contextlib.suppress(OSError):
        for folder in sorted(Path(tempfile.gettempdir()).glob(f"{_PREFIX}*")):
            named = _NAME.fullmatch(folder.name)
            if named and _is_ours(folder) and not _is_alive(int(named[1])):
                _remove_unlocked(folder)


def _is_ours(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        found = folder.lstat()
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return False


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _remove_unlocked(folder: Path) -> None:
    with contextlib.suppress(OSError):  # no lock, or one that is held
        descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(descriptor)
