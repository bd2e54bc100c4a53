"""`python -m bench.learning`: the proof that ERPO learns, and the ablations.

Invariant: interrupted, the same command goes on; only runs that are done count. Not covered: single runs (`runs`).
"""

from __future__ import annotations

from pathlib import Path

import click

from autoforge.gym.commandline.program import run_program
from bench.learning.ablations import ablations
from bench.learning.proof import proof


@click.group()
def commands() -> None:
    """Show what training does to a policy. Interrupted, the same command goes on where it was."""


def _options(command: click.Command) -> click.Command:
    folder = click.option(
        "--folder", type=click.Path(path_type=Path), default=Path("runs/learning"), show_default=True,
        help="Gets the runs.",
    )  # fmt: skip
    at_once = click.option("--at-once", default=2, show_default=True, help="Runs at a time; they share the cores.")
    return folder(at_once(command))


commands.add_command(_options(click.command("proof")(proof)))
commands.add_command(_options(click.command("ablations")(ablations)))

if __name__ == "__main__":
    run_program(commands, "bench.learning", None)
