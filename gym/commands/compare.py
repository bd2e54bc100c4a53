"""`autoforge-gym compare`: users on the same agent and tasks, or agents with the same user.

Invariant: nothing is written; an episode that stands in two files is refused, not counted twice. Not covered: the
figures (`runs.comparison`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from autoforge.gym.commandline.terminal import messages, output
from autoforge.gym.commands.tables import comparison_table
from autoforge.gym.runs.comparison import Comparison, compare
from autoforge.gym.runs.outcome import Outcome
from autoforge.gym.runs.reading import latest_outcomes
from autoforge.mcp_envs.errors import BadInput

__all__ = ["run_compare"]


def run_compare(files: Sequence[Path], *, seed: int, as_json: bool) -> int:
    """Print the tables; 0. Raises BadInput for a file that is none of a run's, and where there is nothing to
    compare."""
    found: dict[str, Outcome] = {}
    for file in files:
        outcomes = latest_outcomes(file)
        twice = next((id for id in outcomes if id in found), None)
        if twice is not None:
            raise BadInput(f"{file} holds the episode {twice}, which another file holds, too; give one of them.")
        found |= outcomes
    comparisons = [comparison for comparison in compare(found.values(), seed) if len(comparison.rows) > 1]
    if not comparisons:
        raise BadInput(f"{', '.join(map(str, files))}: one agent and one user only; give the file of another run, too.")
    console = messages() if as_json else output()
    for comparison in comparisons:
        console.print(comparison_table(comparison))
    if as_json:
        click.echo(json.dumps({"comparisons": [_record(c) for c in comparisons]}, ensure_ascii=False, indent=1))
    return 0


def _record(comparison: Comparison) -> dict[str, object]:
    return {"title": comparison.title, "rows": [row.record() for row in comparison.rows]}
