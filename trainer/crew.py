"""The learners of all ranks, told by the first rank what to do next.

Invariant: every rank does the same in the same order, in one thread of its own; where one fails all fail, and when the
first rank ends, however it ends, the others end. Not covered: what is learned (`stages`).
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TypeVar

import torch.distributed as distributed
from torch import Tensor

from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.samplers.vllm_control import ServerGroup
from autoforge.trainer.samplers.vllm_transfer import VllmTransfer
from autoforge.trainer.stages.policy_step import PolicyStep, StepSettings, policy_step
from autoforge.trainer.stages.work import StepWork
from autoforge.trainer.sync import ProbeBatch, gathered

__all__ = ["Broadcast", "Crew", "Order", "Publish", "Sent", "follow"]

T = TypeVar("T")


class Publish(NamedTuple):
    """Write the weights into a new folder, and score the probe."""

    probe: ProbeBatch
    folder: Path


class Broadcast(NamedTuple):
    """Send the weights to servers over NCCL, and score the probe."""

    probe: ProbeBatch
    servers: ServerGroup
    version: int
    seconds: float


class Order(NamedTuple):
    """What all ranks do next; exactly one field is given, none of them at the end."""

    work: StepWork | None = None
    send: ProbeBatch | None = None
    """Gather the weights, and score this."""
    publish: Publish | None = None
    broadcast: Broadcast | None = None
    save: Path | None = None
    export: Path | None = None


class Sent(NamedTuple):
    """Weights, and what the learner says of the probe under them."""

    weights: dict[str, Tensor]
    """Of the first rank alone; empty where they went another way."""
    logprobs: list[float]


class Crew:
    """The first rank's side."""

    def __init__(self, learner: Callable[[], Learner], settings: StepSettings) -> None:
        """`learner` makes this rank's, in the crew's thread."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="learner")
        self._broken = False
        self.chat_template: str | None = None
        """Goes along with an export."""
        self.learner = self._thread.submit(learner).result()
        self._hand = _Hand(self.learner, settings)

    async def step(self, work: StepWork) -> PolicyStep:
        """Learn from the work."""
        found = await self._together(Order(work=work))
        assert isinstance(found, PolicyStep)
        return found

    async def send(self, probe: ProbeBatch, folder: Path | None = None) -> Sent:
        """The weights as they are, or in a new folder that is whole when it is there."""
        order = Order(send=probe) if folder is None else Order(publish=Publish(probe, folder))
        return await self._sent(order)

    async def broadcast(self, broadcast: Broadcast) -> Sent:
        """The weights to servers, which are paused."""
        return await self._sent(Order(broadcast=broadcast))

    async def save(self, folder: Path) -> None:
        """The learner's checkpoint."""
        await self._together(Order(save=folder))

    async def export(self, folder: Path) -> None:
        """A Hugging Face folder."""
        await self._together(Order(export=folder))

    def close(self) -> None:
        """Send the other ranks home, unless they are lost in an order that failed here."""

        def farewell() -> None:
            if not self._broken:  # known only when the last order has ended, in this same thread
                _told(self.learner, Order())

        try:
            self._thread.submit(farewell).result()
        finally:
            self._thread.submit(self.learner.close).result()
            self._thread.shutdown()

    def _break(self) -> None:
        self._broken = True

    async def _sent(self, order: Order) -> Sent:
        found = await self._together(order)
        assert isinstance(found, Sent)
        return found

    async def _together(self, order: Order) -> object:
        def act() -> object:
            with ExitStack() as broken:
                broken.callback(self._break)
                done = self._hand.done(_told(self.learner, order), self.chat_template)
                broken.pop_all()
            return done

        return await asyncio.shield(asyncio.wrap_future(self._thread.submit(act)))


def follow(learner: Learner, settings: StepSettings, chat_template: str | None) -> None:
    """The side of every other rank: do what the first one says until it ends. Ctrl-C reaches all ranks of a terminal,
    and it is the first one's to heed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hand = _Hand(learner, settings)
    while True:
        order = _told(learner, None)
        if all(field is None for field in order):
            break
        hand.done(order, chat_template)
    learner.close()


def _told(learner: Learner, order: Order | None) -> Order:
    """What the first rank says."""
    if learner.ranks.world == 1:
        assert order is not None
        return order
    told: list[Order | None] = [order]
    distributed.broadcast_object_list(told, src=0, group=learner.ranks.control)
    assert told[0] is not None
    return told[0]


class _Hand:
    """What one rank does with orders, the same on all."""

    def __init__(self, learner: Learner, settings: StepSettings) -> None:
        self._learner = learner
        self._settings = settings
        self._transfer: VllmTransfer | None = None

    def done(self, order: Order, chat_template: str | None) -> object:
        learner = self._learner
        if order.work is not None:
            return policy_step(learner, order.work, self._settings, learner.ranks.gather)  # type: ignore[arg-type]
        if order.send is not None:
            return Sent(gathered(learner, keep=learner.ranks.rank == 0), self._scores(order.send))
        if order.publish is not None:
            learner.export(order.publish.folder, chat_template=chat_template)
            return Sent({}, self._scores(order.publish.probe))
        if order.broadcast is not None:
            self._broadcast(order.broadcast)
            return Sent({}, self._scores(order.broadcast.probe))
        if order.save is not None:
            learner.save(order.save)
        if order.export is not None:
            learner.export(order.export, chat_template=chat_template)
        return None

    def _broadcast(self, told: Broadcast) -> None:
        if self._transfer is None:
            self._transfer = VllmTransfer(self._learner, told.servers, told.seconds)
        self._transfer.send(told.version)

    def _scores(self, probe: ProbeBatch) -> list[float]:
        scores = self._learner.logprobs(probe, temperature=1.0, everywhere=True)
        found: list[float] = scores.logprobs[0].tolist()
        return found
