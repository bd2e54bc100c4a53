"""Kinds of parameters that every command uses, and the group that knows misspelt commands.

Invariant: an empty argument is refused, never taken for the current folder. Not covered: what a command does with them.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any

import click

__all__ = ["FILE", "FOLDER", "DefaultGroup", "Filled", "FilledPath", "HelpfulGroup", "json_option"]


class HelpfulGroup(click.Group):
    """A group that says which command was meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            near = self.near(args[0])
            if near is not None:
                raise click.UsageError(f"There is no command {args[0]!r}; did you mean {near!r}?", ctx)
        return super().resolve_command(ctx, args)

    def near(self, word: str) -> str | None:
        """The command that a word looks like."""
        return next(iter(difflib.get_close_matches(word, self.commands, 1, 0.75)), None)


class DefaultGroup(HelpfulGroup):
    """A group whose first word may be left out: what is no command is an argument of the command `default`."""

    default = "compile"
    meant = "documentation"
    """What its arguments are, in words."""
    usage = "DOCS... [-o DIR] [OPTIONS] | COMMAND [ARGS]..."

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help", "-h", "--version"):
            self._refuse_misspelt(args[0])
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def _refuse_misspelt(self, word: str) -> None:
        near = self.near(word)
        if near is not None and not os.path.exists(word):
            words = f"There is neither a command nor {self.meant} called {word!r}; did you mean {near!r}?"
            raise click.UsageError(words)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, self.usage)


class FilledPath(click.Path):
    """A path that is not the empty string, which would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("is an empty argument; give a path.", param, ctx)
        if "\0" in os.fsdecode(value):
            self.fail("holds a NUL character, which no path can.", param, ctx)
        return super().convert(value, param, ctx)


class Filled(click.ParamType[str]):
    """A string that is not empty."""

    name = "text"

    def __init__(self, wanted: str = "the folder or the name of an environment") -> None:
        """`wanted` is what should be given, in words."""
        self._wanted = wanted

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == "":
            self.fail(f"is an empty argument; give {self._wanted}.", param, ctx)
        return str(value)


FOLDER = FilledPath(file_okay=False, path_type=Path)
FILE = FilledPath(path_type=Path)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
