"""Requests in the background, and waiting for what they bring about without sleeping."""

from __future__ import annotations

from collections.abc import Callable

import anyio
from anyio.lowlevel import checkpoint

from autoforge.gym.agents.policy import Sampled, TokenSampler
from autoforge.mcp_envs.errors import ModelFailure

__all__ = ["LONG", "Asked", "until"]

LONG = 200
"""Ids of a turn that is still in flight when something else happens."""


async def until(condition: Callable[[], bool]) -> None:
    with anyio.fail_after(30):
        while not condition():
            await checkpoint()


class Asked:
    """A request in the background, and how it ended."""

    def __init__(self) -> None:
        self.scope = anyio.CancelScope()
        self.sampled: Sampled | None = None
        self.error: ModelFailure | None = None

    async def run(self, sampler: TokenSampler, prompt: list[int], max_tokens: int, seed: int) -> None:
        with self.scope:
            try:
                self.sampled = await sampler.sample(prompt, max_tokens=max_tokens, seed=seed)
            except ModelFailure as error:
                self.error = error
