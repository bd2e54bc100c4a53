"""Scores a stored trajectory again: its calls, the user's too, made once more on a fresh session.

Invariant: the calls are those that were made then, in their order; what only the model wrote (malformed calls, unknown
tools, turns that were cut off) is not made; a reward that did not come from the state (a truncation, a failure) stays
as it was. Not covered: finding the server, judging the user.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import anyio

from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.reward import Reward, score
from autoforge.gym.servers.server import Session, ToolServer
from autoforge.gym.trajectory import AnswerMark, Trajectory, Turn
from autoforge.mcp_envs.errors import AutoForgeError
from autoforge.mcp_envs.task import Task

__all__ = ["MadeCall", "Rescored", "made_calls", "rescored", "told_texts"]

_NUMBERS = itertools.count()


class MadeCall(NamedTuple):
    """A call that a session answered."""

    turn: int
    """Place in `turns` of the turn that holds the answer."""
    tool: str
    arguments: dict[str, Any]
    result: str
    is_error: bool


class Rescored(NamedTuple):
    """A trajectory with its new score, or why it has none."""

    trajectory: Trajectory
    changes: tuple[str, ...] = ()
    """What is not as it was."""
    problem: str = ""
    """Why it could not be scored again; the trajectory is as it was then."""


async def rescored(trajectory: Trajectory, task: Task, server: ToolServer, limits: EpisodeLimits) -> Rescored:
    """Replay and score; `limits` say how long its parts may take. Whatever goes wrong is in the outcome."""
    if trajectory.failure is not None or trajectory.end in ("truncated", "failed"):
        return Rescored(trajectory)
    try:
        with anyio.fail_after(limits.open_seconds):
            session = await server.open(task, f"score-{next(_NUMBERS)}")
        try:
            return await _replayed(trajectory, task, session, limits)
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(limits.state_seconds):
                await session.close()
    except (EpisodeFailure, AutoForgeError) as error:
        return Rescored(trajectory, problem=str(error))
    except TimeoutError:
        return Rescored(trajectory, problem="the server did not answer in time")


def made_calls(trajectory: Trajectory) -> Iterator[MadeCall]:
    """The calls of both parties that reached the session, in order."""
    offered = {tool.get("name") for tool in trajectory.tools}
    for place, turn in enumerate(trajectory.turns):
        for own in turn.user_calls:
            yield MadeCall(place, own.tool, dict(own.arguments), own.result, own.is_error)
        if turn.truncated:
            continue
        for answered, call in enumerate(turn.tool_calls, place + 1):
            answer = trajectory.turns[answered] if answered < len(trajectory.turns) else None
            made = call.malformed is None and call.name in offered
            if made and answer is not None and answer.tool_call_id == call.id:
                yield MadeCall(answered, call.name, call.arguments, answer.content, answer.is_error)


def told_texts(turns: Sequence[Turn]) -> list[str]:
    """What the agent said to the user, in order."""
    return [
        turn.content
        for turn in turns
        if turn.role == "assistant" and not turn.tool_calls and not turn.truncated and turn.content.strip()
    ]


async def _replayed(trajectory: Trajectory, task: Task, session: Session, limits: EpisodeLimits) -> Rescored:
    with anyio.fail_after(limits.state_seconds):
        initial = await session.state()
    if initial is None or session.manifest is None:
        return Rescored(trajectory, problem="the server does not show its state")
    others = []
    for number, made in enumerate(made_calls(trajectory)):
        with anyio.fail_after(limits.call_seconds):
            result = await session.call(made.tool, made.arguments, f"replay-{number}")
        if (result.text, result.is_error) != (made.result, made.is_error):
            others.append(made)
    with anyio.fail_after(limits.state_seconds):
        final = await session.state()
    assert final is not None
    reward = score(task, initial, final, session.manifest, told_texts(trajectory.turns))
    return _with(trajectory, reward, others)


def _with(trajectory: Trajectory, reward: Reward, others: Sequence[MadeCall]) -> Rescored:
    marks = tuple(AnswerMark(name=v.name, told=v.told, reason=v.reason) for v in reward.answers)
    new = {
        "reward": reward.value,
        "state_reached": reward.state,
        "answers": marks,
        "explanation": reward.explanation,
    }
    changes = [
        f"{name.replace('_', ' ')} was {_shown(getattr(trajectory, name))} and is {_shown(new[name])}"
        for name in ("reward", "state_reached")
        if getattr(trajectory, name) != new[name]
    ]
    before = {mark.name: mark.told for mark in trajectory.answers}
    for mark in marks:
        if before.get(mark.name) != mark.told:
            changes.append(f"the answer {mark.name!r} is {'told' if mark.told else 'not told'} now")
    if trajectory.explanation != reward.explanation and not changes:
        changes.append("the explanation is worded otherwise")
    if others:
        words = "call is" if len(others) == 1 else "calls are"
        changes.append(f"{len(others)} {words} answered otherwise now, first {others[0].tool} in turn {others[0].turn}")
    return Rescored(trajectory.model_copy(update=new), tuple(changes))


def _shown(value: Any) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value).lower()
