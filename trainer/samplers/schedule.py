"""Who waits for the embedded sampler, and who is taken in next.

Invariant: first come, first served; rows in flight never need more columns of keys and values than the settings allow,
except one alone: the youngest goes back to the queue, in front, and is begun again from its ids later. Every request
ends: with a turn, with words, or by being forgotten. Not covered: threads, events of the model (`torch_sampler`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import anyio

from autoforge.gym.agents.policy import Sampled
from autoforge.mcp_envs.errors import ModelFailure
from autoforge.trainer.samplers.row import Row

__all__ = ["Request", "Schedule"]

SPARE: Final = 128
"""Columns that must be free for each row when one comes in: what comes in should not have to go soon."""


class Request:
    """A row that somebody waits for."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.number = -1
        self.done = anyio.Event()
        self._failure: str | None = None

    def finish(self, failure: str | None = None) -> None:
        """Wake who waits."""
        self._failure = failure
        self.done.set()

    def result(self) -> Sampled:
        """The turn. Raises ModelFailure with the words of the failure."""
        if self._failure is not None:
            raise ModelFailure(self._failure)
        return self.row.sampled()


class Schedule:
    """Requests by age; those in flight are marked by their rows being in the generation."""

    def __init__(self, sequences: int, tokens: int) -> None:
        self._sequences = sequences
        self._tokens = tokens
        self._count = 0
        self._waiting: list[Request] = []
        self._running: dict[Row, Request] = {}

    def __len__(self) -> int:
        """How many requests there are, waiting or in flight."""
        return len(self._waiting) + len(self._running)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def add(self, row: Row) -> Request:
        """A new request, the youngest."""
        request = Request(row)
        request.number = self._count = self._count + 1
        self._waiting.append(request)
        return request

    def forget(self, request: Request) -> None:
        """Nobody waits for it any more; a row in flight is let go with the next stretch."""
        request.row.cancelled = True
        self._running.pop(request.row, None)
        if request in self._waiting:
            self._waiting.remove(request)

    def too_many(self, rows: Sequence[Row], steps: int) -> list[Row]:
        """The youngest of the rows in flight, as many as must go so that the others have room for so many steps."""
        staying = sorted((row for row in rows if row in self._running), key=lambda row: self._running[row].number)
        going: list[Row] = []
        while len(staying) > 1 and not self._fits(staying, steps):
            going.append(staying.pop())
        return going

    def put_back(self, rows: Iterable[Row]) -> None:
        """Rows that were in flight wait again, by their age."""
        self._waiting += [self._running.pop(row) for row in rows if row in self._running]
        self._waiting.sort(key=lambda request: request.number)

    def take(self, rows: Sequence[Row]) -> list[Row]:
        """The rows that come in beside those in flight; one at least where there are none."""
        taken: list[Row] = []
        while self._waiting:
            beside = [*rows, *taken, self._waiting[0].row]
            if len(beside) > 1 and not (len(beside) <= self._sequences and self._fits(beside, SPARE)):
                break
            request = self._waiting.pop(0)
            self._running[request.row] = request
            taken.append(request.row)
        return taken

    def finish(self, rows: Iterable[Row]) -> None:
        """Wake those whose rows are finished."""
        for row in rows:
            request = self._running.pop(row, None)
            if request is not None:
                request.finish()

    def fail_running(self, words: str) -> None:
        """The rows in flight are lost."""
        for request in self._running.values():
            request.finish(words)
        self._running.clear()

    def fail_all(self, words: str) -> None:
        """Nobody gets anything any more."""
        self.fail_running(words)
        for request in self._waiting:
            request.finish(words)
        self._waiting.clear()

    def _fits(self, rows: Sequence[Row], more: int) -> bool:
        return len(rows) * (max(row.columns for row in rows) + more) <= self._tokens
