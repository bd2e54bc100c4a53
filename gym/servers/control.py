"""The control route of a `server.py`: a state is put, read and deleted from outside, with a token.

A state that is put comes back with the answer, and tool results name the state that they were made on and its version,
so that it is read again only where it is another one.

Invariant: a state that is read is the one that was put: each carries a mark of its own in SQLite's `user_version`, by
which a server that was started anew, another one behind a balancer, or a request to put it that arrives after the
episode has begun, is found out, at a call as at a look; a state that is kept is as new as the last result says;
requests are repeated, since twice is as once here; the token is in no message. Not covered: tool calls (`hosted`).
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import anyio
import httpx2
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from autoforge.gym.failures import Blame, EpisodeFailure
from autoforge.gym.servers.server import ToolResult
from autoforge.gym.servers.turnstile import Turnstile
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.state import State, state_of_bytes

__all__ = ["Begun", "Control", "Episode", "Seen", "version_after"]

_ATTEMPTS = 4
_FIRST_WAIT = 0.2
"""Most seconds before the second attempt; twice as many before each later one."""
_LONGEST_WAIT = 5.0
_SECONDS = 20.0
"""For one attempt."""
_LATER = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""
_MARK_AT = slice(60, 64)
"""Where a SQLite file has its `user_version`."""
_META = "autoforge/state"
"""Where a result says what state the call was made on."""
_WITH_STATE = {"prefer": "return=representation"}
"""RFC 7240."""


class Episode(NamedTuple):
    """An episode on a server."""

    url: str
    """Without `/mcp`."""
    name: str
    mark: int


class Seen(NamedTuple):
    """A state as it was read."""

    state: State
    version: str
    """Another one after each write; empty from a server that does not tell it."""


class Begun(NamedTuple):
    """An episode that was put."""

    episode: Episode
    seen: Seen | None
    """None from a server that does not answer with it."""


def version_after(result: ToolResult, episode: Episode, *, tells: bool) -> str:
    """The version of the state that the call was made on, as of then; empty where it is not known. `tells` says whether
    the server tells it with each result. Raises EpisodeFailure where the call was made on another state."""
    if result.meta is None:
        return ""  # a protocol error, which has no room for it
    said = result.meta.get(_META)
    if not tells and said is None:
        return ""
    mark, version = (said.get("mark"), said.get("version")) if isinstance(said, Mapping) else (None, None)
    if mark != episode.mark or not isinstance(version, str):
        raise lost(episode)
    return version


class Control:
    """The control routes of the servers that know one token."""

    def __init__(self, http: httpx2.AsyncClient, token: str) -> None:
        self._http = http
        self._headers = {"authorization": f"Bearer {token}"}
        self._stiles: dict[str, Turnstile] = {}

    def stile(self, url: str) -> Turnstile:
        """What every request to an address, a tool call too, passes."""
        return self._stiles.setdefault(url, Turnstile())

    async def check(self, url: str) -> None:
        """Raises BadInput where the route of a server is off or does not know the token."""
        try:
            answer = await self._sent("GET", url, "autoforge-check")
        except EpisodeFailure as error:
            raise BadInput(f"{url} cannot be reached: {error}.") from None
        if answer.status_code == 401:
            raise BadInput(f"{url} does not know the control token; give the one that it was started with.")
        if answer.status_code not in (200, 404) or _words(answer) == "":
            words = "start server.py with --http and --control-token-env"
            raise BadInput(f"{url} has no control route (HTTP {answer.status_code}); {words}.")

    async def put(self, url: str, name: str, initial: Sequence[str]) -> Begun:
        """Begin an episode from the seed and the statements. Raises EpisodeFailure."""
        marks: list[int] = []

        def body() -> dict[str, Any]:
            marks.append(secrets.randbelow(2**31 - 1) + 1)
            return {"initial": [*initial, f"PRAGMA user_version = {marks[-1]}"]}

        answer = await self._sent("PUT", url, name, body)
        if answer.status_code not in (200, 204):
            blame: Blame = "environment" if answer.status_code in (400, 413) else "infrastructure"
            raise _failure(blame, f"the state could not be made at {url}", answer)
        episode = Episode(url, name, marks[-1])
        return Begun(episode, _seen(episode, answer) if answer.status_code == 200 else None)

    async def state(self, episode: Episode) -> Seen:
        """The state now. Raises EpisodeFailure, also where it is not that of this episode."""
        answer = await self._sent("GET", episode.url, episode.name)
        if answer.status_code != 200:
            raise _failure("infrastructure", f"the state could not be read at {episode.url}", answer)
        return _seen(episode, answer)

    async def delete(self, episode: Episode) -> None:
        """Forget an episode. Raises EpisodeFailure."""
        answer = await self._sent("DELETE", episode.url, episode.name)
        if answer.status_code != 204:
            raise _failure("infrastructure", f"the episode could not be deleted at {episode.url}", answer)

    async def _sent(
        self, method: str, url: str, name: str, body: Callable[[], Mapping[str, Any]] | None = None
    ) -> httpx2.Response:
        """The answer, after some attempts if need be, each with a body of its own. Raises EpisodeFailure where there is
        none."""
        attempts = AsyncRetrying(
            sleep=anyio.sleep,
            stop=stop_after_attempt(_ATTEMPTS),
            wait=wait_random_exponential(_FIRST_WAIT, max=_LONGEST_WAIT),
            retry=retry_if_exception_type((httpx2.TransportError, TimeoutError, _Later)),
            reraise=True,
        )
        try:
            return await attempts(self._once, method, url, name, body)
        except _Later as later:
            return later.answer
        except (httpx2.HTTPError, TimeoutError) as error:
            words = f"{method} {url}/episodes/{name} had no answer: {type(error).__name__} {error}".rstrip()
            raise EpisodeFailure("infrastructure", "state", words) from None

    async def _once(
        self, method: str, url: str, name: str, body: Callable[[], Mapping[str, Any]] | None
    ) -> httpx2.Response:
        json = body() if body is not None else None
        headers = self._headers if json is None else {**self._headers, **_WITH_STATE}
        async with self.stile(url).passed():
            with anyio.fail_after(_SECONDS):
                answer = await self._http.request(method, f"{url}/episodes/{name}", headers=headers, json=json)
        if answer.status_code in _LATER:
            raise _Later(answer)
        return answer


class _Later(Exception):
    """An answer after which the request is made again."""

    def __init__(self, answer: httpx2.Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer


def lost(episode: Episode) -> EpisodeFailure:
    """What is wrong where a state is not the episode's."""
    words = f"{episode.url} has lost the state of the episode: it was started anew, or the request went"
    return EpisodeFailure("infrastructure", "state", f"{words} to another server")


def _seen(episode: Episode, answer: httpx2.Response) -> Seen:
    if int.from_bytes(answer.content[_MARK_AT], "big") != episode.mark:
        raise lost(episode)
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            state = state_of_bytes(answer.content, connection)
    except BadInput as error:
        raise EpisodeFailure("infrastructure", "state", str(error)) from None
    return Seen(state, answer.headers.get("etag", "").strip('"'))


def _failure(blame: Blame, what: str, answer: httpx2.Response) -> EpisodeFailure:
    words = _words(answer) or f"HTTP {answer.status_code}"
    return EpisodeFailure(blame, "state", f"{what}: {words}")


def _words(answer: httpx2.Response) -> str:
    """What a control route says of an error; empty where it is none that speaks, `state` where it gave one."""
    if answer.status_code == 200:
        return "state"
    try:
        return str(answer.json()["error"])
    except (ValueError, KeyError, TypeError):
        return ""
