"""A person at the terminal as the user.

Invariant: a line is one message, or a command and none; what agents and tools say cannot command the terminal. Not
covered: a deadline for the person other than the episode's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio.to_thread
import click

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm.json_text import load_json
from autoforge.gym.terminal_text import printable, signature
from autoforge.gym.users.user import Ending, Speaker, UserBriefing, UserCall, UserTurn, ending_of, without_markers

__all__ = ["HumanUser"]

_HELP = "Write to the agent, or: /tool NAME {json}, /stop, /transfer, /out-of-scope, /help."
_ENDINGS: Mapping[str, Ending] = {"/stop": "stop", "/transfer": "transfer", "/out-of-scope": "out_of_scope"}


@dataclass(frozen=True)
class HumanUser:
    """A person who plays the user."""

    name: str = "human"
    read: Callable[[str], str] = input
    """Gives a line for a prompt and raises EOFError where there are no more; called in a thread."""
    write: Callable[[str], object] = click.echo
    """Shows a text."""

    def begin(self, briefing: UserBriefing) -> Speaker:
        """The user of one episode, who is shown what it is about."""
        speaker = _HumanSpeaker(self, briefing)
        speaker.welcome()
        return speaker


class _HumanSpeaker:
    def __init__(self, user: HumanUser, briefing: UserBriefing) -> None:
        self._user = user
        self._briefing = briefing
        self._tools = {str(tool["name"]): tool for tool in briefing.tools}
        self._made: list[UserCall] = []

    def welcome(self) -> None:
        for text in _about(self._briefing):
            self._show(text)

    async def speak(self, heard: str | None) -> UserTurn:
        """The next message. Raises EpisodeFailure where the person leaves."""
        if heard is not None:
            self._show(f"agent> {heard}")
        self._made = []
        while True:
            turn = await self._turn((await self._line()).strip())
            if turn is not None:
                return turn._replace(calls=tuple(self._made))

    async def _line(self) -> str:
        try:
            return await anyio.to_thread.run_sync(partial(self._user.read, "user> "), abandon_on_cancel=True)
        except (EOFError, KeyboardInterrupt):
            raise EpisodeFailure("user", "user", "the person at the terminal left the episode") from None

    async def _turn(self, line: str) -> UserTurn | None:
        """The turn that a line is; None where there is more to come."""
        if not line.startswith("/"):
            return UserTurn(without_markers(line), ending_of(line)) if line else None
        command, _, rest = line.partition(" ")
        if command in _ENDINGS:
            return UserTurn(rest.strip(), _ENDINGS[command])
        if command == "/tool":
            await self._call(rest.strip())
        else:
            self._show(_HELP)
        return None

    async def _call(self, rest: str) -> None:
        name, _, written = rest.partition(" ")
        arguments = self._arguments(name, written)
        if arguments is not None and self._briefing.call is not None:
            result = await self._briefing.call(name, arguments)
            self._made.append(UserCall(name, arguments, result))
            self._show(f"{'error' if result.is_error else 'result'}> {result.text}")

    def _arguments(self, name: str, written: str) -> dict[str, Any] | None:
        """The arguments of a call; None, and a word on it, where they are none."""
        if name not in self._tools:
            self._show(f"There is no tool {name!r} on your side; there is {', '.join(self._tools) or 'none'}.")
            return None
        try:
            arguments = load_json(written.strip() or "{}")
        except ValueError as error:
            self._show(f"The arguments are no JSON: {error}.")
            return None
        if not isinstance(arguments, dict):
            self._show(f'Write them as an object: /tool {name} {{"name": "value"}}')
            return None
        return arguments

    def _show(self, text: str) -> None:
        self._user.write(printable(text))


def _about(briefing: UserBriefing) -> Iterator[str]:
    """What the person has to know."""
    task = briefing.task
    yield from filter(None, (task.persona, f"What you want: {task.instruction}"))
    if task.known:
        yield "What you know:"
        yield from (f"  {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in task.known.items())
    if briefing.tools:
        yield "Your own tools:"
        yield from (f"  {signature(tool)}" for tool in briefing.tools)
    yield _HELP
