"""`autoforge-gym`: episodes of agents and simulated users on any MCP server.

Invariant: nothing is imported before it is needed, so `--help` answers at once. Not covered: errors and exit codes
(`commandline.program`), what the commands do (`commands`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from autoforge.gym.commandline.options import model_options, server_options
from autoforge.gym.commandline.parameters import FILE, FOLDER, Filled, HelpfulGroup, json_option
from autoforge.gym.commandline.program import run_program
from autoforge.gym.commandline.terminal import messages, waiting
from autoforge.mcp_envs.version import VERSION

__all__ = ["commands", "main"]

PROGRAM = "autoforge-gym"
_TARGET = Filled("a folder or name of an environment, a command or an address")
_WHO = Filled("a name, or PROVIDER:MODEL")
_TASK = Filled("the id of a task")


@click.group(
    cls=HelpfulGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    no_args_is_help=True,
)
@click.version_option(VERSION, prog_name=PROGRAM)
def commands() -> None:
    """Play episodes of agents and simulated users on any MCP server; score, look at and export them.

    ENV is the folder of an environment or its name under ./mcp_envs or $AUTOFORGE_ENVS, the command of an MCP server
    in quotes, or its address.
    """


@commands.command("run")
@click.argument("environments", nargs=-1, required=True, metavar="ENV...", type=_TARGET)
@click.option(
    "--agent",
    required=True,
    metavar="A",
    type=_WHO,
    help="oracle, no-op, random, spam, PROVIDER:MODEL, or hermes+openai:MODEL (calls as text).",
)
@click.option(
    "--user", default="scripted", show_default=True, metavar="U", type=_WHO, help="scripted, or PROVIDER:MODEL."
)
@click.option("--trials", type=click.IntRange(1), default=1, show_default=True, help="Episodes of each task.")
@click.option("-o", "--output", type=FILE, help="File of trajectories [default: runs/AGENT.USER.jsonl].")
@click.option(
    "--split",
    type=click.Choice(["train", "validation", "test", "all"]),
    default="all",
    show_default=True,
    help="Which tasks.",
)
@click.option("--tasks", multiple=True, metavar="ID", type=_TASK, help="Only this task; repeatable.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many tasks of each environment.")
@click.option("--concurrency", type=click.IntRange(1), default=16, show_default=True, help="Episodes at a time.")
@click.option(
    "--retries",
    type=click.IntRange(0),
    default=2,
    show_default=True,
    help="How often an episode is played anew after a failure that is neither the agent's nor the user's.",
)
@click.option("--progress-signal", is_flag=True, help="Keep how far the gold changes are reached after each turn.")
@click.option(
    "--judge",
    default="rules",
    show_default=True,
    metavar="J",
    type=_WHO,
    help="Who looks for errors of the user, which mask an episode: rules, none, or PROVIDER:MODEL after the rules.",
)
@model_options
@server_options
@json_option
def run_command(environments: tuple[str, ...], **options: Any) -> int:
    """Play every task with an agent and a user, and say what came of it.

    Every finished episode is a line of the output file at once. Interrupted, the same command goes on where it was, and
    tries again what failed by no fault of the agent's; more trials, tasks and environments may be added to a file.
    """
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.run import RunRequest, run_run
        from autoforge.gym.commands.servers import options_of_servers
    return run_run(RunRequest(targets=environments, server=options_of_servers(options), **options))


@commands.command("score")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option(
    "--env", "environments", multiple=True, metavar="ENV", type=_TARGET, help="Where an environment is; repeatable."
)
@click.option("-o", "--output", type=FILE, help="File for the trajectories with their new scores.")
@server_options
@json_option
def score_command(files: tuple[Path, ...], **options: Any) -> int:
    """Score stored trajectories again and say what changed.

    Their calls, the user's too, are made once more on a fresh session. Environments are found where they were played or
    by name, unless --env names their folders; commands and addresses are used only where --env gives them.
    """
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.score import run_score
        from autoforge.gym.commands.servers import options_of_servers
    return run_score(files, server=options_of_servers(options), **options)


@commands.command("export")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, help="File of chats, one JSON line each.")
@click.option(
    "--reward", type=click.FloatRange(0, 1), default=1.0, show_default=True, help="Only episodes with at least this."
)
@click.option("--masked", is_flag=True, help="Also episodes that an error of the user touched.")
@click.option(
    "--thinking",
    type=click.Choice(["keep", "drop"]),
    default="keep",
    show_default=True,
    help="Whether reasoning goes along, as `reasoning_content`.",
)
@json_option
def export_command(files: tuple[Path, ...], **options: Any) -> int:
    """Write trajectories as chats with tools, for supervised training.

    Messages and tools are in OpenAI's format, which chat templates read.
    """
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.export import run_export
    return run_export(files, **options)


@commands.command("check")
@click.argument("targets", nargs=-1, required=True, metavar="ENV...", type=_TARGET)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many tasks [default: all].")
@click.option(
    "--calls", type=click.IntRange(1), default=20, show_default=True, help="Drawn calls where there are no tasks."
)
@click.option("--writes", is_flag=True, help="Draw calls of tools that may write, too: only where nothing can be lost.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the drawn calls.")
@server_options
@json_option
def check_command(targets: tuple[str, ...], **options: Any) -> int:
    """Check that a server is fit for episodes.

    Valid schemas; the same reset, the same state; the same calls, the same results, state and reward; two sessions that
    do not see each other; nothing left behind. A server without tasks is called with drawn arguments, only tools that
    say that they only read unless --writes is given.
    """
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.check import run_check
        from autoforge.gym.commands.servers import options_of_servers
    return run_check(targets, server=options_of_servers(options), **options)


@commands.command("gold")
@click.argument("target", metavar="ENV", type=_TARGET)
@click.argument("file", metavar="TASKS", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, help="File of tasks, for --task-file.")
@server_options
@json_option
def gold_command(**options: Any) -> int:
    """Give tasks that you wrote for a server of others what they are scored by.

    A line of TASKS is a JSON object: id, instruction, probe (read-only calls whose outputs are the state), calls (that
    solve it), and where there are any known, answers, setup, persona, language. The calls are made twice, each time in
    a fresh session; what they leave, as the probes show it, is gold.
    """
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.gold import run_gold
        from autoforge.gym.commands.servers import options_of_servers
    return run_gold(server=options_of_servers(options), **options)


@commands.command("play")
@click.argument("target", metavar="ENV", type=_TARGET)
@click.argument("task", required=False, metavar="[TASK]", type=_TASK)
@click.option("--as", "side", type=click.Choice(["agent", "user"]), required=True, help="Who you are.")
@click.option("--agent", default="oracle", show_default=True, metavar="A", type=_WHO, help="The other side, as in run.")
@click.option("--user", default="scripted", show_default=True, metavar="U", type=_WHO, help="Likewise.")
@click.option("-o", "--output", type=FILE, help="File that gets the trajectory.")
@model_options
@server_options
def play_command(**options: Any) -> int:
    """Be the agent or the user of one episode, at the terminal."""
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.play import PlayRequest, run_play
        from autoforge.gym.commands.servers import options_of_servers
    return run_play(PlayRequest(server=options_of_servers(options), **options))


@commands.command("view")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, metavar="PAGE.html", help="The page.")
def view_command(files: tuple[Path, ...], output: Path) -> int:
    """Write trajectories as one page to look at, which loads nothing."""
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.view import run_view
    return run_view(files, output)


@commands.command("compare")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the intervals.")
@json_option
def compare_command(files: tuple[Path, ...], seed: int, as_json: bool) -> int:
    """Compare users on the same agent and tasks, paired by task.

    The first file's is what the others are compared with. Files of one user compare agents.
    """
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.compare import run_compare
    return run_compare(files, seed=seed, as_json=as_json)


@commands.command("serve")
@click.argument("target", metavar="ENV", type=_TARGET)
@click.argument("task", required=False, metavar="[TASK]", type=_TASK)
@click.option(
    "--user", default="scripted", show_default=True, metavar="U", type=_WHO, help="scripted, or PROVIDER:MODEL."
)
@click.option("-o", "--output", type=FILE, required=True, help="File that gets the trajectories.")
@click.option(
    "--http",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve /episodes/{id}/mcp on this port of 127.0.0.1 (0: any free one) [default: one episode on stdio].",
)
@click.option(
    "--trial", type=click.IntRange(0), help="Number of the trial [default: the first that is not in the file]."
)
@click.option("--agent", default="mcp", show_default=True, type=_WHO, help="What to call the agent in the file.")
@click.option(
    "--judge",
    default="rules",
    show_default=True,
    metavar="J",
    type=_WHO,
    help="Who looks for errors of the user, as in run.",
)
@click.option("--user-base-url", help="Base URL of the OpenAI-compatible server of user and judge (vLLM, Ollama).")
@click.option("--max-cost", type=click.FloatRange(0), help="Most US dollars that model calls may cost.")
@click.option("--cache", type=FOLDER, help="Folder for model answers.")
@click.option("--max-turns", type=click.IntRange(1), default=60, show_default=True, help="Turns of the agent.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Other dice for the user.")
@server_options
def serve_command(**options: Any) -> int:
    """Serve episodes as MCP servers, so that any agent that speaks MCP can be run on tasks and scored.

    The agent gets the tools of the environment and one more, message_user, by which it speaks to the user; it is never
    told its reward. Without TASK, each episode has the next task that the file does not have yet.
    """
    with waiting(messages(), "loading"):
        from autoforge.gym.commands.serve import ServeRequest, run_serve
        from autoforge.gym.commands.servers import options_of_servers
    return run_serve(ServeRequest(server=options_of_servers(options), **options))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The program: run a command and exit with its code."""
    run_program(commands, PROGRAM, arguments)


if __name__ == "__main__":
    main()
