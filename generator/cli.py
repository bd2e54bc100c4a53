"""`autoforge-gen`: documentation → environments; prove them again; look at them.

Invariant: exit 0 when what was asked holds, 1 when it ran and does not hold, 2 for bad input, 130 after Ctrl-C; with
`--json` one JSON document goes to stdout and everything else to stderr; a fault of ours is one line too, and its
traceback is there for AUTOFORGE_TRACEBACK=1. Nothing is imported before it is needed, so `--help` answers at once.
"""

from __future__ import annotations

import difflib
import functools
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import click

from autoforge.generator.terminal import messages, waiting
from autoforge.generator.version import VERSION
from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["commands", "main"]

PROGRAM = "autoforge-gen"
DEFAULT_FOLDER = "mcp_envs"
TRACEBACK_VARIABLE = "AUTOFORGE_TRACEBACK"


class DefaultGroup(click.Group):
    """A group whose first word may be left out: what is no command is documentation to compile."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help", "-h", "--version"):
            self._refuse_misspelt(args[0])
            args = ["compile", *args]
        return super().parse_args(context, args)

    def _refuse_misspelt(self, word: str) -> None:
        near = difflib.get_close_matches(word, self.commands, 1, 0.75)
        if near and not os.path.exists(word):
            words = f"There is neither a command nor documentation called {word!r}; did you mean {near[0]!r}?"
            raise click.UsageError(words)

    def format_usage(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(context.command_path, "DOCS... [-o DIR] [OPTIONS] | COMMAND [ARGS]...")


class FilledPath(click.Path):
    """A path that is not the empty string, which would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("is an empty argument; give a path.", param, ctx)
        return super().convert(value, param, ctx)


class Filled(click.ParamType[str]):
    """A string that is not empty."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == "":
            self.fail("is an empty argument; give the folder or the name of an environment.", param, ctx)
        return str(value)


_FOLDER = FilledPath(file_okay=False, path_type=Path)
_FILE = FilledPath(path_type=Path)
TASK_SHARES = {
    "merged": "Share of proposals that merge two or three walks [default: 0.75].",
    "branches": "Share of writing goals for which a branch is tried [default: 0.3].",
    "fall_backs": "Share of writing goals for which a fall-back is tried [default: 0.3].",
    "reasoning": "Share of proposals drawn again until something has to be reasoned [default: 0.9].",
    "questions": "Share of proposals that also ask for something [default: 0.35].",
    "look_alikes": "Share of proposals whose initial state gets look-alike rows [default: 0.6].",
}
TASK_COUNTS = {
    "least_calls": "Gold calls that are aimed at; half of it is the fewest [default: 6].",
    "most_calls": "Most gold calls [default: 24].",
    "least_writes": "Writing gold calls that are aimed at; half of it is the fewest [default: 2].",
    "walk_length": "Most tools of one walk [default: 4].",
}
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")


@click.group(
    cls=DefaultGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    no_args_is_help=True,
)
@click.version_option(VERSION, prog_name=PROGRAM)
def commands() -> None:
    """Compile tool documentation into standalone MCP servers with SQLite state.

    `autoforge-gen docs.json` compiles one environment per file into ./mcp_envs/; `autoforge-gen compile --help` lists
    the options.
    """


@commands.command("compile")
@click.argument("docs", nargs=-1, metavar="DOCS...")
@click.option(
    "-o",
    "--output",
    type=_FOLDER,
    default=Path(DEFAULT_FOLDER),
    show_default=True,
    help="Folder that gets a folder per environment.",
)
@click.option("--name", help="Name of the environment; several DOCS become this one environment.")
@click.option("--from-server", metavar="COMMAND|URL", help="Read the tools of a running MCP server instead of files.")
@click.option(
    "--data",
    multiple=True,
    type=_FILE,
    help="Sample of the state (JSON, CSV, SQLite): becomes the initial state. Repeatable.",
)
@click.option("--policy", type=_FILE, help="Domain rules in prose.")
@click.option(
    "--llm",
    metavar="PROVIDER:MODEL",
    help="Let a model write the world: anthropic:MODEL or openai:MODEL. Without it, rules do.",
)
@click.option("--base-url", help="Base URL of an OpenAI-compatible server (vLLM, Ollama).")
@click.option("--max-cost", type=click.FloatRange(0), help="Most US dollars that model calls may cost.")
@click.option("--cache", type=_FOLDER, help="Folder for model answers and the ledger [default: DIR/.cache].")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the initial state and of the fuzzer.")
@click.option("--seed-rows", type=click.IntRange(2, 1000), default=12, show_default=True, help="Rows wanted per table.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Environments compiled at once [default: one per core].")
@click.option("--tasks", type=click.IntRange(0, 100_000), default=0, help="Tasks to add to each environment.")
@click.option("--drop-tasks", is_flag=True, help="Lose the tasks of an environment that is replaced by another one.")
@click.option("--keep-failing", is_flag=True, help="Write environments that do not pass, too.")
@_json
def compile_command(**options: Any) -> int:
    """Compile documentation: files, folders, or - for stdin.

    Each file becomes one environment, unless --name joins them.
    """
    with waiting(messages(), "loading"):
        from autoforge.generator.command import run_compile
        from autoforge.generator.plan import CompileOptions
    return run_compile(CompileOptions(**{**options, "jobs": options["jobs"] or _cores()}))


def _task_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of how tasks are made, which `compile` and `tasks` share."""
    for name, words in reversed(TASK_SHARES.items()):
        flag = f"--{name.replace('_', '-')}"
        command = click.option(flag, type=click.FloatRange(0, 1), default=None, help=words)(command)
    for name, words in reversed(TASK_COUNTS.items()):
        flag = f"--{name.replace('_', '-')}"
        command = click.option(flag, type=click.IntRange(0, 100), default=None, help=words)(command)
    return command


@commands.command("tasks")
@click.argument("environments", nargs=-1, required=True, metavar="ENV...", type=Filled())
@click.option("-n", "--count", type=click.IntRange(1, 100_000), required=True, help="Tasks to add to each environment.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the proposals.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes [default: one per core].")
@click.option(
    "--language", default="auto", show_default=True, help="Language of the instructions: en, es, de, or auto."
)
@click.option("--difficulty", metavar="MIX", help="Shares by level, as in easy=20,medium=50,hard=30.")
@click.option(
    "--distractors", type=click.IntRange(0, 100), help="Offer only the tools that gold calls and so many others."
)
@click.option("--replace", is_flag=True, help="Drop the tasks that are there.")
@click.option("--llm", metavar="PROVIDER:MODEL", help="Let a model help: anthropic:MODEL or openai:MODEL.")
@click.option("--base-url", help="Base URL of an OpenAI-compatible server (vLLM, Ollama).")
@click.option("--max-cost", type=click.FloatRange(0), help="Most US dollars that model calls may cost.")
@click.option("--cache", type=_FOLDER, help="Folder for model answers and the ledger [default: .cache beside ENV].")
@click.option("--opinions", is_flag=True, help="Ask the model which calls of merged tasks look redundant, too.")
@_task_options
@_json
def tasks_command(environments: tuple[str, ...], **options: Any) -> int:
    """Add hard tasks that carry their own proof to environments.

    ENV is a folder, or a name under ./mcp_envs or $AUTOFORGE_ENVS. Interrupted, the same command goes on where it was.
    """
    with waiting(messages(), "loading"):
        from autoforge.generator.tasks.model.command import ModelOptions
        from autoforge.generator.tasks.policy import TaskPolicy
        from autoforge.generator.tasks_command import TaskOptions, run_tasks
    given = {name: options.pop(name) for name in (*TASK_SHARES, *TASK_COUNTS)}
    policy = TaskPolicy.of(given)
    model = ModelOptions(**{name: options.pop(name) for name in ("llm", "base_url", "max_cost", "cache", "opinions")})
    options["jobs"] = options["jobs"] or _cores()
    return run_tasks(environments, TaskOptions(**options, policy=policy, model=model))


@commands.command("check")
@click.argument("environments", nargs=-1, required=True, metavar="ENV...", type=Filled())
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the fuzzer.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes that prove tasks [default: one per core].")
@_json
def check_command(environments: tuple[str, ...], seed: int, jobs: int | None, as_json: bool) -> int:
    """Prove environments and their tasks again, from their files alone.

    ENV is a folder, or a name under ./mcp_envs or $AUTOFORGE_ENVS.
    """
    with waiting(messages(), "loading"):
        from autoforge.generator.check import run_check
    return run_check(environments, seed=seed, jobs=jobs or _cores(), as_json=as_json)


@commands.command("show")
@click.argument("environment", metavar="ENV", type=Filled())
@click.argument("name", required=False, metavar="[TOOL|TASK]")
@_json
def show_command(environment: str, name: str | None, as_json: bool) -> int:
    """Show an environment's tables, tools and tasks, or one of them.

    A TOOL is shown with its code, effects and verdict; a TASK, by its id, the beginning of it or its number (#3), with
    its blueprint, gold calls, state diff and verdicts.
    """
    with waiting(messages(), "loading"):
        from autoforge.generator.show import run_show
    return run_show(environment, name, as_json=as_json)


def main(arguments: Sequence[str] | None = None) -> None:
    """The program: run a command and exit with its code. The one place where errors become sentences."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, _terminated)
    run = functools.partial(commands.main, arguments, prog_name=PROGRAM, standalone_mode=False)
    sys.exit(_outcome(run, "--json" in arguments))


def _outcome(run: Callable[[], Any], as_json: bool) -> int:
    try:
        return int(run() or 0)
    except click.ClickException as error:
        error.show()
        return _said(error.format_message(), error.exit_code, as_json)
    except AutoForgeError as error:
        click.echo(f"{PROGRAM}: {error}", err=True)
        return _said(str(error), error.exit_code, as_json)
    except (KeyboardInterrupt, click.Abort):
        click.echo(f"{PROGRAM}: interrupted; nothing is half written.", err=True)
        return 130
    except Exception as error:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        words = f"{_place(error)}; a fault of AutoForge: please report it with what {TRACEBACK_VARIABLE}=1 shows."
        click.echo(f"{PROGRAM}: {words}", err=True)
        return _said(words, 1, as_json)


def _said(words: str, exit_code: int, as_json: bool) -> int:
    if as_json:
        click.echo(json.dumps({"error": words, "exit_code": exit_code}, ensure_ascii=False))
    return exit_code


def _place(error: Exception) -> str:
    """`KeyError: 'x' (writes.py, line 12)`."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}{where}"


def _terminated(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + signum)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    main()
