"""Lines that a person types, read in a thread that can be ended.

Invariant: when it is closed, no thread waits for a line (`input` in one would keep the program from ending after
Ctrl-C). Not covered: history and editing beyond the terminal's own.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from types import TracebackType
from typing import Self

import click

__all__ = ["Keyboard"]

_LOOK = 0.1
"""Seconds between two looks at whether it is closed."""
_BLOCK = 1 << 16


class Keyboard:
    """A context manager."""

    def __init__(self) -> None:
        self._closed = threading.Event()
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()

    def read(self, prompt: str) -> str:
        """A line. Raises EOFError where there are no more."""
        if not sys.stdin.isatty():
            return input(prompt)
        click.echo(prompt, nl=False)
        while b"\n" not in self._rest:
            self._rest += self._block(sys.stdin.fileno())
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", errors="replace")

    def _block(self, number: int) -> bytes:
        while not self._closed.is_set():
            if select.select([number], [], [], _LOOK)[0]:
                block = os.read(number, _BLOCK)
                if block:
                    return block
                break
        raise EOFError
