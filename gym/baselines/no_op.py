"""The agent that does nothing, kindly.

Invariant: no call. Not covered: everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autoforge.gym.baselines.baseline import Playing, ToolDocument
from autoforge.mcp_envs.task import Task

__all__ = ["NoOp"]


@dataclass(frozen=True)
class NoOp:
    name: str = "no-op"

    def play(self, task: Task, tools: Sequence[ToolDocument]) -> Playing:
        yield from ()
        return ["Thank you for your message, I have taken care of it."]
