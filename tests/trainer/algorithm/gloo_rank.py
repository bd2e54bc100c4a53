"""One rank of a step over gloo, as a process of its own: RANK, WORLD, the file to meet at, the step, where to write."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as distributed

from autoforge.trainer.algorithm.erpo import (
    ErpoSettings,
    Outcomes,
    StepRows,
    engine_scale,
    gather_over,
    plan_step,
    step_loss,
)


def main(rank: int, world: int, store: str, source: str, target: str) -> None:
    torch.set_num_threads(1)
    distributed.init_process_group(
        "gloo", init_method=f"file://{store}", rank=rank, world_size=world, timeout=timedelta(seconds=60)
    )
    share = json.loads(Path(source).read_text(encoding="utf-8"))[rank]
    rewards = torch.tensor(share["rewards"], dtype=torch.float64)
    outcomes = Outcomes(share["environments"], share["tasks"], rewards, torch.tensor(share["masked"], dtype=torch.bool))
    logprobs, old, sampler = (
        torch.tensor(share[name], dtype=torch.float64).reshape(-1, 4) for name in ("logprobs", "old", "sampler")
    )
    mask = torch.tensor(share["mask"], dtype=torch.bool).reshape(-1, 4)
    rows = StepRows(torch.tensor(share["rollouts"], dtype=torch.int64), mask, old, sampler)
    settings = ErpoSettings.model_validate(share["settings"])
    plan = plan_step(outcomes, rows, settings, gather=gather_over())
    found = {
        "trains": plan.decision.trains,
        "advantages": plan.rollout_advantages.values.tolist(),
        "environments": {name: list(own) for name, own in plan.rollout_advantages.environments.items()},
        "totals": list(plan.weights.totals),
    }
    # A model of one weight, so that there is a gradient to average over the ranks.
    weight = torch.ones((), dtype=torch.float64, requires_grad=True)
    if plan.decision.trains:
        made = step_loss(
            logprobs * weight, plan, torch.arange(len(rows.rollouts)), settings, scale=engine_scale(1, world)
        )  # fmt: skip
        made.loss.backward()  # type: ignore[no-untyped-call]
        assert weight.grad is not None
        averaged = torch.stack((made.loss.detach(), weight.grad)) / world
        distributed.all_reduce(averaged)
        found["loss"], found["gradient"] = averaged.tolist()
    distributed.destroy_process_group()
    Path(target).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:6])
