"""Weights that reached the sampler are proved by a fixed sequence, and a sampler that does not agree ends the run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from autoforge.mcp_envs.errors import AutoForgeError
from autoforge.trainer.samplers.replicas import Replicas
from autoforge.trainer.sync import SyncSettings, probe_batch, proved, synchronise

pytestmark = pytest.mark.anyio
PROBE = probe_batch(50, 6)
SAID = [-1.0, -2.0, -0.5, -3.0, -1.5]


class Sampler:
    """It notes what is done with it, in order."""

    def __init__(self, off: float = 0.0, *, hangs: bool = False) -> None:
        self.off = off
        self.hangs = hangs
        self.done: list[str] = []

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        self.done.append("pause")
        yield
        self.done.append("resume")

    async def load(self, weights: Any, version: int) -> None:
        if self.hangs:
            await anyio.sleep_forever()
        self.done.append(f"load {version}")

    async def logprobs(self, ids: Sequence[int]) -> list[float]:
        self.done.append(f"score {len(ids)}")
        return [value + self.off for value in SAID]


async def sent(sampler: Sampler, seconds: float = 60.0) -> Any:
    how = SyncSettings(seconds=seconds, tolerance=1e-3)
    return await synchronise(sampler, {}, SAID, PROBE, 7, how)  # type: ignore[arg-type]


async def test_nothing_is_sampled_between_the_old_weights_and_the_proof() -> None:
    sampler = Sampler()
    assert await sent(sampler) == (0.0, 0.0)
    assert sampler.done == ["pause", "load 7", "score 6", "resume"]


@pytest.mark.parametrize("off", [0.01, float("nan")])
async def test_a_sampler_with_other_weights_ends_the_run_with_the_reason(off: float) -> None:
    with pytest.raises(AutoForgeError, match="does not have the weights that are trained"):
        await sent(Sampler(off))


async def test_a_transfer_that_hangs_ends_the_run() -> None:
    with pytest.raises(AutoForgeError, match=r"version 7 did not reach the sampler within 0\.1 s"):
        await sent(Sampler(hangs=True), seconds=0.1)


async def test_of_several_replicas_each_is_proved_and_the_one_that_is_off_is_named() -> None:
    right, wrong = Sampler(), Sampler(0.5)
    how = SyncSettings(tolerance=1e-3)
    with pytest.raises(AutoForgeError, match=r"sampler \(replica 2 of 2\) and learner differ by 0\.5 nats"):
        await synchronise(Replicas([right, wrong]), {}, SAID, PROBE, 7, how)  # type: ignore[list-item]
    assert right.done == wrong.done == ["pause", "load 7", "score 6", "resume"]


async def test_what_is_delivered_another_way_is_delivered_in_the_pause() -> None:
    sampler = Sampler()

    async def deliver() -> list[float]:
        sampler.done.append("delivered")
        return SAID

    await proved(sampler, deliver, PROBE, 7, SyncSettings(tolerance=1e-3))  # type: ignore[arg-type]
    assert sampler.done == ["pause", "delivered", "score 6", "resume"]


def test_the_probe_is_the_same_for_the_same_vocabulary() -> None:
    assert probe_batch(50, 6).ids.equal(PROBE.ids) and int(PROBE.ids.max()) < 50 and not PROBE.trainable[0, 0]
