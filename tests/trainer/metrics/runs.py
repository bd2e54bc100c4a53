"""Records of runs that were never made."""

from __future__ import annotations

from typing import Any

from autoforge.trainer.metrics.record import StepRecord

__all__ = ["HOSTILE", "cold", "measured", "step"]

HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\'" onload="alert(3)\u202e'


def step(number: int, *, environments: tuple[str, ...] = ("bank", "hotel"), **fields: Any) -> StepRecord:
    """An ERPO step whose rewards rise."""
    reward = min(1.0, 0.2 + 0.01 * number)
    values = {"reward": reward, "seconds": 10.0, "seconds_rollouts": 6.0, "seconds_learner": 4.0, "entropy": 0.5,
              "masked_share": 0.1, "effective_batch": 96.0, "tokens_per_second": 12345.0, "sampler_seconds": 3.0,
              "user_seconds": 1.0, "clipped_low_share": 0.01, "clipped_high_share": 0.02}  # fmt: skip
    own = {name: {"reward": reward, "masked_share": 0.1, "reward_std": 0.4} for name in environments}
    fields = {"values": values, "environments": own, "masked": {environments[0]: {"stop_too_early": 2}}, **fields}
    return StepRecord(stage="erpo", step=number, time=1e9 + number, version=number, **fields)


def cold(number: int) -> StepRecord:
    """A step of the cold start."""
    return StepRecord(stage="cold_start", step=number, time=1e9, values={"loss": 2.0 / number, "learning_rate": 1e-3})


def measured(number: int, *environments: str) -> StepRecord:
    """A measurement."""
    own: dict[str, dict[str, float | None]] = {
        name: {"reward": 0.5, "reward_low": 0.4, "reward_high": 0.6} for name in environments or ("bank", "hotel")
    }
    return StepRecord(stage="evaluation", step=number, time=1e9, environments=own)
