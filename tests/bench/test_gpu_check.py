"""The check of a GPU host runs to its end on a CPU, and says what it could not test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import torch

from bench import gpu_check
from bench.gpu_check_machine import PEAKS, Lines

ROOT = Path(__file__).parents[2]


def checked(*options: str, first: Path | None = None) -> subprocess.CompletedProcess[str]:
    paths = [str(first)] if first else []
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-W", "ignore", "-m", "bench.gpu_check", *options]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=400, check=False)


def test_every_part_is_measured_in_small_on_a_cpu(tmp_path: Path) -> None:
    done = checked("--device", "cpu", "--small", "--out", str(tmp_path / "out.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    lines: list[dict[str, Any]] = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["lines"]
    found = {(line["part"], line["what"]): line for line in lines}
    assert found["training", "tiny, with checkpointing: step"]["value"] > 0
    assert "--dry-run says" in found["training", "tiny, with checkpointing: memory"]["note"]
    assert 0 < found["rollouts", "tiny, 8 at a time"]["share"] < 1
    assert found["learning", "reward after 15 steps"]["holds"]
    assert found["mismatch", "tiny: sampler - learner, mean |d|"]["value"] < 1e-5


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_host_without_a_gpu_is_told_so_in_a_sentence() -> None:
    done = checked()
    assert done.returncode == 2
    assert (
        done.stderr.strip()
        == "torch finds no GPU here; run this on a host with one, or try it with --device cpu --small."
    )


def test_a_part_whose_packages_are_missing_is_said_to_be_untested(tmp_path: Path) -> None:
    (tmp_path / "pydantic.py").write_text("raise ModuleNotFoundError('none here', name='pydantic')\n", encoding="utf-8")
    done = checked("--device", "cpu", "--small", "--part", "learning", first=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "not tested: the package pydantic is missing; pip install pydantic" in done.stdout


def test_a_part_that_passes_its_deadline_is_ended_and_what_it_found_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_check, "SECONDS", {"training": 0.1})
    Lines(tmp_path / "lines", "training").add("before", 1.0)
    found = gpu_check._part("training", "cpu", True, tmp_path / "lines", os.environ)
    assert [(line.what, line.holds) for line in found] == [("before", None), ("training", False)]
    assert found[1].note == "ended after 0.1 s"


def test_deadlines_are_less_than_eight_minutes_together() -> None:
    assert sum(gpu_check.SECONDS.values()) < 8 * 60


def test_a_name_is_not_hidden_behind_a_part_of_it() -> None:
    assert [(a, b) for a, b in combinations(PEAKS, 2) if a in b] == []
