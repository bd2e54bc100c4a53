"""`autoforge-train`: cold start and ERPO of a policy in environments.

Invariant: nothing is imported before it is needed, so `--help` answers at once and without any extra. Not covered:
errors and exit codes (`gym.commandline.program`), what the commands do (`commands`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from autoforge.gym.commandline.parameters import FILE, DefaultGroup, Filled, FilledPath, json_option
from autoforge.gym.commandline.program import run_program
from autoforge.gym.commandline.terminal import messages, waiting
from autoforge.mcp_envs.version import VERSION

__all__ = ["commands", "main"]

PROGRAM = "autoforge-train"
_CONFIG = Filled("a TOML file, or the name of a preset")


class _TrainGroup(DefaultGroup):
    """The group whose commands may be left out for a file of settings."""

    default = "train"
    meant = "file of settings"
    usage = "CONFIG.toml | PRESET [--set KEY=VALUE] [--dry-run] [--resume] | report RUN"


def _help_settings(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    if given and not context.resilient_parsing:
        from autoforge.trainer.settings.help_text import help_text

        click.echo(help_text(), nl=False)
        context.exit()


@click.group(
    cls=_TrainGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    no_args_is_help=True,
)
@click.version_option(VERSION, prog_name=PROGRAM)
def commands() -> None:
    """Train a policy through episodes: supervised cold start, then ERPO.

    `autoforge-train config.toml` runs what a file says, `autoforge-train tiny` a preset; `--dry-run` prints the plan
    with memory and step estimates; `autoforge-train --help-settings` lists every setting.
    """


@commands.command("train")
@click.argument("config", metavar="CONFIG.toml|PRESET", type=_CONFIG)
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting over the file's, its value as in TOML: --set learner.zero=2. Repeatable.",
)
@click.option("--dry-run", is_flag=True, help="Print settings, memory and step estimates; exit 1 if it does not fit.")
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in run.folder.")
@click.option(
    "--help-settings",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_help_settings,
    help="List every setting with its meaning.",
)
@json_option
def train_command(config: str, **options: Any) -> int:
    """Train as a file of settings or a preset says.

    Values of --set go over the file's, the file's over those of the preset that it names. Several ranks are started by
    a launcher: deepspeed or torchrun with `-m autoforge.trainer.cli CONFIG.toml`.
    """
    with waiting(messages(), "loading"):
        from autoforge.trainer.commands.train import run_train
    return run_train(config, **options)


@commands.command("report")
@click.argument("run", metavar="RUN", type=FilledPath(path_type=Path))
@click.option("-o", "--output", type=FILE, metavar="PAGE.html", help="The page [default: report.html in RUN].")
@json_option
def report_command(run: Path, **options: Any) -> int:
    """Write the curves of a run, while it runs or afterwards, as one page that loads nothing.

    RUN is the folder of a run, or its metrics.jsonl.
    """
    with waiting(messages(), "loading"):
        from autoforge.trainer.commands.report import run_report
    return run_report(run, **options)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The program: run a command and exit with its code."""
    run_program(commands, PROGRAM, arguments)


if __name__ == "__main__":
    main()
