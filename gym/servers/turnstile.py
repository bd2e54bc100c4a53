"""Requests to one address, so many at a time and in the order in which they come.

A `server.py` answers one request after the other. A thousand at once cost it and us a thousand connections and are
answered in any order, some of them after their deadline; in turn the same are answered at two to three times the rate
(`bench.gym`).

Invariant: nobody waits longer than the patience for a place: behind one address there may be many servers, and one that
is stuck, with all places taken by who waits for it, must not end the episodes of the others. Not covered: deadlines.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

__all__ = ["Turnstile"]


class Turnstile:
    """The places at one address."""

    def __init__(self, places: int = 32, patience: float = 10.0) -> None:
        """`patience` in seconds."""
        self._places = anyio.Semaphore(places)
        self._patience = patience

    @asynccontextmanager
    async def passed(self) -> AsyncIterator[None]:
        """Hold a place, or after the patience go without one."""
        held = False
        with anyio.move_on_after(self._patience):
            await self._places.acquire()
            held = True
        try:
            yield
        finally:
            if held:
                self._places.release()
