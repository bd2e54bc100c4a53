"""The models of a command: their clients, with one ledger, one cost limit and one cache.

Invariant: whatever ends the command, every client is closed; where no call was made, neither ledger nor cache is left.
Not covered: which models there are (`llm`).
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from autoforge.gym.agents.open import Connect
from autoforge.gym.llm import Ledger, Limits, ModelClient, ModelSpec

__all__ = ["Models"]


class Models:
    """An async context manager."""

    def __init__(self, ledger: Path | None, *, cache: Path | None, max_cost: float | None, at_once: int) -> None:
        """`ledger` is made when the first model is asked for; None keeps it in memory. `max_cost` is in US dollars,
        over all that the ledger holds; `at_once` calls are made at a time."""
        self._path = ledger
        places = (cache, ledger.parent if ledger is not None else None)
        self._new = [place for place in places if place is not None and not place.exists()]
        self._cache = cache
        self._max_cost = max_cost
        self._limits = Limits(concurrency=at_once)
        self._ledger: Ledger | None = None
        self._clients: list[ModelClient] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            await client.aclose()
        if self._ledger is not None:
            self._ledger.close()
            self._tidy()

    def _tidy(self) -> None:
        """Take away an empty ledger, and what else was made and holds nothing."""
        if self._path is not None and self._path.stat().st_size == 0:
            self._path.unlink()
        for place in self._new:
            with suppress(OSError):
                place.rmdir()

    def at(self, base_url: str | None) -> Connect:
        """What makes clients of models at an address; None means the providers' own."""
        return lambda spec: self._connected(spec, base_url)

    @property
    def cost(self) -> float:
        """US dollars spent, by earlier runs of the same ledger, too."""
        return self._ledger.committed if self._ledger is not None else 0.0

    def _connected(self, spec: ModelSpec, base_url: str | None) -> ModelClient:
        if self._ledger is None:
            self._ledger = Ledger(self._path)
        client = ModelClient(
            spec, base_url=base_url, cache_dir=self._cache, ledger=self._ledger, max_cost=self._max_cost,
            limits=self._limits,
        )  # fmt: skip
        self._clients.append(client)
        return client
