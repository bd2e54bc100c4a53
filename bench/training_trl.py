"""TRL's GRPOTrainer on a batch that is given, in its own training loop: what a step costs it.

TRL is a dependency of this benchmark only. What it would generate is replaced by the batch, padded as it pads what it
generated (prompts to their longest on the left, completions to their longest on the right, ids that no policy sampled
in `tool_mask`); its loss, its accumulation and its optimizer's step are its own. Invariant: the time is from the
callback at the step's begin to the one at its end, nothing of ours in between. Not covered: rewards, generation.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from transformers import TrainerCallback

from autoforge.mcp_envs.errors import CheckFailed
from autoforge.trainer.tokens.sequence import TokenRow

__all__ = ["HOW_TO_INSTALL", "Spent", "Trl", "batch_of", "installed", "width_of"]

HOW_TO_INSTALL = "TRL is not installed here; python -m pip install 'trl>=1' into the environment of the trainer"


class Spent(NamedTuple):
    """Time, in seconds."""

    seconds: float
    """By the clock."""
    processor: float
    """Of this process, all threads together."""

    @classmethod
    def now(cls) -> Spent:
        return cls(time.perf_counter(), time.process_time())

    def since(self, began: Spent) -> Spent:
        return Spent(self.seconds - began.seconds, self.processor - began.processor)


def installed() -> bool:
    """Whether TRL can be compared with."""
    return find_spec("trl") is not None and find_spec("datasets") is not None


def width_of(rows: Sequence[TokenRow]) -> int:
    """Ids of each row once it is padded as TRL pads it."""
    prompts = [_prompt(row) for row in rows]
    return max(prompts) + max(len(row.ids) - prompt for row, prompt in zip(rows, prompts, strict=True))


def batch_of(rows: Sequence[TokenRow], advantages: Tensor) -> dict[str, Tensor]:
    """The rows as TRL has them after it has generated and scored; advantages are [rows]."""
    prompts = [row.ids[: _prompt(row)] for row in rows]
    completions = [row.ids[_prompt(row) :] for row in rows]
    sampled = [row.trainable[_prompt(row) :] for row in rows]
    tool_mask = _padded(sampled, left=False)
    return {
        "prompt_ids": _padded(prompts, left=True),
        "prompt_mask": _padded([(1,) * len(ids) for ids in prompts], left=True),
        "completion_ids": _padded(completions, left=False),
        "completion_mask": _padded([(1,) * len(ids) for ids in completions], left=False),
        "tool_mask": tool_mask,
        "advantages": advantages.float(),
        "num_items_in_batch": tool_mask.sum(),
    }


def _prompt(row: TokenRow) -> int:
    """Ids before the first that was sampled."""
    return row.trainable.index(True)


def _padded(rows: Sequence[Sequence[int]], *, left: bool) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor(
        [[*[0] * (width - len(row)), *row] if left else [*row, *[0] * (width - len(row))] for row in rows],
        dtype=torch.int64,
    )


class Trl:
    """Its trainer, alone in its process: without DDP, which a variable that our learner sets would make it take."""

    def __init__(self, model: Path, batch: dict[str, Tensor], folder: Path, *, rows: int, rate: float) -> None:
        """`rows` of a micro-batch."""
        os.environ.pop("LOCAL_RANK", None)
        trl, datasets = import_module("trl"), import_module("datasets")
        number = len(batch["advantages"])
        settings = trl.GRPOConfig(
            output_dir=str(folder), use_cpu=True, bf16=False, fp16=False, seed=0, report_to="none", disable_tqdm=True,
            save_strategy="no", logging_strategy="no", per_device_train_batch_size=rows,
            gradient_accumulation_steps=number // rows, num_generations=2, max_steps=10_000, learning_rate=rate,
            lr_scheduler_type="constant", weight_decay=0.0, max_grad_norm=0.0, adam_beta1=0.9, adam_beta2=0.999,
            adam_epsilon=1e-8, gradient_checkpointing=False, loss_type="dapo", epsilon=0.2, epsilon_high=0.2, beta=0.0,
            temperature=1.0, dataloader_pin_memory=False, model_init_kwargs={"dtype": "float32"},
        )  # fmt: skip
        data = datasets.Dataset.from_dict({"prompt": ["-"] * number})
        self._trainer = _fixed(trl.GRPOTrainer)(
            model=str(model), args=settings, train_dataset=data, reward_funcs=lambda **kwargs: [0.0] * number
        )
        if self._trainer.accelerator.num_processes != 1 or self._trainer.accelerator.distributed_type.value != "NO":
            raise CheckFailed("TRL takes this process for one of many, which would slow it down; no figure.")
        self._trainer.batch = batch
        self.spent: list[Spent] = []

    @property
    def model(self) -> Any:
        """Its causal model."""
        return self._trainer.model

    def train(self, between: Callable[[int], None], steps: int) -> None:
        """So many steps; `between` is called with the number of those done after each, outside its time."""
        self._trainer.add_callback(_Clock(self.spent, between, steps))
        self._trainer.train()


def _fixed(trainer: Any) -> Any:
    """A subclass that is given what it would generate."""

    class Fixed(trainer):  # type: ignore[misc]
        batch: dict[str, Tensor]

        def _generate_and_score_completions(self, inputs: object) -> dict[str, Tensor]:
            return dict(self.batch)

    return Fixed


class _Clock(TrainerCallback):
    def __init__(self, spent: list[Spent], between: Callable[[int], None], steps: int) -> None:
        self._spent = spent
        self._between = between
        self._steps = steps
        self._began = Spent.now()

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._began = Spent.now()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._spent.append(Spent.now().since(self._began))
        self._between(len(self._spent))
        control.should_training_stop = len(self._spent) >= self._steps
