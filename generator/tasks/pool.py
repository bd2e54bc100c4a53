"""Processes that each hold a workshop of one environment and are given pieces of work in turn.

Invariant: results come in the order in which work was given, whatever finishes first; when the pool is left, every
process, contained worker and temporary folder of it is gone. Not covered: what the work is.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from autoforge.generator.tasks.workshop import Knowledge, Workshop, open_workshop
from autoforge.generator.worker import ENDED, obey_parent
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
    global _plant
    _plant = plant
    obey_parent()
    Finalize(None, _means.close, exitpriority=10)


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
        os._exit(ENDED)
