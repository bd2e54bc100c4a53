"""What is late is told as late, and what timed out by a limit of its own as that."""

from __future__ import annotations

import anyio
import pytest

from autoforge.gym.deadline import deadline
from autoforge.gym.failures import EpisodeFailure

pytestmark = pytest.mark.anyio


async def test_what_takes_longer_is_told_with_the_limit() -> None:
    with pytest.raises(EpisodeFailure) as raised, deadline(0.01, "server", "there was no answer"):
        await anyio.sleep_forever()
    assert str(raised.value) == "there was no answer within 0.01 s"
    assert raised.value.failure.blame == "infrastructure" and raised.value.failure.where == "server"


@pytest.mark.parametrize("words", ["", "the disk did not answer"])
async def test_a_timeout_from_inside_is_told_as_what_it_is(words: str) -> None:
    with pytest.raises(EpisodeFailure) as raised, deadline(100, "server", "there was no answer"):
        raise TimeoutError(words)
    assert str(raised.value) == f"there was no answer: {words or 'something timed out'}"


async def test_what_is_in_time_passes() -> None:
    with deadline(100, "server", "there was no answer"):
        await anyio.sleep(0)
