"""What is said at the end of a command: a table, the reasons, and the next command to type.

Invariant: everything goes to the console it is given; texts from documents are never taken as markup. Not covered:
`--json`.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:  # it brings the whole compiler, which `check` does without
    from autoforge.generator.jobs import Outcome

__all__ = ["print_reasons", "print_summary"]

_MOST = 8
"""Reasons and notes shown for one environment; `--json` and the manifest have them all."""


def print_summary(outcomes: Sequence[Outcome], console: Console) -> None:
    """Table, totals, what was inferred, reasons of failures, next command."""
    console.print(_table(outcomes))
    if len(outcomes) > 1:
        console.print(_totals(outcomes))
    for outcome in outcomes:
        _print_notes(outcome, console, alone=len(outcomes) == 1)
        print_reasons(outcome.name, outcome.failures, console)
        if outcome.written is None and outcome.exit_code != 2:
            console.print(f"{outcome.name} was not written; --keep-failing writes it all the same.")
    _print_next(outcomes, console)


def print_reasons(name: str, failures: Sequence[str], console: Console) -> None:
    """Why an environment did not pass, one line each."""
    for failure in failures[:_MOST]:
        console.print(f"[red]{escape(name)}[/]: {escape(failure)}", soft_wrap=True)
    if len(failures) > _MOST:
        console.print(f"[red]{escape(name)}[/]: and {len(failures) - _MOST} more")


def _table(outcomes: Sequence[Outcome]) -> Table:
    table = Table(header_style="bold")
    table.add_column("environment", overflow="fold")
    table.add_column("read as", overflow="fold")
    for heading in ("tools", "tables", "weak", "dead", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("proof", no_wrap=True)
    for o in outcomes:
        counts = (str(o.tools), str(o.tables), str(len(o.weak)), f"{o.dead}/{o.parameters}", f"{o.seconds:.1f}")
        table.add_row(escape(o.name), escape(", ".join(o.formats)), *counts, _verdict(o))
    return table


def _verdict(outcome: Outcome) -> str:
    if outcome.passed:
        return "[green]passed[/]"
    return "[red]bad input[/]" if outcome.exit_code == 2 else f"[red]failed ({len(outcome.failures)})[/]"


def _totals(outcomes: Sequence[Outcome]) -> str:
    tools, weak = sum(o.tools for o in outcomes), sum(len(o.weak) for o in outcomes)
    parameters, dead = sum(o.parameters for o in outcomes), sum(o.dead for o in outcomes)
    passed = sum(o.passed for o in outcomes)
    weak_share, dead_share = weak / max(1, tools), dead / max(1, parameters)
    shares = (
        f"weak {weak} of {tools} tools ({weak_share:.1%}), dead {dead} of {parameters} parameters ({dead_share:.1%})"
    )
    return f"{passed} of {len(outcomes)} passed; {shares}"


def _print_notes(outcome: Outcome, console: Console, *, alone: bool) -> None:
    notes = [f"{documented} is called {name}, which MCP allows" for name, documented in outcome.renamed.items()]
    notes += outcome.notes
    shown = notes[: _MOST if alone else 0]
    for note in shown:
        console.print(f"{escape(outcome.name)}: {escape(note)}", soft_wrap=True)
    left = len(notes) - len(shown)
    if left and outcome.written:
        words = f"{left} {'more ' if shown else ''}{'note' if left == 1 else 'notes'}"
        look = f"autoforge-gen show {shlex.quote(outcome.written)}"
        console.print(escape(f"{outcome.name}: {words}; see {look}"), soft_wrap=True)


def _print_next(outcomes: Sequence[Outcome], console: Console) -> None:
    first = next((o.written for o in outcomes if o.written), None)
    if first is not None:
        folder = shlex.quote(first)
        words = f"Next: autoforge-gen show {folder}, or serve it: python {folder}/server.py"
        console.print(escape(words), soft_wrap=True)
