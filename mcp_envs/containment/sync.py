"""A worker for callers that wait: conformance suites and gates, which make thousands of calls in a row.

Invariant: no method waits longer than the deadlines say, and `close` leaves no process, descriptor or file of its own.
Not covered: several callers at once; a worker belongs to one thread.
"""

from __future__ import annotations

import select
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from autoforge.mcp_envs.containment.limits import Enforcement, Limits
from autoforge.mcp_envs.containment.link import Exchange, WorkerGone
from autoforge.mcp_envs.containment.scratch import ScratchFolder
from autoforge.mcp_envs.containment.session import Call, CallResult, Plan, Session, Source, state_path

__all__ = ["SyncWorker"]

T = TypeVar("T")


class SyncWorker:
    """The tools of one environment in one contained process. A context manager."""

    def __init__(
        self,
        folder: Path,
        state_folder: Path | None = None,
        limits: Limits | None = None,
        *,
        hash_seed: int = 0,
    ) -> None:
        """Start it. `state_folder` holds the episodes' files; None means a temporary one. `hash_seed` is the process's
        PYTHONHASHSEED, 0 to 4294967295. Raises BadInput, ContainmentError."""
        self._begin(Source.read(Path(folder)), state_folder, limits, hash_seed)

    @classmethod
    def of(
        cls,
        source: Source,
        state_folder: Path | None = None,
        limits: Limits | None = None,
        *,
        hash_seed: int = 0,
    ) -> Self:
        """A worker for texts instead of a folder. Nothing is checked here that `Source.read` has not checked."""
        worker = cls.__new__(cls)
        worker._begin(source, state_folder, limits, hash_seed)
        return worker

    def _begin(self, source: Source, state_folder: Path | None, limits: Limits | None, hash_seed: int) -> None:
        self._scratch = None if state_folder else ScratchFolder("states")
        self.state_folder = self._scratch.path if self._scratch else Path(state_folder or ".")
        self._session = Session(source, self.state_folder, limits or Limits(), hash_seed)
        try:
            self._drive(self._session.start())
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove the temporary folder."""
        self._session.stop()
        if self._scratch is not None:
            self._scratch.close()

    @property
    def enforcement(self) -> Enforcement:
        return self._session.enforcement

    @property
    def tools(self) -> tuple[str, ...]:
        """Documented names, sorted."""
        return self._session.tools

    @property
    def starts(self) -> int:
        """Processes started so far: one more than were lost."""
        return self._session.starts

    def state_path(self, episode: str) -> Path:
        """The SQLite file of an episode, whole between two calls."""
        return state_path(self.state_folder, episode)

    def open(self, episode: str, initial: Sequence[str] = ()) -> None:
        """Make an episode from the environment's seed and the statements `initial`, or go on with it where it
        exists."""
        self.state_path(episode)
        self._drive(self._session.manage("open", episode=episode, initial=initial))

    def reset(self, episode: str, initial: Sequence[str] = ()) -> None:
        """Begin an episode anew, whatever it was."""
        self.state_path(episode)
        self._drive(self._session.manage("reset", episode=episode, initial=initial))

    def fork(self, source: str, target: str) -> None:
        """Make `target` a copy of `source` as it is now."""
        self.state_path(source), self.state_path(target)
        self._drive(self._session.manage("fork", source=source, target=target))

    def close_episode(self, episode: str, *, keep: bool = False) -> None:
        """Let go of an episode, and of its file unless `keep`."""
        self.state_path(episode)
        self._drive(self._session.manage("close", episode=episode, keep=keep))

    def call(
        self,
        episode: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        call_id: str | None = None,
        seconds: float | None = None,
    ) -> CallResult:
        """Make one call. Raises BadInput for an episode that is not there or arguments that are not JSON."""
        return self.calls(episode, [Call(tool, arguments, call_id)], seconds=seconds)[0]

    def calls(
        self, episode: str, calls: Iterable[Call], *, seconds: float | None = None, stop: bool = False
    ) -> list[CallResult]:
        """Make calls in order in one round trip; `seconds` is for each. With `stop`, the last result is the first that
        is not ok."""
        return self._drive(self._session.calls(episode, list(calls), seconds, stop))

    def _drive(self, plan: Plan[T]) -> T:
        try:
            exchange = next(plan)
            while True:
                try:
                    line = self._exchange(exchange)
                except WorkerGone as gone:
                    exchange = plan.throw(gone)
                else:
                    exchange = plan.send(line)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]
        except KeyboardInterrupt:
            self._session.stop()  # its answer would be taken for that of the next request
            raise

    def _exchange(self, exchange: Exchange) -> bytes:
        link, ends, data = self._session.link, time.monotonic() + exchange.seconds, memoryview(exchange.data)
        while data:
            data = data[link.write_some(data) :]
            if data:
                _wait([], [link.writer], ends)
        while (line := link.read_line()) is None:
            _wait([link.reader], [], ends)
        return line


def _wait(readers: list[int], writers: list[int], ends: float) -> None:
    left = ends - time.monotonic()
    if left <= 0 or not any(select.select(readers, writers, [], left)):
        raise WorkerGone(late=True)
