"""The file that a run writes: one line for each episode, there before it counts.

Invariant: one run at a time writes a file; what `append` has returned for survives any kill; a line is whole or is cut
off when the file is opened again, and a write that fails leaves the lines before it as they were. Not covered: a disk
that lies about what it has stored.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
import anyio.to_thread

from autoforge.gym.runs.outcome import Outcome, outcome_of
from autoforge.gym.runs.reading import outcomes_of, whole
from autoforge.gym.runs.settings import expect_output, settings_path
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import AutoForgeError, BadInput

__all__ = ["TrajectoryFile"]

_BLOCK = 1 << 16
"""Bytes looked at, at a time, for the end of the last whole line."""
_HELD = (errno.EAGAIN, errno.EACCES)


class TrajectoryFile:
    """A file that is locked while it is open. A context manager."""

    def __init__(self, path: Path) -> None:
        """Make or open it, cut off what a kill left half written, read what is there. Raises BadInput where it cannot
        be used or another run writes it."""
        self.path = path
        self._descriptor = _opened(path)
        self._writing = anyio.Lock()
        with ExitStack() as unusable:
            unusable.callback(os.close, self._descriptor)
            _lock(self._descriptor, path)
            self._size = _mended(self._descriptor, path)
            self.outcomes: dict[str, Outcome] = {}
            """By id: what came of the episodes that the file holds."""
            self.spoiled: Counter[str] = Counter()
            """By id: lines of episodes that user, environment or judge spoiled."""
            for outcome in outcomes_of(path):
                self._note(outcome)
            unusable.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    async def append(self, trajectory: Trajectory) -> Outcome:
        """Write a line and wait until the disk has it. Raises AutoForgeError where that fails; the file is as before
        then."""
        line = trajectory.line().encode("utf-8")
        outcome = outcome_of(trajectory)
        with anyio.CancelScope(shield=True):
            async with self._writing:
                await anyio.to_thread.run_sync(self._write, line)
        self._note(outcome)
        return outcome

    def _note(self, outcome: Outcome) -> None:
        self.outcomes.pop(outcome.id, None)
        self.outcomes[outcome.id] = outcome
        self.spoiled[outcome.id] += not outcome.finished and outcome.blame != "infrastructure"

    def _write(self, line: bytes) -> None:
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError as error:
            os.ftruncate(self._descriptor, self._size)
            words = f"{self.path} cannot be written further: {error.strerror or error}"
            raise AutoForgeError(
                f"{words}; its {len(self.outcomes)} finished episodes are kept: make room and run the same command "
                "again to go on."
            ) from None
        self._size += len(line)


def _opened(path: Path) -> int:
    expect_output(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}; give another file with -o.") from None


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            raise BadInput(
                f"another run is writing {path}: wait until it ends, or give another file with -o."
            ) from None
        raise BadInput(f"{path} cannot be locked: {error.strerror}; give a file on a local disk with -o.") from None


def _mended(descriptor: int, path: Path) -> int:
    """End the last line, or cut it off where it is torn; the size then. Raises BadInput for a file that no run made."""
    try:
        size = os.fstat(descriptor).st_size
        if size and not settings_path(path).exists():
            words = f"{path} is there and no run made it ({settings_path(path).name} is not beside it)"
            raise BadInput(f"{words}; give another file with -o.")
        end = _end_of_lines(descriptor, size)
        if end == size:
            return size
        if whole(os.pread(descriptor, size - end, end)):
            os.write(descriptor, b"\n")
            return size + 1
        os.ftruncate(descriptor, end)
    except OSError as error:
        raise BadInput(f"{path} cannot be mended: {error.strerror or error}; give another file with -o.") from None
    return end


def _end_of_lines(descriptor: int, size: int) -> int:
    """Where the last whole line ends."""
    place = size
    while place > 0:
        start = max(0, place - _BLOCK)
        found = os.pread(descriptor, place - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        place = start
    return 0
