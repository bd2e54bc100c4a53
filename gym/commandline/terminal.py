"""What a person sees while a command runs: consoles, a spinner, a meter.

Invariant: nothing moves where there is no terminal, and nothing here writes to stdout but `output`. Not covered: what
is said (`summary`, `show`). Imports nothing heavy, so that a spinner can turn while the rest is imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

__all__ = ["Meter", "messages", "meter", "output", "waiting"]

_WIDTH = 160
"""Columns where there is no terminal to ask and COLUMNS is not set: tables in logs are not folded at 80."""
Meter = Callable[[str, int, int], None]
"""Told what is at work, how much is done, and how much there is."""


def messages() -> Console:
    """Where a command tells what it does: stderr."""
    return _console(stderr=True)


def output() -> Console:
    """Where a command prints what it was asked for: stdout."""
    return _console(stderr=False)


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        return Console(stderr=stderr, highlight=False, width=_WIDTH)
    return console


@contextmanager
def waiting(console: Console, words: str) -> Iterator[None]:
    """A spinner beside some words; silent where there is no terminal."""
    if not console.is_terminal:
        yield
        return
    with console.status(words):
        yield


@contextmanager
def meter(console: Console, words: str, total: int = 1) -> Iterator[Meter]:
    """A bar that is told how far the work is; silent where there is no terminal."""
    steps = TextColumn("{task.completed}/{task.total} {task.description}")
    columns = (SpinnerColumn(), TextColumn(words), BarColumn(), steps, TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total)
        yield lambda what, done, all_: progress.update(task, completed=done, total=all_, description=what)
