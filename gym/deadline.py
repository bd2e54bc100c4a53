"""Deadlines of the parts of an episode.

Invariant: what is late ends the episode as a failure of the infrastructure, and is scored for nobody. Not covered: the
user, whose being late is its own failure (`users`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import anyio

from autoforge.gym.failures import EpisodeFailure

__all__ = ["deadline"]


@contextmanager
def deadline(seconds: float, where: str, what: str) -> Iterator[None]:
    """Raises EpisodeFailure where the block takes longer: `what` within so many seconds."""
    try:
        with anyio.move_on_after(seconds) as scope:
            yield
    except TimeoutError as error:  # of something inside, with a limit of its own
        raise EpisodeFailure("infrastructure", where, f"{what}: {str(error) or 'something timed out'}") from None
    if scope.cancelled_caught:
        raise EpisodeFailure("infrastructure", where, f"{what} within {seconds:g} s")
