"""One connection to an MCP server: a client, the task that owns it, and the many that call through it.

The owner opens the client, waits, and closes it, all in one task, as the SDK's cancel scopes want it; calls are made
from the callers' own tasks, which the SDK lets any number do at once.

Invariant: nothing that goes wrong in one connection leaves it but as an EpisodeFailure; every wait has an end; a caller
that is cancelled tells the server so and leaves the connection as it was; who waits when the connection ends is told
at once. Not covered: starting servers (`command`), their addresses (`url`), what answers mean (`results`).
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, NamedTuple, TypeVar

import anyio
import httpx2
from anyio.abc import TaskGroup
from mcp import Client, MCPError, types
from pydantic import ValidationError

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.results import refusal, result_of, unsendable
from autoforge.gym.servers.server import ToolDocument, ToolResult

__all__ = ["CLASSIC", "DEADLINES", "MODERN", "Connection", "Deadlines", "connect"]

T = TypeVar("T")
CLASSIC = ("legacy", "auto")
"""How to begin with servers of any age: by the handshake that every server knew until 2026, which also makes the
session that a stateful server keeps its state by; else as the server wants it. The other way round is worse: there are
servers that end at a first request which they do not know, and such that never answer it."""
MODERN = ("2026-07-28",)
"""How to begin with a server that is known to need no handshake: not at all."""
_MAXIMUM_PAGES = 1_000
"""Pages of `tools/list`; a server that gives more repeats itself."""
_GRACE = 5.0
"""Seconds that the SDK has to tell of a timeout before the wait ends without it."""
_OTHER_ERA = frozenset({types.METHOD_NOT_FOUND, types.UNSUPPORTED_PROTOCOL_VERSION, types.INVALID_PARAMS})
_BROKEN = (OSError, RuntimeError, httpx2.HTTPError, anyio.BrokenResourceError, anyio.ClosedResourceError)
_FAILURES = (*_BROKEN, MCPError, ValueError, TimeoutError, ExceptionGroup)
"""What the SDK raises where a server cannot be reached or speaks no MCP; its tasks raise groups."""


class Deadlines(NamedTuple):
    """How long a server may take, in seconds."""

    open: float = 120.0
    """To start and to greet; the first start of a command may have to fetch a package."""
    call: float = 120.0
    """For one call."""
    close: float = 20.0
    """To end; the SDK needs up to 9 with a command that does not want to."""


DEADLINES = Deadlines()


class Connection:
    """One client of one server."""

    def __init__(
        self,
        client: Client,
        name: str,
        *,
        deadlines: Deadlines = DEADLINES,
        explain: Callable[[], str] = str,
    ) -> None:
        """`explain` gives what the server said last of itself; it is asked when something has gone wrong."""
        self._client = client
        self._name = name
        self._deadlines = deadlines
        self._explain = explain
        self._scope = anyio.CancelScope()
        self._begun, self._stop, self._ended = anyio.Event(), anyio.Event(), anyio.Event()
        self._live = False
        self._fault: BaseException | None = None
        self._waiting: set[anyio.CancelScope] = set()
        self.mode = client.mode
        self.instructions = ""
        """What the server says of its use; empty where it says nothing."""

    @property
    def of_other_era(self) -> bool:
        """Whether the server refused the way in which the connection was begun."""
        return isinstance(self._fault, MCPError) and self._fault.code in _OTHER_ERA

    async def run(self) -> None:
        """Own the client until `close` or the end of the connection: the whole life of one task."""
        try:
            with self._scope, anyio.fail_after(self._deadlines.open) as opening:
                async with self._client:
                    opening.deadline = math.inf
                    self._live, self.instructions = True, self._client.instructions or ""
                    self._begun.set()
                    await self._stop.wait()
        except _FAILURES as error:
            self._fault = _first(error)
        finally:
            self._live = False
            self._begun.set()
            self._ended.set()
            for scope in self._waiting:
                scope.cancel()

    async def ready(self) -> None:
        """Wait until calls can be made. Raises EpisodeFailure."""
        with anyio.move_on_after(self._deadlines.open + self._deadlines.close):
            await self._begun.wait()
        if isinstance(self._fault, TimeoutError):
            raise self._lost(f"it did not greet within {self._deadlines.open:g} s")
        if not self._live:
            raise self._lost("it could not be started")

    async def tools(self) -> tuple[ToolDocument, ...]:
        """All pages of what the server lists. Raises EpisodeFailure."""
        try:
            return tuple(await self._asked("its tools", self._pages(), self._deadlines.call))
        except MCPError as error:
            words = f"{self._name} does not list its tools: {error.message} (code {error.code})"
            raise EpisodeFailure("environment", "server", words) from None

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Make one call, once. Raises EpisodeFailure where it is not the arguments' fault."""
        problem = unsendable(arguments)
        if problem:
            return ToolResult(problem, is_error=True)
        params = types.CallToolRequestParams(name=name, arguments=dict(arguments))
        try:
            return result_of(await self._asked(name, self._called(params), self._deadlines.call + _GRACE))
        except MCPError as error:
            return refusal(name, error)

    async def close(self) -> None:
        """End the connection, and wait until it has ended; once more does nothing."""
        self._stop.set()
        if not self._live:
            self._scope.cancel()
        with anyio.CancelScope(shield=True):
            for _ in range(2):
                with anyio.move_on_after(self._deadlines.close):
                    await self._ended.wait()
                    return
                self._scope.cancel()

    async def _asked(self, what: str, answer: Awaitable[T], seconds: float) -> T:
        """An answer of the server. Raises EpisodeFailure, or MCPError for what the server itself answered."""
        with anyio.CancelScope() as scope:
            self._waiting.add(scope)
            try:
                with anyio.fail_after(seconds):
                    return await answer
            except TimeoutError:
                words = f"{what} gave no answer within {seconds:g} s"
                raise EpisodeFailure("infrastructure", "server", words) from None
            except ValidationError as error:
                raise EpisodeFailure(
                    "environment", "server", f"{what} answered what is no MCP: {_line(error)}"
                ) from None
            except MCPError as error:
                if error.code != types.CONNECTION_CLOSED:
                    raise
            except _BROKEN as error:
                self._fault = self._fault or _first(error)
            finally:
                self._waiting.discard(scope)
        raise self._lost(f"{what} gave no answer")

    async def _pages(self) -> list[ToolDocument]:
        tools: list[ToolDocument] = []
        seen: set[str] = set()
        cursor: str | None = None
        while len(seen) < _MAXIMUM_PAGES:
            page = await self._client.list_tools(cursor=cursor)
            tools += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor or cursor in seen:
                break
            seen.add(cursor)
        return tools

    async def _called(self, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Not `Client.call_tool`, which lists the tools again and raises where a result does not fit its schema."""
        request = types.CallToolRequest(params=params)
        return await self._client.session.send_request(
            request, types.CallToolResult, request_read_timeout_seconds=self._deadlines.call
        )

    def _lost(self, what: str) -> EpisodeFailure:
        said = [] if self._fault is None or isinstance(self._fault, TimeoutError) else [_line(self._fault)]
        said += [words] if (words := self._explain()) else []
        because = f" ({'; '.join(said)})" if said else ""
        return EpisodeFailure("infrastructure", "server", f"{self._name} has ended: {what}{because}")


async def connect(
    tasks: TaskGroup, make: Callable[[str], Connection], modes: Sequence[str], stack: AsyncExitStack
) -> Connection:
    """A connection in the first of the modes that the server takes, owned by a task of the group and closed by the
    stack. Raises EpisodeFailure."""
    for mode in modes[:-1]:
        connection = make(mode)
        try:
            return await _opened(tasks, connection, stack)
        except EpisodeFailure:
            if not connection.of_other_era:
                raise
    return await _opened(tasks, make(modes[-1]), stack)


async def _opened(tasks: TaskGroup, connection: Connection, stack: AsyncExitStack) -> Connection:
    tasks.start_soon(connection.run)
    async with AsyncExitStack() as own:
        own.push_async_callback(connection.close)
        await connection.ready()
        stack.push_async_callback(own.pop_all().aclose)
    return connection


def _first(error: BaseException) -> BaseException:
    """What a group of errors began with."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _line(error: BaseException) -> str:
    """An error in one line."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}"[:300] if words else type(error).__name__
