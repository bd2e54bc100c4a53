"""`autoforge-gen`: documentation → environments; prove them again; look at them.

Invariant: nothing is imported before it is needed, so `--help` answers at once. Not covered: errors and exit codes
(`gym.commandline.program`), what the commands do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from autoforge.gym.commandline.parameters import FILE, FOLDER, DefaultGroup, Filled, json_option
from autoforge.gym.commandline.program import run_program
from autoforge.gym.commandline.terminal import messages, waiting
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.version import VERSION

__all__ = ["commands", "main"]

PROGRAM = "autoforge-gen"
DEFAULT_FOLDER = "mcp_envs"
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


def _task_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of how tasks are made, which `compile` and `tasks` share."""
    for name, words in reversed(TASK_SHARES.items()):
        flag = f"--{name.replace('_', '-')}"
        command = click.option(flag, type=click.FloatRange(0, 1), default=None, help=words)(command)
    for name, words in reversed(TASK_COUNTS.items()):
        flag = f"--{name.replace('_', '-')}"
        command = click.option(flag, type=click.IntRange(0, 100), default=None, help=words)(command)
    return command


def _task_policy(options: dict[str, Any]) -> Any:
    """What the options of `_task_options` ask for, taken out of `options`. Raises BadInput."""
    from autoforge.generator.tasks.policy import TaskPolicy

    return TaskPolicy.of({name: options.pop(name) for name in (*TASK_SHARES, *TASK_COUNTS)})


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
    type=FOLDER,
    default=Path(DEFAULT_FOLDER),
    show_default=True,
    help="Folder that gets a folder per environment.",
)
@click.option("--name", help="Name of the environment; several DOCS become this one environment.")
@click.option("--from-server", metavar="COMMAND|URL", help="Read the tools of a running MCP server instead of files.")
@click.option(
    "--data",
    multiple=True,
    type=FILE,
    help="Sample of the state (JSON, CSV, SQLite): becomes the initial state. Repeatable.",
)
@click.option("--policy", type=FILE, help="Domain rules in prose.")
@click.option(
    "--llm",
    metavar="PROVIDER:MODEL",
    help="Let a model write the world: anthropic:MODEL or openai:MODEL. Without it, rules do.",
)
@click.option("--base-url", help="Base URL of an OpenAI-compatible server (vLLM, Ollama).")
@click.option("--max-cost", type=click.FloatRange(0), help="Most US dollars that model calls may cost.")
@click.option("--cache", type=FOLDER, help="Folder for model answers and the ledger [default: DIR/.cache].")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the initial state and of the fuzzer.")
@click.option("--seed-rows", type=click.IntRange(2, 1000), default=12, show_default=True, help="Rows wanted per table.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Environments compiled at once [default: one per core].")
@click.option("--tasks", type=click.IntRange(0, 100_000), default=0, help="Tasks to add to each environment.")
@click.option("--drop-tasks", is_flag=True, help="Lose the tasks of an environment that is replaced by another one.")
@click.option("--keep-failing", is_flag=True, help="Write environments that do not pass, too.")
@_task_options
@json_option
def compile_command(**options: Any) -> int:
    """Compile documentation: files, folders, or - for stdin.

    Each file becomes one environment, unless --name joins them. The last options, from --merged on, are about the tasks
    that --tasks adds.
    """
    with waiting(messages(), "loading"):
        from autoforge.generator.command import run_compile
        from autoforge.generator.plan import CompileOptions
    given = next((name for name in (*TASK_SHARES, *TASK_COUNTS) if options[name] is not None), None)
    if given is not None and not options["tasks"]:
        raise BadInput(f"--{given.replace('_', '-')} is about tasks, and none are made; add --tasks N.")
    options["task_policy"] = _task_policy(options)
    return run_compile(CompileOptions(**{**options, "jobs": options["jobs"] or _cores()}))


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
@click.option("--cache", type=FOLDER, help="Folder for model answers and the ledger [default: .cache beside ENV].")
@click.option("--opinions", is_flag=True, help="Ask the model which calls of merged tasks look redundant, too.")
@_task_options
@json_option
def tasks_command(environments: tuple[str, ...], **options: Any) -> int:
    """Add hard tasks that carry their own proof to environments.

    ENV is a folder, or a name under ./mcp_envs or $AUTOFORGE_ENVS. Interrupted, the same command goes on where it was.
    """
    with waiting(messages(), "loading"):
        from autoforge.generator.tasks.model.command import ModelOptions
        from autoforge.generator.tasks_command import TaskOptions, run_tasks
    policy = _task_policy(options)
    model = ModelOptions(**{name: options.pop(name) for name in ("llm", "base_url", "max_cost", "cache", "opinions")})
    options["jobs"] = options["jobs"] or _cores()
    return run_tasks(environments, TaskOptions(**options, policy=policy, model=model))


@commands.command("check")
@click.argument("environments", nargs=-1, required=True, metavar="ENV...", type=Filled())
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the fuzzer.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes that prove tasks [default: one per core].")
@json_option
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
@json_option
def show_command(environment: str, name: str | None, as_json: bool) -> int:
    """Show an environment's tables, tools and tasks, or one of them.

    A TOOL is shown with its code, effects and verdict; a TASK, by its id, the beginning of it or its number (#3), with
    its blueprint, gold calls, state diff and verdicts.
    """
    with waiting(messages(), "loading"):
        from autoforge.generator.show import run_show
    return run_show(environment, name, as_json=as_json)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The program: run a command and exit with its code."""
    run_program(commands, PROGRAM, arguments)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    main()
