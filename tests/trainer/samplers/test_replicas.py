"""Several samplers as one: who is asked, and that all of them get the weights."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Self

import anyio
import pytest

from autoforge.gym.agents.policy import Sampled
from autoforge.mcp_envs.errors import BadInput, ModelFailure
from autoforge.trainer.samplers.replicas import SLACK, Replicas, replicas_of
from autoforge.trainer.samplers.routes import Routes
from autoforge.trainer.samplers.sampler import AtTemperature, Sampler, Weights
from tests.trainer.samplers.asking import until

pytestmark = pytest.mark.anyio


class Held:
    """A replica whose turns end when they are let go."""

    def __init__(self, *, fails: bool = False) -> None:
        self.version = 0
        self.fails = fails
        self.asked: list[tuple[float, int]] = []
        self.go = anyio.Event()
        self.open = self.pauses = 0

    def at(self, temperature: float) -> Any:
        return AtTemperature(self, temperature)

    async def sample(self, prompt_ids: Sequence[int], *, max_tokens: int, seed: int) -> Sampled:
        return await self.sample_at(1.0, prompt_ids, max_tokens, seed)

    async def sample_at(self, temperature: float, prompt_ids: Sequence[int], max_tokens: int, seed: int) -> Sampled:
        self.asked.append((temperature, seed))
        await self.go.wait()
        return Sampled((7,), (-1.0,), "length", (self.version,))

    async def logprobs(self, ids: Sequence[int]) -> list[float]:
        return [-1.0] * (len(ids) - 1)

    async def load(self, weights: Weights, version: int) -> None:
        if self.fails:
            raise ModelFailure("no room")
        self.version = version

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        self.pauses += 1
        yield
        self.pauses -= 1

    async def __aenter__(self) -> Self:
        self.open += 1
        return self

    async def __aexit__(self, *error: object) -> None:
        self.open -= 1


async def test_the_least_busy_replica_is_asked_at_every_temperature() -> None:
    first, second = Held(), Held()
    sampler: Sampler = Replicas([first, second])
    async with sampler, anyio.create_task_group() as group:
        for number in range(3):
            group.start_soon(partial(sampler.sample, [1], max_tokens=1, seed=number))
        await until(lambda: len(first.asked) + len(second.asked) == 3)
        first.go.set()
        await until(lambda: sampler._flights[0] == 0)  # type: ignore[attr-defined]
        group.start_soon(lambda: sampler.at(0.5).sample([1], max_tokens=1, seed=3))
        await until(lambda: len(first.asked) == 3)
        second.go.set()
    assert (first.asked, second.asked) == ([(1.0, 0), (1.0, 2), (0.5, 3)], [(1.0, 1)])


LONG = list(range(40))
"""Ids of an opening, longer than a block."""


async def ask(sampler: Sampler, prompt: Sequence[int], seed: int = 0) -> None:
    await sampler.sample(prompt, max_tokens=1, seed=seed)


async def test_the_next_turn_goes_where_the_last_one_was_unless_others_have_much_less_to_do() -> None:
    first, second = Held(), Held()
    sampler = Replicas([first, second])
    async with sampler, anyio.create_task_group() as group:
        group.start_soon(ask, sampler, [1])  # so that the second one is the least busy
        await until(lambda: len(first.asked) == 1)
        second.go.set()
        await ask(sampler, LONG)
        first.go.set()
        await until(lambda: sampler._flights == [0, 0])
        await ask(sampler, [*LONG, 7, 8, 9])
        assert (len(first.asked), len(second.asked)) == (1, 2)
        second.go = anyio.Event()
        for number in range(SLACK + 1):
            group.start_soon(ask, sampler, [*LONG, 7, 8, 9], number)
        await until(lambda: len(first.asked) + len(second.asked) == 3 + SLACK + 1)
        assert len(first.asked) == 2, "the last one goes elsewhere"
        second.go.set()


async def test_after_a_load_nobody_has_seen_anything() -> None:
    first, second = Held(), Held()
    sampler = Replicas([first, second])
    sampler._routes.remember(LONG, 1)
    await sampler.load(Path("weights"), 1)
    first.go.set()
    with anyio.fail_after(30):
        await ask(sampler, LONG)
    assert len(first.asked) == 1


def test_routes_are_found_by_the_longest_beginning_and_the_oldest_are_forgotten() -> None:
    routes = Routes(most=4)
    routes.remember(range(32), 0)
    routes.remember([*range(16), *range(50, 66)], 1)
    assert (routes.find([*range(32), 99]), routes.find([*range(20)]), routes.find([5] * 32)) == (0, 1, None)
    routes.remember([9] * 48, 2)
    assert (routes.find(range(32)), routes.find([9] * 48)) == (1, 2), "a block of the second one is left"


async def test_a_load_reaches_all_and_the_oldest_version_is_that_of_all() -> None:
    replicas = [Held(), Held(fails=True), Held()]
    sampler = Replicas(replicas)
    with pytest.raises(ModelFailure, match="no room"):
        await sampler.load(Path("weights"), 4)
    assert ([replica.version for replica in replicas], sampler.version) == ([4, 0, 4], 0)
    replicas[1].fails = False
    await sampler.load(Path("weights"), 5)
    assert sampler.version == 5


async def test_a_pause_holds_all_and_leaving_leaves_all() -> None:
    replicas = [Held(), Held()]
    async with Replicas(replicas) as sampler:
        async with sampler.paused():
            assert [replica.pauses for replica in replicas] == [1, 1]
        assert [replica.open for replica in replicas] == [1, 1]
    assert [(replica.open, replica.pauses) for replica in replicas] == [(0, 0)] * 2


def test_none_is_refused_and_one_stands_for_itself() -> None:
    with pytest.raises(BadInput, match="no replica"):
        Replicas([])
    alone: Any = Held()
    assert list(replicas_of(alone)) == [alone]
