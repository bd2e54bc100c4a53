"""Writes tasks into an environment: `tasks.jsonl`, the graph, the manifest's summary, the report.

Invariant: the folder is exchanged as a whole, so a crash leaves the tasks of before or those of now; every figure of
the summary is counted on the tasks that are written. Not covered: making tasks (`campaign`).
"""

from __future__ import annotations

import json
import random
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from autoforge.generator.emit.folder import write_environment
from autoforge.generator.kept_tasks import GRAPH_FILE
from autoforge.generator.report import tasks_section, with_tasks
from autoforge.generator.tasks.campaign import Campaign, Request
from autoforge.generator.tasks.graph import graphml
from autoforge.generator.tasks.replay import replay
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.task import TASKS_FILE, Task, task_line

__all__ = ["publish", "recount", "summary", "with_distractors"]


def publish(
    folder: EnvironmentFolder,
    tasks: Sequence[Task],
    campaign: Campaign,
    request: Request,
    model: dict[str, JsonValue] | None = None,
) -> Manifest:
    """Write the tasks and all that shows them; the manifest with its summary. Raises BadInput where the folder cannot
    be written.
    """
    added = {task.id for task in campaign.tasks}
    before = folder.manifest.admission if any(task.id not in added for task in tasks) else None
    with Stage(folder) as stage:
        replays = {task.id: replay(stage, task) for task in tasks}
    admission = summary(tasks, campaign, request, before)
    if model is not None:
        admission["model"] = model
    manifest = folder.manifest.model_copy(update={"admission": admission})
    graph = campaign.knowledge.graph.networkx(campaign.knowledge.catalogue)
    section = tasks_section(
        tasks,
        manifest,
        {name: done.outputs for name, done in replays.items()},
        graph,
        {name: done.refusals for name, done in replays.items()},
    )
    paths = [p for p in sorted(folder.path.rglob("*")) if p.is_file() and "__pycache__" not in p.parts]
    files = {p.relative_to(folder.path).as_posix(): p.read_bytes() for p in paths}
    report = with_tasks(folder.text("report.html"), section)
    text: dict[str, str | bytes] = {
        **files,
        TASKS_FILE: "".join(map(task_line, tasks)),
        GRAPH_FILE: graphml(graph),
        "environment.json": manifest.model_dump_json(indent=1) + "\n",
        "report.html": report,
    }
    try:
        write_environment(text, folder.path)
    except OSError as error:
        words = f"{folder.path} cannot be written ({error.strerror or error}); make room or change its permissions"
        raise BadInput(f"{words}, then run the same command again: it goes on where it was.") from None
    return manifest


def summary(
    tasks: Sequence[Task], campaign: Campaign, request: Request, before: Mapping[str, Any] | None = None
) -> dict[str, JsonValue]:
    """What is told of the tasks in the manifest's `admission`; `before` is what it told of those that were there."""
    told = before or {}
    rejections = Counter(told.get("rejections", {})) + campaign.rejections
    return {
        "proposals": told.get("proposals", 0) + campaign.proposals,
        "admitted": told.get("admitted", 0) + len(campaign.tasks),
        "rejections": dict(rejections.most_common()),
        "request": json.loads(request.model_dump_json()),
        **recount(tasks),
    }


def recount(tasks: Sequence[Task]) -> dict[str, JsonValue]:
    """What of the summary follows from the tasks alone."""
    killed = [_ratio(t.verdicts.get("mutants_killed")) for t in tasks]
    orders = [_ratio(t.verdicts.get("reorders_accepted")) for t in tasks]
    names = {"merged": lambda t: t.difficulty.walks > 1, "reasoning": lambda t: t.difficulty.reasoning > 0,
             "branches": lambda t: t.difficulty.branches > 0, "answers": lambda t: bool(t.gold.answers)}  # fmt: skip
    return {
        "tasks": len(tasks),
        "mutants_killed": f"{sum(k for k, _ in killed)}/{sum(n for _, n in killed)}",
        "reorders_accepted": f"{sum(k for k, _ in orders)}/{sum(n for _, n in orders)}",
        "baselines": _rates(tasks),
        "hardness": {
            "median_calls": _median(t.difficulty.calls for t in tasks),
            "median_writes": _median(t.difficulty.writes for t in tasks),
            **{name: round(sum(map(holds, tasks)) / max(1, len(tasks)), 3) for name, holds in names.items()},
        },
        "levels": _counted(t.difficulty.level for t in tasks),
        "splits": _counted(t.split for t in tasks),
        "languages": _counted(t.language for t in tasks),
    }


def _rates(tasks: Sequence[Task]) -> dict[str, JsonValue]:
    """The share of the tasks that each baseline solves; every one was run on every task when it was made."""
    won: Counter[str] = Counter()
    for task in tasks:
        scores = task.provenance.get("baselines")
        won.update({name: float(str(score)) for name, score in scores.items()} if isinstance(scores, dict) else {})
    return {name: total / len(tasks) for name, total in won.items()}


def _ratio(text: object) -> tuple[int, int]:
    killed, _, of = str(text or "0/0").partition("/")
    return int(killed), int(of)


def _median(values: Iterable[float]) -> float:
    listed = list(values)
    return float(statistics.median(listed)) if listed else 0.0


def _counted(values: Iterable[str]) -> dict[str, JsonValue]:
    return dict(sorted(Counter(values).items()))


def with_distractors(tasks: Sequence[Task], names: Sequence[str], count: int | None) -> list[Task]:
    """The tasks, each offering so many of the agent's tools that gold does not call; all where `count` is None."""
    if count is None:
        return list(tasks)
    return [task.model_copy(update={"distractors": _drawn(task, names, count)}) for task in tasks]


def _drawn(task: Task, names: Sequence[str], count: int) -> tuple[str, ...]:
    called = {step.tool for step in task.blueprint.steps}
    others = [name for name in names if name not in called]
    return tuple(sorted(random.Random(task.id).sample(others, min(count, len(others)))))
