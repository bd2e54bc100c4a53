"""Which task the next episode has: the first that the file does not have yet.

Invariant: two episodes never have the same task and trial; one that failed by no fault of the agent's is played again,
but not so often that it keeps the others from being played. Not covered: playing it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from autoforge.gym.record import Play
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["NextPlay"]

_TIMES = 3
"""How often an episode is begun that comes to nothing."""


class NextPlay:
    """Tasks in their order, then all of them again under the next number of trial."""

    def __init__(
        self, tasks: Sequence[Task], finished: Callable[[Task, int], bool], *, trial: int | None = None, seed: int = 0
    ) -> None:
        """`finished` says whether the file has an episode; with `trial`, only this number is played."""
        self._tasks = tasks
        self._finished = finished
        self._trial = trial
        self._seed = seed
        self._in_hand: set[tuple[str, int]] = set()
        self._begun: Counter[tuple[str, int]] = Counter()

    def take(self) -> Play:
        """The next episode, which is then in hand. Raises BadInput where none is left."""
        trial = self._trial or 0
        while True:
            task = next((task for task in self._tasks if self._is_left(task, trial)), None)
            if task is not None:
                self._in_hand.add((task.id, trial))
                self._begun[task.id, trial] += 1
                return Play(task, trial, self._seed)
            if self._trial is not None or not self._tasks:
                words = f"those of trial {trial} are in the file, being played, or have failed {_TIMES} times"
                raise BadInput(f"no episode is left: {words}; choose another --trial, or another file with -o.")
            trial += 1

    def _is_left(self, task: Task, trial: int) -> bool:
        key = task.id, trial
        return key not in self._in_hand and self._begun[key] < _TIMES and not self._finished(task, trial)

    def give_back(self, play: Play) -> None:
        """It is over, or did not begin: what the file has counts again."""
        self._in_hand.discard((play.task.id, play.trial))
