"""A training step of ours and of TRL's GRPOTrainer on the same rows, by turns in one process.

Our step is `policy_step` as a run calls it: from rollouts, through the plan of the step, to the optimizer. Both have
the same weights, ids, masks and advantages, the same loss (mean over all tokens, clipped at 0.2, no KL), fp32, threads
and room for a micro-batch. Invariant: gradients are compared before anything is timed; where they differ by more than
1e-4 there is no figure. Not covered: generation, GPUs.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from torch import Tensor
from torch.optim.optimizer import register_optimizer_step_pre_hook

from autoforge.mcp_envs.errors import CheckFailed
from autoforge.trainer.algorithm.advantages import advantages_among
from autoforge.trainer.algorithm.erpo_settings import (
    AdvantageSettings,
    ErpoSettings,
    MismatchSettings,
    ObjectiveSettings,
)
from autoforge.trainer.algorithm.outcomes import group_tallies
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.settings import LearnerSettings
from autoforge.trainer.stages.policy_step import StepSettings, policy_step
from autoforge.trainer.stages.work import outcomes_of
from autoforge.trainer.tokens.sequence import TokenRow
from bench.training_rows import Load
from bench.training_trl import Spent, Trl, batch_of, width_of

__all__ = ["Compared", "compared"]

_ROWS = 4
"""Of a micro-batch of TRL."""
_RATE = 1e-6
_MOST = 1e-4
"""Relative difference of gradients."""
_ERPO = ErpoSettings(
    advantage=AdvantageSettings(scale="group"), objective=ObjectiveSettings(aggregation="token_mean"),
    mismatch=MismatchSettings(level="off"),
)  # fmt: skip


class Compared(NamedTuple):
    """Of one load."""

    load: str
    rows: int
    ids: int
    trainable: int
    padded: int
    """Ids that TRL's batch has with its padding."""
    ours: list[float]
    """Seconds of each step."""
    theirs: list[float]
    processor: float
    """Median ratio of the seconds of processor time, which other programs on the machine disturb less."""
    difference: float
    """The largest relative difference of a parameter's gradient."""

    @property
    def bound(self) -> bool:
        """Whether the target is for this load."""
        return self.load == "episodes"

    @property
    def ratio(self) -> float:
        """Median over the rounds of how many times as many samples a second we have."""
        return statistics.median(self.ratios)

    @property
    def ratios(self) -> list[float]:
        """Of each round."""
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]


def compared(load: Load, model: Path, work: Path, rounds: int) -> Compared:
    """Raises CheckFailed where the gradients differ."""
    rows = [item.rollout.rows[0] for item in load.work.items if item.rollout is not None]
    theirs = Trl(model, batch_of(rows, _advantages(load)), work / "trl", rows=_ROWS, rate=_RATE)
    learner = Learner(LearnerSettings(
        model=model, device="cpu", zero_stage=0, gradient_checkpointing=False, gradient_clip=0.0, learning_rate=_RATE
    ))  # fmt: skip
    try:
        return _Rounds(load, rows, theirs, learner).run(rounds)
    finally:
        learner.close()


class _Rounds:
    """Step by step, theirs then ours; the first one warms up and is checked."""

    def __init__(self, load: Load, rows: list[TokenRow], theirs: Trl, learner: Learner) -> None:
        self._load = load
        self._rows = rows
        self._theirs = theirs
        self._learner = learner
        self._settings = StepSettings(_ERPO, micro_batch_tokens=_ROWS * width_of(rows))
        self._ours: list[Spent] = []
        self._difference = float("nan")

    def run(self, rounds: int) -> Compared:
        with _gradients() as seen:
            self._theirs.train(lambda done: self._after(done, seen), rounds + 1)
        load, ours, theirs = self._load, self._ours[1:], self._theirs.spent[1:]
        return Compared(
            load.name, len(self._rows), load.ids, load.trainable, width_of(self._rows) * len(self._rows),
            [spent.seconds for spent in ours], [spent.seconds for spent in theirs],
            statistics.median(b.processor / a.processor for a, b in zip(ours, theirs, strict=True)), self._difference,
        )  # fmt: skip

    def _after(self, done: int, seen: list[dict[int, Tensor]]) -> None:
        began = Spent.now()
        policy_step(self._learner, self._load.work, self._settings, lambda value: [value])
        self._ours.append(Spent.now().since(began))
        if done == 1:
            self._check(*seen)

    def _check(self, theirs: dict[int, Tensor], ours: dict[int, Tensor]) -> None:
        """Leaves the largest difference, or raises CheckFailed."""
        own: Any = self._learner._loaded.policy.causal
        names = {name: parameter for name, parameter in own.named_parameters()}
        pairs = {name: (ours[id(names[name])], theirs[id(p)]) for name, p in self._theirs.model.named_parameters()}
        differences = {name: float((a - b).norm() / b.norm()) for name, (a, b) in pairs.items()}
        worst = max(differences, key=lambda name: differences[name])
        self._difference = differences[worst]
        if len(names) != len(pairs) or not self._difference <= _MOST:
            raise CheckFailed(f"the gradient of {worst} differs from TRL's by {self._difference:.1e}; no figure.")


def _advantages(load: Load) -> Tensor:
    outcomes = outcomes_of(load.work.items)
    return advantages_among(group_tallies(outcomes), outcomes, _ERPO.advantage).values


@contextmanager
def _gradients() -> Iterator[list[dict[int, Tensor]]]:
    """The gradients that the next two optimizers' steps begin with, by the identity of their parameters."""
    seen: list[dict[int, Tensor]] = []

    def keep(optimizer: Any, *_: Any) -> None:
        if len(seen) < 2:
            groups = optimizer.param_groups
            seen.append({id(p): p.grad.clone() for g in groups for p in g["params"] if p.grad is not None})

    hook: Callable[..., None] = keep
    handle = register_optimizer_step_pre_hook(hook)
    try:
        yield seen
    finally:
        handle.remove()
