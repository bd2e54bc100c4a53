"""The gold of a task for a server that is not ours: what its gold calls change, as the task's probes show it.

Invariant: a gold that is returned was reached twice, in two fresh sessions, and the second scored 1 against it; doing
nothing does not reach it. Not covered: whether the calls do what the instruction says.
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.gym.reward import row_change, score, telling
from autoforge.gym.servers.server import Session, ToolServer
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State, changes, digest, without_log
from autoforge.mcp_envs.task import Gold, Task

__all__ = ["record_gold"]


class _Played(NamedTuple):
    initial: State
    final: State
    manifest: Manifest


async def record_gold(server: ToolServer, task: Task) -> Task:
    """The task with the gold state that its gold calls leave. Raises CheckFailed where they leave none that can be
    reached again, EpisodeFailure."""
    first = await _played(server, task, "gold-1")
    diff = changes(first.initial, first.final, first.manifest)
    if not diff and not task.gold.answers:
        words = "change nothing that its probes show, and nothing is to be told"
        raise CheckFailed(f"the gold calls of task {task.id} {words}; probe more, or ask for an answer.")
    state = digest(without_log(first.final, first.manifest))
    gold = Gold(
        calls=task.gold.calls, state=state, diff=tuple(map(row_change, diff)), answers=task.gold.answers
    )  # fmt: skip
    recorded = task.model_copy(update={"gold": gold})
    _expect_gold(recorded, await _played(server, recorded, "gold-2"))
    return recorded


async def _played(server: ToolServer, task: Task, episode: str) -> _Played:
    session = await server.open(task, episode)
    try:
        initial = await session.state()
        for number, made in enumerate(task.gold.calls):
            result = await session.call(made.tool, made.arguments, f"gold-{number}")
            if result.is_error:
                raise CheckFailed(f"the gold call of {made.tool} of task {task.id} was refused: {result.text[:300]}")
        return _seen(session, task, initial, await session.state())
    finally:
        await session.close()


def _seen(session: Session, task: Task, initial: State | None, final: State | None) -> _Played:
    if initial is None or final is None or session.manifest is None:
        raise CheckFailed(f"nothing shows what the gold calls of task {task.id} change; add probes to it.")
    return _Played(initial, final, session.manifest)


def _expect_gold(task: Task, again: _Played) -> None:
    told = [telling(answer) for answer in task.gold.answers]
    advice = "leave out of its probes what differs, or say that the column is a `log`"
    try:
        reward = score(task, again.initial, again.final, again.manifest, told)
    except CheckFailed as error:
        raise CheckFailed(f"task {task.id} does not begin the same way twice: {error}; {advice}.") from None
    if reward.value != 1:
        words = "; ".join(reward.explanation[:3])
        raise CheckFailed(f"the gold calls of task {task.id} do not end the same way twice: {words}; {advice}.")
