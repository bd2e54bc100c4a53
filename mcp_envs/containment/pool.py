"""Contained tools for asynchronous callers: a pool of workers, many episodes to each.

Invariant: one owner task drives one process and is alone in touching its pipes; a caller that is cancelled leaves its
call to the owner, who ends it by its deadline. When the pool closes, every process is gone. Not covered: fairness; the
calls of one worker's episodes are made in the order of asking, so one that hangs holds up its siblings until its
deadline.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from autoforge.mcp_envs.containment.limits import Enforcement, Limits
from autoforge.mcp_envs.containment.link import Exchange, WorkerGone
from autoforge.mcp_envs.containment.scratch import ScratchFolder
from autoforge.mcp_envs.containment.session import Call, CallResult, Plan, Session, Source, state_path
from autoforge.mcp_envs.errors import ContainmentError

__all__ = ["ContainedTools", "contained"]

T = TypeVar("T")


class _Job(Generic[T]):
    """A plan that waits for the owner, then its outcome."""

    def __init__(self, plan: Plan[T]) -> None:
        self.plan = plan
        self.done = anyio.Event()
        self.wanted = True
        self.value: T
        self.error: BaseException | None = None

    async def result(self) -> T:
        try:
            await self.done.wait()  # the owner ends every plan by its deadlines
        finally:
            self.wanted = False
        if self.error is not None:
            raise self.error
        return self.value


class _Owner:
    """Drives one session from one task."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._send: MemoryObjectSendStream[_Job[Any]]
        self._receive: MemoryObjectReceiveStream[_Job[Any]]
        self._send, self._receive = anyio.create_memory_object_stream[_Job[Any]](math.inf)

    async def ask(self, plan: Plan[T]) -> T:
        """Have a plan carried out and return what it returns or raise what it raises."""
        job = _Job(plan)
        try:
            self._send.send_nowait(job)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            plan.close()
            raise ContainmentError("the pool of workers is closed") from None
        return await job.result()

    async def run(self) -> None:
        """The owner task: one plan after the other until it is cancelled; then the process ends, and whoever waits is
        told."""
        job: _Job[Any] | None = None
        try:
            async for job in self._receive:
                await self._carry_out(job)
        finally:
            self.session.stop()
            self._give_up(job)
            while self._receive.statistics().current_buffer_used:
                self._give_up(self._receive.receive_nowait())
            self._receive.close()
            self._send.close()

    async def _carry_out(self, job: _Job[Any]) -> None:
        if not job.wanted:
            job.plan.close()
        else:
            try:
                job.value = await self._drive(job.plan)
            except Exception as error:  # whatever it is, it belongs to the one who asked
                job.error = error
        job.done.set()

    def _give_up(self, job: _Job[Any] | None) -> None:
        if job is not None and not job.done.is_set():
            job.error = ContainmentError("the pool of workers was closed during the call")
            job.plan.close()
            job.done.set()

    async def _drive(self, plan: Plan[T]) -> T:
        try:
            exchange = next(plan)
            while True:
                try:
                    line = await self._exchange(exchange)
                except WorkerGone as gone:
                    exchange = plan.throw(gone)
                else:
                    exchange = plan.send(line)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]

    async def _exchange(self, exchange: Exchange) -> bytes:
        link, data = self.session.link, memoryview(exchange.data)
        try:
            with anyio.fail_after(exchange.seconds):
                while data:
                    data = data[link.write_some(data) :]
                    if data:
                        await anyio.wait_writable(link.writer)
                while (line := link.read_line()) is None:
                    await anyio.wait_readable(link.reader)
                return line
        except TimeoutError:
            raise WorkerGone(late=True) from None


class ContainedTools:
    """The tools of one environment in `workers` processes; made by `contained`. Every episode belongs to one of
    them."""

    def __init__(self, source: Source, workers: int, state_folder: Path, limits: Limits) -> None:
        self.state_folder = state_folder
        self._owners = [_Owner(Session(source, state_folder, limits)) for _ in range(workers)]

    async def _start(self, spawn: Callable[[Callable[[], Any]], object]) -> Self:
        for owner in self._owners:
            spawn(owner.run)
        first = self._owners[0]
        await first.ask(first.session.start())  # the others start when they are needed
        return self

    @property
    def enforcement(self) -> Enforcement:
        return self._owners[0].session.enforcement

    @property
    def tools(self) -> tuple[str, ...]:
        """Documented names, sorted."""
        return self._owners[0].session.tools

    @property
    def starts(self) -> int:
        """Processes started so far."""
        return sum(owner.session.starts for owner in self._owners)

    def state_path(self, episode: str) -> Path:
        """The SQLite file of an episode, whole between two calls."""
        return state_path(self.state_folder, episode)

    async def open(self, episode: str, initial: Sequence[str] = ()) -> None:
        """Make an episode from the seed and the statements `initial`, or go on with it where it exists."""
        await self._manage("open", episode, initial=list(initial))

    async def reset(self, episode: str, initial: Sequence[str] = ()) -> None:
        """Begin an episode anew, whatever it was."""
        await self._manage("reset", episode, initial=list(initial))

    async def fork(self, source: str, target: str) -> None:
        """Make `target` a copy of `source` as it is now."""
        await self._manage("close", target, keep=False)
        owner = self._owner(source)
        await owner.ask(owner.session.manage("fork", source=source, target=target))
        if self._owner(target) is not owner:
            await owner.ask(owner.session.manage("close", episode=target, keep=True))

    async def close_episode(self, episode: str, *, keep: bool = False) -> None:
        """Let go of an episode, and of its file unless `keep`."""
        await self._manage("close", episode, keep=keep)

    async def call(
        self,
        episode: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        call_id: str | None = None,
        seconds: float | None = None,
    ) -> CallResult:
        """Make one call. Raises BadInput for an episode that is not there or arguments that are not JSON."""
        return (await self.calls(episode, [Call(tool, arguments, call_id)], seconds=seconds))[0]

    async def calls(
        self, episode: str, calls: Iterable[Call], *, seconds: float | None = None, stop: bool = False
    ) -> list[CallResult]:
        """Make calls in order; `seconds` is for each. With `stop`, the last result is the first that is not ok."""
        owner = self._owner(episode)
        return await owner.ask(owner.session.calls(episode, list(calls), seconds, stop))

    async def _manage(self, operation: str, episode: str, **arguments: Any) -> None:
        owner = self._owner(episode)
        await owner.ask(owner.session.manage(operation, episode=episode, **arguments))

    def _owner(self, episode: str) -> _Owner:
        self.state_path(episode)
        return self._owners[zlib.crc32(episode.encode()) % len(self._owners)]


@asynccontextmanager
async def contained(
    folder: Path | Source, workers: int = 1, state_folder: Path | None = None, limits: Limits | None = None
) -> AsyncIterator[ContainedTools]:
    """The tools of an environment folder, ready. `state_folder` holds the episodes' files; None means a temporary one.

    Raises BadInput for a folder that is no environment, ContainmentError for code that may not run or does not load.
    """
    source = folder if isinstance(folder, Source) else Source.read(Path(folder))
    async with AsyncExitStack() as stack:
        if state_folder is None:
            state_folder = stack.enter_context(ScratchFolder("states"))
        tools = ContainedTools(source, workers, state_folder, limits or Limits())
        failure: Exception | None = None
        async with anyio.create_task_group() as group:
            try:
                yield await tools._start(group.start_soon)
            except Exception as error:
                failure = error  # raised below, outside the group, so that it does not arrive inside an ExceptionGroup
            group.cancel_scope.cancel()
        if failure is not None:
            raise failure
