"""Several samplers with the same weights, as one.

Invariant: a load has reached every replica or the sampler as a whole has failed to load; a pause holds all of them; a
turn stays where it was begun, and goes where the beginning of its prompt was seen last, unless that replica has more
to do than others. Not covered: whether they have the same weights (`sync` scores each).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Final, Self

import anyio

from autoforge.gym.agents.policy import Sampled, TokenSampler
from autoforge.mcp_envs.errors import AutoForgeError, BadInput
from autoforge.trainer.samplers.routes import Routes
from autoforge.trainer.samplers.sampler import Sampler, Weights

__all__ = ["SLACK", "Replicas", "replicas_of"]

SLACK: Final = 2
"""Turns in flight that a replica may have more than one and a half times those of the least busy one, and still get
those whose beginning it knows."""


class Replicas:
    """A `Sampler` over others."""

    def __init__(self, samplers: Sequence[Sampler]) -> None:
        """Raises BadInput for none."""
        if not samplers:
            raise BadInput("there is no replica to sample from; name one server at least")
        self.samplers = tuple(samplers)
        self._flights = [0] * len(self.samplers)
        self._routes = Routes()
        self._stack = AsyncExitStack()

    @property
    def version(self) -> int:
        """Of the weights in use; the oldest where a load ended halfway."""
        return min(sampler.version for sampler in self.samplers)

    def at(self, temperature: float) -> TokenSampler:
        """The same weights at another temperature. Raises BadInput."""
        return _Spread(self, [sampler.at(temperature) for sampler in self.samplers])

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        """Up to `max_tokens` ids, of one replica. Raises BadInput, PromptTooLong, ModelFailure."""
        return await self.spread(self.samplers, prompt_ids, max_tokens, seed)

    async def spread(
        self, among: Sequence[TokenSampler], prompt_ids: Sequence[int], max_tokens: int, seed: int
    ) -> Sampled:
        """`sample` by one of those, which stand for the replicas in their order."""
        place = self._place(prompt_ids)
        self._flights[place] += 1
        try:
            sampled = await among[place].sample(prompt_ids, max_tokens=max_tokens, seed=seed)
        finally:
            self._flights[place] -= 1
        self._routes.remember([*prompt_ids, *sampled.ids], place)
        return sampled

    def _place(self, prompt_ids: Sequence[int]) -> int:
        least = min(range(len(self.samplers)), key=self._flights.__getitem__)
        known = self._routes.find(prompt_ids)
        return least if known is None or self._flights[known] >= 1.5 * self._flights[least] + SLACK else known

    async def logprobs(self, ids: Sequence[int]) -> list[float]:
        """Of the first replica. Raises BadInput, ModelFailure."""
        return await self.samplers[0].logprobs(ids)

    async def load(self, weights: Weights, version: int) -> None:
        """All at the same time; the first failure in their order is raised. Raises as they do."""
        self._routes.clear()  # old keys and values are of no use
        failures: dict[int, AutoForgeError] = {}

        async def one(place: int) -> None:
            try:
                await self.samplers[place].load(weights, version)
            except AutoForgeError as error:
                failures[place] = error

        async with anyio.create_task_group() as group:
            for place in range(len(self.samplers)):
                group.start_soon(one, place)
        if failures:
            raise failures[min(failures)]

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Nothing is sampled inside by any."""
        async with AsyncExitStack() as pauses:
            for sampler in self.samplers:
                await pauses.enter_async_context(sampler.paused())
            yield

    async def __aenter__(self) -> Self:
        """Enter all. Raises as they do; those before are left then."""
        async with AsyncExitStack() as stack:
            for sampler in self.samplers:
                await stack.enter_async_context(sampler)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Leave all."""
        return await self._stack.__aexit__(kind, error, trace)


class _Spread:
    """The replicas at another temperature."""

    def __init__(self, replicas: Replicas, at: Sequence[TokenSampler]) -> None:
        self._replicas = replicas
        self._at = at

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        """See `Replicas.sample`."""
        return await self._replicas.spread(self._at, prompt_ids, max_tokens, seed)


def replicas_of(sampler: Sampler) -> Sequence[Sampler]:
    """Those of which each has weights of its own; the sampler itself where there is one."""
    return sampler.samplers if isinstance(sampler, Replicas) else (sampler,)
