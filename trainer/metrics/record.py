"""One step of a run, as a line of metrics.jsonl.

Invariant: every name is in the catalogue, and every value is a finite number or null (what is not finite is null:
JSON has no NaN). Not covered: the file (`metrics_file`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator

from autoforge.trainer.metrics.catalogue import ENVIRONMENT_METRICS, STEP_METRICS
from autoforge.trainer.settings.nearest import meant

__all__ = ["Stage", "StepRecord"]

Stage: TypeAlias = Literal["cold_start", "erpo", "evaluation"]
Values: TypeAlias = dict[str, float | None]
Counts: TypeAlias = dict[str, dict[str, int]]


class StepRecord(BaseModel):
    """One step of a stage, or one measurement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    stage: Stage
    step: int = Field(ge=0)
    """Of its stage, from 1; of a measurement, the ERPO steps before it."""
    time: float
    """Unix seconds at its end."""
    version: int = Field(default=0, ge=0)
    """Of the weights at its end."""
    values: Values = {}
    """By names of STEP_METRICS."""
    environments: dict[str, Values] = {}
    """By environment, then by names of ENVIRONMENT_METRICS."""
    masked: Counts = {}
    """By environment, then by the kind of the user's error: masked episodes. One with two kinds counts in both."""
    unscored: Counts = {}
    """By environment, then by who is to blame: episodes without a reward."""
    note: str = ""
    """Why a step was skipped."""

    @field_validator("values", mode="before")
    @classmethod
    def _finite(cls, given: Any) -> Any:
        return _finite(given)

    @field_validator("environments", mode="before")
    @classmethod
    def _finite_each(cls, given: Any) -> Any:
        return {name: _finite(values) for name, values in given.items()} if isinstance(given, Mapping) else given

    @field_validator("values")
    @classmethod
    def _known(cls, given: Values) -> Values:
        _check(given, STEP_METRICS)
        return given

    @field_validator("environments")
    @classmethod
    def _known_each(cls, given: dict[str, Values]) -> dict[str, Values]:
        for values in given.values():
            _check(values, ENVIRONMENT_METRICS)
        return given

    def line(self) -> str:
        """The line, with its end."""
        return (
            json.dumps(self.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False, allow_nan=False) + "\n"
        )


def _finite(values: Any) -> Any:
    if not isinstance(values, Mapping):
        return values
    return {name: value if _is_finite(value) else None for name, value in values.items()}


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _check(names: Iterable[str], known: Mapping[str, object]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} is no metric{meant(name, known)}; add it to the catalogue")
