"""The oracle: makes the gold calls and tells the answers.

Invariant: a right task gives it 1, always. Not covered: finding out what gold is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autoforge.gym.baselines.baseline import Asked, Playing, ToolDocument
from autoforge.gym.reward import telling
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.task import Task

__all__ = ["Oracle"]


@dataclass(frozen=True)
class Oracle:
    name: str = "oracle"

    def play(self, task: Task, tools: Sequence[ToolDocument]) -> Playing:
        """Asks for the user's gold calls, too. Raises CheckFailed where a gold call is not ok."""
        for made in task.gold.calls:
            result = yield Asked(made.tool, dict(made.arguments), made.actor)
            if not result.ok:
                again = f"prove the tasks of {task.environment} again with autoforge-gen check"
                words = f"its gold call of {made.tool} was {result.kind}: {result.message.rstrip('.')}"
                raise CheckFailed(f"task {task.id}: {words}; {again}.")
        return [telling(answer) for answer in task.gold.answers] or ["That is done."]
