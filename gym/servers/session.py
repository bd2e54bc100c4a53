"""One episode of a server that is not ours: its tools, its calls, and its probes in place of a state.

Invariant: only tools that the server lists are called; the state is read by the task's probes and by nothing else, and
again only after a call. Not covered: how the server was reached (`command`, `url`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.connection import Connection
from autoforge.gym.servers.probe import StateProbe
from autoforge.gym.servers.server import ToolDocument, ToolResult
from autoforge.gym.servers.setup import make_setup_calls
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Task

__all__ = ["ForeignSession"]


class ForeignSession:
    """An episode on one connection."""

    def __init__(self, connection: Connection, name: str, task: Task | None) -> None:
        """`name` is the server's."""
        self._connection = connection
        self._task = task
        self._probe = StateProbe(name, task.probe, task.gold.diff) if task is not None and task.probe else None
        self._state: State | None = None
        self._release = AsyncExitStack()
        self.instructions = connection.instructions
        self.tools: Sequence[ToolDocument] = ()
        self._names: frozenset[str] = frozenset()

    @property
    def manifest(self) -> Manifest | None:
        return self._probe.manifest if self._probe is not None else None

    async def begin(self, release: AsyncExitStack) -> None:
        """List the tools, make the set-up calls and read the initial state; from then on `close` releases what the
        stack holds. Raises EpisodeFailure."""
        if self._task is not None and self._task.initial:
            words = f"the task {self._task.id} has SQL statements, which are for environments of ours; use set-up calls"
            raise EpisodeFailure("environment", "state", words)
        self.tools = await self._connection.tools()
        self._names = frozenset(str(tool["name"]) for tool in self.tools)
        await make_setup_calls(self, self._task)
        await self.state()
        self._release = release.pop_all()

    async def call(self, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult:
        """Make a call; what is refused is an error that the agent may mend. Raises EpisodeFailure."""
        if name not in self._names:
            return ToolResult(f"Unknown tool: {name[:120]}", is_error=True)
        self._state = None
        return await self._connection.call(name, arguments)

    async def state(self) -> State | None:
        """What the probes show now; None without probes. Raises EpisodeFailure."""
        if self._probe is not None and self._state is None:
            self._state = await self._probe.read(self._probed)
        return self._state

    async def looked_again(self) -> State | None:
        """What the probes show when they are asked once more, though nothing was called. Raises EpisodeFailure."""
        self._state = None
        return await self.state()

    def misnamed(self) -> list[str]:
        """Columns whose kind is said and that nothing has shown, in a sentence each."""
        return self._probe.misnamed() if self._probe is not None else []

    async def close(self) -> None:
        """End the connection and let go of all that was made for the episode."""
        await self._release.aclose()

    async def _probed(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        if name not in self._names:
            raise EpisodeFailure("environment", "state", f"the probe {name} is no tool of this server")
        return await self._connection.call(name, arguments)
