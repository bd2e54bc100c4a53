"""What sessions are tried with: the gold calls of tasks, or calls that are drawn where there are no tasks.

Invariant: drawn arguments are valid against the tool's schema, and depend on the seed and the results alone; a tool
that does not say that it only reads is not called unless that was asked for. Not covered: making the calls.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from autoforge.gym.baselines.arguments import drawn
from autoforge.gym.baselines.values import SeenValues
from autoforge.gym.llm.json_text import load_json
from autoforge.gym.servers.server import ToolDocument, ToolResult
from autoforge.mcp_envs.task import Task

__all__ = ["Case", "Wanted", "callable_tools", "draw_calls", "gold_case"]

_ATTEMPTS = 20
"""Draws for one tool until its arguments are valid."""
Caller: TypeAlias = Callable[["Wanted"], Awaitable[ToolResult]]


class Wanted(NamedTuple):
    """A call that is to be made."""

    tool: str
    arguments: Mapping[str, Any]


class Case(NamedTuple):
    """What one session after the other is put through."""

    task: Task | None
    calls: tuple[Wanted, ...]

    @property
    def label(self) -> str:
        return self.task.id if self.task is not None else "drawn calls"


def gold_case(task: Task) -> Case:
    return Case(task, tuple(Wanted(call.tool, call.arguments) for call in task.gold.calls))


def callable_tools(tools: Sequence[ToolDocument], *, writes: bool) -> list[ToolDocument]:
    """Those that may be called."""
    return [t for t in tools if writes or (t.get("annotations") or {}).get("readOnlyHint") is True]


async def draw_calls(tools: Sequence[ToolDocument], count: int, seed: int, call: Caller) -> tuple[Wanted, ...]:
    """Up to `count` calls, one tool after the other, with values that earlier results showed."""
    chance, seen, made = random.Random(f"check {seed}"), SeenValues({}), list[Wanted]()
    for number in range(count if tools else 0):
        tool = tools[number % len(tools)]
        arguments = next((a for a in (drawn(tool, seen, chance) for _ in range(_ATTEMPTS)) if a is not None), None)
        if arguments is None:
            continue
        made.append(Wanted(str(tool["name"]), arguments))
        result = await call(made[-1])
        if not result.is_error:
            seen.add(_value(result))
    return tuple(made)


def _value(result: ToolResult) -> Any:
    if result.value is not None:
        return result.value
    try:
        return load_json(result.text)
    except ValueError:
        return result.text[:200]
