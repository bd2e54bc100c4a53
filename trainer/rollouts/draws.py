"""Which tasks a step plays: environments first, then some tasks of each, a function of seed and step alone.

Environments come in shuffled rounds and give their tasks in shuffled epochs; where a group shows no contrast, further
tasks of the same environment take its place (dynamic sampling, DAPO).

Invariant: the same seed and step give the same draws in every process, whatever was played before, so that a resumed
run skips none and plays none twice; within an epoch of an environment no task comes twice. Not covered: playing them
(`collector`), which groups show contrast (`batches`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["Draw", "Draws", "first_number"]

_MOST = 10_000
"""Draws of one step, refills included."""


def first_number(step: int) -> int:
    """The number of the first draw of a step."""
    return step * _MOST


class Draw(NamedTuple):
    """One task to play as a group."""

    number: int
    """Over the whole run; the numbers of a step follow those of the step before."""
    environment: str
    task: Task


class Draws:
    """The draws of a run."""

    def __init__(self, tasks: Mapping[str, Sequence[Task]], *, count: int, each: int, seed: int) -> None:
        """`tasks` by environment; `count` draws in a step, at least `each` of an environment: one task of each would
        make the environment's deviation that of a group. Raises BadInput where there are none."""
        if not tasks:
            raise BadInput("there is no environment to train in; name at least one under [environments].")
        empty = next((name for name, own in tasks.items() if not own), None)
        if empty is not None:
            raise BadInput(f"{empty} has no tasks to train on; make some with autoforge-gen tasks {empty} -n 64.")
        self._tasks = {name: tuple(tasks[name]) for name in sorted(tasks)}
        self._count = count
        self._each = min(each, count)
        self._seed = seed

    def step(self, step: int) -> list[Draw]:
        """The first draws of a step, from 0."""
        taken: Counter[str] = Counter()
        for earlier in range(step):
            taken.update(self._shares(earlier))
        drawn = [task for share in self._shares(step).items() for task in self._taken(taken, *share)]
        return [Draw(first_number(step) + place, *one) for place, one in enumerate(drawn)]

    def refill(self, step: int, environment: str, count: int, before: Collection[Draw]) -> list[Draw]:
        """So many further draws of an environment in a step, fewer where it has no other tasks; `before` are all draws
        of the step so far."""
        seen = {draw.task.id for draw in before if draw.environment == environment}
        own = self._tasks[environment]
        order = self._shuffled(len(own), f"{environment}/refill/{step}")
        fresh = [own[place] for place in order if own[place].id not in seen][:count]
        number = first_number(step) + len(before)
        return [Draw(number + place, environment, task) for place, task in enumerate(fresh)]

    def _shares(self, step: int) -> dict[str, int]:
        """How many tasks of which environments."""
        names, chosen = list(self._tasks), max(1, self._count // self._each)
        shares: Counter[str] = Counter()
        for place in range(chosen):
            around, position = divmod(step * chosen + place, len(names))
            name = names[self._shuffled(len(names), f"round/{around}")[position]]
            shares[name] += self._count // chosen + (place < self._count % chosen)
        return dict(shares)

    def _taken(self, taken: Mapping[str, int], name: str, count: int) -> list[tuple[str, Task]]:
        """The next tasks of an environment after those that earlier steps took."""
        own = self._tasks[name]
        found = []
        for number in range(taken[name], taken[name] + count):
            epoch, place = divmod(number, len(own))
            found.append((name, own[self._shuffled(len(own), f"{name}/epoch/{epoch}")[place]]))
        return found

    def _shuffled(self, count: int, what: str) -> list[int]:
        order = list(range(count))
        random.Random(f"{self._seed}/{what}").shuffle(order)
        return order
