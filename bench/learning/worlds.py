"""The environments of the runs: those that are trained in, and the same with other rows to be measured in.

Invariant: no value of a row that is measured in stands in a row that is trained in but by chance, since the seeds of
the states differ. Not covered: how environments are made.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["Worlds", "worlds"]

ROOT = Path(__file__).resolve().parents[2]
TRAINED = ("desk", "depot")
UNSEEN = "shelf"
_SEEDS = (2, 3)
"""Of the states that are measured in; the committed ones have seed 0. A state gives about seventy tasks."""
_PROGRAM = (sys.executable, "-m", "autoforge.generator.cli")


class Worlds(NamedTuple):
    """Folders of environments."""

    train: tuple[Path, ...]
    held_out: tuple[Path, ...]
    """The same tools with other rows, named NAME-held-out-SEED."""
    unseen: Path
    """Other tools."""


def worlds(folder: Path, tasks: int) -> Worlds:
    """Compile what is not there yet; `tasks` of each that is measured in. Raises CalledProcessError."""
    held_out = tuple(_compiled(name, seed, folder, tasks) for name in TRAINED for seed in _SEEDS)
    unseen = _compiled(UNSEEN, _SEEDS[0], folder, tasks)
    return Worlds(tuple(ROOT / "mcp_envs" / name for name in TRAINED), held_out, unseen)


def _compiled(name: str, seed: int, folder: Path, tasks: int) -> Path:
    made = folder / f"{name}-held-out-{seed}"
    if not (made / "tasks.jsonl").is_file():
        words = _example(name)
        words[words.index("--tasks") + 1] = str(tasks)
        subprocess.run([*_PROGRAM, *words, "--name", made.name, "--seed", str(seed), "-o", str(folder)], check=True)
    return made


def _example(name: str) -> list[str]:
    """The arguments with which the committed environment was made."""
    text = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^autoforge-gen (examples/practice/{name}\.json .+)$", text, re.MULTILINE)
    assert found is not None, f"examples/README.md has no command for {name}"
    document, *rest = found[1].split()
    return [str(ROOT / document), *rest]


def names(paths: Sequence[Path]) -> list[str]:
    return [path.name for path in paths]
