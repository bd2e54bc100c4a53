"""What model calls cost: an append-only file of JSON lines, shared by all runs and processes that name it.

The invariant: before a call is made its worst case is written down (`reserve`), afterwards what it cost (`settle`). A
reservation that was never settled, because its process was killed, counts in full, so the limit holds at any kill. A
torn line counts for nothing: a torn reservation was never sent, a torn settlement leaves its reservation standing.
Calls with an unknown price cost 0 here; their tokens are kept.
"""

from __future__ import annotations

import fcntl
import logging
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Annotated, Literal, NamedTuple, Self

import anyio
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from autoforge.mcp_envs.errors import AutoForgeError, BadInput

__all__ = ["Ledger", "Outcome", "Reservation", "Settlement", "Totals"]

log = logging.getLogger(__name__)

Outcome = Literal["answered", "failed", "lost"]

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: str
    time: str = Field(default_factory=_now)


class Reservation(_Line):
    """A call that is about to be made."""

    event: Literal["reserve"] = "reserve"
    id: str = Field(default_factory=lambda: uuid.uuid4().hex)
    model: str
    stage: str
    key: str
    trial: int
    estimate: Dollars | None
    """The most that it can cost, in US dollars; None when the price is unknown."""


class Settlement(_Line):
    """How a call ended."""

    event: Literal["settle"] = "settle"
    outcome: Outcome
    """`lost`: the provider may have charged, but how much is not known, so `cost` is the estimate."""
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cost: Dollars | None
    """US dollars; None when the price is unknown."""


LINE: TypeAdapter[Reservation | Settlement] = TypeAdapter(
    Annotated[Reservation | Settlement, Field(discriminator="event")]
)


class Totals(NamedTuple):
    """What the calls of one stage came to. Failed calls that cost nothing are not counted."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """US dollars, calls in flight at their worst case."""

    def __add__(self, other: object) -> Totals:
        if not isinstance(other, Totals):
            return NotImplemented
        return Totals(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
        )


class Ledger:
    """The calls of this run and, with a path, of all earlier ones; `None` keeps them in memory only.

    One ledger may serve several clients of one event loop. It is not safe to share between threads.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open or create the file.

        Raises:
            BadInput: the file cannot be used.
        """
        self.path = path
        self._open: dict[str, Reservation] = {}
        self._own: set[str] = set()
        self._settled: dict[str, Totals] = {}
        self._change: anyio.Event | None = None
        self._read = 0
        self._descriptor = _opened(path) if path is not None else None
        with self._exclusive():
            pass

    def try_reserve(self, call: Reservation, max_cost: float | None) -> bool:
        """Write a call down unless its worst case, added to all that was spent or reserved, passes `max_cost`."""
        with self._exclusive():
            if max_cost is not None and self.committed + (call.estimate or 0.0) > max_cost:
                return False
            self._append(call)
        self._own.add(call.id)
        return True

    def settle(self, settlement: Settlement) -> None:
        """Write down how a reserved call ended; only the first time counts, and unknown calls are none of ours."""
        with self._exclusive():
            if settlement.id in self._open:
                self._append(settlement)
        self._own.discard(settlement.id)
        change, self._change = self._change, None
        if change is not None:
            change.set()

    async def wait_for_settlement(self) -> bool:
        """Wait until a call in flight through this object ends; False at once when there is none."""
        if not self._own:
            return False
        self._change = self._change or anyio.Event()
        await self._change.wait()
        return True

    @property
    def committed(self) -> float:
        """US dollars spent, with every call that has not ended at its worst case."""
        return self.total.cost

    @property
    def total(self) -> Totals:
        """All stages together."""
        return sum(self.totals().values(), Totals())

    def totals(self) -> dict[str, Totals]:
        """The totals of each stage, by its label."""
        totals = dict(self._settled)
        for call in self._open.values():
            totals[call.stage] = totals.get(call.stage, Totals()) + Totals(calls=1, cost=call.estimate or 0.0)
        return dict(sorted(totals.items()))

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the file alone, having read what others wrote; held for a few milliseconds only."""
        if self._descriptor is None:
            yield
            return
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            self._catch_up(self._descriptor)
            yield
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def _catch_up(self, descriptor: int) -> None:
        size = os.fstat(descriptor).st_size
        new = os.pread(descriptor, size - self._read, self._read) if size > self._read else b""
        if new and not new.endswith(b"\n"):
            # Whoever wrote this was killed in the middle of it: we hold the lock, so nobody is still writing.
            os.write(descriptor, b"\n")
            new += b"\n"
        self._read += len(new)
        for line in new.splitlines():
            self._apply(line)

    def _apply(self, text: bytes) -> None:
        if not text.strip():
            return
        try:
            line = LINE.validate_json(text)
        except ValidationError:
            log.warning("the ledger %s has a line that cannot be read; it is not counted", self.path)
            return
        if isinstance(line, Reservation):
            self._open[line.id] = line
        elif (call := self._open.pop(line.id, None)) is not None:
            self._count(call.stage, line)

    def _count(self, stage: str, line: Settlement) -> None:
        if line.outcome == "failed" and not line.cost:
            return
        ended = Totals(1, line.input_tokens, line.output_tokens, line.cost or 0.0)
        self._settled[stage] = self._settled.get(stage, Totals()) + ended

    def _append(self, line: Reservation | Settlement) -> None:
        text = line.model_dump_json().encode("utf-8") + b"\n"
        if self._descriptor is not None:
            self._write(self._descriptor, text)
            self._read += len(text)
        self._apply(text)

    def _write(self, descriptor: int, text: bytes) -> None:
        try:
            os.write(descriptor, text)
            os.fsync(descriptor)
        except OSError as error:
            raise AutoForgeError(f"the ledger {self.path} could not be written: {error.strerror}") from None


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(f"the ledger {path} cannot be used: {error.strerror}") from None
