"""Episodes to learn from before ERPO: a teacher's on the training tasks, or those of files.

Invariant: only episodes with the wanted reward, and none that an error of the user masks; the same settings give the
same episodes; a teacher, which knows its task, hears all of it before it acts, so that nobody learns to act on wishes
that were not said. Not covered: how they become rows (`tokens.supervised`).
"""

from __future__ import annotations

from dataclasses import replace

import anyio

from autoforge.gym.agents.baseline import BaselineAgent
from autoforge.gym.baselines import Baseline, Hasty, Oracle
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.llm import ReasoningBlock
from autoforge.gym.runs.judging import judged_by
from autoforge.gym.runs.reading import latest
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import User
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task
from autoforge.trainer.settings.learning import ColdStartSettings
from autoforge.trainer.stages.world import World

__all__ = ["demonstrations", "thinking"]

_AT_ONCE = 32
_TEACHERS: dict[str, Baseline] = {"gold": Oracle(), "hasty": Hasty()}


async def demonstrations(
    settings: ColdStartSettings, world: World, limits: EpisodeLimits, seed: int
) -> list[Trajectory]:  # fmt: skip
    """Raises BadInput where there is none."""
    if settings.source in _TEACHERS:
        found = await _taught(_TEACHERS[settings.source], world, limits, seed)
        found = [thinking(trajectory) for trajectory in found] if settings.thoughts else found
    else:
        found = [trajectory for path in settings.files for trajectory in latest(path)]
    good = [t for t in found if t.reward is not None and t.reward >= settings.reward and not t.masked]
    if not good:
        words = f"none of {len(found)} episodes has a reward of {settings.reward:g} without a masking error of the user"
        raise BadInput(f"{words}; lower cold_start.reward, or name other files under cold_start.files.")
    return good


async def _taught(teacher: Baseline, world: World, limits: EpisodeLimits, seed: int) -> list[Trajectory]:
    """An episode of each task, played and judged."""
    found: dict[tuple[str, str], Trajectory] = {}
    slots = anyio.Semaphore(_AT_ONCE)

    async def play(name: str, task: Task) -> None:
        async with slots:
            place = world.places[name]
            environment = Environment(place.server, _at_once(place.user), limits=limits)
            played = await play_episode(environment, BaselineAgent(teacher), Play(task, seed=seed))
            found[name, task.id] = await judged_by(world.judge, played, task, world.mask)

    async with anyio.create_task_group() as group:
        for name, own in world.training.items():
            for task in own:
                group.start_soon(play, name, task)
    return [found[key] for key in sorted(found)]


def thinking(trajectory: Trajectory) -> Trajectory:
    """The same, where before each of its turns the agent thinks of the tools that it has called so far."""
    turns, called = [], list[str]()
    for turn in trajectory.turns:
        if turn.role == "assistant":
            note = f"so far {', '.join(called)}" if called else "nothing so far"
            thought = ReasoningBlock(provider="teacher", data={"inline": note})
            turns.append(turn.model_copy(update={"reasoning": (thought,)}))
            called += [call.name for call in turn.tool_calls]
        else:
            turns.append(turn)
    return trajectory.model_copy(update={"turns": tuple(turns)})


def _at_once(user: User) -> User:
    """A scripted user that says all its wishes in its first message."""
    return replace(user, reveal="all") if isinstance(user, ScriptedUser) else user
