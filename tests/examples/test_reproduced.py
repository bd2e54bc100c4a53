"""The committed environments are what the examples' commands give, byte for byte.

The commands are those of `examples/README.md`; `just examples` runs the same lines. Invariant: no environment is
committed that no command makes.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "mcp_envs"
COMMANDS = re.findall(
    r"^autoforge-gen (.+)$", (ROOT / "examples" / "README.md").read_text(encoding="utf-8"), re.MULTILINE
)
SECONDS = 300


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of an environment; what Python leaves beside code it ran is no part of it."""
    files = (p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_example_gives_the_committed_environment_byte_for_byte(command: str, tmp_path: Path) -> None:
    program = [sys.executable, "-m", "autoforge.generator.cli", *shlex.split(command), "-o", str(tmp_path)]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    [made] = tmp_path.iterdir()
    committed = COMMITTED / made.name
    assert committed.is_dir(), f"{made.name} is not committed: run `just examples`"
    ours, theirs = contents(made), contents(committed)
    assert sorted(ours) == sorted(theirs)
    assert not [name for name in ours if ours[name] != theirs[name]], "run `just examples` and look at the difference"


def test_every_committed_environment_is_made_by_an_example() -> None:
    made = {_name(shlex.split(command)) for command in COMMANDS}
    assert {p.parent.name for p in COMMITTED.glob("*/environment.json")} == made


def _name(words: list[str]) -> str:
    return words[words.index("--name") + 1] if "--name" in words else Path(words[0]).name.partition(".")[0]
