"""An environment of ours that runs elsewhere, as `server.py --http` with its control route.

    /episodes/{id}              the state, with the token (`control`)
    /episodes/{id}/mcp          the agent's tools
    /user/episodes/{id}/mcp     the user's tools, where there are any

Invariant: a session is an episode of its own at one address, under a name that no other run has; no call is made twice;
what is broken in a tool ends the episode as in `folder`, though the server words it as a refusal. Not covered: episodes
that a gym which was killed leaves on a server.
"""

from __future__ import annotations

import itertools
import logging
import secrets
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Self

import anyio
import httpx2

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.connected import ConnectedServer
from autoforge.gym.servers.connection import DEADLINES, MODERN, Connection, Deadlines, connect
from autoforge.gym.servers.control import Begun, Control, Episode, Seen, version_after
from autoforge.gym.servers.folder import documents_of, policy_of
from autoforge.gym.servers.server import ToolDocument, ToolResult, side_of
from autoforge.gym.servers.setup import make_setup_calls
from autoforge.gym.servers.turnstile import Turnstile
from autoforge.gym.servers.url import checked_urls, http_client, http_connection
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Task, read_tasks

__all__ = ["HostedServer", "HostedSession"]

_BROKEN = (
    "Internal error in tool {}; nothing was changed.",
    "The tool {} took too long and was rolled back; nothing was",
)
"""How `server.py` begins its words for what is no fault of the arguments."""
_log = logging.getLogger(__name__)


class HostedServer(ConnectedServer):
    """Episodes of one environment at its addresses. An async context manager, entered and left in one task."""

    def __init__(
        self,
        urls: Sequence[str],
        folder: EnvironmentFolder,
        token: str,
        *,
        deadlines: Deadlines = DEADLINES,
    ) -> None:
        """The folder is the one that is served; an address may end in `/mcp`. Raises BadInput."""
        super().__init__()
        self.urls = [url.rstrip("/").removesuffix("/mcp") for url in checked_urls(urls)]
        self.folder = folder
        self.tasks: Sequence[Task] = read_tasks(folder.path)
        self.documents: Sequence[ToolDocument] = documents_of(folder)
        self.instructions = policy_of(folder)
        self.deadlines = deadlines
        self._token = token
        self._run = secrets.token_hex(8)
        self._turns = itertools.count()
        self.control: Control
        self._http: httpx2.AsyncClient

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def sides(self) -> tuple[str, ...]:
        """Whose tools there are."""
        return tuple(sorted({side_of(document) for document in self.documents}))

    async def __aenter__(self) -> Self:
        """Raises BadInput where an address does not serve the environment under the token."""
        self._http = await self._stack.enter_async_context(http_client())
        self.control = Control(self._http, self._token)
        await self._begin()
        async with AsyncExitStack() as unusable:
            unusable.push_async_callback(self._stack.aclose)
            for url in self.urls:
                await self.control.check(url)
                await self._check_tools(url)
            unusable.pop_all()
        return self

    async def open(self, task: Task | None, episode: str) -> HostedSession:
        """Begin an episode at the next address; the task's set-up calls are made. Raises EpisodeFailure."""
        turn = next(self._turns)
        async with AsyncExitStack() as stack:
            begun = await self._begun(turn, task.initial if task is not None else (), stack)
            at = begun.episode
            lines = {side: await self._connected(_endpoint(at.url, side, at.name), stack) for side in self.sides}
            session = HostedSession(self, begun, lines, self.control.stile(at.url))
            await make_setup_calls(session, task)
            self._sessions.add(session)
            stack.callback(self._sessions.discard, session)
            session.release = stack.pop_all()
        return session

    async def _begun(self, turn: int, initial: Sequence[str], stack: AsyncExitStack) -> Begun:
        """An episode at the first address from there on that answers."""
        name = f"{self._run}-{turn}"
        for more in range(len(self.urls)):
            url = self.urls[(turn + more) % len(self.urls)]
            try:
                begun = await self.control.put(url, name, initial)
            except EpisodeFailure as error:
                if error.failure.blame == "environment" or more == len(self.urls) - 1:
                    raise
            else:
                stack.push_async_callback(self._deleted, begun.episode)
                return begun
        raise AssertionError("there is an address")

    async def _deleted(self, episode: Episode) -> None:
        """What happened in an episode counts, even where it cannot be deleted."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(self.deadlines.close) as late:
            try:
                await self.control.delete(episode)
            except EpisodeFailure as error:
                _log.warning("an episode stays on its server: %s", error)
        if late.cancelled_caught:
            words = "an episode stays on its server: it was not deleted at %s within %g s"
            _log.warning(words, episode.url, self.deadlines.close)

    async def _connected(self, url: str, stack: AsyncExitStack) -> Connection:
        make = partial(http_connection, url, self._http, self.deadlines)
        return await connect(self._group, make, MODERN, stack)

    async def _check_tools(self, url: str) -> None:
        async with AsyncExitStack() as stack:
            for side in self.sides:
                expected = {d["name"] for d in self.documents if side_of(d) == side}
                try:
                    listed = await (await self._connected(_endpoint(url, side), stack)).tools()
                except EpisodeFailure as error:
                    words = "start server.py with --side all" if side == "user" else "is it the address of a server.py?"
                    raise BadInput(f"{url} does not serve the tools of the {side}: {error}; {words}.") from None
                if {tool["name"] for tool in listed} != expected:
                    words = f"{url} serves other tools than {self.folder.path}"
                    raise BadInput(f"{words}; give the folder that the server was started in.")


class HostedSession:
    """One episode on a server of ours."""

    def __init__(
        self, server: HostedServer, begun: Begun, lines: Mapping[str, Connection], stile: Turnstile | None = None
    ) -> None:
        """`lines` are the connections by the side whose tools are at their end; `stile` is what calls pass."""
        self._server = server
        self._episode = begun.episode
        self._stile = stile or Turnstile()
        self._seen: Seen | None = begun.seen
        """None where it has to be read again."""
        self._tells = begun.seen is not None and bool(begun.seen.version)
        self._lines = {str(d["name"]): lines[side_of(d)] for d in server.documents}
        self.release = AsyncExitStack()
        """What `close` lets go of."""
        self.tools = server.documents
        self.instructions = server.instructions
        self.manifest: Manifest | None = server.folder.manifest

    async def call(self, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        """Make a call; what is refused is an error that the agent may mend. Raises EpisodeFailure."""
        line = self._lines.get(name)
        if line is None:
            return ToolResult(f"Unknown tool: {name[:120]}", is_error=True)
        result = await self._made(line, name, arguments)
        if result.is_error and result.text.startswith(tuple(words.format(name) for words in _BROKEN)):
            raise EpisodeFailure("environment", "server", f"{name} broke: {result.text}")
        return result

    async def _made(self, line: Connection, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        version = ""
        try:
            async with self._stile.passed():
                result = await line.call(name, arguments)
            version = version_after(result, self._episode, tells=self._tells)
        finally:
            if not version or self._seen is None or self._seen.version != version:
                self._seen = None
        return result

    async def state(self) -> State:
        """The state as of the last call. Raises EpisodeFailure."""
        if self._seen is None:
            self._seen = await self._server.control.state(self._episode)
        return self._seen.state

    async def close(self) -> None:
        """End the connections and have the episode forgotten."""
        await self.release.aclose()


def _endpoint(url: str, side: str, episode: str | None = None) -> str:
    prefix = url if side == "agent" else f"{url}/user"
    return f"{prefix}/mcp" if episode is None else f"{prefix}/episodes/{episode}/mcp"
