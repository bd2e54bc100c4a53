"""The task that runs a model in this process, stretch after stretch, and what may happen between two of them.

Invariant: one thread at a time touches the model; a cancelled caller waits until that thread is done; when the owner
ends, for whatever reason, nobody waits any more. Not covered: what a stretch is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Final, Self, TypeVar

import anyio
from anyio.abc import TaskGroup
from anyio.lowlevel import checkpoint

from autoforge.mcp_envs.errors import ModelFailure

__all__ = ["BROKEN", "Owner"]

T = TypeVar("T")

BROKEN: Final = (RuntimeError, ValueError, IndexError, TypeError, ArithmeticError, MemoryError)
"""What a model raises; out of memory is a RuntimeError."""

NOT_ENTERED: Final = "the sampler is not open; use it inside `async with`"
CLOSED: Final = "the sampler was closed"
BROKEN_OFF: Final = "the sampler ended early"
MIXED: Final = "the sampler has old and new weights, because a load ended halfway; load all weights again"


class Owner(ABC):
    """Base of the samplers in this process."""

    def __init__(self) -> None:
        self._wake = anyio.Event()
        self._turn = anyio.Lock()
        self._thread = anyio.CapacityLimiter(1)
        self._pauses = 0
        self._unusable: str | None = NOT_ENTERED
        self._group: TaskGroup

    @property
    @abstractmethod
    def pending(self) -> int:
        """Requests that wait or are in flight."""

    @abstractmethod
    async def _stretch(self) -> None:
        """Some steps of the model, with the requests there are."""

    @abstractmethod
    def _fail_all(self, words: str) -> None:
        """Every request ends with these words."""

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Nothing is sampled inside; what is in flight goes on afterwards."""
        self._pauses += 1
        try:
            async with self._turn:  # the stretch that runs ends
                pass
            yield
        finally:
            self._pauses -= 1
            self._wake.set()

    async def __aenter__(self) -> Self:
        """Begin to take requests."""
        self._group = anyio.create_task_group()
        await self._group.__aenter__()
        self._unusable = None
        self._group.start_soon(self._own)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Ends everything, after the stretch that runs."""
        self._end(CLOSED)
        self._group.cancel_scope.cancel()
        if isinstance(error, anyio.get_cancelled_exc_class()):
            return await self._group.__aexit__(kind, error, trace)
        # What the block raised comes out as it is, not inside an ExceptionGroup.
        await self._group.__aexit__(None, None, None)
        return None

    def _mixed(self) -> None:
        """A load ended halfway: nothing is sampled until one succeeds."""
        self._unusable = MIXED
        self._fail_all(MIXED)

    def _whole(self) -> None:
        """A load has succeeded."""
        self._unusable = None if self._unusable == MIXED else self._unusable

    def _check_usable(self) -> None:
        if self._unusable is not None:
            raise ModelFailure(self._unusable)

    async def _in_thread(self, call: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(call, limiter=self._thread)

    async def _own(self) -> None:
        """Stretch after stretch, while there are requests."""
        try:
            while True:
                await self._wanted()
                async with self._turn:
                    if not self._pauses:
                        await self._stretch()
        finally:
            self._end(BROKEN_OFF)

    async def _wanted(self) -> None:
        """Waits until there is something to do, and until those who are about to ask have asked."""
        while self._pauses or not self.pending:
            self._wake = anyio.Event()
            await self._wake.wait()
        known = -1
        while known < self.pending:
            known = self.pending
            await checkpoint()

    def _end(self, words: str) -> None:
        """Idempotent; the first words count."""
        self._unusable = words if self._unusable in (None, MIXED) else self._unusable
        self._fail_all(words)
