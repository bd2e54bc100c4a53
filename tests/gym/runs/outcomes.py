"""Outcomes and trajectories made by hand."""

from __future__ import annotations

from typing import Any

from autoforge.gym.failures import Blame, Failure
from autoforge.gym.runs.outcome import Outcome, outcome_of
from autoforge.gym.trajectory import Trajectory, Turn


def trajectory(
    task: str = "t1", trial: int = 0, reward: float | None = 1.0, *, blame: Blame | None = None, **more: Any
) -> Trajectory:
    names = {"environment": "inn", "agent": "a", "user": "u", **more}
    id = f"{names['environment']}/{task}/{names['agent']}/{names['user']}/{trial}"
    failure = Failure(blame=blame, where="server", message="it broke") if blame is not None else None
    fields = {"end": "stop" if failure is None else "failed", "turns": (Turn(role="user", content="Hello."),), **names}
    return Trajectory(id=id, task=task, trial=trial, reward=reward, failure=failure, **fields)


def outcome(task: str = "t1", trial: int = 0, reward: float | None = 1.0, **more: Any) -> Outcome:
    return outcome_of(trajectory(task, trial, reward, **more))
