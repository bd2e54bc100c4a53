"""`autoforge-gym check`: is a server fit for episodes?

Invariant: every target is found before the first is tried; exit 0 when nothing fails, else 1. Not covered: the checks
(`checks`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import click
from pydantic import JsonValue
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.commandline.terminal import messages, meter, output
from autoforge.gym.commands.checks.target import Checked, CheckOptions, check_target
from autoforge.gym.commands.checks.verdict import CHECKS
from autoforge.gym.commands.servers import ServerOptions, open_one, open_servers

__all__ = ["run_check"]

_MARKS = {True: "[green]holds[/]", False: "[red]fails[/]", None: "[yellow]not tried[/]"}


def run_check(targets: Sequence[str], *, server: ServerOptions, as_json: bool, **options: Any) -> int:
    """Check each target; 0 when no check fails, else 1. Raises BadInput for what is no target."""
    wanted = CheckOptions(**options)
    open_servers(targets, server)
    console = messages() if as_json else output()
    done = []
    for target in targets:
        with meter(messages(), f"checking {escape(target)}") as tell:
            done.append(run_async(partial(check_target, partial(open_one, target, server), wanted, tell)))
        _print(done[-1], console)
    if as_json:
        click.echo(json.dumps({"servers": [_record(checked) for checked in done]}, ensure_ascii=False, indent=1))
    return 0 if all(checked.passed for checked in done) else 1


def _print(checked: Checked, console: Console) -> None:
    title = f"{checked.name}: {checked.tools} tools, {checked.tasks} tasks, {checked.calls} calls in each session"
    table = Table(title=escape(title), title_justify="left", header_style="bold")
    table.add_column("check")
    table.add_column("verdict")
    table.add_column("what", overflow="fold")
    for check, holds, words in checked.verdicts:
        table.add_row(check, _MARKS[holds], escape("\n".join(words) or CHECKS[check]))
    console.print(table)


def _record(checked: Checked) -> dict[str, JsonValue]:
    return {
        "name": checked.name,
        "tools": checked.tools,
        "tasks": checked.tasks,
        "calls": checked.calls,
        "passed": checked.passed,
        "checks": {check: {"holds": holds, "words": list(words)} for check, holds, words in checked.verdicts},
    }
