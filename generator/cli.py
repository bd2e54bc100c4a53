"""`autoforge-gen`: documentation → environments; prove them again; look at them.

Invariant: exit 0 when what was asked holds, 1 when it ran and does not hold, 2 for bad input; with `--json` one JSON document goes to
stdout and everything else to stderr. Nothing is imported before it is needed, so `--help` answers at once.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["main"]

DEFAULT_FOLDER = "mcp_envs"


class DefaultGroup(click.Group):
    """A group whose first word may be left out: what is no command is documentation to compile."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        first = next((a for a in args if not a.startswith("-") or a == "-"), None)
        own = {"--help", "--version"} & set(args[:1])
        if args and not own and first not in self.commands:
            args = ["compile", *args]
        return super().parse_args(context, args)

    def format_usage(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(context.command_path, "DOCS... [-o DIR] [OPTIONS] | COMMAND [ARGS]...")

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except AutoForgeError as error:
            click.echo(f"autoforge-gen: {error}", err=True)
            context.exit(error.exit_code)


@click.group(cls=DefaultGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}, no_args_is_help=True)
@click.version_option(package_name="autoforge-rl", prog_name="autoforge-gen")
def main() -> None:
    """Compile tool documentation into standalone MCP servers with SQLite state.

    `autoforge-gen docs.json` compiles one environment per file into ./mcp_envs/; `autoforge-gen compile --help` lists the options.
    """


@main.command("compile")
@click.argument("docs", nargs=-1, metavar="DOCS...")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), default=Path(DEFAULT_FOLDER), show_default=True, help="Folder that gets a folder per environment.")
@click.option("--name", help="Name of the environment; several DOCS become this one environment.")
@click.option("--from-server", metavar="COMMAND|URL", help="Read the tools of a running MCP server instead of files.")
@click.option("--data", "data", multiple=True, type=click.Path(path_type=Path), help="Sample of the state (JSON, CSV, SQLite): becomes the initial state. Repeatable.")
@click.option("--policy", type=click.Path(path_type=Path), help="Domain rules in prose.")
@click.option("--llm", metavar="PROVIDER:MODEL", help="Let a model write the world: anthropic:MODEL or openai:MODEL. Without it, rules do.")
@click.option("--base-url", help="Base URL of an OpenAI-compatible server (vLLM, Ollama).")
@click.option("--max-cost", type=float, help="Stop before model calls cost more than this many US dollars.")
@click.option("--cache", type=click.Path(path_type=Path), help="Folder for model answers and the ledger [default: DIR/.cache].")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the initial state.")
@click.option("--seed-rows", type=click.IntRange(2, 1000), default=12, show_default=True, help="Rows wanted per table.")
@click.option("--jobs", type=click.IntRange(1, 64), default=None, help="Environments compiled at once [default: one per core].")
@click.option("--keep-failing", is_flag=True, help="Write environments that do not pass, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
def compile_command(**options: Any) -> None:
    """Compile documentation: files, folders, or - for stdin. Each file becomes one environment, unless --name joins them."""
    from autoforge.generator.command import run_compile

    sys.exit(run_compile(**{**options, "jobs": options["jobs"] or os.cpu_count() or 1}))


@main.command("check")
@click.argument("environments", nargs=-1, required=True, metavar="ENV...")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the fuzzer.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
def check_command(environments: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Prove environments again, from their files alone. ENV is a folder, or a name under ./mcp_envs or $AUTOFORGE_ENVS."""
    from autoforge.generator.command import run_check

    sys.exit(run_check(environments, seed=seed, as_json=as_json))


@main.command("show")
@click.argument("environment", metavar="ENV")
@click.argument("tool", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
def show_command(environment: str, tool: str | None, as_json: bool) -> None:
    """Show an environment's tables and tools, or one TOOL with its code, effects and verdict."""
    from autoforge.generator.command import run_show

    sys.exit(run_show(environment, tool, as_json=as_json))


if __name__ == "__main__":
    main()
