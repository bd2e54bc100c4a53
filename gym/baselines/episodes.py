"""Episodes of baselines: one contained worker, where every episode begins from its task's initial state.

Invariant: no episode sees another's. Not covered: users, MCP; a baseline calls the tools themselves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from autoforge.mcp_envs.containment import CallResult, SyncWorker
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.state import State, state_of_bytes
from autoforge.mcp_envs.task import Task

__all__ = ["Episodes", "TaskEpisode"]

_START, _EPISODE = "baseline-start", "baseline-episode"


@dataclass(frozen=True)
class TaskEpisode:
    """One task as its user begins to speak."""

    worker: SyncWorker
    initial: State

    def begin(self) -> None:
        """From the start again."""
        self.worker.fork(_START, _EPISODE)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> CallResult:
        return self.worker.call(_EPISODE, tool, arguments)

    def state(self) -> State:
        return _read(self.worker, _EPISODE)


class Episodes:
    """A worker for one environment. A context manager."""

    def __init__(self, folder: EnvironmentFolder, *, hash_seed: int = 0) -> None:
        """Start it. Raises BadInput, ContainmentError."""
        self.folder = folder
        self._worker = SyncWorker(folder.path, hash_seed=hash_seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worker.close()

    def of(self, task: Task) -> TaskEpisode:
        """The episode of a task; it ends where the next one is asked for. Raises CheckFailed where a call of the
        set-up is not ok.
        """
        self._worker.reset(_START, task.initial)
        for made in task.setup:
            result = self._worker.call(_START, made.tool, made.arguments)
            if not result.ok:
                again = f"prove the tasks of {task.environment} again with autoforge-gen check"
                words = f"the set-up call of {made.tool} was {result.kind}: {result.message.rstrip('.')}"
                raise CheckFailed(f"task {task.id}: {words}; {again}.")
        episode = TaskEpisode(self._worker, _read(self._worker, _START))
        episode.begin()
        return episode


def _read(worker: SyncWorker, episode: str) -> State:
    with closing(sqlite3.connect(":memory:")) as memory:
        return state_of_bytes(worker.state_path(episode).read_bytes(), memory)
