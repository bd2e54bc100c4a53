"""Scenes that ran in processes of their own, once for all tests and all workers of pytest."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import torch

from tests.trainer.learner.tiny import save_model

__all__ = ["Launched"]

SCENES: Final = {1: ("numbers",), 2: ("numbers", "half", "life", "refusals")}
"""What is launched with so many ranks, all in one go: the start takes most of the time."""

SECONDS: Final = 400
ROOT = Path(__file__).parents[3]


class Launched:
    """What the scenes saw."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self._loaded = cache(self._load)

    def folder(self, ranks: int) -> Path:
        """Of the models, and of what the scenes wrote; they have run when it is returned."""
        folder = self._base / f"learner-{ranks}"
        folder.mkdir(exist_ok=True)
        with (self._base / f"learner-{ranks}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / "done").exists():
                save_model(folder / "untied", tied=False)
                save_model(folder / "tied", tied=True)
                _launch(ranks, folder)
                (folder / "done").touch()
        return folder

    def seen(self, scene: str, ranks: int, rank: int = 0) -> dict[str, Any]:
        """By a rank."""
        return self._loaded(scene, ranks, rank)

    def _load(self, scene: str, ranks: int, rank: int) -> dict[str, Any]:
        path = self.folder(ranks) / f"{scene}-{rank}.pt"
        seen: dict[str, Any] = torch.load(path, weights_only=True)
        return seen


def _launch(ranks: int, folder: Path) -> None:
    alone = [sys.executable]
    several = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks)]
    command = [*(alone if ranks == 1 else several), str(Path(__file__).with_name("scenes.py")), str(folder)]
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        [*command, *SCENES[ranks]], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            _, words = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            # Ranks that wait for each other for ever are what a broken step looks like; torchrun would outlive them.
            os.killpg(process.pid, signal.SIGTERM)
            _, words = process.communicate()
            words = f"no end within {SECONDS} s\n{words}"
    if process.returncode:
        pytest.fail(f"the scenes with {ranks} ranks ended with {process.returncode}:\n{words[-6000:]}")
