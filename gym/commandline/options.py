"""Options that several commands share.

Invariant: an option means the same wherever it is. Not covered: what is made of them (`commands`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from autoforge.gym.commandline.parameters import FILE, FOLDER

__all__ = ["model_options", "server_options"]


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of models, which `run` and `play` share."""
    return _with(
        command,
        click.option("--base-url", help="Base URL of the agent's OpenAI-compatible server (vLLM, Ollama)."),
        click.option("--user-base-url", help="The same for the models of user and judge [default: --base-url]."),
        click.option(
            "--reasoning",
            type=click.Choice(["keep", "drop", "none"]),
            help="Reasoning in the agent's history: keep it all, drop it at each message of the user, or have none "
            "[default: keep where the provider can carry it].",
        ),
        click.option("--max-cost", type=click.FloatRange(0), help="Most US dollars that model calls may cost."),
        click.option(
            "--cache",
            type=FOLDER,
            help="Folder for model answers, so that none is paid twice [default for run: beside its file].",
        ),
        click.option("--max-turns", type=click.IntRange(1), default=60, show_default=True, help="Turns of the agent."),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Other dice for everybody."),
    )


def server_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of servers, which most commands share."""
    return _with(
        command,
        click.option(
            "--workers", type=click.IntRange(1, 64), help="Processes of an environment folder [default: up to 4]."
        ),
        click.option("--task-file", type=FILE, help="Tasks in place of an environment's own, or for another server."),
        click.option("--folder", type=FOLDER, help="The environment of ours that an address serves."),
        click.option(
            "--token-variable", metavar="NAME", help="The variable that holds the token of a server at an address."
        ),
    )


def _with(command: Callable[..., Any], *options: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command
