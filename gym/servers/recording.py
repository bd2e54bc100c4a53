"""The gold of a task for a server that is not ours: what its gold calls change, as the task's probes show it.

Invariant: a gold that is returned was reached twice, in two fresh sessions, and the second scored 1 against it; doing
nothing scores 0; the probes showed the same twice in a row. Not covered: whether the calls do what the instruction
says.
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.gym.reward import row_change, score, telling
from autoforge.gym.servers.server import Session, ToolServer
from autoforge.gym.servers.session import ForeignSession
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State, changes, digest, without_log
from autoforge.mcp_envs.task import Gold, Task

__all__ = ["record_gold"]

_LEAVE_OUT = "leave out of its probes what differs, or say that the column is a `log`"


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
        await _expect_still(session, task, initial)
        for number, made in enumerate(task.gold.calls):
            result = await session.call(made.tool, made.arguments, f"gold-{number}")
            if result.is_error:
                raise CheckFailed(f"the gold call of {made.tool} of task {task.id} was refused: {result.text[:300]}")
        played = _seen(session, task, initial, await session.state())
        _expect_columns(session, task)
        return played
    finally:
        await session.close()


def _seen(session: Session, task: Task, initial: State | None, final: State | None) -> _Played:
    if initial is None or final is None or session.manifest is None:
        raise CheckFailed(f"nothing shows what the gold calls of task {task.id} change; add probes to it.")
    return _Played(initial, final, session.manifest)


async def _expect_still(session: Session, task: Task, initial: State | None) -> None:
    """Raises CheckFailed where looking changes what is seen."""
    if not isinstance(session, ForeignSession) or initial is None or session.manifest is None:
        return
    again = await session.looked_again()
    assert again is not None
    before, after = (without_log(state, session.manifest) for state in (initial, again))
    names = [name for name in after if before.get(name) != after[name]]
    if names:
        words = f"the probes of task {task.id} do not show the same twice in a row ({', '.join(names[:3])})"
        raise CheckFailed(f"{words}; probe with what only reads, and {_LEAVE_OUT}.")


def _expect_columns(session: Session, task: Task) -> None:
    """Raises CheckFailed for a kind of a column that there is not."""
    misnamed = session.misnamed() if isinstance(session, ForeignSession) else []
    if misnamed:
        raise CheckFailed(f"task {task.id} says the kind of a column that no probe shows: {misnamed[0]}.")


def _expect_gold(task: Task, again: _Played) -> None:
    told = [telling(answer) for answer in task.gold.answers]
    try:
        reward = score(task, again.initial, again.final, again.manifest, told)
        nothing = score(task, again.initial, again.initial, again.manifest, [])
    except CheckFailed as error:
        raise CheckFailed(f"task {task.id} does not begin the same way twice: {error}; {_LEAVE_OUT}.") from None
    if reward.value != 1:
        words = "; ".join(reward.explanation[:3])
        raise CheckFailed(f"the gold calls of task {task.id} do not end the same way twice: {words}; {_LEAVE_OUT}.")
    if nothing.value != 0:
        words = f"doing nothing solves task {task.id}: what its gold calls change is not compared"
        raise CheckFailed(f"{words}; probe more, give those columns another kind, or ask for an answer.")
