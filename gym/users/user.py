"""The simulated user of an episode: it speaks first, and it alone ends the conversation.

Invariant: a user sees the agent's messages and its own tools, never reasoning or tool traffic of the agent; it is
stepped by number, and the same number gives the same turn without a second step. Not covered: what a user says
(`scripted`, `llm`, `human`), whether that was right (`judge`).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import anyio

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Usage
from autoforge.gym.servers.server import ToolDocument, ToolResult
from autoforge.mcp_envs.task import Task

__all__ = [
    "MARKERS", "Ending", "Numbered", "Speaker", "User", "UserBriefing", "UserCall", "UserCaller", "UserTurn",
    "ending_of", "without_markers",
]  # fmt: skip

Ending: TypeAlias = Literal["stop", "transfer", "out_of_scope"]
MARKERS: Mapping[str, Ending] = {
    "###STOP###": "stop",
    "###TRANSFER###": "transfer",
    "###OUT-OF-SCOPE###": "out_of_scope",
}
_MARKER = re.compile("|".join(map(re.escape, MARKERS)))
UserCaller: TypeAlias = Callable[[str, Mapping[str, Any]], Awaitable[ToolResult]]


class UserCall(NamedTuple):
    """A call that the user made with a tool of its own."""

    tool: str
    arguments: Mapping[str, Any]
    result: ToolResult


class UserTurn(NamedTuple):
    """One message of the user."""

    text: str
    """As the agent sees it, without markers."""
    ending: Ending | None = None
    calls: tuple[UserCall, ...] = ()
    """Made before the message."""
    usage: Usage | None = None
    """Tokens of a model, over all its calls for this turn."""


class UserBriefing(NamedTuple):
    """All that a user is told at the start."""

    task: Task
    tools: Sequence[ToolDocument] = ()
    """Its own."""
    call: UserCaller | None = None
    """How it calls them; None where there are none."""
    seed: int = 0


class Speaker(Protocol):
    """A user in one episode."""

    async def speak(self, heard: str | None) -> UserTurn:
        """The next message, after what the agent said; None asks for the first. Raises EpisodeFailure."""
        ...


class User(Protocol):
    """A kind of user."""

    @property
    def name(self) -> str: ...

    def begin(self, briefing: UserBriefing) -> Speaker:
        """The user of one episode."""
        ...


class Numbered:
    """A speaker that is stepped once for each number (verifiers#2062: a retry must not advance the user twice). A step
    that was not taken to its end is not taken again: what it said and called cannot be undone."""

    def __init__(self, speaker: Speaker, *, deadline: float) -> None:
        """`deadline` in seconds for one turn."""
        self._speaker = speaker
        self._deadline = deadline
        self._turns: list[UserTurn] = []
        self._heard: list[str | None] = []
        self._torn = False
        self._lock = anyio.Lock()

    async def turn(self, number: int, heard: str | None) -> UserTurn:
        """The turn of a number, from 0. Raises EpisodeFailure, and ValueError for a number out of turn or after a turn
        that failed."""
        async with self._lock:
            if number < len(self._turns):
                if self._heard[number] != heard:
                    raise ValueError(f"turn {number} of the user was asked for after another message")
                return self._turns[number]
            if number > len(self._turns):
                raise ValueError(f"turn {number} of the user was asked for before turn {len(self._turns)}")
            if self._torn:
                raise ValueError(f"turn {number} of the user was begun before and has no end")
            self._torn = True
            turn = await self._spoken(heard)
            self._torn = False
            self._turns.append(turn)
            self._heard.append(heard)
            return turn

    async def _spoken(self, heard: str | None) -> UserTurn:
        try:
            with anyio.fail_after(self._deadline):
                return await self._speaker.speak(heard)
        except TimeoutError:
            words = f"the user did not answer within {self._deadline:g} s"
            raise EpisodeFailure("user", "user", words) from None


def ending_of(text: str) -> Ending | None:
    """How a user's message ends the conversation: by the first marker in it."""
    found = _MARKER.search(text)
    return MARKERS[found[0]] if found else None


def without_markers(text: str) -> str:
    return _MARKER.sub("", text).strip()
