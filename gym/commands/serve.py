"""`autoforge-gym serve`: episodes as MCP servers, for agents that speak MCP.

Invariant: stdout is the protocol's alone; an episode is in the file before its agent is told that it has ended, and its
reward is in the file only; exit 0 when the episode of stdio has a score, else 1. Not covered: serving (`serving`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rich.markup import escape

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.commandline.terminal import messages
from autoforge.gym.commands.cast import check_model_options, fitted, judge_of, user_of
from autoforge.gym.commands.models import Models
from autoforge.gym.commands.pricing import pricing
from autoforge.gym.commands.servers import ServerOptions, digest_of, documents, folders_of, open_one
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.record import trajectory_id
from autoforge.gym.runs.judging import Judge, judged_by
from autoforge.gym.runs.outcome import Outcome
from autoforge.gym.runs.plan import Part, Selection, plan_parts, task_digests
from autoforge.gym.runs.settings import RunSettings, expect_output, keep_settings
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.gym.serving import EpisodeHost, EpisodeServer, NextPlay, serve_http, serve_stdio, served_episode
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.user import User
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["ServeRequest", "run_serve"]

_AT_ONCE = 64
"""Calls of the user's model at a time."""


@dataclass(frozen=True)
class ServeRequest:
    """The options of `autoforge-gym serve`, which documents each."""

    target: str
    output: Path
    task: str | None = None
    user: str = "scripted"
    judge: str = "rules"
    agent: str = "mcp"
    http: int | None = None
    trial: int | None = None
    user_base_url: str | None = None
    max_cost: float | None = None
    cache: Path | None = None
    max_turns: int = 60
    seed: int = 0
    server: ServerOptions = field(default_factory=ServerOptions)

    @property
    def limits(self) -> EpisodeLimits:
        return EpisodeLimits(turns=self.max_turns)


def run_serve(request: ServeRequest) -> int:
    """Serve one episode on stdio, or many over HTTP until a signal comes. Raises BadInput; AutoForgeError where the
    file cannot be written further."""
    if request.user == "human":
        raise BadInput("a person is no user of a served episode: use autoforge-gym play --as user.")
    check_model_options(
        "", (request.user, request.judge), agent_options={},
        other_options={"--max-cost": request.max_cost, "--cache": request.cache,
                       "--user-base-url": request.user_base_url},
    )  # fmt: skip
    expect_output(request.output)
    server = open_one(request.target, request.server)
    ids = (request.task,) if request.task is not None else ()
    [part] = plan_parts([server], Selection(ids=ids))
    return run_async(partial(_serve, request, part, digest_of(server, request.target)))


async def _serve(request: ServeRequest, part: Part, place: str) -> int:
    ledger, cache = (request.output.with_name(f"{request.output.name}.{kind}") for kind in ("ledger", "cache"))
    async with Models(
        ledger, cache=request.cache or cache, max_cost=request.max_cost, at_once=_AT_ONCE
    ) as models:  # fmt: skip
        others = models.at(request.user_base_url)
        user = fitted(user_of(request.user, others), part.server)
        judge = judge_of(request.judge, others, documents([part]))
        with TrajectoryFile(request.output) as file:
            keep_settings(request.output, _settings(request, part, place))
            async with part.server:
                table = _Table(request, part, user, judge, file)
                return await (_on_stdio(table) if request.http is None else _over_http(table, request.http))


def _settings(request: ServeRequest, part: Part, place: str) -> RunSettings:
    return RunSettings(
        agent=request.agent, user=request.user, user_base_url=request.user_base_url, judge=request.judge,
        seed=request.seed, progress=True, limits=request.limits, environments={part.name: place},
        tasks=task_digests([part]),
        folders=folders_of([part.server]),
    )  # fmt: skip


async def _on_stdio(table: _Table) -> int:
    async with table.episode() as episode:
        messages().print(escape(f"One episode of {table.name}, written to {table.file.path}."), soft_wrap=True)
        await serve_stdio(episode.mcp_server())
    return 0 if table.latest is not None and table.latest.reward is not None else 1


async def _over_http(table: _Table, port: int) -> int:
    def tell(where: str) -> None:
        words = f"serving {where}: each id is an episode with the next task, written to {table.file.path}"
        messages().print(escape(words), soft_wrap=True)

    await serve_http(EpisodeHost(table.episode), port, tell)
    return 0


class _Table:
    """Where the next episode is taken from, and kept."""

    def __init__(
        self, request: ServeRequest, part: Part, user: User, judge: Judge | None, file: TrajectoryFile
    ) -> None:
        self._request = request
        self._server = part.server
        self._user = user
        self._judge = judge
        self._tasks = {task.id: task for task in part.tasks}
        self._cost = pricing("", request.user)
        self._plays = NextPlay(part.tasks, self._has, trial=request.trial, seed=request.seed)
        self.name = part.name
        self.file = file
        self.latest: Outcome | None = None

    @asynccontextmanager
    async def episode(self) -> AsyncIterator[EpisodeServer]:
        """The next episode. Raises BadInput where none is left, EpisodeFailure where it cannot begin."""
        play = self._plays.take()
        try:
            environment = Environment(self._server, self._user, limits=self._request.limits, progress=True)
            served = served_episode(environment, play, agent=self._request.agent, keep=self._keep)
            async with served as episode:
                yield episode
        finally:
            self._plays.give_back(play)

    async def _keep(self, trajectory: Trajectory) -> None:
        priced = trajectory.model_copy(update={"cost": self._cost(trajectory)})
        judged = await judged_by(self._judge, priced, self._tasks[trajectory.task])
        self.latest = await self.file.append(judged)

    def _has(self, task: Task, trial: int) -> bool:
        known = self.file.outcomes.get(trajectory_id(self.name, task.id, self._request.agent, self._user.name, trial))
        return known is not None and known.finished
