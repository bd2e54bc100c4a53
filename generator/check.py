"""`autoforge-gen check`: prove environments again, from their files alone.

Invariant: nothing is written; every folder is found before the first is checked. Not covered: what is proved
(`conformance`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import click
from pydantic import JsonValue
from rich.markup import escape

from autoforge.generator.conformance import Report, render_table, run_suite
from autoforge.generator.summary import print_reasons
from autoforge.generator.terminal import messages, meter
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment

__all__ = ["run_check"]


def run_check(environments: Sequence[str], *, seed: int, as_json: bool) -> int:
    """Prove each environment again; 0 when all hold, else 1. Raises BadInput for what is no environment."""
    console = messages()
    reports: list[tuple[EnvironmentFolder, Report]] = []
    for folder in [find_environment(e) for e in environments]:
        with meter(console, f"checking {escape(folder.name)}") as tell:
            report = run_suite(folder.path, seed=seed, progress=tell)
        reports.append((folder, report))
        console.print(render_table(report))
        print_reasons(folder.name, report.evidence, console)
        if report.enforcement:
            console.print(escape(report.enforcement), soft_wrap=True)
        console.print(f"{escape(folder.name)}: {'[green]passed[/]' if report.passed else '[red]failed[/]'}")
    if as_json:
        listing = [_record(folder, report) for folder, report in reports]
        click.echo(json.dumps({"environments": listing}, ensure_ascii=False, indent=1))
    return 0 if all(report.passed for _, report in reports) else 1


def _record(folder: EnvironmentFolder, report: Report) -> dict[str, JsonValue]:
    return {
        "name": folder.name,
        "path": str(folder.path),
        "passed": report.passed,
        "failures": list(report.evidence),
        "containment": report.enforcement,
        "conformance": report.as_conformance().model_dump(mode="json"),
        "tools": {name: verdict.model_dump(mode="json") for name, verdict in report.verdicts.items()},
    }
