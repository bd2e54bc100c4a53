"""The same steps with a pass of its own for the old policy, and without: `python -m tests.trainer.stages.passes MODEL
OUT`."""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path

import torch

from autoforge.trainer.algorithm.erpo_settings import ErpoSettings, MismatchSettings
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.ranks import leave
from autoforge.trainer.learner.settings import LearnerSettings
from autoforge.trainer.stages import policy_step as under_test
from autoforge.trainer.stages.policy_step import StepSettings, policy_step
from autoforge.trainer.stages.work import StepWork, WorkItem
from autoforge.trainer.tokens.sequence import Rollout, TokenRow, TurnSpan
from tests.trainer.learner.tiny import VOCABULARY

STEPS = 3
LEVELS = ("off", "token", "geometric")


def row(dice: random.Random) -> TokenRow:
    length, first = dice.randint(6, 30), dice.randint(1, 4)
    trainable = (*(place >= first and dice.random() < 0.7 for place in range(length - 1)), True)
    logprobs = tuple(-3 - 2 * dice.random() if trained else math.nan for trained in trainable)
    ids = tuple(dice.randrange(VOCABULARY) for _ in range(length))
    return TokenRow(ids, trainable, logprobs, (), (TurnSpan(1, first, length, False),))


def work(step: int, rows: int) -> StepWork:
    """Twelve rollouts of three tasks, of so many rows each, in micro-batches that part them."""
    dice = random.Random(f"{step}/{rows}")
    return StepWork(step, tuple(
        WorkItem("e", f"t{place // 4}", float(place % 3 == 0), False,
                 Rollout(f"r{place}", tuple(row(dice) for _ in range(rows)), True, False), ())
        for place in range(12)
    ))  # fmt: skip


def steps(model: Path, level: str, rows: int, *, apart: bool) -> dict[str, object]:
    learner = Learner(LearnerSettings(model=model, device="cpu", zero_stage=0, learning_rate=1e-2, gradient_clip=0.0))
    passes, kept = [], under_test._one_pass
    scored = learner.logprobs_of
    learner.logprobs_of = lambda *a, **k: passes.append(1) or scored(*a, **k)  # type: ignore[method-assign, func-returns-value]
    if apart:
        under_test._one_pass = lambda *_: False
    try:
        erpo = ErpoSettings(mismatch=MismatchSettings.model_validate({"level": level, "high": 1.5}))
        settings = StepSettings(erpo, micro_batch_tokens=60)
        values = [policy_step(learner, work(step, rows), settings, lambda told: [told]).values for step in range(STEPS)]
        weights = {w.name: w.tensor for piece in learner.weights() for w in piece}
    finally:
        under_test._one_pass = kept
        learner.close()
    total = [float(tensor.double().sum()) for tensor in weights.values()]
    return {"passes": len(passes), "values": values, "weights": total}


def main() -> None:
    model, out = Path(sys.argv[1]), Path(sys.argv[2])
    torch.set_num_threads(1)
    found = {
        f"{level}/{rows}/{apart}": steps(model, level, rows, apart=apart)
        for level in LEVELS for rows in (1, 2) for apart in (False, True)
    }  # fmt: skip
    out.write_text(json.dumps(found), encoding="utf-8")
    leave()


if __name__ == "__main__":
    main()
