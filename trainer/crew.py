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
from autoforge.trainer.stages.policy_step import PolicyStep, StepSettings, policy_step
from autoforge.trainer.stages.work import StepWork
from autoforge.trainer.sync import ProbeBatch, gathered

__all__ = ["Crew", "Order", "Sent", "follow"]

T = TypeVar("T")


class Order(NamedTuple):
    """What all ranks do next; exactly one field is given, none of them at the end."""

    work: StepWork | None = None
    send: ProbeBatch | None = None
    """Gather the weights, and score this."""
    save: Path | None = None
    export: Path | None = None


class Sent(NamedTuple):
    """Weights, and what the learner says of the probe under them."""

    weights: dict[str, Tensor]
    """Of the first rank alone."""
    logprobs: list[float]


class Crew:
    """The first rank's side."""

    def __init__(self, learner: Callable[[], Learner], settings: StepSettings) -> None:
        """`learner` makes this rank's, in the crew's thread."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="learner")
        self._settings = settings
        self._broken = False
        self.chat_template: str | None = None
        """Goes along with an export."""
        self.learner = self._thread.submit(learner).result()

    async def step(self, work: StepWork) -> PolicyStep:
        """Learn from the work."""
        found = await self._together(Order(work=work))
        assert isinstance(found, PolicyStep)
        return found

    async def send(self, probe: ProbeBatch) -> Sent:
        """The weights as they are."""
        found = await self._together(Order(send=probe))
        assert isinstance(found, Sent)
        return found

    async def save(self, folder: Path) -> None:
        """The learner's checkpoint."""
        await self._together(Order(save=folder))

    async def export(self, folder: Path) -> None:
        """A Hugging Face folder."""
        await self._together(Order(export=folder))

    def close(self) -> None:
        """Send the other ranks home, unless they are lost in an order that failed here."""
        try:
            if not self._broken:
                self._thread.submit(_told, self.learner, Order()).result()
        finally:
            self._thread.submit(self.learner.close).result()
            self._thread.shutdown()

    def _break(self) -> None:
        self._broken = True

    async def _together(self, order: Order) -> object:
        def act() -> object:
            with ExitStack() as broken:
                broken.callback(self._break)
                done = _done(self.learner, _told(self.learner, order), self._settings, self.chat_template)
                broken.pop_all()
            return done

        return await asyncio.shield(asyncio.wrap_future(self._thread.submit(act)))


def follow(learner: Learner, settings: StepSettings, chat_template: str | None) -> None:
    """The side of every other rank: do what the first one says until it ends. Ctrl-C reaches all ranks of a terminal,
    and it is the first one's to heed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        order = _told(learner, None)
        if all(field is None for field in order):
            break
        _done(learner, order, settings, chat_template)
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


def _done(learner: Learner, order: Order, settings: StepSettings, chat_template: str | None) -> object:
    if order.work is not None:
        return policy_step(learner, order.work, settings, learner.ranks.gather)  # type: ignore[arg-type]
    if order.send is not None:
        weights = gathered(learner, keep=learner.ranks.rank == 0)
        scores = learner.logprobs(order.send, temperature=1.0, everywhere=True)
        return Sent(weights, scores.logprobs[0].tolist())
    if order.save is not None:
        learner.save(order.save)
    if order.export is not None:
        learner.export(order.export, chat_template=chat_template)
    return None
