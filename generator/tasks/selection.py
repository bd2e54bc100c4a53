"""Which proved tasks are kept: no near-duplicates, the wanted mix of levels.

Invariant: what is kept depends on the tasks and their order only. Not covered: proving.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from autoforge.mcp_envs.task import Task

__all__ = ["Selection"]

_ALIKE = 0.85
"""Share of the words of two instructions from which on, of one signature, they are near-duplicates."""
_MOST_OF_A_KIND = 6
"""Tasks of one signature."""
_WORD = re.compile(r"[\w@.+-]+")


class Selection:
    """Tasks that are kept, and why others are not."""

    def __init__(self, count: int, mix: Mapping[str, float] | None = None, have: Iterable[Task] = ()) -> None:
        """`count` tasks are wanted; `mix` gives shares by level; `have` are tasks that are there already."""
        self._count = count
        self._quota = {level: math.ceil(count * share) for level, share in mix.items()} if mix else None
        self._levels: Counter[str] = Counter()
        self._of_kind: dict[str, list[frozenset[str]]] = {}
        self.tasks: list[Task] = []
        for task in have:
            self._of_kind.setdefault(task.signature, []).append(_words(task))

    @property
    def full(self) -> bool:
        return len(self.tasks) >= self._count

    def offer(self, task: Task) -> str:
        """Keep the task, or say why not."""
        if self._quota is not None and self._levels[task.difficulty.level] >= self._quota.get(task.difficulty.level, 0):
            return f"enough {task.difficulty.level} tasks"
        kin = self._of_kind.setdefault(task.signature, [])
        words = _words(task)
        if any(_share(words, other) >= _ALIKE for other in kin):
            return "near-duplicate"
        if len(kin) >= _MOST_OF_A_KIND:
            return "enough tasks of this blueprint"
        kin.append(words)
        self._levels[task.difficulty.level] += 1
        self.tasks.append(task)
        return ""


def _words(task: Task) -> frozenset[str]:
    return frozenset(_WORD.findall(task.instruction.lower()))


def _share(one: frozenset[str], two: frozenset[str]) -> float:
    return len(one & two) / max(1, len(one | two))
