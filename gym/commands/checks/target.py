"""All checks of one server.

Invariant: nothing is called that may write, unless the state is ours to throw away or that was asked for; what breaks
in a check is evidence in it, and the others are still tried where they can be; a check holds of what was tried, and of
nothing more. Not covered: printing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from autoforge.gym.commands.checks.cases import Case, callable_tools, draw_calls, gold_case
from autoforge.gym.commands.checks.leftovers import Leftovers
from autoforge.gym.commands.checks.schemas import schema_faults
from autoforge.gym.commands.checks.sessions import Evidence, Trials, check_case
from autoforge.gym.commands.checks.verdict import Verdict, verdict
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.failures import EpisodeFailure
from autoforge.gym.runs.plan import RunServer
from autoforge.gym.servers.folder import FolderServer
from autoforge.gym.servers.server import ToolDocument

__all__ = ["CheckOptions", "Checked", "check_target"]

_NO_READER = "no tool says that it only reads; --writes calls the others, where nothing can be lost"
Tell: TypeAlias = Callable[[str, int, int], None]


class CheckOptions(NamedTuple):
    limit: int | None = None
    """The first so many tasks."""
    calls: int = 20
    """Drawn calls where there are no tasks."""
    writes: bool = False
    """Whether tools that may write are drawn, too."""
    seed: int = 0
    limits: EpisodeLimits = EpisodeLimits()


class Checked(NamedTuple):
    """What was found of one server."""

    name: str
    tools: int
    tasks: int
    calls: int
    """Made in each session, over all cases."""
    verdicts: tuple[Verdict, ...]

    @property
    def passed(self) -> bool:
        return all(found.holds is not False for found in self.verdicts)


class _Tried(NamedTuple):
    tools: Sequence[ToolDocument]
    cases: Sequence[Case]
    evidence: Evidence
    untried: str = ""
    """Why no calls were made."""
    alone: str = ""
    """Why calls cannot tell sessions apart."""
    failures: tuple[str, ...] = ()
    """Of cases that could not be played to their end."""

    @property
    def broken(self) -> str:
        """Why nothing was compared, if nothing was."""
        return self.failures[0] if self.failures and len(self.failures) >= len(self.cases) else ""


async def check_target(connect: Callable[[], RunServer], options: CheckOptions, tell: Tell) -> Checked:
    """Run every check. Raises BadInput for a target that is none, EpisodeFailure for a server that does not start."""
    with Leftovers() as leftovers:
        server = connect()
        async with server as entered:
            trials = Trials(entered, options.limits, leftovers.look)
            tried = await _tried(trials, server, options, tell)
        left = await leftovers.left()
    made = sum(len(case.calls) for case in tried.cases)
    return Checked(server.name, len(tried.tools), len(server.tasks), made, _verdicts(tried, left))


def _verdicts(tried: _Tried, left: Sequence[str]) -> tuple[Verdict, ...]:
    evidence = tried.evidence
    worthless = "" if any(case.task is not None for case in tried.cases) else "there are no tasks"
    alone = "sessions alone already differ" if evidence.reset or evidence.replay else tried.untried or tried.alone
    unseen = "".join(evidence.unseen[:1])
    part = [f"{len(tried.failures)} of {len(tried.cases)} could not be played to the end"] if tried.failures else []
    begun = [f"only tools and rules were compared: {unseen}"] if unseen else []
    return (
        verdict("schemas", schema_faults(tried.tools)),
        verdict("reset", evidence.reset, untried=tried.broken, notes=[*begun, *part]),
        verdict("replay", [*evidence.replay, *tried.failures], untried=tried.untried),
        verdict("reward", evidence.reward, untried=worthless or tried.broken or unseen, notes=part),
        verdict("isolation", evidence.isolation, untried=tried.broken or alone, notes=part),
        verdict("leftovers", left),
    )


async def _tried(trials: Trials, server: RunServer, options: CheckOptions, tell: Tell) -> _Tried:
    async with trials.session(None) as session:
        tools = list(session.tools)
    tried = _Tried(tools, [gold_case(task) for task in server.tasks[: options.limit]], Evidence.none())
    if not tried.cases:
        tried = await _drawn(trials, tried, isinstance(server, FolderServer) or options.writes, options)
    for number, case in enumerate(tried.cases):
        tell(case.label, number, len(tried.cases))
        try:
            found = await check_case(trials, case)
        except EpisodeFailure as error:
            tried = tried._replace(failures=(*tried.failures, f"{case.label}: {error}"))
            continue
        for known, more in zip(tried.evidence, found, strict=True):
            known.extend(more)
    tell("leftovers", len(tried.cases), len(tried.cases))
    return tried


async def _drawn(trials: Trials, tried: _Tried, writes: bool, options: CheckOptions) -> _Tried:
    """With a case of drawn calls."""
    allowed = callable_tools(tried.tools, writes=writes)
    try:
        async with trials.session(None) as session:
            calls = await draw_calls(allowed, options.calls, options.seed, lambda call: trials.call(session, call))
    except EpisodeFailure as error:
        return tried._replace(failures=(f"drawn calls: {error}",))
    if calls:
        alone = "" if writes else "only tools that read were called; --writes calls the others, too"
        return tried._replace(cases=[Case(None, calls)], alone=alone)
    words = "no valid arguments were found for any tool" if allowed else _NO_READER
    return tried._replace(cases=[Case(None, ())], untried=words)
