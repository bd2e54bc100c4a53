"""metrics.jsonl: one line a step, there before the next step begins.

Invariant: what `append` has returned for survives any kill; a line that a kill left half written is cut off when the
file is opened again; one run at a time writes it. A run that goes on from a checkpoint gives the number of records that
the checkpoint knew of: later ones are of steps that are made again, and are cut off. Not covered: a disk that lies.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.metrics.record import StepRecord

__all__ = ["MetricsFile", "read_records"]

_NEWLINE = ord("\n")
_HELD = (errno.EAGAIN, errno.EACCES)


class MetricsFile:
    """A file that is locked while it is open. A context manager."""

    def __init__(self, path: Path, *, records: int | None = None) -> None:
        """Make or open it, mended, and cut to the first `records` where that is given. Raises BadInput where it cannot
        be used, or holds a whole line that is no record."""
        self.path = path
        self._descriptor = _opened(path)
        with ExitStack() as unusable:
            unusable.callback(os.close, self._descriptor)
            _lock(self._descriptor, path)
            self._size, self.count = self._mended(records)
            unusable.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def append(self, record: StepRecord) -> None:
        """Write a line and wait until the disk has it. Raises AutoForgeError where that fails; the file is as before
        then."""
        rest = memoryview(line := record.line().encode("utf-8"))
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError as error:
            os.ftruncate(self._descriptor, self._size)
            words = f"{self.path} cannot be written further: {error.strerror or error}"
            raise AutoForgeError(f"{words}; make room and go on with --resume.") from None
        self._size += len(line)
        self.count += 1

    def _mended(self, records: int | None) -> tuple[int, int]:
        """Size and number of lines after cutting off what is torn or too much."""
        content = self.path.read_bytes()
        list(read_records(self.path))
        ends = [0, *(place + 1 for place, byte in enumerate(content) if byte == _NEWLINE)]
        kept = ends[: records + 1] if records is not None else ends
        if kept[-1] != len(content):
            os.ftruncate(self._descriptor, kept[-1])
            os.fsync(self._descriptor)
        return kept[-1], len(kept) - 1


def read_records(path: Path) -> Iterator[StepRecord]:
    """The records of a file; a last line without its end, left by a kill, is passed over. Raises BadInput with the
    line."""
    try:
        content = path.read_bytes()
    except OSError as error:
        words = f"{path} cannot be read: {error.strerror or error}"
        raise BadInput(f"{words}; give the folder of a run, or its metrics.jsonl.") from None
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        yield _parsed(path, number, line)


def _parsed(path: Path, number: int, line: bytes) -> StepRecord:
    try:
        return StepRecord.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(map(str, first["loc"]))
        words = f"{path}, line {number}, /{where}: {first['msg']}"
        raise BadInput(f"{words}; give the metrics.jsonl of a run of autoforge-train.") from None


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}; give another run.folder.") from None


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            raise BadInput(f"another run is writing {path}: wait until it ends, or give another run.folder.") from None
        raise BadInput(f"{path} cannot be locked: {error.strerror}; give a run.folder on a local disk.") from None
