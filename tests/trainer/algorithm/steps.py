"""Steps made up for tests: rollouts as plain numbers, and the tensors that the trainer takes of them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import torch
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from torch import Tensor

from autoforge.trainer.algorithm.erpo import Outcomes, StepRows

LENGTH = 4
NAN = math.nan
EXAMPLES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Machines may be slow; laws hold all the same."""


class Row(NamedTuple):
    """One training row."""

    mask: tuple[bool, ...]
    logprobs: tuple[float, ...]
    old: tuple[float, ...]
    sampler: tuple[float, ...]


class Rollout(NamedTuple):
    """One rollout and its rows."""

    environment: str
    task: str
    reward: float
    masked: bool = False
    rows: tuple[Row, ...] = ()

    @property
    def counts(self) -> bool:
        return not self.masked and not math.isnan(self.reward)

    @property
    def tokens(self) -> int:
        return sum(sum(row.mask) for row in self.rows)


Step = Sequence[Rollout]


class Tensors(NamedTuple):
    outcomes: Outcomes
    rows: StepRows
    logprobs: Tensor


def outcomes_of(step: Step) -> Outcomes:
    return Outcomes(
        [r.environment for r in step],
        [r.task for r in step],
        torch.tensor([r.reward for r in step], dtype=torch.float64),
        torch.tensor([r.masked for r in step], dtype=torch.bool),
    )


def tensors_of(step: Step) -> Tensors:
    """In float64, with NaN wherever nothing is trained."""
    rows = [(place, row) for place, rollout in enumerate(step) for row in rollout.rows]

    def matrix(name: str) -> Tensor:
        values = [
            [v if m else NAN for v, m in zip(getattr(row, name), row.mask, strict=True)] for _, row in rows
        ]  # fmt: skip
        return torch.tensor(values, dtype=torch.float64).reshape(-1, LENGTH)

    mask = torch.tensor([row.mask for _, row in rows], dtype=torch.bool).reshape(-1, LENGTH)
    places = torch.tensor([place for place, _ in rows], dtype=torch.int64)
    made = StepRows(places, mask, matrix("old"), matrix("sampler"))
    return Tensors(outcomes_of(step), made, matrix("logprobs").requires_grad_())


def row_of(dice: random.Random, mask: Sequence[bool]) -> Row:
    old = [round(dice.uniform(-3, -0.05), 6) for _ in mask]
    now = [round(value + dice.gauss(0, 0.3), 6) for value in old]
    sampler = [round(value + dice.gauss(0, 0.2), 6) for value in old]
    return Row(tuple(mask), tuple(now), tuple(old), tuple(sampler))


REWARDS = st.sampled_from([0.0, 1.0, 1.0, 0.25, NAN])
MASKS = st.lists(st.booleans(), min_size=LENGTH, max_size=LENGTH)


@st.composite
def steps(draw: st.DrawFn, most: int = 14) -> list[Rollout]:
    """Rollouts of up to three environments with up to three tasks each, some masked, some without a score, some
    forked."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    groups = st.tuples(st.sampled_from("ABC"), st.sampled_from("xyz"))
    rollouts = []
    for environment, task in draw(st.lists(groups, min_size=1, max_size=most)):
        masks = draw(st.lists(MASKS, min_size=1, max_size=2))
        rows = tuple(row_of(dice, mask) for mask in masks)
        rollouts.append(Rollout(environment, task, draw(REWARDS), draw(st.integers(0, 4)) == 0, rows))
    return rollouts
