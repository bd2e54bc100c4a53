"""What a server leaves behind: processes, file descriptors of ours, temporary files.

Invariant: a process is known by its number and its start, so that a new one of the same number is none of these; the
processes looked for are the descendants that were there while sessions were open. Not covered: systems without /proc,
where only temporary files are looked for; files outside the temporary folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple, Self

import anyio

__all__ = ["Leftovers"]

_GRACE = 5.0
"""Seconds that processes have to be gone after the last session is closed."""
_STEP = 0.05


class _Process(NamedTuple):
    number: int
    started: str
    """Ticks since the system started."""
    parent: int
    state: str
    command: str


class Leftovers:
    """Looks before, during and after. A context manager: inside, temporary files go into a folder of their own."""

    def __init__(self) -> None:
        self._folder: Path
        self._before: dict[str, str] = {}
        self._older: set[tuple[int, str]] = set()
        self._seen: dict[tuple[int, str], str] = {}
        self._restore: tuple[str | None, str | None] = (None, None)

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="gym-check-"))
        self._restore = tempfile.tempdir, os.environ.get("TMPDIR")
        tempfile.tempdir = os.environ["TMPDIR"] = str(self._folder)
        self._before = _descriptors()
        self._older = {(process.number, process.started) for process in _descendants()}
        return self

    def __exit__(self, *error: object) -> None:
        tempfile.tempdir, variable = self._restore
        if variable is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = variable
        shutil.rmtree(self._folder, ignore_errors=True)

    def look(self) -> None:
        """Note which processes there are; call it while sessions are open."""
        for process in _descendants():
            if (process.number, process.started) not in self._older:
                self._seen[process.number, process.started] = process.command

    async def left(self) -> list[str]:
        """What is still there after all is closed, in words."""
        with anyio.move_on_after(_GRACE):
            while self._processes():
                await anyio.sleep(_STEP)
        files = sorted(str(path.relative_to(self._folder)) for path in self._folder.rglob("*"))
        open_ = {number: target for number, target in _descriptors().items() if self._before.get(number) != target}
        return [
            *(f"a process is left: {words}" for words in self._processes()),
            *(f"a file descriptor is left: {target}" for target in open_.values()),
            *(f"a temporary file is left: {name}" for name in files),
        ]

    def _processes(self) -> list[str]:
        alive = {(p.number, p.started): p for p in map(_process, _numbers()) if p is not None}
        own = os.getpid()
        return [
            f"{number} ({command})"
            for (number, started), command in self._seen.items()
            if (found := alive.get((number, started))) is not None and (found.state != "Z" or found.parent == own)
        ]


def _numbers() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return []


def _process(number: int) -> _Process | None:
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    name, _, rest = text.partition("(")[2].rpartition(")")
    fields = rest.split()
    return _Process(number, fields[19], int(fields[1]), fields[0], name)


def _descendants() -> list[_Process]:
    every = [process for process in map(_process, _numbers()) if process is not None]
    children: dict[int, list[_Process]] = {}
    for process in every:
        children.setdefault(process.parent, []).append(process)
    found, waiting = list[_Process](), [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.number for process in below]
    return found


def _descriptors() -> dict[str, str]:
    """Number -> what it is open on."""
    found = {}
    try:
        for name in os.listdir("/proc/self/fd"):
            try:
                found[name] = os.readlink(f"/proc/self/fd/{name}")
            except OSError:
                continue  # that of the listing itself
    except OSError:
        return {}
    return found
