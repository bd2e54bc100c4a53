"""The choices of the algorithm, and the named methods that are such choices.

Invariant: the defaults are ERPO as the paper has it (arXiv 2512.22857, §3.4, equations 2 and 4) with what it leaves
open filled in (ddof 1, eps 1e-6, constant groups in the standard deviation, one ratio for each token); every baseline
is a setting of the same code. Not covered: optimizer, sampler, schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = [
    "METHODS", "AdvantageSettings", "CreditSettings", "ErpoSettings", "MismatchSettings", "ObjectiveSettings",
    "SelectionSettings",
]  # fmt: skip


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AdvantageSettings(_Frozen):
    """What an advantage is: (reward − baseline) / (standard deviation + eps)."""

    baseline: Literal["group", "leave_one_out", "batch"] = "group"
    """What is subtracted: the mean of the rollouts of the same task, of the others among them, or of the whole
    batch."""
    scale: Literal["environment", "group", "batch", "none"] = "environment"
    """What the standard deviation is taken over; `none` does not divide."""
    std_over: Literal["all", "kept"] = "all"
    """Whether groups without contrast, which dynamic sampling drops from the loss, count in the standard deviation."""
    std_about: Literal["environment", "group"] = "environment"
    """What the deviations are from: the mean of all that the standard deviation is taken over, or the mean of each
    group (another estimator: it leaves out how far tasks differ)."""
    ddof: int = Field(default=1, ge=0, le=1)
    """Subtracted from the number of rollouts."""
    eps: float = Field(default=1e-6, ge=0)
    """Added to the standard deviation."""


class ObjectiveSettings(_Frozen):
    """The clipped objective and how it is averaged."""

    ratio: Literal["token", "sequence", "trajectory"] = "token"
    """π_θ/π_old of each token; the geometric mean over a rollout (GSPO); their product (the paper's ρ as written)."""
    clip_low: float = Field(default=0.2, gt=0, le=1)
    """The ratio is cut below 1 − this."""
    clip_high: float = Field(default=0.2, gt=0)
    """The ratio is cut above 1 + this."""
    dual_clip: float | None = Field(default=None, gt=1)
    """With a negative advantage a token counts as at most this ratio; None: without bound."""
    kl_weight: float = Field(default=0.0, ge=0)
    """β."""
    kl_estimator: Literal["k1", "k2", "k3"] = "k3"
    """See `divergence`, which says what the gradient of each is."""
    aggregation: Literal["task_mean", "token_mean", "sequence_mean", "constant_length"] = "task_mean"
    """Mean over tasks of the mean over rollouts of the mean over tokens (equation 2); mean over all tokens; mean over
    all rollouts of the mean over tokens; sum over tokens divided by rollouts × `length` (Dr.GRPO)."""
    length: int | None = Field(default=None, ge=1)
    """Tokens, for `constant_length` alone: the most that a rollout may sample."""

    @model_validator(mode="after")
    def _length_where_it_counts(self) -> Self:
        if (self.aggregation == "constant_length") != (self.length is not None):
            raise ValueError("length goes with the aggregation constant_length, and only with it")
        return self


class MismatchSettings(_Frozen):
    """The weight for samples of an engine whose probabilities are not quite the learner's."""

    level: Literal["off", "token", "sequence", "geometric"] = "token"
    """Whose ratio is bounded: each token's, the product over a rollout, or its geometric mean."""
    mode: Literal["truncate", "mask", "gate"] = "truncate"
    """A ratio outside the bounds is cut to them; or counts as 0; or is only looked at: the rollout's tokens count with
    their own ratios, or all as 0."""
    low: float = Field(default=0.0, ge=0)
    high: float = Field(default=2.0, gt=0)

    @model_validator(mode="after")
    def _bounds_hold_one(self) -> Self:
        if not self.low <= 1 <= self.high:
            raise ValueError("low and high must hold 1 between them: the ratio where engine and learner agree")
        return self


class CreditSettings(_Frozen):
    """How much the turns of one episode differ in their advantage."""

    weight: float = Field(default=0.0, ge=0, le=0.5)
    """λ of `credit`; 0: all turns alike. Up to 0.5 no token's advantage changes its sign."""


class SelectionSettings(_Frozen):
    """How a batch is drawn."""

    tasks: int = Field(default=32, ge=1)
    """In a batch."""
    tasks_per_environment: int = Field(default=4, ge=2)
    """At least."""
    refill_rounds: int = Field(default=3, ge=0)
    """How often groups without contrast are drawn again; 0: never."""
    shuffled: bool = False
    """A control: rewards are dealt out anew among the rollouts of their environment, and nothing should be learned."""
    solved: float = 1.0
    """A reward from which a rollout was right."""
    failed: float = 0.0
    """A reward up to which it was wrong."""


class ErpoSettings(_Frozen):
    """All choices of the algorithm."""

    advantage: AdvantageSettings = AdvantageSettings()
    objective: ObjectiveSettings = ObjectiveSettings()
    mismatch: MismatchSettings = MismatchSettings()
    credit: CreditSettings = CreditSettings()
    selection: SelectionSettings = SelectionSettings()


def _erpo(length: int) -> ErpoSettings:
    return ErpoSettings()


def _grpo(length: int) -> ErpoSettings:
    return ErpoSettings(
        advantage=AdvantageSettings(scale="group"), objective=ObjectiveSettings(aggregation="sequence_mean")
    )


def _dr_grpo(length: int) -> ErpoSettings:
    objective = ObjectiveSettings(aggregation="constant_length", length=length)
    return ErpoSettings(advantage=AdvantageSettings(scale="none"), objective=objective)


def _rloo(length: int) -> ErpoSettings:
    advantage = AdvantageSettings(baseline="leave_one_out", scale="none")
    return ErpoSettings(advantage=advantage, objective=ObjectiveSettings(aggregation="sequence_mean"))


def _reinforce(length: int) -> ErpoSettings:
    advantage = AdvantageSettings(baseline="batch", scale="batch")
    return ErpoSettings(advantage=advantage, objective=ObjectiveSettings(aggregation="token_mean"))


def _reinforce_baseline(length: int) -> ErpoSettings:
    advantage = AdvantageSettings(baseline="group", scale="batch", std_about="group")
    return ErpoSettings(advantage=advantage, objective=ObjectiveSettings(aggregation="token_mean"))


METHODS: Mapping[str, Callable[[int], ErpoSettings]] = MappingProxyType({
    "erpo": _erpo,
    "grpo": _grpo,
    "dr_grpo": _dr_grpo,
    "rloo": _rloo,
    "reinforce++": _reinforce,
    "reinforce++-baseline": _reinforce_baseline,
})  # fmt: skip
"""Settings by the name of a method, given the most tokens that a rollout may sample (Dr.GRPO divides by it)."""
