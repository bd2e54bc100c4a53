"""Groups of episodes, many in flight at a time over all groups and steps.

Invariant: no more episodes are in flight than are allowed; a group is given when each of its episodes has ended, and
holds those that came to something; what ends one group's episodes does not end another's. Not covered: which groups
are played (`draws`), one episode (`episodes`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeAlias

import anyio

from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.task import Task
from autoforge.trainer.rollouts.draws import Draw

__all__ = ["Collector", "Group", "PlayEpisode"]

PlayEpisode: TypeAlias = Callable[[str, Task, int], Awaitable[Trajectory | None]]
"""Of an environment, a task and the number of a trial."""


class Group(NamedTuple):
    """The rollouts of one task."""

    draw: Draw
    rollouts: tuple[Trajectory, ...]

    @property
    def scored(self) -> tuple[Trajectory, ...]:
        """Those that count: neither masked nor without a reward."""
        return tuple(t for t in self.rollouts if t.reward is not None and not t.masked)

    @property
    def contrasts(self) -> bool:
        """Whether two of those that count differ in reward: else there is nothing to learn from them."""
        return len({t.reward for t in self.scored}) > 1


class Collector:
    """What plays groups."""

    def __init__(self, play: PlayEpisode, *, rollouts: int, in_flight: int) -> None:
        """`rollouts` of each task, `in_flight` episodes at a time."""
        self._play = play
        self._rollouts = rollouts
        self._slots = anyio.Semaphore(in_flight)

    async def groups(self, draws: Sequence[Draw], tell: Callable[[Group], None] = lambda group: None) -> list[Group]:
        """A group for each draw, in their order; `tell` hears of each as it is complete. Raises what `play` raises."""
        found: list[Group | None] = [None] * len(draws)

        async def complete(place: int) -> None:
            group = found[place] = await self._group(draws[place])
            tell(group)

        async with anyio.create_task_group() as tasks:
            for place in range(len(draws)):
                tasks.start_soon(complete, place)
        return [group for group in found if group is not None]

    async def _group(self, draw: Draw) -> Group:
        rollouts: list[Trajectory | None] = [None] * self._rollouts

        async def episode(place: int) -> None:
            async with self._slots:
                trial = draw.number * self._rollouts + place
                rollouts[place] = await self._play(draw.environment, draw.task, trial)

        async with anyio.create_task_group() as tasks:
            for place in range(self._rollouts):
                tasks.start_soon(episode, place)
        return Group(draw, tuple(trajectory for trajectory in rollouts if trajectory is not None))
