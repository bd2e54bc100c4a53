"""One contained worker for the tests of rewards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autoforge.gym.baselines import Episodes
from tests.gym.reward.desk_tasks import Solved, all_solved, desk


@pytest.fixture(scope="session")
def episodes() -> Iterator[Episodes]:
    with Episodes(desk()) as episodes:
        yield episodes


@pytest.fixture(scope="session")
def tasks(episodes: Episodes) -> dict[str, Solved]:
    return all_solved(episodes)
