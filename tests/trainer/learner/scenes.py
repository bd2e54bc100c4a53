"""What the tests run in processes of their own, with the real DeepSpeed: `python scenes.py FOLDER NAME…`, alone or
under torchrun. Each scene writes what it saw to FOLDER/NAME-RANK.pt; nothing is judged here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.learner import engine
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.ranks import join, leave
from autoforge.trainer.learner.step import LossSum, StepReport
from tests.trainer.learner.tiny import Rows, batch_of, policy_loss, rows, settings

__all__ = ["LAYOUTS"]

Layout = Sequence[Sequence[Sequence[int]]]

LAYOUTS: dict[int, dict[str, Layout]] = {
    1: {
        "one micro-batch": [[range(8)]],
        "two": [[range(4), range(4, 8)]],
        "four": [[(0, 1), (2, 3), (4, 5), (6, 7)]],
        "four, the other way round": [[(7, 6), (5, 4), (3, 2), (1, 0)]],
        "uneven": [[(7,), (3, 1), (0, 2, 4, 5, 6)]],
    },
    2: {
        "one micro-batch": [[range(4)], [range(4, 8)]],
        "two": [[(0, 1), (2, 3)], [(4, 5), (6, 7)]],
        "four": [[(0,), (1,), (2,), (3,)], [(4,), (5,), (6,), (7,)]],
        "four, ranks and order changed": [[(7,), (5,), (3,), (1,)], [(6,), (4,), (2,), (0,)]],
        "uneven": [[(7,), (3, 1), (0,)], [(2, 4, 5, 6)]],
        "all on one rank": [[], [(7, 1, 0), (2, 3, 4), (5, 6)]],
    },
}
"""Rows of each micro-batch, for each rank, by the number of ranks."""


def numbers(folder: Path) -> dict[str, Any]:
    """One step in every arrangement."""
    seen = {}
    for stage in (0, 1, 2, 3):
        for name in LAYOUTS[_world()]:
            if stage != 1 or name == "uneven":
                seen[f"untied, stage {stage}, {name}"] = _one_step(folder / "untied", name, zero_stage=stage)
        seen[f"tied, stage {stage}, uneven"] = _one_step(folder / "tied", "uneven", zero_stage=stage)
        clipped = _one_step(folder / "tied", "uneven", zero_stage=stage, gradient_clip=0.5)
        seen[f"tied, stage {stage}, clipped"] = clipped
    more = {"gradient_checkpointing": False, "head_tokens": 1000}
    seen["untied, stage 2, all in memory"] = _one_step(folder / "untied", "two", zero_stage=2, **more)
    seen["hot"] = _one_step(folder / "untied", "two", zero_stage=3, temperature=1.5)
    seen["untied, stage 2, offloaded"] = _one_step(folder / "untied", "two", zero_stage=2, offload=True)
    seen["untied, stage 3, offloaded"] = _one_step(folder / "untied", "two", zero_stage=3, offload=True)
    return seen


def half(folder: Path) -> dict[str, Any]:
    """The same in bf16, which GPUs have: only the engine's part of it shows on a CPU."""
    ranks = join(settings(folder / "tied"))._replace(dtype=torch.bfloat16)
    seen = {}
    for stage in (0, 1, 2, 3):
        learner = Learner(settings(folder / "tied", zero_stage=stage), ranks)
        batches = [batch_of(rows(), chosen) for chosen in LAYOUTS[_world()]["uneven"][ranks.rank]]
        seen[f"stage {stage}"] = _plain(learner.train_step(batches, policy_loss, entropy=True))
        learner.close()
    return seen


def _released_at_once() -> None:
    """ZeRO-3 lets go of each layer's weights as soon as it may, as it does with models that are large."""
    usual = engine.engine_config

    def config(*arguments: Any) -> dict[str, Any]:
        made = usual(*arguments)
        zero = made["zero_optimization"]
        if zero["stage"] == 3:
            zero |= {"stage3_max_live_parameters": 0, "stage3_max_reuse_distance": 0, "stage3_prefetch_bucket_size": 0}
        return made

    vars(engine)["engine_config"] = config


def life(folder: Path) -> dict[str, Any]:
    """Saved, continued, loaded and continued; exported."""
    seen = {}
    for stage in (0, 2, 3):
        seen[f"stage {stage}"] = _continued(folder, f"stage-{stage}", folder / "tied", zero_stage=stage)
    lora = {"rank": 2, "dropout": 0.5}
    seen["adapters, stage 2"] = _continued(folder, "adapters-2", folder / "untied", zero_stage=2, lora=lora)
    seen["adapters, stage 3"] = _continued(folder, "adapters-3", folder / "untied", zero_stage=3, lora=lora)
    return seen


def refusals(folder: Path) -> dict[str, Any]:
    """Steps that are left out, and those that fail."""
    learner = Learner(settings(folder / "untied", zero_stage=2, warmup_steps=4))
    rank = learner.ranks.rank
    before = _weights(learner)
    masked = _masked(rows())
    skipped = learner.train_step([masked] * (1 + rank), policy_loss)
    seen: dict[str, Any] = {"skipped": _plain(skipped), "unchanged": _equal(before, _weights(learner))}
    half = learner.train_step([rows() if rank == 0 else masked], policy_loss)
    seen["one rank masked"] = _plain(half)
    seen["rates"] = [learner.train_step([rows()], policy_loss).learning_rate for _ in range(4)]
    before = _weights(learner)
    bad = rows()._replace(ids=rows().ids + (1000 if rank == _world() - 1 else 0))
    seen["bad batch"] = _refusal(lambda: learner.train_step([rows(), bad], policy_loss))
    seen["not finite"] = _refusal(lambda: learner.train_step([rows()], _not_finite))
    seen["gradient not finite"] = [
        _spoiled(folder / "untied", zero_stage=stage) for stage in (0, 2, 3)
    ]  # fmt: skip
    seen["memory"] = _refusal(lambda: learner.train_step([rows()], _out_of_memory))
    seen["unchanged after failures"] = _equal(before, _weights(learner))
    learner.close()
    return seen


def _spoiled(model: Path, **changed: object) -> tuple[str, bool]:
    learner = Learner(settings(model, **changed))
    before = _weights(learner)
    words = _refusal(lambda: learner.train_step([rows()], _gradient_not_finite))
    same = _equal(before, _weights(learner))
    learner.close()
    return words, same


def _continued(folder: Path, name: str, model: Path, **changed: object) -> dict[str, Any]:
    changed = {"warmup_steps": 5} | changed
    learner = Learner(settings(model, **changed))
    layout = LAYOUTS[_world()]["uneven"][learner.ranks.rank]
    batches = [batch_of(rows(), chosen) for chosen in layout]
    for _ in range(2):
        learner.logprobs_of(batches)
        learner.train_step(batches, policy_loss)
    learner.save(folder / name / "saved")
    again = _refusal(lambda: learner.save(folder / name / "saved"))
    old = _weights(learner)
    kept = {weight.name: weight.tensor for piece in learner.weights() for weight in piece}
    dice = torch.get_rng_state()
    learner.train_step(batches, policy_loss)
    steady = _equal(old, kept)
    learner.export(folder / name / "exported", chat_template="other" if name == "stage-0" else None)
    seen = _looked_at(learner) | {"again": again, "steady": steady}
    learner.close()

    other = Learner(settings(model, **changed))
    other.load(folder / name / "saved")
    seen["steps"], seen["loaded"] = other.steps, _equal(old, _weights(other))
    seen["same dice"] = torch.equal(dice, torch.get_rng_state())
    other.train_step(batches, policy_loss)
    seen["continued"] = _equal(seen["weights"], _weights(other))
    seen["stage"] = _refusal(lambda: _loaded_with(folder / name / "saved", model, **(changed | {"zero_stage": 1})))
    other.close()
    return seen


def _looked_at(learner: Learner) -> dict[str, Any]:
    """Weights in pieces, log-probabilities."""
    pieces = list(learner.weights(4000))
    everywhere = learner.logprobs(rows(), everywhere=True, entropy=True)
    some = learner.logprobs_of([rows()] * (1 + learner.ranks.rank))
    shapes = {shape.name: shape for shape in learner.weight_shapes()}
    return {
        "weights": {weight.name: weight.tensor for piece in pieces for weight in piece},
        "sizes": [sum(weight.tensor.nbytes for weight in piece) for piece in pieces],
        "numbers in pieces": [len(piece) for piece in pieces],
        "aliases": {weight.name: list(weight.aliases) for piece in pieces for weight in piece if weight.aliases},
        "shapes fit": all(shapes[w.name].shape == w.tensor.shape for piece in pieces for w in piece),
        "split": _split(learner),
        "logprobs": everywhere.logprobs,
        "entropy": everywhere.entropy,
        "hot": learner.logprobs(rows(), everywhere=True, temperature=2.0).logprobs,
        "trainable logprobs": some[-1].logprobs,
        "number": len(some),
    }


def _split(learner: Learner) -> bool:
    """Whether no rank holds more than its part of any matrix."""
    matrices = [weight.name for weight in learner.weight_shapes() if len(weight.shape) > 1]
    parameters = dict(learner._loaded.policy.causal.named_parameters())
    return all(parameters[name].numel() == 0 for name in matrices if name in parameters)


def _one_step(model: Path, layout: str, **changed: object) -> dict[str, Any]:
    learner = Learner(settings(model, **changed))
    batches = [batch_of(rows(), chosen) for chosen in LAYOUTS[_world()][layout][learner.ranks.rank]]
    report = learner.train_step(batches, policy_loss, entropy=True)
    seen = _plain(report) | {"gradients": _gradients(learner), "weights": _weights(learner)}
    learner.close()
    return seen


def _gradients(learner: Learner) -> dict[str, Tensor]:
    """What the optimizer got: with a first beta of 0, its running mean."""
    whole = import_module("deepspeed.utils").safe_get_full_optimizer_state
    state = learner._engine.optimizer.state if not learner.settings.zero_stage else None
    found = {}
    for name, parameter in learner._loaded.policy.causal.named_parameters():
        mean = state[parameter]["exp_avg"] if state else whole(parameter, "exp_avg")
        found[name] = mean.clone().view(getattr(parameter, "ds_shape", parameter.shape))
    return found


def _weights(learner: Learner) -> dict[str, Tensor]:
    return {weight.name: weight.tensor for piece in learner.weights() for weight in piece}


def _equal(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def _plain(report: StepReport) -> dict[str, Any]:
    return report._asdict() | {"sums": dict(report.sums)}


def _masked(batch: Rows) -> Rows:
    return batch._replace(trainable=torch.zeros_like(batch.trainable))


def _not_finite(logprobs: Tensor, entropy: Tensor | None, batch: Rows) -> LossSum:
    return LossSum(logprobs.sum() * float("nan"))


def _gradient_not_finite(logprobs: Tensor, entropy: Tensor | None, batch: Rows) -> LossSum:
    return LossSum((logprobs * 0).sqrt().sum())


def _out_of_memory(logprobs: Tensor, entropy: Tensor | None, batch: Rows) -> LossSum:
    raise torch.OutOfMemoryError("CUDA out of memory.")


def _refusal(act: Callable[[], object]) -> str:
    try:
        act()
    except BadInput as error:
        return f"BadInput: {error}"
    except AutoForgeError as error:
        return f"AutoForgeError: {error}"
    return "nothing was refused"


def _loaded_with(saved: Path, model: Path, **changed: object) -> None:
    learner = Learner(settings(model, **changed))
    try:
        learner.load(saved)
    finally:
        learner.close()


def _world() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))


if __name__ == "__main__":
    torch.set_num_threads(1)
    _released_at_once()
    where = Path(sys.argv[1])
    for name in sys.argv[2:]:
        torch.save(globals()[name](where), where / f"{name}-{os.environ.get('RANK', '0')}.pt")
    leave()
