"""A person at the terminal as the agent.

Invariant: a line is one turn, or asks for help and is none; what tools and users say cannot command the terminal. Not
covered: a deadline for the person.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import anyio.to_thread
import click

from autoforge.gym.agents.agent import Briefing, Player
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.llm import Message, ToolCall
from autoforge.gym.llm.json_text import load_json
from autoforge.gym.servers.server import ToolDocument
from autoforge.gym.terminal_text import printable, signature
from autoforge.gym.turns import Action, Observation

__all__ = ["HumanAgent"]

_HELP = "Write to the user, or: /call NAME {json}, /tools, /quit."


class HumanAgent:
    """A person who plays the agent."""

    name = "human"

    def __init__(self, read: Callable[[str], str] = input, write: Callable[[str], object] = click.echo) -> None:
        """`read` gives a line for a prompt and raises EOFError where there are no more; `write` shows one."""
        self._read = read
        self._write = write

    def begin(self, briefing: Briefing) -> Player:
        player = _HumanPlayer(briefing.tools, self._read, self._write)
        player.welcome(briefing.instructions)
        return player


class _HumanPlayer:
    def __init__(
        self, tools: Sequence[ToolDocument], read: Callable[[str], str], write: Callable[[str], object]
    ) -> None:
        self._tools = {str(tool["name"]): tool for tool in tools}
        self._read = read
        self._write = write
        self._calls = 0

    def welcome(self, instructions: str) -> None:
        """Show the rules, the tools and the commands."""
        for text in (instructions.strip(), *self._listed(), _HELP):
            if text:
                self._show(text)

    async def act(self, observation: Observation) -> Action:
        """The next turn. Raises EpisodeFailure where the person leaves."""
        for message in observation:
            self._show(_heard(message))
        while True:
            action = self._action((await self._line()).strip())
            if action is not None:
                return action

    async def _line(self) -> str:
        try:
            return await anyio.to_thread.run_sync(partial(self._read, "agent> "), abandon_on_cancel=True)
        except (EOFError, KeyboardInterrupt):
            return "/quit"

    def _action(self, line: str) -> Action | None:
        """The turn that a line is; None where it only asks for something."""
        if not line.startswith("/"):
            return Action(text=line) if line else None
        command, _, rest = line.partition(" ")
        if command == "/quit":
            raise EpisodeFailure("infrastructure", "agent", "the person at the terminal left the episode")
        if command == "/call":
            return self._call(rest.strip())
        for text in self._listed() if command == "/tools" else (_HELP,):
            self._show(text)
        return None

    def _call(self, rest: str) -> Action | None:
        name, _, written = rest.partition(" ")
        if name not in self._tools:
            self._show(f"There is no tool {name!r}; /tools lists them.")
            return None
        try:
            arguments = load_json(written.strip() or "{}")
        except ValueError as error:
            arguments = None
            self._show(f"The arguments are no JSON: {error}.")
        if not isinstance(arguments, dict):
            self._show(f'Write them as an object: /call {name} {{"name": "value"}}')
            return None
        self._calls += 1
        return Action(calls=(ToolCall(id=f"call_{self._calls}", name=name, arguments=arguments),))

    def _listed(self) -> list[str]:
        return [signature(tool) for tool in self._tools.values()]

    def _show(self, text: str) -> None:
        self._write(printable(text))


def _heard(message: Message) -> str:
    speaker = "user" if message.role == "user" else "error" if message.is_error else "result"
    return f"{speaker}> {message.content}"
