"""Which episodes a run has: tasks of each environment, by split, id and number, times trials.

Invariant: an episode's id depends on its environment, task, agent, user and trial alone; two episodes never share one.
Not covered: playing them (`run`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from autoforge.gym.episode import trajectory_id
from autoforge.gym.runs.settings import digest_of_task
from autoforge.gym.servers.server import ToolServer
from autoforge.gym.users.user import User
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["Part", "RunServer", "Selection", "Split", "plan_parts", "task_digests"]

Split: TypeAlias = Literal["train", "validation", "test", "all"]


class RunServer(ToolServer, AbstractAsyncContextManager[Any], Protocol):
    """A server as `open_server` gives it: entered and left in one task."""


class Selection(NamedTuple):
    """Which tasks are wanted."""

    split: Split = "all"
    ids: tuple[str, ...] = ()
    """All of the split where there are none."""
    limit: int | None = None
    """The first so many of each environment."""


class Part(NamedTuple):
    """What is played on one server."""

    server: RunServer
    tasks: tuple[Task, ...]
    user: User | None = None
    """The user on this server, where it is not the run's own; of the same name."""

    @property
    def name(self) -> str:
        return self.server.name

    def ids(self, agent: str, user: str, trials: int) -> list[str]:
        """Of its episodes."""
        return [trajectory_id(self.name, t.id, agent, user, n) for n in range(trials) for t in self.tasks]


def plan_parts(servers: Sequence[RunServer], wanted: Selection) -> list[Part]:
    """The tasks of each server. Raises BadInput where a server has none, an id is nowhere, or two have one name."""
    names = [server.name for server in servers]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(
            f"two environments are named {twice!r}; give each once, and those of one name in runs of their own."
        )
    _known(servers, wanted.ids)
    parts = [Part(server, _selected(server, wanted)) for server in servers]
    return [part for part in parts if part.tasks]


def task_digests(parts: Iterable[Part]) -> dict[str, str]:
    """`environment/task` -> SHA-256 of its line."""
    return {f"{part.name}/{task.id}": digest_of_task(task) for part in parts for task in part.tasks}


def _known(servers: Sequence[RunServer], ids: Collection[str]) -> None:
    have = [task.id for server in servers for task in server.tasks]
    missing = next((id for id in ids if id not in have), None)
    if missing is not None:
        known = f"the first of {len(have)} is {have[0]!r}" if have else "there are no tasks at all"
        raise BadInput(f"--tasks {missing!r}: no environment has such a task; {known}.")


def _selected(server: RunServer, wanted: Selection) -> tuple[Task, ...]:
    if not server.tasks:
        raise BadInput(f"{server.name} has no tasks; make some with: autoforge-gen tasks {server.name} -n N.")
    found = [
        task
        for task in server.tasks
        if (wanted.split in ("all", task.split)) and (not wanted.ids or task.id in wanted.ids)
    ]
    if not found and not wanted.ids:
        have = ", ".join(sorted({task.split for task in server.tasks}))
        raise BadInput(f"--split {wanted.split}: {server.name} has no such tasks; its tasks are in: {have}.")
    return tuple(found[: wanted.limit])
