"""One episode of the policy: played, judged, and a line of the run's file.

Invariant: what was finished is never played again, also after a kill; an episode that fails by the fault of the
infrastructure, of the environment or of a judge, or that takes too long, is played anew with other dice and then given
up, which is counted and never a reward. Not covered: groups (`collector`), who judges (`gym.judge`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import anyio

from autoforge.gym.agents.agent import Agent
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode, trajectory_id
from autoforge.gym.judge.masking import Rule
from autoforge.gym.runs.judging import Judge, judged_by
from autoforge.gym.runs.reading import latest
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.gym.servers.server import ToolServer
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.user import User
from autoforge.mcp_envs.task import Task
from autoforge.trainer.rollouts.losses import Losses

__all__ = ["EpisodeSettings", "Episodes", "Place"]


class Place(NamedTuple):
    """Where episodes are played."""

    server: ToolServer
    user: User


class EpisodeSettings(NamedTuple):
    """How they are played."""

    seed: int = 0
    seconds: float = 1800.0
    """For one episode, waiting for the sampler included."""
    attempts: int = 3
    """How often it is tried."""
    limits: EpisodeLimits = EpisodeLimits()
    progress: bool = False
    """Whether turns say how far the gold changes are reached, for turn-level credit."""
    mask: Rule = "touching"
    """Which errors of the user mask an episode."""


class Episodes:
    """The episodes of a run."""

    def __init__(
        self,
        places: Mapping[str, Place],
        agent: Agent,
        file: TrajectoryFile,
        settings: EpisodeSettings,
        judge: Judge | None = None,
    ) -> None:
        """`places` by environment."""
        self._places = places
        self._agent = agent
        self._file = file
        self._settings = settings
        self._judge = judge
        self._known: dict[str, Trajectory] = {}
        self.given_up: Counter[str] = Counter()
        """Episodes that came to nothing, by who is to blame; `late` for those that took too long."""
        self.last = ""
        """Why the last such attempt failed."""
        self._losses = Losses(file.path.with_name(f"{file.path.name}.given-up"))
        self._lost: frozenset[str] = frozenset()

    def remember(self, first: int) -> int:
        """Take the finished episodes of the file, from a trial on, and those that were given up; how many were
        finished. For a run that is resumed."""
        found = (t for t in latest(self._file.path) if t.trial >= first and t.reward is not None)
        self._known = {trajectory.id: trajectory for trajectory in found}
        self._lost = self._losses.read()
        return len(self._known)

    async def play(self, environment: str, task: Task, trial: int) -> Trajectory | None:
        """The episode, from the file where it is there; None where it came to nothing. Raises BudgetExceeded, BadInput,
        and AutoForgeError where the file cannot be written."""
        place = self._places[environment]
        id = trajectory_id(place.server.name, task.id, self._agent.name, place.user.name, trial)
        if id in self._known:
            return self._known.pop(id)
        if id in self._lost:
            return None
        why = ""
        for again in range(self._settings.attempts):
            trajectory = await self._tried(place, Play(task, trial, self._settings.seed, again))
            if trajectory is not None and trajectory.reward is not None:
                await self._file.append(trajectory)
                return trajectory
            why = self._blame(trajectory)
        self.given_up[why] += 1
        self._losses.add(id)
        return None

    def _blame(self, trajectory: Trajectory | None) -> str:
        if trajectory is None:
            self.last = f"an episode took more than {self._settings.seconds:g} s"
            return "late"
        failure = trajectory.failure
        self.last = "nothing shows the state" if failure is None else f"{failure.where}: {failure.message}"
        return "no state" if failure is None else failure.blame

    async def _tried(self, place: Place, play: Play) -> Trajectory | None:
        settings = self._settings
        environment = Environment(place.server, place.user, limits=settings.limits, progress=settings.progress)
        with anyio.move_on_after(settings.seconds):
            trajectory = await play_episode(environment, self._agent, play)
            return await judged_by(self._judge, trajectory, play.task, settings.mask)
        return None
