"""What a step learns from: groups that contrast, and all groups that were played for it.

A group that is all right or all wrong is replaced within its environment by another task's (dynamic sampling, DAPO), at
most so many rounds; a step that finds too few is taken with what there is. Later steps' first groups may be played
while a step is learned from, so many steps ahead: that bounds how stale a rollout can be.

Invariant: the groups of a step depend on seed, step and rewards alone. Not covered: advantages (`erpo`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

import anyio
from anyio.abc import TaskGroup

from autoforge.mcp_envs.errors import AutoForgeError
from autoforge.trainer.rollouts.collector import Collector, Group
from autoforge.trainer.rollouts.draws import Draw, Draws

__all__ = ["Batch", "Batches"]


class Batch(NamedTuple):
    """The groups of one step."""

    step: int
    groups: tuple[Group, ...]
    """All that were played: the deviation of an environment is over these."""
    rounds: int
    """Refills that were made."""
    first: int = 0
    """Groups before the refills."""

    @property
    def contrasting(self) -> tuple[Group, ...]:
        """Those that there is something to learn from."""
        return tuple(group for group in self.groups if group.contrasts)


class _Ahead:
    """A step whose first groups are being played."""

    def __init__(self, step: int) -> None:
        self.step = step
        self.groups: list[Group] = []
        self.done = anyio.Event()
        self.error: AutoForgeError | None = None


class Batches:
    """The batches of a run, in order. An async iterator inside a task group."""

    def __init__(
        self, draws: Draws, collector: Collector, *, first: int, last: int, refills: int = 3, ahead: int = 0
    ) -> None:
        """Steps from `first` up to but without `last`; `ahead` further ones are played at the same time."""
        self._draws = draws
        self._collector = collector
        self._next, self._last = first, last
        self._refills = refills
        self._ahead = ahead
        self._playing: deque[_Ahead] = deque()

    async def next(self, tasks: TaskGroup, tell: Callable[[Group], None] = lambda group: None) -> Batch:
        """The next step's; the first groups of those after it are begun in `tasks`. Raises what playing raises."""
        while len(self._playing) <= self._ahead and self._next < self._last:
            begun = _Ahead(self._next)
            self._next += 1
            self._playing.append(begun)
            tasks.start_soon(self._play, begun, tell)
        current = self._playing.popleft()
        await current.done.wait()
        if current.error is not None:
            raise current.error
        return await self._refilled(current.step, current.groups, tell)

    async def _play(self, ahead: _Ahead, tell: Callable[[Group], None]) -> None:
        try:
            ahead.groups = await self._collector.groups(self._draws.step(ahead.step), tell)
        except* AutoForgeError as group:
            ahead.error = _first(group)
        finally:
            ahead.done.set()

    async def _refilled(self, step: int, groups: Sequence[Group], tell: Callable[[Group], None]) -> Batch:
        complete = list(groups)
        wanted = Counter(group.draw.environment for group in groups)
        for rounds in range(self._refills):
            found = Counter(group.draw.environment for group in complete if group.contrasts)
            before = [group.draw for group in complete]
            more: list[Draw] = []
            for name, count in (wanted - found).items():
                more += self._draws.refill(step, name, count, [*before, *more])
            if not more:
                return Batch(step, tuple(complete), rounds, len(groups))
            complete += await self._collector.groups(more, tell)
        return Batch(step, tuple(complete), self._refills, len(groups))


def _first(group: BaseExceptionGroup[AutoForgeError]) -> AutoForgeError:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, AutoForgeError)
    return error
