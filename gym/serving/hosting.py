"""Episodes over HTTP, each under a path of its own: `/episodes/{id}/mcp`.

The first request of a path begins an episode; the path is what keeps its requests together, whatever connections they
come by, because the newest MCP has no sessions.

Invariant: a path has one episode and never a second; an episode that nobody calls for some time ends as a failure of
the infrastructure; whatever ends the host ends every episode. Host and Origin headers are checked (DNS rebinding). Not
covered: addresses other than this machine's own, and what an episode is (`episode_server`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import Self, TypeAlias

import anyio
from anyio.abc import TaskGroup, TaskStatus
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from autoforge.gym.serving.episode_server import EpisodeServer
from autoforge.mcp_envs.errors import AutoForgeError, BadInput

__all__ = ["EpisodeHost"]

Begin: TypeAlias = Callable[[], AbstractAsyncContextManager[EpisodeServer]]
"""The next episode. Raises BadInput where none is left, EpisodeFailure where it cannot begin."""
_NAME = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9_.-]{1,64}$")
_AFTERWARDS = 60.0
"""Seconds for which an episode that has ended still says so."""
_STOPPED = "the server was stopped before the user had ended the conversation"
_OWN = ("127.0.0.1", "localhost", "[::1]")
_SECURITY = TransportSecuritySettings(
    allowed_hosts=[form for name in _OWN for form in (name, f"{name}:*")],
    allowed_origins=[f"http://{form}" for name in _OWN for form in (name, f"{name}:*")],
)


class _Hosted:
    """An episode and its connections."""

    def __init__(self, episode: EpisodeServer, manager: StreamableHTTPSessionManager, idle: anyio.CancelScope) -> None:
        self.episode = episode
        self.manager = manager
        self._idle = idle
        self._open = 0

    async def answer(self, scope: Scope, receive: Receive, send: Send, idle_seconds: float) -> None:
        """Serve a request; while one is open, the episode is not idle."""
        self._open += 1
        self._idle.deadline = math.inf
        try:
            await self.manager.handle_request(scope, receive, send)
        finally:
            self._open -= 1
            if not self._open:
                rest = min(idle_seconds, _AFTERWARDS) if self.episode.over else idle_seconds
                self._idle.deadline = anyio.current_time() + rest


class EpisodeHost:
    """Episodes by path, begun when they are first asked for. An async context manager, entered and left in one task."""

    def __init__(self, begin: Begin, *, idle_seconds: float = 1800.0, most: int = 256) -> None:
        """`most` is how many may be open at once."""
        self._begin = begin
        self._idle_seconds = idle_seconds
        self._most = most
        self._hosted: dict[str, _Hosted] = {}
        self._beginning: dict[str, anyio.Event] = {}
        self._used: set[str] = set()
        self._group: TaskGroup
        self._stack = AsyncExitStack()
        self.broken = anyio.Event()
        """Set when an episode could not be kept."""
        self.error: BaseException | None = None
        """Why."""

    def app(self) -> Starlette:
        """The ASGI application, for as long as the host is entered."""
        return Starlette(routes=[Route("/episodes/{episode}/mcp", _Endpoint(self))])

    async def __aenter__(self) -> Self:
        self._group = await self._stack.enter_async_context(anyio.create_task_group())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for hosted in self._hosted.values():
            hosted.episode.left = _STOPPED
        self._group.cancel_scope.cancel()
        await self._stack.__aexit__(kind, error, trace)

    async def answer(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request to a path."""
        try:
            hosted = await self._at(name)
        except AutoForgeError as error:
            await _problem(503, str(error))(scope, receive, send)
            return
        if hosted is None:
            await _problem(410, "this episode is over; begin another under a new path")(scope, receive, send)
            return
        await hosted.answer(scope, receive, send, self._idle_seconds)

    async def _at(self, name: str) -> _Hosted | None:
        """The episode of a path, begun where there is none yet; None where it is over."""
        while name in self._beginning:
            await self._beginning[name].wait()
        if name in self._hosted or name in self._used:
            return self._hosted.get(name)
        if len(self._hosted) + len(self._beginning) >= self._most:
            raise BadInput(f"{self._most} episodes are open, which is the most; end one first.")
        begun = self._beginning[name] = anyio.Event()
        try:
            hosted: _Hosted = await self._group.start(self._host, name)
            return hosted
        finally:
            del self._beginning[name]
            begun.set()

    async def _host(self, name: str, *, task_status: TaskStatus[_Hosted]) -> None:
        """One episode, from its beginning to its end, in one task."""
        try:
            await self._hosting(name, task_status)
        except (AutoForgeError, BaseExceptionGroup) as error:
            if name not in self._used:
                raise
            self.error = error
            self.broken.set()

    async def _hosting(self, name: str, task_status: TaskStatus[_Hosted]) -> None:
        async with self._begin() as episode:
            with anyio.move_on_after(self._idle_seconds) as idle:
                server = episode.mcp_server()
                manager = StreamableHTTPSessionManager(server, json_response=True, security_settings=_SECURITY)
                async with manager.run():
                    hosted = self._hosted[name] = _Hosted(episode, manager, idle)
                    self._used.add(name)
                    task_status.started(hosted)
                    await anyio.sleep_forever()
            del self._hosted[name]
            episode.left = f"no call came for {self._idle_seconds:g} s"


class _Endpoint:
    """The ASGI endpoint, which Starlette takes as such because it is no function."""

    def __init__(self, host: EpisodeHost) -> None:
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path_params"]["episode"]
        if not _NAME.match(name):
            words = "an episode is named by 1 to 64 of the characters A-Z a-z 0-9 _ . - and is not '.' or '..'"
            await _problem(400, words)(scope, receive, send)
            return
        await self._host.answer(name, scope, receive, send)


def _problem(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)
