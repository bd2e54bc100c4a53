"""Servers at addresses as one server: a session of its own for each episode, at the next address.

Invariant: an episode stays at its address; a session that could not be begun is begun at the next one, and nothing else
is done twice; one HTTP client serves all sessions, so that there is one set of certificates and connections. Not
covered: what a server keeps beyond the session (a server that has one state for all isolates nothing), addresses of our
own environments (`hosted`), the HTTP+SSE transport of 2024.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Self
from urllib.parse import urlsplit

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.connected import ConnectedServer
from autoforge.gym.servers.connection import CLASSIC, DEADLINES, Connection, Deadlines, connect
from autoforge.gym.servers.session import ForeignSession
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["UrlServer", "checked_urls", "http_client", "http_connection"]

_READ_SECONDS = 300.0
"""The SDK's own: a server may hold a stream of events open without a word."""
_SECONDS = 30.0
"""To connect and to send."""
_IDLE = 64
"""Idle connections kept: each request looks at all that there are."""
_IDLE_SECONDS = 2.0
"""After so long an idle connection is not used again: servers (uvicorn after 5 s) close theirs, and a request that
meets that is lost."""


class UrlServer(ConnectedServer):
    """Episodes on servers that are not ours. An async context manager, entered and left in one task."""

    def __init__(
        self,
        urls: Sequence[str],
        *,
        tasks: Sequence[Task] = (),
        token: str | None = None,
        deadlines: Deadlines = DEADLINES,
    ) -> None:
        """`token` is the bearer token that the servers ask for. Raises BadInput for an address that is none."""
        super().__init__()
        self.urls = checked_urls(urls)
        self.tasks = tasks
        self.name = tasks[0].environment if tasks else str(urlsplit(self.urls[0]).hostname)
        self._token = token
        self._deadlines = deadlines
        self._turns = itertools.count()
        self._modes: dict[str, Sequence[str]] = dict.fromkeys(self.urls, CLASSIC)
        self._http: httpx2.AsyncClient

    async def __aenter__(self) -> Self:
        self._http = await self._stack.enter_async_context(http_client(self._token))
        await self._begin()
        return self

    async def open(self, task: Task | None, episode: str) -> ForeignSession:
        """Begin a session at the next address; the task's set-up calls are made. Raises EpisodeFailure."""
        first = next(self._turns)
        async with AsyncExitStack() as stack:
            connection = await self._connected(first, stack)
            session = ForeignSession(connection, self.name, task)
            stack.callback(self._sessions.discard, session)
            await session.begin(stack)
        self._sessions.add(session)
        return session

    async def _connected(self, first: int, stack: AsyncExitStack) -> Connection:
        """A connection to the first address from there on that answers."""
        for turn in range(first, first + len(self.urls) - 1):
            try:
                return await self._connected_to(self.urls[turn % len(self.urls)], stack)
            except EpisodeFailure:
                continue
        return await self._connected_to(self.urls[(first - 1) % len(self.urls)], stack)

    async def _connected_to(self, url: str, stack: AsyncExitStack) -> Connection:
        make = partial(http_connection, url, self._http, self._deadlines)
        connection = await connect(self._group, make, self._modes[url], stack)
        self._modes[url] = (connection.mode,)
        return connection


def checked_urls(urls: Sequence[str]) -> tuple[str, ...]:
    """The addresses. Raises BadInput where there is none or one is no address of HTTP."""
    for url in urls:
        if not _is_address(url):
            raise BadInput(f"{url} is no address of a server; give one such as http://127.0.0.1:8000/mcp.")
    if not urls:
        raise BadInput("no address of a server is given; give one such as http://127.0.0.1:8000/mcp.")
    return tuple(urls)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port  # which looks whether it is one
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0 and url.isprintable()


def http_client(token: str | None = None) -> httpx2.AsyncClient:
    """One client for all sessions of a server."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    timeout = httpx2.Timeout(_SECONDS, read=_READ_SECONDS)
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=_IDLE, keepalive_expiry=_IDLE_SECONDS)
    return httpx2.AsyncClient(headers=headers, timeout=timeout, limits=limits)


def http_connection(url: str, http: httpx2.AsyncClient, deadlines: Deadlines, mode: str) -> Connection:
    """A connection to an address, not yet opened."""
    client = Client(streamable_http_client(url, http_client=http), mode=mode, cache=None)
    return Connection(client, _without_login(url), deadlines=deadlines)


def _without_login(url: str) -> str:
    """An address as it may be said: without a user's name and password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
