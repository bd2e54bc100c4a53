"""Episodes to learn from before ERPO: the oracle's on the training tasks, or those of files.

Invariant: only episodes with the wanted reward, and none that an error of the user masks; the same settings give the
same episodes. Not covered: how they become rows (`tokens.supervised`).
"""

from __future__ import annotations

from collections.abc import Mapping

import anyio

from autoforge.gym.agents.baseline import BaselineAgent
from autoforge.gym.baselines import Oracle
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.runs.reading import latest
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task
from autoforge.trainer.rollouts.episodes import Place
from autoforge.trainer.settings.learning import ColdStartSettings

__all__ = ["demonstrations"]

_AT_ONCE = 32


async def demonstrations(
    settings: ColdStartSettings, places: Mapping[str, Place], tasks: Mapping[str, tuple[Task, ...]],
    limits: EpisodeLimits, seed: int,
) -> list[Trajectory]:  # fmt: skip
    """Raises BadInput where there is none."""
    if settings.source == "gold":
        found = await _gold(places, tasks, limits, seed)
    else:
        found = [trajectory for path in settings.files for trajectory in latest(path)]
    good = [t for t in found if t.reward is not None and t.reward >= settings.reward and not t.masked]
    if not good:
        words = f"none of {len(found)} episodes has a reward of {settings.reward:g} without a masking error of the user"
        raise BadInput(f"{words}; lower cold_start.reward, or name other files under cold_start.files.")
    return good


async def _gold(
    places: Mapping[str, Place], tasks: Mapping[str, tuple[Task, ...]], limits: EpisodeLimits, seed: int
) -> list[Trajectory]:
    found: dict[tuple[str, str], Trajectory] = {}
    slots = anyio.Semaphore(_AT_ONCE)

    async def play(name: str, task: Task) -> None:
        async with slots:
            environment = Environment(places[name].server, places[name].user, limits=limits)
            found[name, task.id] = await play_episode(environment, BaselineAgent(Oracle()), Play(task, seed=seed))

    async with anyio.create_task_group() as group:
        for name, own in tasks.items():
            for task in own:
                group.start_soon(play, name, task)
    return [found[key] for key in sorted(found)]
