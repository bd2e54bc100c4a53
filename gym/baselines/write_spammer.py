"""The agent that calls everything that may write, with every combination of values it has met, and tells all it saw.

It knows of writing what any agent knows: a tool without `annotations.readOnlyHint` may write. Invariant: no chance; at
most `most` calls. Not covered: combinations beyond the bounds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from autoforge.gym.baselines.arguments import combinations
from autoforge.gym.baselines.baseline import Asked, Playing, ToolDocument, agent_tools
from autoforge.gym.baselines.values import SeenValues
from autoforge.mcp_envs.task import Task

__all__ = ["WriteSpammer"]


@dataclass(frozen=True)
class WriteSpammer:
    name: str = "spam"
    most: int = 60
    """Calls in all."""
    looks: int = 2
    """Combinations for each tool that only reads."""

    def play(self, task: Task, tools: Sequence[ToolDocument]) -> Playing:
        seen, outputs = SeenValues(task.known), list[Any]()
        offered = agent_tools(tools)
        reading = [tool for tool in offered if (tool.get("annotations") or {}).get("readOnlyHint") is True]
        writing = [tool for tool in offered if tool not in reading]
        looks = min(self.looks, self.most // 2 // max(1, len(reading)))
        each = max(1, (self.most - looks * len(reading)) // max(1, len(writing)))
        left = max(self.most, looks * len(reading) + len(writing))
        for tool, number in [*((t, looks) for t in reading), *((t, each) for t in writing)]:
            for arguments in islice(combinations(tool, seen, number), min(number, left)):
                left -= 1
                result = yield Asked(str(tool["name"]), arguments)
                if result.ok:
                    outputs.append(result.value)
                    seen.add(result.value)
        return [json.dumps(outputs, ensure_ascii=False, default=str)]
