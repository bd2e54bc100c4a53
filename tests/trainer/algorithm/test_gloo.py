"""Two real processes over gloo: statistics, loss and gradient are those of one process, and both skip or none."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from autoforge.trainer.algorithm.erpo import ErpoSettings, plan_step, step_loss
from autoforge.trainer.algorithm.erpo_settings import ObjectiveSettings
from tests.trainer.algorithm.steps import Rollout, Step, row_of, tensors_of

SCRIPT = Path(__file__).with_name("gloo_rank.py")
SETTINGS = ErpoSettings(objective=ObjectiveSettings(kl_weight=0.1))


def made_step(number: int, seed: int) -> list[Rollout]:
    """Groups of four, of two environments; row masks and rewards at random, a reward of 0.3 as 0.1 + 0.2 now and
    then."""
    dice = random.Random(seed)
    rollouts = []
    for place in range(number):
        environment, task = "AB"[place // 4 % 2], f"task {place // 4}"
        reward = dice.choice([0.0, 1.0, 0.3, 0.1 + 0.2, dice.random()])
        rows = tuple(row_of(dice, [dice.random() < 0.7 for _ in range(4)]) for _ in range(dice.choice([1, 1, 2])))
        rollouts.append(Rollout(environment, task, reward, dice.random() < 0.2, rows))
    return rollouts


def share(step: Step) -> dict[str, Any]:
    rows = [(place, row) for place, rollout in enumerate(step) for row in rollout.rows]
    return {
        "settings": SETTINGS.model_dump(),
        "environments": [r.environment for r in step],
        "tasks": [r.task for r in step],
        "rewards": [r.reward for r in step],
        "masked": [r.masked for r in step],
        "rollouts": [place for place, _ in rows],
        **{name: [getattr(row, name) for _, row in rows] for name in ("mask", "logprobs", "old", "sampler")},
    }


def on_two_processes(shares: Sequence[Step], folder: Path) -> list[dict[str, Any]]:
    source = folder / "shares.json"
    source.write_text(json.dumps([share(own) for own in shares]), encoding="utf-8")
    targets = [folder / f"found{rank}.json" for rank in range(len(shares))]
    started = [
        subprocess.Popen(
            [sys.executable, str(SCRIPT), str(rank), str(len(shares)), str(folder / "store"), str(source), str(target)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank, target in enumerate(targets)
    ]
    for process in started:
        try:
            _, errors = process.communicate(timeout=180)
        except subprocess.TimeoutExpired:
            for other in started:
                other.kill()
            raise
        assert process.returncode == 0, errors
    return [json.loads(target.read_text(encoding="utf-8")) for target in targets]


@pytest.mark.parametrize("by", ["rollout", "environment"])
def test_two_processes_find_what_one_finds(by: str, tmp_path: Path) -> None:
    step = made_step(24, seed=3)
    alone = [n % 2 == 0 if by == "rollout" else rollout.environment == "A" for n, rollout in enumerate(step)]
    shares = [[r for r, own in zip(step, alone, strict=True) if own is first] for first in (True, False)]
    outcomes, rows, logprobs = tensors_of(step)
    plan = plan_step(outcomes, rows, SETTINGS)
    weight = torch.ones((), dtype=torch.float64, requires_grad=True)
    # NaN where nothing is trained would be NaN in the gradient of the weight: 0 times what the model itself gave there.
    loss = step_loss(logprobs.detach().nan_to_num() * weight, plan, torch.arange(len(rows.rollouts)), SETTINGS).loss
    loss.backward()  # type: ignore[no-untyped-call]
    values = plan.rollout_advantages.values.tolist()
    found = on_two_processes(shares, tmp_path)
    for one, first in zip(found, (True, False), strict=True):
        assert one["trains"]
        assert one["advantages"] == [v for v, own in zip(values, alone, strict=True) if own is first]
        assert one["totals"] == list(plan.weights.totals)
        assert one["environments"] == {n: list(own) for n, own in plan.rollout_advantages.environments.items()}
        assert one["loss"] == pytest.approx(float(loss.detach()), rel=1e-12)
        assert one["gradient"] == pytest.approx(float(weight.grad), rel=1e-12)  # type: ignore[arg-type]


def test_two_processes_of_which_one_has_nothing_train_and_of_which_both_have_nothing_skip(tmp_path: Path) -> None:
    step = made_step(8, seed=5)
    masked = [rollout._replace(masked=True) for rollout in step]
    for name, shares, trains in (("one", [step, masked], True), ("both", [masked, []], False)):
        folder = tmp_path / name
        folder.mkdir()
        found = on_two_processes(shares, folder)
        assert [one["trains"] for one in found] == [trains, trains]
