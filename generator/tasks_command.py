"""`autoforge-gen tasks`: add proved tasks to environments.

Invariant: every environment is found and every option read before the first task is made; what was made is kept when
the command is interrupted, and the same command goes on with it. Not covered: how tasks are made (`tasks`).
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autoforge.generator.report import with_tasks
from autoforge.generator.tasks.campaign import Campaign, Request, run_campaign
from autoforge.generator.tasks.difficulty import LEVELS
from autoforge.generator.tasks.model.command import ModelOptions, check_model_options, with_model
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.progress_file import ProgressFile
from autoforge.generator.tasks.publish import publish, with_distractors
from autoforge.generator.tasks.wording import LANGUAGES
from autoforge.gym.commandline.terminal import messages, meter
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.task import Task, read_tasks

__all__ = ["TaskOptions", "add_tasks", "add_to", "parse_mix", "run_tasks"]

_REASONS_SHOWN = 12
_SHARE = re.compile(r"([a-z]+) *= *([0-9]{1,6}(?:\.[0-9]{1,6})?)")


@dataclass(frozen=True)
class TaskOptions:
    """The options of `autoforge-gen tasks`, which documents each."""

    count: int
    seed: int = 0
    jobs: int = 1
    language: str = "auto"
    difficulty: str | None = None
    distractors: int | None = None
    replace: bool = False
    policy: TaskPolicy = field(default_factory=TaskPolicy)
    model: ModelOptions = field(default_factory=ModelOptions)
    as_json: bool = False


class Added(NamedTuple):
    """What became of one environment."""

    folder: EnvironmentFolder
    manifest: Manifest
    campaign: Campaign
    wanted: int

    @property
    def enough(self) -> bool:
        return len(self.campaign.tasks) >= self.wanted


def run_tasks(environments: Sequence[str], options: TaskOptions) -> int:
    """Add tasks to each environment; 0 when each got as many as were wanted, else 1. Raises BadInput."""
    console = messages()
    request = _request(options)
    check_model_options(options.model)
    folders = [find_environment(name) for name in environments]
    if len({folder.path.resolve() for folder in folders}) < len(folders):
        raise BadInput("an environment is named twice; give each once.")
    have = [() if options.replace else read_tasks(folder.path) for folder in folders]
    for folder in folders:
        with_tasks(folder.text("report.html"), "")  # raises where the page keeps no place for tasks
    done = []
    for folder, tasks in zip(folders, have, strict=True):
        added = add_tasks(folder, tasks, request, options, console)
        _print(added, console)
        done.append(added)
    if options.as_json:
        click.echo(json.dumps({"environments": [_record(a) for a in done]}, ensure_ascii=False, indent=1))
    return 0 if all(added.enough for added in done) else 1


def add_to(path: str, options: TaskOptions, console: Console) -> dict[str, Any]:
    """Add tasks to one environment and say what came of it, as JSON holds it."""
    folder = find_environment(path)
    added = add_tasks(folder, read_tasks(folder.path), _request(options), options, console)
    _print(added, console)
    return {**_record(added), "enough": added.enough}


def add_tasks(
    folder: EnvironmentFolder, have: Sequence[Task], request: Request, options: TaskOptions, console: Console
) -> Added:
    """Make the tasks of one environment and write them."""
    # The model comes first: inside, no child that is started inherits a key.
    with (
        with_model(options.model, folder, console) as model,
        meter(console, f"tasks of {escape(folder.name)}", request.count) as tell,
    ):
        advise = model.advise if model is not None else None
        campaign = run_campaign(folder, request, jobs=options.jobs, have=have, progress=tell, advise=advise)
        if model is not None:
            made = model.finished(campaign.tasks, have=have, jobs=options.jobs, progress=tell)
            campaign = campaign._replace(tasks=made)
        names = [tool.name for tool in folder.manifest.tools if tool.side == "agent"]
        tasks = [*have, *with_distractors(campaign.tasks, names, options.distractors)]
        tell("write files", len(campaign.tasks), request.count)
        record = model.record() if model is not None else None
        manifest = publish(folder, tasks, campaign, request, record)
    ProgressFile.discard(folder)
    return Added(folder, manifest, campaign, request.count)


def _request(options: TaskOptions) -> Request:
    if options.language not in ("auto", *LANGUAGES):
        raise BadInput(f"--language {options.language!r}: give auto, {', '.join(LANGUAGES)}.")
    return Request(
        count=options.count,
        seed=options.seed,
        language=options.language,
        policy=options.policy,
        mix=None if options.difficulty is None else parse_mix(options.difficulty),
    )


def parse_mix(text: str) -> dict[str, float]:
    """`easy=20,medium=50,hard=30` as shares. Raises BadInput."""
    shares: dict[str, float] = {}
    for part in text.split(","):
        found = _SHARE.fullmatch(part.strip())
        if found is None or found.group(1) not in LEVELS or found.group(1) in shares:
            raise BadInput(f"--difficulty {text!r}: give each share once, as in easy=20,medium=50,hard=30.")
        shares[found.group(1)] = float(found.group(2))
    total = sum(shares.values())
    if total <= 0:
        raise BadInput(f"--difficulty {text!r}: the shares come to nothing; give at least one above 0.")
    return {level: share / total for level, share in shares.items()}


def _print(added: Added, console: Console) -> None:
    campaign, name = added.campaign, escape(added.folder.name)
    share = len(campaign.tasks) / max(1, campaign.proposals)
    colour = "green" if added.enough else "red"
    console.print(
        f"{name}: [{colour}]{len(campaign.tasks)} of {added.wanted} tasks[/] admitted, {share:.0%} of "
        f"{campaign.proposals} proposals"
    )
    if campaign.rejections:
        table = Table("not admitted because", "proposals", "for instance", header_style="bold")
        for reason, count in campaign.rejections.most_common(_REASONS_SHOWN):
            table.add_row(escape(reason), str(count), escape(campaign.examples.get(reason, "")[:100]))
        console.print(table)
    for line in _facts(added.manifest.admission or {}) if campaign.tasks else []:
        console.print(f"{name}: {escape(line)}")
    if campaign.tasks:
        folder = shlex.quote(str(added.folder.path))
        console.print(escape(f"Next: autoforge-gen show {folder} {campaign.tasks[0].id}"), soft_wrap=True)


def _facts(admission: dict[str, Any]) -> list[str]:
    hardness, baselines = admission.get("hardness", {}), admission.get("baselines", {})
    shares = ", ".join(f"{name} {hardness[name]:.0%}" for name in ("reasoning", "branches", "merged", "answers"))
    return [
        f"{admission['tasks']} tasks in all; median {hardness['median_calls']:g} calls, {hardness['median_writes']:g} "
        f"writes; with {shares}",
        f"mutants killed {admission['mutants_killed']}, reorderings accepted {admission['reorders_accepted']}; "
        + ", ".join(f"{name} {value:.0%}" for name, value in baselines.items()),
    ]


def _record(added: Added) -> dict[str, Any]:
    return {
        "name": added.folder.name,
        "path": str(Path(added.folder.path)),
        "admitted": len(added.campaign.tasks),
        "wanted": added.wanted,
        "proposals": added.campaign.proposals,
        "rejections": dict(added.campaign.rejections.most_common()),
        "admission": added.manifest.admission,
        "examples": added.campaign.examples,
    }
