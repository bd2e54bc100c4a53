"""`autoforge-gym run`: an agent and a user on environments, tasks and trials.

Invariant: everything that was given is read before anything is written; exit 0 when every episode could be scored, 1
when some could not; what is finished is kept whatever ends the run. Not covered: playing (`runs.run`), figures
(`runs.summary`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

import anyio
import click
from pydantic import JsonValue
from rich.markup import escape

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.commandline.terminal import messages, meter, output
from autoforge.gym.commands.cast import agent_of, check_model_options, fitted, is_model, judge_of, user_of
from autoforge.gym.commands.live import Live
from autoforge.gym.commands.models import Models
from autoforge.gym.commands.pricing import pricing
from autoforge.gym.commands.servers import ServerOptions, digest_of, documents, folders_of, open_servers
from autoforge.gym.commands.tables import figures_table
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.runs.outcome import Outcome
from autoforge.gym.runs.plan import Part, Selection, Split, plan_parts, task_digests
from autoforge.gym.runs.run import Cast, RunOptions, run_episodes, wanted_ids
from autoforge.gym.runs.settings import RunSettings, expect_output, keep_settings
from autoforge.gym.runs.summary import Figures, figures_of, per_environment
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.mcp_envs.errors import BadInput

__all__ = ["RunRequest", "run_run"]

HUMAN = "human"


@dataclass(frozen=True)
class RunRequest:
    """The options of `autoforge-gym run`, which documents each."""

    targets: tuple[str, ...]
    agent: str
    user: str = "scripted"
    trials: int = 1
    output: Path | None = None
    split: Split = "all"
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    concurrency: int = 16
    retries: int = 2
    progress_signal: bool = False
    judge: str = "rules"
    base_url: str | None = None
    user_base_url: str | None = None
    reasoning: Literal["keep", "drop", "none"] | None = None
    max_cost: float | None = None
    cache: Path | None = None
    max_turns: int = 60
    seed: int = 0
    server: ServerOptions = field(default_factory=ServerOptions)
    as_json: bool = False


def run_run(request: RunRequest) -> int:
    """Play what is not there yet; 0 when every episode could be scored, else 1. Raises BadInput; AutoForgeError where
    the file cannot be written further or the cost limit is reached."""
    _check(request)
    servers = open_servers(request.targets, request.server)
    parts = plan_parts(servers, Selection(request.split, request.tasks, request.limit))
    places = {server.name: digest_of(server, target) for server, target in zip(servers, request.targets, strict=True)}
    path = request.output or Path("runs") / f"{_slug(request.agent)}.{_slug(request.user)}.jsonl"
    expect_output(path)
    outcomes = run_async(partial(_run, request, parts, places, path))
    _report(request, path, outcomes)
    return 0 if all(outcome.reward is not None for outcome in outcomes) else 1


def _check(request: RunRequest) -> None:
    """Raises BadInput for options that nobody would heed."""
    check_model_options(
        request.agent, (request.user, request.judge),
        agent_options={"--reasoning": request.reasoning},
        other_options={"--max-cost": request.max_cost, "--cache": request.cache, "--base-url": request.base_url,
                       "--user-base-url": request.user_base_url},
    )  # fmt: skip
    if HUMAN in (request.agent, request.user):
        raise BadInput("a person plays one episode at a time: use autoforge-gym play.")


async def _run(request: RunRequest, parts: Sequence[Part], places: dict[str, str], path: Path) -> list[Outcome]:
    """What came of every episode that was asked for."""
    beside = {kind: path.with_name(f"{path.name}.{kind}") for kind in ("ledger", "cache")}
    async with Models(
        beside["ledger"], cache=request.cache or beside["cache"], max_cost=request.max_cost,
        at_once=request.concurrency,
    ) as models:  # fmt: skip
        cast = _cast(request, models, parts)
        parts = [part._replace(user=fitted(cast.user, part.server)) for part in parts]
        ids = wanted_ids(parts, cast, request.trials)
        with TrajectoryFile(path) as file, meter(messages(), "playing", len(ids)) as tell:
            keep_settings(path, _settings(request, parts, places))
            there = [file.outcomes[id] for id in ids if id in file.outcomes]
            live = Live(tell, len(ids), [outcome for outcome in there if outcome.finished])
            try:
                await run_episodes(parts, cast, file, _options(request), live.add)
            except anyio.get_cancelled_exc_class():
                words = f"{live.done} of {len(ids)} episodes are in {path}; the same command goes on."
                messages().print(words, soft_wrap=True)
                raise
            if is_model(request.judge):
                words = f"Model calls have cost ${models.cost:.2f} in all, those of the judge and failed ones included."
                messages().print(words, soft_wrap=True)
            return [file.outcomes[id] for id in ids]


def _cast(request: RunRequest, models: Models, parts: Sequence[Part]) -> Cast:
    """Raises BadInput."""
    others = models.at(request.user_base_url or request.base_url)
    agent = agent_of(request.agent, models.at(request.base_url), request.reasoning)
    judge = judge_of(request.judge, others, documents(parts))
    return Cast(agent, user_of(request.user, others), judge, pricing(request.agent, request.user))


def _options(request: RunRequest) -> RunOptions:
    return RunOptions(
        trials=request.trials, concurrency=request.concurrency, retries=request.retries, seed=request.seed,
        progress=request.progress_signal, limits=EpisodeLimits(turns=request.max_turns),
    )  # fmt: skip


def _settings(request: RunRequest, parts: Sequence[Part], places: dict[str, str]) -> RunSettings:
    return RunSettings(
        agent=request.agent, user=request.user, base_url=request.base_url, user_base_url=request.user_base_url,
        reasoning=request.reasoning, judge=request.judge, seed=request.seed, progress=request.progress_signal,
        limits=EpisodeLimits(turns=request.max_turns), environments={part.name: places[part.name] for part in parts},
        tasks=task_digests(parts), folders=folders_of(part.server for part in parts),
    )  # fmt: skip


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name)


def _report(request: RunRequest, path: Path, outcomes: Sequence[Outcome]) -> None:
    """The table of environments, and where everything is."""
    console = messages() if request.as_json else output()
    figures = per_environment(outcomes, request.seed)
    whole = figures_of(outcomes, request.seed)
    rows = figures if len(figures) == 1 else {**figures, "all": whole}
    console.print(figures_table(rows))
    for blame, why in _reasons(outcomes).items():
        console.print(escape(f"without a score, for instance ({blame}): {why}"), soft_wrap=True)
    words = f"{len(outcomes)} episodes in {path}; to look at them: autoforge-gym view {path} -o page.html"
    console.print(escape(words), soft_wrap=True)
    if request.as_json:
        click.echo(json.dumps(_record(request, path, figures, whole), ensure_ascii=False, indent=1))


def _reasons(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """What went wrong first, for each of those to blame for a missing score."""
    failed = [o for o in outcomes if o.unscored is not None and o.why]
    return {str(o.unscored): o.why for o in reversed(failed)}


def _record(request: RunRequest, path: Path, figures: dict[str, Figures], whole: Figures) -> dict[str, JsonValue]:
    return {
        "output": str(path),
        "agent": request.agent,
        "user": request.user,
        "trials": request.trials,
        "environments": {name: found.record() for name, found in figures.items()},
        "all": whole.record(),
    }
