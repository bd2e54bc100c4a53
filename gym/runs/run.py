"""Plays many episodes: agent and user on environments, tasks and trials, so many at a time.

Invariant: an episode counts when its line is on disk; one that is there and finished is not played again; whatever ends
a run early leaves every finished line and no server, session or process behind. Servers are started when their turn
comes and end with their last episode. Not covered: one episode (`gym.episode`), figures (`summary`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple, TypeAlias

import anyio
from anyio.lowlevel import checkpoint_if_cancelled
from pydantic import BaseModel, ConfigDict, Field

from autoforge.gym.agents.agent import Agent
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode, trajectory_id
from autoforge.gym.failures import EpisodeFailure, Failure
from autoforge.gym.runs.judging import Judge, judged_by
from autoforge.gym.runs.outcome import Outcome
from autoforge.gym.runs.plan import Part
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.gym.servers.server import ToolServer
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.user import User
from autoforge.mcp_envs.errors import AutoForgeError, ContainmentError
from autoforge.mcp_envs.task import Task

__all__ = ["Cast", "RunOptions", "Tell", "run_episodes", "wanted_ids"]

_DEAD = 20
"""Episodes in a row that could not begin, each after its retries, after which a server counts as dead."""
Tell: TypeAlias = Callable[[Outcome], None]
"""Told of each episode when its line is on disk."""


class RunOptions(BaseModel):
    """How a run is done."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    trials: int = Field(default=1, ge=1)
    """Episodes of each task."""
    concurrency: int = Field(default=16, ge=1)
    """Episodes at a time."""
    retries: int = Field(default=2, ge=0)
    """How often an episode is played anew after a failure of the infrastructure."""
    seed: int = 0
    """Other dice for agents, users and intervals."""
    progress: bool = False
    """Whether turns say how far the gold changes are reached."""
    limits: EpisodeLimits = EpisodeLimits()


class Cast(NamedTuple):
    """Who takes part."""

    agent: Agent
    user: User
    judge: Judge | None = None
    cost: Callable[[Trajectory], float] = lambda trajectory: 0.0
    """What an episode cost, in US dollars."""


def wanted_ids(parts: Sequence[Part], cast: Cast, trials: int) -> list[str]:
    """The ids of all episodes of a run, in order."""
    return [id for part in parts for id in part.ids(cast.agent.name, cast.user.name, trials)]


async def run_episodes(
    parts: Sequence[Part], cast: Cast, file: TrajectoryFile, options: RunOptions, tell: Tell = lambda outcome: None
) -> None:
    """Play what the file does not have. Raises BadInput for settings that an agent or user cannot keep, BudgetExceeded
    at the cost limit, AutoForgeError where the file cannot be written."""
    run = _Run(cast, file, options, tell)
    async with anyio.create_task_group() as group:
        run.scope = group.cancel_scope
        for part in parts:
            handed_out = anyio.Event()
            group.start_soon(run.play_part, part, handed_out)
            await handed_out.wait()
    if run.error is not None:
        raise run.error


class _Job(NamedTuple):
    task: Task
    trial: int


class _Run:
    def __init__(self, cast: Cast, file: TrajectoryFile, options: RunOptions, tell: Tell) -> None:
        self._cast = cast
        self._file = file
        self._options = options
        self._tell = tell
        self._slots = anyio.Semaphore(options.concurrency)
        self._unbegun: Counter[str] = Counter()
        self.scope: anyio.CancelScope
        self.error: AutoForgeError | None = None
        """What ended the run; raised outside its tasks, so that it does not arrive inside an ExceptionGroup."""

    async def play_part(self, part: Part, handed_out: anyio.Event) -> None:
        """The episodes of one server; the next server's turn comes when the last of them has begun."""
        jobs = self._jobs(part)
        try:
            async with AsyncExitStack() as stack:
                server = await self._started(part, stack) if jobs else None
                if isinstance(server, Failure):
                    await checkpoint_if_cancelled()  # it may have failed because the run ends
                    await self._keep_unplayed(part, jobs, server)
                elif server is not None:
                    await self._play_jobs(server, part.user or self._cast.user, jobs, handed_out)
        except AutoForgeError as error:
            self._end(error)
        finally:
            handed_out.set()

    async def _started(self, part: Part, stack: AsyncExitStack) -> ToolServer | Failure:
        try:
            server: ToolServer = await stack.enter_async_context(part.server)
        except (ContainmentError, EpisodeFailure, OSError) as error:
            return Failure(blame="infrastructure", where="server", message=f"the server did not start: {error}")
        return server

    async def _play_jobs(self, server: ToolServer, user: User, jobs: Sequence[_Job], handed_out: anyio.Event) -> None:
        async with anyio.create_task_group() as group:
            for job in jobs:
                await self._slots.acquire()
                group.start_soon(self._episode, server, user, job)
            handed_out.set()

    def _jobs(self, part: Part) -> list[_Job]:
        """Those that the file does not have, or has as spoiled by something else than the policy."""
        names = self._cast.agent.name, self._cast.user.name
        jobs = [_Job(task, trial) for trial in range(self._options.trials) for task in part.tasks]
        known = self._file.outcomes
        ids = [trajectory_id(part.name, job.task.id, *names, job.trial) for job in jobs]
        return [job for job, id in zip(jobs, ids, strict=True) if id not in known or not known[id].finished]

    async def _episode(self, server: ToolServer, user: User, job: _Job) -> None:
        try:
            trajectory = await self._played(server, user, job)
            trajectory = trajectory.model_copy(update={"cost": self._cast.cost(trajectory)})
            self._look_for_a_dead_server(trajectory)
            trajectory = await judged_by(self._cast.judge, trajectory, job.task)
            if trajectory.reward is None:  # it may have failed because the run ends: that is nobody's failure
                await checkpoint_if_cancelled()
            await self._keep(trajectory)
        except AutoForgeError as error:
            self._end(error)
        finally:
            self._slots.release()

    async def _played(self, server: ToolServer, user: User, job: _Job) -> Trajectory:
        """Play it, anew after a failure of the infrastructure: nothing of an attempt reaches the next."""
        options = self._options
        names = server.name, job.task.id, self._cast.agent.name, user.name
        again = self._file.spoiled[trajectory_id(*names, job.trial)]
        play = Play(job.task, job.trial, options.seed, again)
        for left in range(options.retries, -1, -1):
            environment = Environment(server, user, limits=options.limits, progress=options.progress)
            trajectory = await play_episode(environment, self._cast.agent, play)
            if trajectory.failure is None or trajectory.failure.blame != "infrastructure" or not left:
                break
        return trajectory

    def _look_for_a_dead_server(self, trajectory: Trajectory) -> None:
        """Raises AutoForgeError where so many episodes in a row did not even begin: the rest would not either."""
        failure = trajectory.failure
        unbegun = failure is not None and failure.blame == "infrastructure" and not trajectory.turns
        name = trajectory.environment
        self._unbegun[name] = self._unbegun[name] + 1 if unbegun else 0
        if failure is not None and self._unbegun[name] >= _DEAD:
            words = f"{_DEAD} episodes of {name} in a row could not begin: {failure.message}"
            raise AutoForgeError(f"{words}; look after its server and run the same command again to go on.")

    async def _keep(self, trajectory: Trajectory) -> None:
        self._tell(await self._file.append(trajectory))

    async def _keep_unplayed(self, part: Part, jobs: Sequence[_Job], failure: Failure) -> None:
        """The lines of episodes that could not begin."""
        agent, user = self._cast.agent.name, self._cast.user.name
        for task, trial in jobs:
            id = trajectory_id(part.name, task.id, agent, user, trial)
            await self._keep(
                Trajectory(
                    id=id, environment=part.name, task=task.id, agent=agent, user=user, trial=trial, end="failed",
                    failure=failure,
                )
            )  # fmt: skip

    def _end(self, error: AutoForgeError) -> None:
        self.error = self.error or error
        self.scope.cancel()
