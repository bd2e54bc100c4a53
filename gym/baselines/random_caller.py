"""The agent that calls tools by chance, with arguments that the schemas allow, and tells values by chance.

Invariant: chance comes from the task's id and the trial. Not covered: any plan.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from autoforge.gym.baselines.arguments import drawn
from autoforge.gym.baselines.baseline import Asked, Playing, ToolDocument, agent_tools
from autoforge.gym.baselines.values import SeenValues
from autoforge.mcp_envs.task import Task

__all__ = ["RandomCaller"]


@dataclass(frozen=True)
class RandomCaller:
    name: str = "random"
    more: int = 2
    """Calls that it may make beyond the number that gold makes."""
    told: int = 3
    """Values that it tells."""
    trial: int = 0
    """Another number throws other dice."""

    def play(self, task: Task, tools: Sequence[ToolDocument]) -> Playing:
        chance, seen, offered = (
            random.Random(f"random {self.trial} {task.id}"),
            SeenValues(task.known),
            agent_tools(tools),
        )
        for _ in range(chance.randint(1, len(task.gold.calls) + self.more)) if offered else ():
            tool = chance.choice(offered)
            arguments = drawn(tool, seen, chance)
            if arguments is not None:
                result = yield Asked(str(tool["name"]), arguments)
                seen.add(result.value if result.ok else None)
        values = chance.sample(seen.all, min(self.told, len(seen.all)))
        return [f"The {value.name.replace('_', ' ')} is {value.value}." for value in values] or ["I found nothing."]
