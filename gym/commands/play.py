"""`autoforge-gym play`: be the agent or the user of one episode.

Invariant: a person sees what the one whose place it takes would see, and the score only at the end; exit 0 when the
episode has a score, else 1. Not covered: reading and writing lines (`agents.human`, `users.human`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.markup import escape

from autoforge.gym.agents.agent import Agent
from autoforge.gym.agents.human import HumanAgent
from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.commandline.terminal import messages, output
from autoforge.gym.commands.cast import agent_of, check_model_options, fitted, user_of
from autoforge.gym.commands.keyboard import Keyboard
from autoforge.gym.commands.models import Models
from autoforge.gym.commands.pricing import pricing
from autoforge.gym.commands.servers import ServerOptions, digest_of, folders_of, open_one
from autoforge.gym.environment import Environment, EpisodeLimits
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.runs.plan import Part, RunServer, Selection, plan_parts, task_digests
from autoforge.gym.runs.settings import RunSettings, expect_output, keep_settings, settings_path
from autoforge.gym.runs.writing import write_whole
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.human import HumanUser
from autoforge.gym.users.user import User
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["PlayRequest", "run_play"]

_HOURS = 24 * 3600.0
"""A person may think for long."""


@dataclass(frozen=True)
class PlayRequest:
    """The options of `autoforge-gym play`, which documents each."""

    target: str
    side: Literal["agent", "user"]
    task: str | None = None
    agent: str = "oracle"
    user: str = "scripted"
    output: Path | None = None
    base_url: str | None = None
    user_base_url: str | None = None
    reasoning: Literal["keep", "drop", "none"] | None = None
    max_cost: float | None = None
    cache: Path | None = None
    max_turns: int = 60
    seed: int = 0
    server: ServerOptions = field(default_factory=ServerOptions)

    @property
    def agent_name(self) -> str:
        return "human" if self.side == "agent" else self.agent

    @property
    def user_name(self) -> str:
        return "human" if self.side == "user" else self.user

    @property
    def limits(self) -> EpisodeLimits:
        return EpisodeLimits(turns=self.max_turns, agent_seconds=_HOURS, user_seconds=_HOURS)


def run_play(request: PlayRequest) -> int:
    """Play one episode; 0 when it has a score. Raises BadInput."""
    check_model_options(
        request.agent_name, (request.user_name,), agent_options={"--reasoning": request.reasoning},
        other_options={"--max-cost": request.max_cost, "--cache": request.cache, "--base-url": request.base_url,
                       "--user-base-url": request.user_base_url},
    )  # fmt: skip
    _check_output(request.output)
    server = open_one(request.target, request.server)
    wanted = Selection(ids=(request.task,) if request.task is not None else (), limit=1)
    [part] = plan_parts([server], wanted)
    with Keyboard() as keyboard:
        trajectory = run_async(partial(_played, request, server, part.tasks[0], keyboard))
    if request.output is not None:
        write_whole(request.output, [trajectory.line()])
        keep_settings(request.output, _settings(request, part, digest_of(server, request.target)))
    _tell(trajectory, output())
    return 0 if trajectory.reward is not None else 1


def _check_output(path: Path | None) -> None:
    """Raises BadInput, before a person plays in vain."""
    if path is None:
        return
    expect_output(path)
    for place in (path, settings_path(path)):
        if place.exists():
            raise BadInput(f"{place} is there already; give another file with -o.")


def _settings(request: PlayRequest, part: Part, place: str) -> RunSettings:
    return RunSettings(
        agent=request.agent_name, user=request.user_name, base_url=request.base_url,
        user_base_url=request.user_base_url, reasoning=request.reasoning, seed=request.seed, limits=request.limits,
        environments={part.name: place}, tasks=task_digests([part]), folders=folders_of([part.server]),
    )  # fmt: skip


async def _played(request: PlayRequest, server: RunServer, task: Task, keyboard: Keyboard) -> Trajectory:
    async with Models(None, cache=request.cache, max_cost=request.max_cost, at_once=1) as models:
        agent, user = _agent(request, models, keyboard), fitted(_user(request, models, keyboard), server)
        cost = pricing(request.agent_name, request.user_name)
        messages().print(escape(f"Task {task.id} of {server.name}."), soft_wrap=True)
        async with server as entered:
            environment = Environment(entered, user, limits=request.limits)
            trajectory = await play_episode(environment, agent, Play(task, 0, request.seed))
    return trajectory.model_copy(update={"cost": cost(trajectory)})


def _agent(request: PlayRequest, models: Models, keyboard: Keyboard) -> Agent:
    if request.side == "agent":
        return HumanAgent(keyboard.read)
    return agent_of(request.agent, models.at(request.base_url), request.reasoning)


def _user(request: PlayRequest, models: Models, keyboard: Keyboard) -> User:
    if request.side == "user":
        return HumanUser(read=keyboard.read)
    return user_of(request.user, models.at(request.user_base_url or request.base_url))


def _tell(trajectory: Trajectory, console: Console) -> None:
    """How it ended, and why it is worth what it is."""
    reward = "no reward" if trajectory.reward is None else f"reward {trajectory.reward:g}"
    console.print(escape(f"{trajectory.end}: {reward}"))
    failure = trajectory.failure
    for words in (trajectory.why, failure.message if failure else "", *trajectory.explanation):
        if words:
            console.print(escape(f"  {words}"), soft_wrap=True)
