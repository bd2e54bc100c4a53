"""Runs of `autoforge-train`, some at a time, each in a folder of its own, gone on with where it was interrupted.

Invariant: a run that is done is not played again; what a run was begun with, the base included, lies beside it, and it
is not gone on with anything else; a run that others begin as is played before them. Not covered: what is counted
afterwards (`counts`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from autoforge.mcp_envs.errors import BadInput

__all__ = ["Run", "play"]

_PROGRAM = (sys.executable, "-m", "autoforge.trainer.cli", "train")


class Run(NamedTuple):
    """One run."""

    arm: str
    seed: int
    folder: Path
    settings: dict[str, str]
    """Over those of the preset `tiny`: values as TOML, by dotted key."""
    begins_as: Path | None = None
    """Folder of a run with the same cold start, which is taken from there where it is done."""

    @property
    def done(self) -> bool:
        return (self.folder / "trained").is_dir()

    @property
    def seconds(self) -> float | None:
        """Of all its processes, interrupted ones left out; None where they were not kept."""
        path = self.folder / "seconds.txt"
        return sum(map(float, path.read_text(encoding="utf-8").split())) if path.exists() else None


def play(runs: Sequence[Run], at_once: int) -> list[Run]:
    """Those that failed."""
    firsts = {run.begins_as for run in runs}
    failed: list[Run] = []
    for part in ([r for r in runs if r.folder in firsts], [r for r in runs if r.folder not in firsts]):
        with ThreadPoolExecutor(at_once) as pool:
            ended = list(pool.map(lambda run: _played(run, threads=max(1, _cores() // at_once)), part))
        failed += [run for run, well in zip(part, ended, strict=True) if not well]
    return failed


def _played(run: Run, threads: int) -> bool:
    """Whether it came to its end. Raises BadInput for a run that was begun with other settings."""
    run.folder.mkdir(parents=True, exist_ok=True)
    _keep_beginning(run)
    if run.done:
        return True
    _take_cold_start(run)
    assignments = {**run.settings, "run.folder": f'"{run.folder}"', "run.seed": str(run.seed)}
    given = [word for key, value in assignments.items() for word in ("--set", f"{key}={value}")]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "CUDA_VISIBLE_DEVICES": ""}
    command = [*_PROGRAM, "tiny", *given, "--resume"]  # the folder holds the log at least
    begun = time.monotonic()
    with (run.folder / "log.txt").open("a", encoding="utf-8") as log:
        code = subprocess.run(command, stdout=log, stderr=log, env=environment, check=False).returncode
    with (run.folder / "seconds.txt").open("a", encoding="utf-8") as seconds:
        seconds.write(f"{time.monotonic() - begun:.1f}\n")
    return code == 0


def _keep_beginning(run: Run) -> None:
    """Raises BadInput where the folder holds a run with other settings or another base."""
    base = hashlib.sha256((resources.files("autoforge.trainer.tiny") / "base" / "model.safetensors").read_bytes())
    now = {"settings": run.settings, "seed": run.seed, "base": base.hexdigest()}
    path = run.folder / "settings.json"
    if not path.exists():
        path.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    elif json.loads(path.read_text(encoding="utf-8")) != now:
        raise BadInput(f"{run.folder} holds a run with other settings or another base; give another --folder.")


def _take_cold_start(run: Run) -> None:
    made = run.folder / "cold_start"
    if run.begins_as is None or made.exists() or not (run.begins_as / "cold_start").is_dir():
        return
    draft = run.folder / ".cold_start.new"
    shutil.rmtree(draft, ignore_errors=True)
    shutil.copytree(run.begins_as / "cold_start", draft)
    draft.rename(made)


def _cores() -> int:
    return len(os.sched_getaffinity(0))
