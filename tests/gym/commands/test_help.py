"""`--help` of every command works in a base install and at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autoforge.gym.cli import commands
from autoforge.mcp_envs.version import VERSION
from tests.gym.commands.conftest import Run, program

EXTRAS = ("torch", "transformers", "deepspeed", "vllm", "pytest", "mypy")
HEAVY = ("mcp", "networkx", "pydantic", "anthropic", "openai", "hypothesis", "faker", "inflect", "jinja2")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], [], *([name, "--help"] for name in sorted(commands.commands))]
)
def test_help_is_printed_without_an_extra_and_without_a_heavy_import(arguments: list[str], tmp_path: Path) -> None:
    """An import of what only an extra brings, or of what makes `--help` slow, ends the program."""
    script = (
        "import sys\n"
        f"for name in {(*EXTRAS, *HEAVY)!r}: sys.modules[name] = None\n"
        "from autoforge.gym.cli import main\n"
        f"main({arguments!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert "Usage: autoforge-gym" in done.stdout + done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if arguments else 2)


def test_every_option_and_command_has_a_line_of_help() -> None:
    for name, command in commands.commands.items():
        assert command.help, name
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_the_version_is_that_of_the_code(tmp_path: Path) -> None:
    assert program("--version", cwd=tmp_path).out.split()[-1] == VERSION


def test_a_misspelt_command_is_answered_with_the_right_one(run: Run) -> None:
    ran = run("scroe", "file.jsonl")
    assert ran.code == 2 and "did you mean 'score'" in ran.err
    ran = run("dance")
    assert ran.code == 2 and "dance" in ran.err
