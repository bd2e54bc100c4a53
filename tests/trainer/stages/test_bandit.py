"""The sampler, the learner and the transfer between them together make a policy better: in one process and in two."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.trainer.learner.tiny import save_model

SECONDS = 300


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With tied embeddings, whose output head a careless transfer leaves behind."""
    folder = tmp_path_factory.mktemp("bandit") / "model"
    save_model(folder, tied=True)
    return folder


def bandit(model: Path, out: Path, *flags: str, ranks: int = 1) -> Any:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    command = [sys.executable, "-W", "ignore", "-m", "tests.trainer.stages.bandit", str(model), str(out), *flags]
    common = {**os.environ, "DS_ACCELERATOR": "cpu", "OMP_NUM_THREADS": "1"}
    places = [{"RANK": str(r), "LOCAL_RANK": str(r), "WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1",
               "MASTER_PORT": port} for r in range(ranks)]  # fmt: skip
    running = [
        subprocess.Popen(command, env={**common, **(place if ranks > 1 else {})}, stderr=subprocess.PIPE, text=True)
        for place in places
    ]
    try:
        errors = [process.communicate(timeout=SECONDS)[1] for process in running]
    finally:
        for process in running:
            process.kill()
    assert [process.returncode for process in running] == [0] * ranks, errors[0][-3000:]
    return json.loads(out.read_text(encoding="utf-8"))


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def test_the_policy_finds_what_is_worth_something_and_every_transfer_is_proved(model: Path, tmp_path: Path) -> None:
    one = bandit(model, tmp_path / "one.json")
    assert mean(one["rewards"][-3:]) > one["rewards"][0] + 0.4
    assert max(one["differences"]) < 1e-4 and one["notes"][0] == ""
    assert one["values"]["mismatch"] < 1e-4
    two = bandit(model, tmp_path / "two.json", ranks=2)
    assert two["rewards"][:3] == one["rewards"][:3] and mean(two["rewards"][-3:]) > 0.6


def test_several_updates_of_a_step_hold_the_same_rollouts_whatever_the_ranks_and_micro_batches(
    model: Path, tmp_path: Path
) -> None:
    one = bandit(model, tmp_path / "one.json", "--two-updates")
    two = bandit(model, tmp_path / "two.json", "--two-updates", "--small", ranks=2)
    assert one["rewards"][:4] == two["rewards"][:4] and one["values"]["updates"] == 2.0
    for name in ("loss", "gradient_norm", "gain", "entropy"):
        assert one["first"][name] == pytest.approx(two["first"][name], rel=2e-3), name  # Adam's first step amplifies
    assert mean(one["rewards"][-3:]) > one["rewards"][0] + 0.4


def test_masking_what_errors_of_the_user_spoiled_beats_learning_from_it(model: Path, tmp_path: Path) -> None:
    """Two in five rollouts are worth the opposite of what they should be, and the judge has found them. Over all steps:
    rounding alone makes another path, and both find what is worth something in the end."""
    spoiled = bandit(model, tmp_path / "spoiled.json", "--noisy")
    masked = bandit(model, tmp_path / "masked.json", "--noisy", "--masked")
    assert mean(masked["rewards"]) > mean(spoiled["rewards"]) + 0.1
