"""The hasty clerk: makes the gold calls, but now and then says that all is done before the last one, and tells nothing.

Invariant: which tasks it spoils depends on its seed, the task and the trial alone. Not covered: any other fault. It is
a teacher that leaves something to learn from rewards: a policy that imitates it has every skill and a bad habit.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from autoforge.gym.baselines.baseline import Asked, Playing, ToolDocument
from autoforge.gym.baselines.oracle import Oracle
from autoforge.mcp_envs.task import Task

__all__ = ["Hasty"]


@dataclass(frozen=True)
class Hasty:
    haste: float = 0.5
    """Chance that the last call is left out."""
    seed: int = 0
    trial: int = 0
    name: str = "hasty"

    def play(self, task: Task, tools: Sequence[ToolDocument]) -> Playing:
        """As the oracle, and where it is in haste up to the last call. Raises CheckFailed as the oracle does."""
        playing = Oracle().play(task, tools)
        if random.Random(f"{self.seed}/{task.id}/{self.trial}").random() >= self.haste:
            return (yield from playing)
        return (yield from _cut(playing, len(task.gold.calls) - 1))


def _cut(playing: Playing, calls: int) -> Playing:
    """The first so many calls."""
    if calls < 1:
        return ["That is done."]
    asked: Asked = next(playing)
    for made in range(1, calls + 1):
        result = yield asked
        if made < calls:
            asked = playing.send(result)
    return ["That is done."]
