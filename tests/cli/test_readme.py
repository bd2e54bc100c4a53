"""What the documents tell a person to type exists: commands, flags, recipes, files."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from autoforge.generator.cli import commands
from autoforge.generator.emit.server_main import arguments_parser
from autoforge.gym.cli import commands as gym_commands
from autoforge.trainer.cli import commands as train_commands

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "examples/README.md", "examples/serving/README.md", "CHANGELOG.md")
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in DOCUMENTS}
FOREIGN = {
    "--cli",
    "--nproc-per-node",
    "--strict",
    "--method",
    "--cov",
    "--scale",
    "--from-literal",
    "--build",
    "--detach",
    "--no-cache-dir",
}
"""Flags of npx, pip, pytest, docker and kubectl that the documents use."""


class Line(NamedTuple):
    """A command line of a code block."""

    document: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.words)


def _lines() -> list[Line]:
    lines = []
    for name, text in TEXTS.items():
        for block in re.findall(r"^```(?:sh|bash)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                for part in re.split(r"&&|\||>", re.sub(r"(?:^|\s)#.*", "", line)):
                    if words := shlex.split(part):
                        lines.append(Line(name, (words[0].removeprefix(".venv/bin/"), *words[1:])))
    return lines


LINES = _lines()
PROGRAMS = {
    "autoforge-gen": (commands, "compile"),
    "autoforge-gym": (gym_commands, "run"),
    "autoforge-train": (train_commands, "train"),
}
OURS = [line for line in LINES if line.words[0] in PROGRAMS]
SERVERS = [line for line in LINES if "server.py" in str(line) and "npx" not in line.words]


@pytest.mark.parametrize("line", OURS, ids=str)
def test_a_command_of_the_documents_is_understood(line: Line) -> None:
    """Parsed, not run: an unknown command or flag, or a value of the wrong kind, is a usage error."""
    words = list(line.words[1:])
    with contextlib.suppress(click.exceptions.Exit):
        group, default = PROGRAMS[line.words[0]]
        name = words.pop(0) if words[0] in group.commands else default
        group.commands[name].make_context(name, words)


@pytest.mark.parametrize("line", SERVERS, ids=str)
def test_a_command_line_of_a_server_is_understood(line: Line) -> None:
    words = list(line.words)
    arguments_parser().parse_args(words[next(i for i, w in enumerate(words) if w.endswith("server.py")) + 1 :])


def test_there_are_commands_in_the_documents() -> None:
    assert len(OURS) > 10 and len(SERVERS) > 4


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_command_and_option_is_in_the_readme(program: str) -> None:
    readme = TEXTS["README.md"]
    group, default = PROGRAMS[program]
    for name, command in group.commands.items():
        assert name == default or f"{program} {name}" in readme
        for parameter in command.params:
            longest = max(parameter.opts, key=len)
            assert not longest.startswith("--") or re.search(rf"`{longest}(?![\w-])", readme), f"{name} {longest}"


def test_every_flag_that_the_documents_name_exists() -> None:
    listed = [command for group, _ in PROGRAMS.values() for command in group.commands.values()]
    known = {opt for command in listed for p in command.params for opt in p.opts} | FOREIGN
    known |= {opt for action in arguments_parser()._actions for opt in action.option_strings}
    named = {name: set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) for name, text in TEXTS.items()}
    assert {"--data", "--http"} <= set().union(*named.values())
    for name, flags in named.items():
        assert flags <= known, name


def test_recipes_and_files_that_the_documents_name_exist() -> None:
    recipes = set(re.findall(r"^([a-z]+)[^:=\n]*:(?!=)", (ROOT / "justfile").read_text(encoding="utf-8"), re.MULTILINE))
    found = {"recipe": 0, "link": 0, "path": 0}
    for name, text in TEXTS.items():
        for recipe in re.findall(r"(?:^|`)just ([a-z]+)", text, re.MULTILINE):
            assert recipe in recipes, f"{name}: just {recipe}"
            found["recipe"] += 1
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
            assert ((ROOT / name).parent / link).exists(), f"{name}: {link}"
            found["link"] += 1
        for path in re.findall(r"`((?:generator|gym|mcp_envs|bench|tests)/[\w/.]+)`", text):
            assert (ROOT / path).exists() or "NAME" in path, f"{name}: {path}"
            found["path"] += 1
    assert all(found.values()), found


def test_the_documents_name_no_machine_and_no_registry() -> None:
    for name, text in TEXTS.items():
        assert not re.search(r"/work/|/root/|/home/\w|pypi\.org|npmjs", text), name
