"""What the tests of users share: the committed tasks, fixed ones for dialogues, and conversations in a line.

`dialogue_tasks.jsonl` holds tasks as they once were made, without what only an agent needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from autoforge.gym.servers.server import ToolResult
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import User, UserBriefing, UserCaller, UserTurn
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.task import Task, read_tasks
from tests.gym.llm.conftest import clean_environment, connect, provider, sleeps

__all__ = ["clean_environment", "connect", "provider", "sleeps"]

ENVIRONMENTS = Path(__file__).parents[3] / "mcp_envs"
NAMES = ("hotel", "telecom", "biblioteca")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def all_tasks() -> list[Task]:
    """The tasks of every committed environment."""
    return [task for name in NAMES for task in read_tasks(ENVIRONMENTS / name)]


def task_of(id: str, **changes: Any) -> Task:
    """The fixed task of an id, with other wording perhaps."""
    lines = (Path(__file__).parent / "dialogue_tasks.jsonl").read_text(encoding="utf-8").splitlines()
    tasks = (Task.model_validate_json(line) for line in lines)
    return next(task for task in tasks if task.id == id).model_copy(update=changes)


def documents(name: str, side: str | None = None) -> list[Mapping[str, Any]]:
    """The tools of an environment, of one side perhaps."""
    found = find_environment(str(ENVIRONMENTS / name)).documents()
    return [d for d in found if side is None or ((d.get("_meta") or {}).get("autoforge/side") or "agent") == side]


class Phone:
    """The user's own tools, without a server: what was called, and the answers that are given."""

    def __init__(self, **answers: ToolResult) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._answers = answers

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        self.calls.append((name, dict(arguments)))
        return self._answers.get(name, ToolResult('{"ok":true}'))


async def talk(
    task: Task,
    *said: str,
    user: User | None = None,
    seed: int = 0,
    tools: Sequence[Mapping[str, Any]] = (),
    call: UserCaller | None = None,
) -> list[UserTurn]:
    """What a user says first, and after each message of the agent, until it ends the conversation."""
    speaker = (user or ScriptedUser()).begin(UserBriefing(task, tools, call, seed))
    turns = [await speaker.speak(None)]
    for message in said:
        if turns[-1].ending is not None:
            break
        turns.append(await speaker.speak(message))
    return turns
