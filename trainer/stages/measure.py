"""The policy on tasks that it is not trained on: one episode each, with an interval.

Invariant: measurements of different steps have the same tasks; nothing of them is trained on. Not
covered: which tasks (`world`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import anyio

from autoforge.gym.runs.outcome import outcome_of
from autoforge.gym.runs.summary import Figures, figures_of, per_environment
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.task import Task
from autoforge.trainer.rollouts.collector import PlayEpisode

__all__ = ["measured", "measurement_values"]


async def measured(
    play: PlayEpisode, tasks: Mapping[str, Sequence[Task]], *, step: int, in_flight: int
) -> list[Trajectory]:
    """The episodes that came to something. `step` is their trial. Raises what `play` raises."""
    slots = anyio.Semaphore(in_flight)
    found: dict[tuple[str, str], Trajectory | None] = {}

    async def one(name: str, task: Task) -> None:
        async with slots:
            found[name, task.id] = await play(name, task, step)

    async with anyio.create_task_group() as group:
        for name, own in tasks.items():
            for task in own:
                group.start_soon(one, name, task)
    return [t for key in sorted(found) if (t := found[key]) is not None]


def measurement_values(episodes: Sequence[Trajectory]) -> dict[str, dict[str, float | None]]:
    """Reward with its 95 % interval, by environment."""
    outcomes = [outcome_of(trajectory) for trajectory in episodes]
    return {name: _values(figures) for name, figures in per_environment(outcomes).items()}


def reward_of(episodes: Sequence[Trajectory]) -> float | None:
    """Over all of them."""
    estimate = figures_of([outcome_of(trajectory) for trajectory in episodes]).pass_at_1
    return None if estimate is None else estimate.value


def _values(figures: Figures) -> dict[str, float | None]:
    estimate = figures.pass_at_1
    if estimate is None:
        return {"episodes": float(figures.episodes)}
    return {
        "reward": estimate.value,
        "reward_low": estimate.low,
        "reward_high": estimate.high,
        "episodes": float(figures.episodes),
    }
