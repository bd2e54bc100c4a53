"""What a baseline is: it plays one task by calling tools and says something to the user.

Invariant: tools of the user's side are hidden from all but the oracle, which plays both parties. Not covered: turns
of a conversation; a baseline asks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.task import Task

__all__ = ["Baseline", "Caller", "ToolDocument", "agent_tools"]

ToolDocument: TypeAlias = Mapping[str, Any]
"""An MCP `Tool` object as in `docs.json`."""
Caller: TypeAlias = Callable[[str, dict[str, Any]], CallResult]
"""(tool, arguments) -> what became of the call."""


class Baseline(Protocol):
    """One way to play every task."""

    @property
    def name(self) -> str: ...

    def play(self, task: Task, tools: Sequence[ToolDocument], call: Caller) -> list[str]:
        """Play the task; the messages told to the user. `tools` are all of the environment's."""
        ...


def agent_tools(tools: Sequence[ToolDocument]) -> list[ToolDocument]:
    """The tools that an agent is shown."""
    return [tool for tool in tools if (tool.get("_meta") or {}).get("autoforge/side") != "user"]
