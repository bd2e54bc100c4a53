"""Whether sessions begin alike, do the same when they are told the same, and do not see each other.

Invariant: what is compared is what an agent sees of a call (text and refusal) and the state as stored, counters
included. Not covered: which calls are tried (`cases`).
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

import anyio

from autoforge.gym.commands.checks.cases import Case, Wanted
from autoforge.gym.deadline import deadline
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.reward import score, telling
from autoforge.gym.servers.server import Session, ToolResult, ToolServer
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Task

__all__ = ["Evidence", "Trials", "check_case"]

_NUMBERS = itertools.count()
_SHORT = 160


class Evidence(NamedTuple):
    """What speaks against a server, by check."""

    reset: list[str]
    replay: list[str]
    reward: list[str]
    isolation: list[str]
    unseen: list[str]
    """Why the reward could not be tried."""

    @classmethod
    def none(cls) -> Evidence:
        return cls([], [], [], [], [])


class _Played(NamedTuple):
    """One session from its beginning to its end."""

    initial: State | None
    results: tuple[ToolResult, ...]
    final: State | None


class Trials:
    """Sessions of one server, with deadlines."""

    def __init__(self, server: ToolServer, limits: EpisodeLimits, look: Callable[[], None]) -> None:
        """`look` is called while sessions are open."""
        self._server = server
        self._limits = limits
        self._look = look

    @asynccontextmanager
    async def session(self, task: Task | None) -> AsyncIterator[Session]:
        """Raises EpisodeFailure."""
        with deadline(self._limits.open_seconds, "server", "there was not a session"):
            session = await self._server.open(task, f"check-{next(_NUMBERS)}")
        try:
            yield session
            self._look()
        finally:
            with anyio.CancelScope(shield=True), anyio.move_on_after(self._limits.state_seconds):
                await session.close()

    async def call(self, session: Session, wanted: Wanted) -> ToolResult:
        with deadline(self._limits.call_seconds, "server", f"there was not an answer of {wanted.tool}"):
            return await session.call(wanted.tool, wanted.arguments, f"check-{next(_NUMBERS)}")

    async def calls(self, session: Session, wanted: Sequence[Wanted]) -> list[ToolResult]:
        return [await self.call(session, one) for one in wanted]

    async def state(self, session: Session) -> State | None:
        with deadline(self._limits.state_seconds, "server", "there was not the state"):
            return await session.state()

    async def played(self, case: Case) -> _Played:
        """One session alone."""
        async with self.session(case.task) as session:
            initial = await self.state(session)
            results = await self.calls(session, case.calls)
            return _Played(initial, tuple(results), await self.state(session))


async def check_case(trials: Trials, case: Case) -> Evidence:
    """Play it alone twice, then in two sessions at once. Raises EpisodeFailure."""
    found = Evidence.none()
    async with trials.session(case.task) as one, trials.session(case.task) as two:
        if list(one.tools) != list(two.tools) or one.instructions != two.instructions:
            found.reset.append(f"{case.label}: two sessions have other tools or other rules")
        manifest = one.manifest
    first, second = await trials.played(case), await trials.played(case)
    if first.initial != second.initial:
        found.reset.append(f"{case.label}: {_difference(first.initial, second.initial)} after the second reset")
    found.replay.extend(_others(case, first, second))
    if manifest is None or first.final is None or second.final is None:
        found.unseen.append("nothing shows the state")
    elif case.task is not None:
        for played in (first, second):
            found.reward.extend(_rewards(case.task, played, manifest))
    if not found.reset and not found.replay:
        found.isolation.extend(await _seen(trials, case, first))
    return found


async def _seen(trials: Trials, case: Case, alone: _Played) -> list[str]:
    """What a session shows of another: one makes half of its calls, the other all, the first the rest."""
    half = (len(case.calls) + 1) // 2
    async with trials.session(case.task) as one, trials.session(case.task) as two:
        begun = await trials.calls(one, case.calls[:half])
        untouched = await trials.state(two)
        whole = await trials.calls(two, case.calls)
        ended = await trials.calls(one, case.calls[half:])
        others = _Played(alone.initial, (*begun, *ended), await trials.state(one))
        between = _Played(alone.initial, tuple(whole), await trials.state(two))
    touched = f"{case.label}: {_difference(alone.initial, untouched)} by the calls of another session"
    found = [touched] if untouched != alone.initial else []
    return [*found, *_others(case, alone, others), *_others(case, alone, between)]


def _others(case: Case, one: _Played, two: _Played) -> Iterator[str]:
    """What two plays of the same calls differ in: the first such call, else the state."""
    for number, (wanted, before, after) in enumerate(zip(case.calls, one.results, two.results, strict=True), 1):
        if (before.text, before.is_error) != (after.text, after.is_error):
            words = f"{_short(before.text)} the first time, then {_short(after.text)}"
            yield f"{case.label}: call {number} ({wanted.tool}) gave {words}"
            return
    if one.final != two.final:
        yield f"{case.label}: {_difference(one.final, two.final)} after the same calls"


def _rewards(task: Task, played: _Played, manifest: Manifest) -> Iterator[str]:
    if played.initial is None or played.final is None:
        return
    try:
        won = score(task, played.initial, played.final, manifest, [telling(answer) for answer in task.gold.answers])
        nothing = score(task, played.initial, played.initial, manifest, ["That is done."])
    except CheckFailed as error:
        yield str(error)
        return
    if won.value != 1.0:
        yield f"{task.id}: gold is worth {won.value:g}: {won.explanation[0] if won.explanation else ''}"
    if nothing.value != 0.0:
        yield f"{task.id}: doing nothing is worth {nothing.value:g}"


def _difference(one: State | None, two: State | None) -> str:
    """Where two states differ."""
    if one is None or two is None:
        return "the state is seen once and once not"
    names = [name for name in {**one, **two} if one.get(name) != two.get(name)]
    return f"{', '.join(names[:3])} differ{'s' if len(names) == 1 else ''}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return repr(words if len(words) <= _SHORT else words[: _SHORT - 1] + "…")
