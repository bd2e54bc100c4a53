"""`autoforge-gen check`: prove environments and their tasks again, from their files alone.

Invariant: nothing is written; every folder is found before the first is checked. Not covered: what is proved
(`conformance`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import click
from pydantic import JsonValue
from rich.console import Console
from rich.markup import escape

from autoforge.generator.conformance import Report, render_table, run_suite
from autoforge.generator.summary import print_reasons
from autoforge.generator.tasks.examine import TaskProof, prove_tasks
from autoforge.generator.tasks.publish import recount
from autoforge.gym.commandline.terminal import messages, meter
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.task import Task, read_tasks

__all__ = ["run_check"]


class Checked(NamedTuple):
    """What became of one environment."""

    folder: EnvironmentFolder
    report: Report
    tasks: list[TaskProof]
    wrong: tuple[str, ...] = ()
    """What the manifest's summary of the tasks tells, and does not hold."""

    @property
    def passed(self) -> bool:
        return self.report.passed and all(proof.holds for proof in self.tasks) and not self.wrong


def run_check(environments: Sequence[str], *, seed: int, jobs: int, as_json: bool) -> int:
    """Prove environments and their tasks again; 0 when all hold, else 1. Raises BadInput for what is no environment."""
    console = messages()
    folders = [find_environment(e) for e in environments]
    tasks = [read_tasks(folder.path) for folder in folders]
    done = []
    for folder, listed in zip(folders, tasks, strict=True):
        done.append(_checked(folder, listed, seed, jobs, console))
        _print(done[-1], console)
    if as_json:
        click.echo(json.dumps({"environments": [_record(c) for c in done]}, ensure_ascii=False, indent=1))
    return 0 if all(checked.passed for checked in done) else 1


def _checked(folder: EnvironmentFolder, tasks: Sequence[Task], seed: int, jobs: int, console: Console) -> Checked:
    with meter(console, f"checking {escape(folder.name)}") as tell:
        report = run_suite(folder.path, seed=seed, progress=tell)
        return Checked(folder, report, prove_tasks(folder, tasks, jobs=jobs, progress=tell), _wrong(folder, tasks))


def _wrong(folder: EnvironmentFolder, tasks: Sequence[Task]) -> tuple[str, ...]:
    """Names in the manifest's `admission` that the tasks do not bear out, and splits that share a blueprint."""
    told = folder.manifest.admission or {}
    counted = recount(tasks) if tasks or told else {}
    wrong = [f"admission/{name} is {told.get(name)}, the tasks give {value}" for name, value in counted.items()
             if told.get(name) != value]  # fmt: skip
    splits: dict[str, set[str]] = {}
    for task in tasks:
        splits.setdefault(task.signature, set()).add(task.split)
    return (
        *wrong,
        *(f"blueprint {kind[:12]} is in several splits" for kind, found in splits.items() if len(found) > 1),
    )


def _print(checked: Checked, console: Console) -> None:
    folder, report, proofs, wrong = checked
    name = escape(folder.name)
    console.print(render_table(report))
    print_reasons(folder.name, report.evidence, console)
    if report.enforcement:
        console.print(escape(report.enforcement), soft_wrap=True)
    failed = [f"task {p.task}: {p.reason}: {p.message}" for p in proofs if not p.holds]
    print_reasons(folder.name, [*failed, *wrong], console)
    if proofs:
        console.print(f"{name}: {len(proofs) - len(failed)} of {len(proofs)} tasks proved again")
    console.print(f"{name}: {'[green]passed[/]' if checked.passed else '[red]failed[/]'}")


def _record(checked: Checked) -> dict[str, JsonValue]:
    folder, report, proofs, wrong = checked
    failed: list[JsonValue] = [p._asdict() for p in proofs if not p.holds]
    return {
        "name": folder.name,
        "path": str(folder.path),
        "passed": checked.passed,
        "failures": list(report.evidence),
        "containment": report.enforcement,
        "conformance": report.as_conformance().model_dump(mode="json"),
        "tools": {name: verdict.model_dump(mode="json") for name, verdict in report.verdicts.items()},
        "tasks": {"proved": len(proofs) - len(failed), "failed": failed, "summary": list(wrong)},
    }
