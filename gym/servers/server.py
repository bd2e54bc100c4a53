"""What the gym needs of an MCP server: sessions of one episode each, with tools, a state, and an end.

Invariant: a session keeps its state for the whole episode and shares it with no other; a call that is repeated under
its id is made once. Not covered: how a server is reached (`folder`, `command`, `url`), who calls (`environment`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Task

__all__ = ["Session", "ToolDocument", "ToolResult", "ToolServer", "side_of"]

ToolDocument: TypeAlias = Mapping[str, Any]
"""An MCP `Tool` object: name, description, inputSchema and so on, camelCase as on the wire."""


class ToolResult(NamedTuple):
    """What a call gave, as an agent sees it."""

    text: str
    is_error: bool = False
    """Whether the tool refused: the agent may mend the call."""
    value: Any = None
    """The structured result, where there is one."""
    meta: Mapping[str, Any] | None = None
    """What the server says of the result beside it (MCP's `_meta`), never for the agent; None where it answered with a
    protocol error, or nothing was sent."""


class Session(Protocol):
    """One episode's view of a server."""

    @property
    def tools(self) -> Sequence[ToolDocument]:
        """Of both sides; `side_of` tells them apart."""
        ...

    @property
    def instructions(self) -> str:
        """What the agent is told of the domain; empty where the server says nothing."""
        ...

    @property
    def manifest(self) -> Manifest | None:
        """How states are compared; None where nothing says what the state is."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        """Make a call. Raises EpisodeFailure where it is not the arguments' fault."""
        ...

    async def state(self) -> State | None:
        """The state as it is now; None where there is no way to see it. Raises EpisodeFailure."""
        ...

    async def close(self) -> None:
        """End the episode and let go of all it holds; once more does nothing."""
        ...


class ToolServer(Protocol):
    """A server that many episodes share, or that is started for each of them. An async context manager."""

    @property
    def name(self) -> str: ...

    @property
    def tasks(self) -> Sequence[Task]:
        """The tasks that come with it."""
        ...

    async def open(self, task: Task | None, episode: str) -> Session:
        """A session in the task's initial state, its set-up calls made; without a task, in the seed's. Raises
        EpisodeFailure."""
        ...


def side_of(tool: ToolDocument) -> str:
    """`agent`, or `user` for a tool that only the user may call."""
    side = (tool.get("_meta") or {}).get("autoforge/side")
    return "user" if side == "user" else "agent"
