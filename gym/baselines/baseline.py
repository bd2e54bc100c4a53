"""What a baseline is: it plays one task by asking for calls, one after the other, and says something to the user.

Invariant: tools of the user's side are hidden from all but the oracle, which asks for the user's calls, too. Not
covered: turns of a conversation (`agents.baseline`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.task import Actor, Task

__all__ = ["Asked", "Baseline", "Caller", "Playing", "ToolDocument", "agent_tools", "played"]

ToolDocument: TypeAlias = Mapping[str, Any]
"""An MCP `Tool` object as in `docs.json`."""
Caller: TypeAlias = Callable[[str, dict[str, Any]], CallResult]
"""(tool, arguments) -> what became of the call."""


class Asked(NamedTuple):
    """A call that a baseline wants made."""

    tool: str
    arguments: dict[str, Any]
    actor: Actor = "agent"
    """Whose call it is."""


Playing: TypeAlias = Generator[Asked, CallResult, list[str]]
"""Gives the calls one by one, is sent what became of each, and returns the messages told to the user."""


class Baseline(Protocol):
    """One way to play every task."""

    @property
    def name(self) -> str: ...

    def play(self, task: Task, tools: Sequence[ToolDocument]) -> Playing:
        """Play the task. `tools` are all of the environment's, or those that the agent is offered."""
        ...


def played(playing: Playing, call: Caller) -> list[str]:
    """The messages, with the calls of both sides made at once."""
    try:
        asked = next(playing)
        while True:
            asked = playing.send(call(asked.tool, asked.arguments))
    except StopIteration as end:
        messages: list[str] = end.value
        return messages


def agent_tools(tools: Sequence[ToolDocument]) -> list[ToolDocument]:
    """The tools that an agent is shown."""
    return [tool for tool in tools if (tool.get("_meta") or {}).get("autoforge/side") != "user"]
