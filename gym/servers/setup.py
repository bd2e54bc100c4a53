"""The calls of a task that come before its episode.

Invariant: an episode begins after all of them, or not at all. Not covered: initial statements, which are each server's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.servers.server import ToolResult
from autoforge.mcp_envs.task import Task

__all__ = ["make_setup_calls"]


class _Callable(Protocol):
    async def call(self, name: str, arguments: Mapping[str, Any], call_id: str) -> ToolResult: ...


async def make_setup_calls(session: _Callable, task: Task | None) -> None:
    """Make them. Raises EpisodeFailure, also for one that is refused."""
    for number, made in enumerate(task.setup if task is not None else ()):
        result = await session.call(made.tool, made.arguments, f"setup-{number}")
        if result.is_error:
            words = f"the set-up call of {made.tool} was refused: {result.text}"
            raise EpisodeFailure("environment", "server", words)
