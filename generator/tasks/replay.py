"""A task carried out again, to be looked at: what every node gave, what was refused and why, the state at the end.

Invariant: what is shown came out of the tools and the operators just now, not out of the file; where that differs from
the file's gold, it says so. Not covered: proof (`gate`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from autoforge.generator.tasks.interpreter import Execution, Infeasible, execute
from autoforge.generator.tasks.stage import Session, Stage, state_digest
from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Task

__all__ = ["Replay", "replay"]


class Replay(NamedTuple):
    """What became of one task."""

    outputs: dict[str, Any]
    """Node -> output of its tool, or its derived value; refused and skipped nodes are missing."""
    final: State
    refusals: dict[str, str]
    """Attempt that was refused -> the sentence with which it was."""
    skipped: tuple[str, ...]
    """Nodes whose guard did not hold, or that read such a node; sorted."""
    differences: tuple[str, ...]
    """One sentence for each way in which this is not the gold of the file."""


def replay(stage: Stage, task: Task) -> Replay:
    """Carry out the blueprint on a fresh copy of the task's start.

    Raises CheckFailed where it cannot be carried out any more, ContainmentError where the tools are not let run.
    """
    session = stage.session(stage.start(task.initial, task.setup))
    refusals: dict[str, str] = {}
    try:
        done = _executed(task, session, refusals)
        final = session.state()
    finally:
        session.close()
    return Replay(
        done.values, final, refusals, tuple(sorted(done.skipped)), tuple(_differences(stage, task, done, final))
    )


def _executed(task: Task, session: Session, refusals: dict[str, str]) -> Execution:
    last: list[CallResult] = []

    def call(tool: str, arguments: Mapping[str, Any]) -> CallResult:
        last.append(session.call(tool, arguments))
        return last[-1]

    try:
        done = execute(task.blueprint, task.known, call)
    except Infeasible as fault:
        words = "prove the environment again with autoforge-gen check"
        raise CheckFailed(f"task {task.id} cannot be carried out any more, at {fault}; {words}.") from None
    messages = iter([result.message for result in last if not result.ok])
    refusals.update((node, next(messages)) for node in done.refused)
    return done


def _differences(stage: Stage, task: Task, done: Execution, final: State) -> Iterator[str]:
    if tuple(done.calls) != task.gold.calls:
        yield "the calls are not those of the task's gold"
    if state_digest(final, stage.manifest) != task.gold.state:
        yield "the state is not that of the task's gold"
