"""One request in a sampler that runs the model itself: what was asked, and what was sampled so far.

Invariant: the next uniform number of a row depends on its seed and on how many ids it has, on nothing else, so that a
row can be taken out and begun again from its ids. Not covered: who waits for it (`torch_sampler`).
"""

from __future__ import annotations

import random
from collections.abc import Container, Sequence
from typing import Literal

from autoforge.gym.agents.policy import Sampled

__all__ = ["Row"]


class Row:
    """A prompt, and the ids after it."""

    def __init__(self, prompt: Sequence[int], *, limit: int, temperature: float, seed: int) -> None:
        self.prompt = tuple(prompt)
        self.limit = limit
        self.temperature = temperature
        self.stop_reason: Literal["stop", "length"] | None = None
        self.cancelled = False
        self._dice = random.Random(seed)
        self._numbers: list[float] = []
        self._ids: list[int] = []
        self._logprobs: list[float] = []
        self._versions: list[int] = []

    @property
    def ids(self) -> tuple[int, ...]:
        """Prompt and sampled ids."""
        return (*self.prompt, *self._ids)

    @property
    def columns(self) -> int:
        """How many ids there are."""
        return len(self.prompt) + len(self._ids)

    @property
    def left(self) -> int:
        """How many ids may still be sampled."""
        return self.limit - len(self._ids)

    @property
    def live(self) -> bool:
        """Whether more is to be sampled."""
        return self.stop_reason is None and not self.cancelled

    def uniforms(self, number: int) -> list[float]:
        """The numbers in [0, 1) of the next ids; the same ones until ids are added."""
        if self.temperature == 0:
            return [0.0] * number
        while len(self._numbers) < number:
            self._numbers.append(self._dice.random())
        return self._numbers[:number]

    def add(self, ids: Sequence[int], logprobs: Sequence[float], version: int, stop_ids: Container[int]) -> None:
        """Keep what was sampled, up to the first stop id or the limit; what comes after it is dropped."""
        for id, logprob in zip(ids, logprobs, strict=True):
            if not self.live:
                return
            self._ids.append(id)
            self._logprobs.append(logprob)
            self._versions.append(version)
            del self._numbers[:1]
            self.stop_reason = "stop" if id in stop_ids else None if self.left else "length"

    def sampled(self) -> Sampled:
        """The turn, finished."""
        assert self.stop_reason is not None
        return Sampled(tuple(self._ids), tuple(self._logprobs), self.stop_reason, tuple(self._versions))
