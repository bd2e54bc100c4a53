"""Which replica has seen the beginning of a prompt, so that its prefix cache can be used.

Invariant: holds a bounded number of names, the oldest goes first; a wrong answer costs time, never a token. Not
covered: whether the replica still has the keys and values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from autoforge.trainer.samplers.blocks import block_names

__all__ = ["Routes"]

MOST: Final = 1_000_000
"""Names of blocks: sixteen million ids."""


class Routes:
    """Replicas by what they have seen."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._places: dict[int, int] = {}

    def remember(self, ids: Sequence[int], place: int) -> None:
        """The replica at `place` has seen these ids."""
        for name in reversed(block_names(ids)):  # so that beginnings, which more prompts share, are forgotten last
            self._places.pop(name, None)
            self._places[name] = place
        while len(self._places) > self._most:
            del self._places[next(iter(self._places))]

    def find(self, ids: Sequence[int]) -> int | None:
        """Where the longest beginning of the ids was seen last."""
        return next((self._places[name] for name in reversed(block_names(ids)) if name in self._places), None)

    def clear(self) -> None:
        """The caches are empty."""
        self._places.clear()
