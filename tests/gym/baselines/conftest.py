"""The desk's tasks for the tests of baselines."""

from __future__ import annotations

from tests.gym.reward.conftest import episodes, tasks

__all__ = ["episodes", "tasks"]
