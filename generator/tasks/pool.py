"""Processes that each hold a workshop of one environment and are given pieces of work in turn.

Invariant: results come in the order in which work was given, whatever finishes first; when the pool is left, every
process, contained worker and temporary folder of it is gone. Not covered: what the work is.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from autoforge.generator.tasks.workshop import Knowledge, Workshop, open_workshop
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import CheckFailed

__all__ = ["Plant", "in_order"]

T = TypeVar("T")
_AHEAD = 2
"""Pieces of work that are given out for each process."""


class Plant(NamedTuple):
    """What a process needs to open its workshop."""

    folder: Path
    seed: int
    walk_length: int
    knowledge: Knowledge


@contextmanager
def in_order(
    plant: Plant, work: Callable[[Workshop, Any], T], jobs: int
) -> Iterator[Callable[[Iterable[Any]], Iterator[T]]]:
    """A function that maps pieces lazily over the processes; `work` is a function of a module. With one job it is done
    here.
    """
    if jobs == 1:
        with open_workshop(
            find_environment(str(plant.folder)),
            seed=plant.seed,
            walk_length=plant.walk_length,
            knowledge=plant.knowledge,
        ) as workshop:
            yield lambda pieces: (work(workshop, piece) for piece in pieces)
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(plant,))
    try:
        yield lambda pieces: _mapped(pool, work, pieces, jobs)
    except BrokenProcessPool:
        words = "a process that makes tasks was ended from outside, perhaps for lack of memory"
        raise CheckFailed(f"{words}; run the same command again: it goes on where it was.") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        _terminate(others)  # what is at work is not wanted any more, or has ended
        pool.shutdown(wait=True, cancel_futures=True)


def _mapped(
    pool: ProcessPoolExecutor, work: Callable[[Workshop, Any], T], pieces: Iterable[Any], jobs: int
) -> Iterator[T]:
    waiting: deque[Future[T]] = deque()
    for piece in pieces:
        waiting.append(pool.submit(_in_process, work, piece))
        if len(waiting) >= jobs * _AHEAD:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _terminate(others: set[BaseProcess]) -> None:
    """End the children that were not there before."""
    for child in set(active_children()) - others:
        child.terminate()


# In a process of the pool --------------------------------------------------------------------------------------------

_means = ExitStack()
_workshop: Workshop | None = None
_plant: Plant | None = None


def _begin(plant: Plant) -> None:
    """Ctrl-C is the parent's to handle; SIGTERM, or the parent's end, unwinds what is at work."""
    global _plant
    _plant = plant
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    Finalize(None, _means.close, exitpriority=10)
    threading.Thread(target=_stop_with_parent, daemon=True).start()


def _stop(signum: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the executor says it again where it finds another process gone
    raise SystemExit(130)


def _stop_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _in_process(work: Callable[[Workshop, Any], T], piece: Any) -> T:
    global _workshop
    try:
        if _workshop is None:
            assert _plant is not None
            folder = find_environment(str(_plant.folder))
            means = open_workshop(folder, seed=_plant.seed, walk_length=_plant.walk_length, knowledge=_plant.knowledge)
            _workshop = _means.enter_context(means)
        return work(_workshop, piece)
    except SystemExit:
        _means.close()
        sys.stderr.flush()
        os._exit(130)
