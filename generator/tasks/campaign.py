"""Tasks by the hundred: proposals are made and proved in several processes until enough are kept.

Invariant: which tasks come out depends on the request and the environment, not on the number of processes nor on when
it was interrupted; nothing finished is done twice. Not covered: writing them (`publish`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from autoforge.generator.tasks.make import Attempt, make_task
from autoforge.generator.tasks.model.advice import Advice
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.pool import Plant, in_order
from autoforge.generator.tasks.progress_file import ProgressFile
from autoforge.generator.tasks.selection import Selection
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.workshop import Knowledge, Workshop, explore
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.task import Task

__all__ = ["Campaign", "Request", "run_campaign"]

_PIECE = 2
"""Proposals that a process makes at once."""
_DRY = 240
"""Proposals in a row without a task after which there are no more to be had."""
_MOST = 40
"""Proposals for each task that is wanted."""
Progress = Callable[[str, int, int], None]


class Request(BaseModel):
    """What is wanted of a campaign."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: int = Field(ge=1)
    """Tasks."""
    seed: int = 0
    language: str = "auto"
    """`en`, `es`, `de`, or `auto` for that of the documentation."""
    policy: TaskPolicy = TaskPolicy()
    mix: dict[str, float] | None = None
    """Level -> share of the tasks."""


class Campaign(NamedTuple):
    """What came of it."""

    tasks: tuple[Task, ...]
    proposals: int
    rejections: Counter[str]
    examples: dict[str, str]
    """Reason -> one case."""
    knowledge: Knowledge


def run_campaign(
    folder: EnvironmentFolder,
    request: Request,
    *,
    jobs: int,
    have: Sequence[Task],
    progress: Progress,
    advise: Callable[..., Advice] | None = None,
) -> Campaign:
    """Make tasks besides those that are there. Raises BadInput, ContainmentError."""
    progress("explore tools", 0, request.count)
    with Stage(folder) as stage:
        advised = None if advise is None else partial(advise, language=request.language)
        knowledge = explore(stage, seed=request.seed, walk_length=request.policy.walk_length, advise=advised)
    advice = Advice(knowledge.graph, knowledge.derived).digest if advise is not None else ""
    first = 1 + max((_number(t) for t in have if t.provenance.get("seed") == request.seed), default=-1)
    kept = ProgressFile(folder, request.model_dump_json(include={"seed", "language", "policy"}) + f" {first}{advice}")
    plant = Plant(folder.path, request.seed, request.policy.walk_length, knowledge)
    selection = Selection(request.count, request.mix, have)
    rejections: Counter[str] = Counter()
    examples: dict[str, str] = {}
    proposals = dry = 0
    with in_order(plant, partial(_make, request=request), jobs) as spread:
        for attempt in _attempts(kept, spread, first, request.count):
            proposals += 1
            reason, message = attempt.reason, attempt.message
            if attempt.task is not None:
                reason = selection.offer(attempt.task)
            dry = dry + 1 if reason else 0
            if reason:
                rejections[reason] += 1
                examples.setdefault(reason, message or reason)
            progress("prove tasks", len(selection.tasks), request.count)
            if selection.full or dry >= _DRY:
                break
    return Campaign(tuple(selection.tasks), proposals, rejections, examples, knowledge)


def _number(task: Task) -> int:
    number = task.provenance.get("proposal")
    return number if isinstance(number, int) else -1


def _attempts(
    kept: ProgressFile, spread: Callable[[Any], Iterator[list[Attempt]]], first: int, count: int
) -> Iterator[Attempt]:
    """Attempts in the order of their numbers, until there are no more to be had."""
    pieces = [range(n, n + _PIECE) for n in range(first, first + count * _MOST + _DRY, _PIECE)]
    done = {piece.start for piece in pieces if all(n in kept.known for n in piece)}
    results = spread(piece for piece in pieces if piece.start not in done)
    for piece in pieces:
        if piece.start in done:
            attempts = [kept.known[n] for n in piece]
        else:
            attempts = next(results)
            kept.add(attempts)
        yield from attempts


def _make(workshop: Workshop, numbers: Sequence[int], *, request: Request) -> list[Attempt]:
    """A piece of work."""
    return [
        make_task(workshop, n, seed=request.seed, policy=request.policy, language=request.language) for n in numbers
    ]
