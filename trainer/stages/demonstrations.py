"""Episodes to learn from before ERPO: the oracle's on the training tasks, or those of files.

Invariant: only episodes with the wanted reward, and none that an error of the user masks; the same settings give the
same episodes. Not covered: how they become rows (`tokens.supervised`).
"""

from __future__ import annotations

import anyio

from autoforge.gym.agents.baseline import BaselineAgent
from autoforge.gym.baselines import Oracle
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.runs.judging import judged_by
from autoforge.gym.runs.reading import latest
from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task
from autoforge.trainer.settings.learning import ColdStartSettings
from autoforge.trainer.stages.world import World

__all__ = ["demonstrations"]

_AT_ONCE = 32


async def demonstrations(
    settings: ColdStartSettings, world: World, limits: EpisodeLimits, seed: int
) -> list[Trajectory]:  # fmt: skip
    """Raises BadInput where there is none."""
    if settings.source == "gold":
        found = await _gold(world, limits, seed)
    else:
        found = [trajectory for path in settings.files for trajectory in latest(path)]
    good = [t for t in found if t.reward is not None and t.reward >= settings.reward and not t.masked]
    if not good:
        words = f"none of {len(found)} episodes has a reward of {settings.reward:g} without a masking error of the user"
        raise BadInput(f"{words}; lower cold_start.reward, or name other files under cold_start.files.")
    return good


async def _gold(world: World, limits: EpisodeLimits, seed: int) -> list[Trajectory]:
    """Played and judged."""
    found: dict[tuple[str, str], Trajectory] = {}
    slots = anyio.Semaphore(_AT_ONCE)

    async def play(name: str, task: Task) -> None:
        async with slots:
            place = world.places[name]
            environment = Environment(place.server, place.user, limits=limits)
            played = await play_episode(environment, BaselineAgent(Oracle()), Play(task, seed=seed))
            found[name, task.id] = await judged_by(world.judge, played, task)

    async with anyio.create_task_group() as group:
        for name, own in world.training.items():
            for task in own:
                group.start_soon(play, name, task)
    return [found[key] for key in sorted(found)]
