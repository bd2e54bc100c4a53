"""One child process and the two pipes to it.

Invariant: nothing of the parent's environment, files or terminal reaches the child, and after `close` neither the
process, its children, nor a descriptor is left. Not covered: what the lines mean (`session`), waiting for them (`sync`,
`pool`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

__all__ = ["Exchange", "Link", "WorkerGone"]

_WORKER = Path(__file__).with_name("worker.py")
_FLAGS = ("-s", "-S", "-P", "-B", "-X", "utf8")
"""No user or site packages, no script folder on the path, no bytecode written. (-I would also ignore
PYTHONHASHSEED.)"""
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
_CHUNK = 1 << 16
_EXIT_SECONDS = 0.2


class WorkerGone(Exception):
    """The worker ended, or gave no answer in time. `late` tells which."""

    def __init__(self, late: bool) -> None:
        super().__init__("no answer in time" if late else "the worker process ended")
        self.late = late


class Exchange(NamedTuple):
    """What a plan asks of its driver: send `data` (may be empty), then wait for one line."""

    data: bytes
    seconds: float
    """Longest time until the line is there."""


class Link:
    """A running worker. Both pipes are non-blocking; a driver waits for `reader` and `writer` to be ready."""

    def __init__(self, folder: Path, longest_line: int, hash_seed: int = 0) -> None:
        """Start it with `folder` as working directory; it dies with a line longer than `longest_line` bytes.

        `hash_seed`: its PYTHONHASHSEED, by which it hashes texts.
        """
        self._process = subprocess.Popen(
            [sys.executable, *_FLAGS, str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=folder,
            env={**_ENVIRONMENT, "PYTHONHASHSEED": str(hash_seed)},
            close_fds=True,
            start_new_session=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self.writer: int = self._process.stdin.fileno()
        self.reader: int = self._process.stdout.fileno()
        os.set_blocking(self.writer, False)
        os.set_blocking(self.reader, False)
        self._longest = longest_line
        self._received = bytearray()

    @property
    def pid(self) -> int:
        return self._process.pid

    def write_some(self, data: memoryview) -> int:
        """Bytes written now; 0 when the pipe is full. Raises WorkerGone."""
        try:
            return os.write(self.writer, data)
        except BlockingIOError:
            return 0
        except OSError:
            raise WorkerGone(late=False) from None

    def read_line(self) -> bytes | None:
        """A whole line if one is there, else None. Raises WorkerGone at the end and for a line that is too long."""
        line = self._take()
        if line is None:
            try:
                chunk = os.read(self.reader, _CHUNK)
            except BlockingIOError:
                return None
            if not chunk:
                raise WorkerGone(late=self._out_of_time())
            if len(self._received) > self._longest:
                raise WorkerGone(late=False)
            self._received += chunk
            line = self._take()
        return line

    def close(self) -> None:
        """Kill the worker and everything it started, and wait for it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _out_of_time(self) -> bool:
        """Whether the CPU timer of a call ended the process. One that closed its pipe and lives on is killed by
        `close`."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_SECONDS)
        return self._process.returncode == -signal.SIGPROF

    def _take(self) -> bytes | None:
        end = self._received.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line
