"""Makes the calls of the suite in a contained worker, each on a copy of a known state, and looks at what it left.

Invariant: whatever a call does, the next one starts from the state it asks for; every call is held to what every call
must keep (it ends, does not crash, leaves nothing behind when it fails, answers by its schema), so no check has to ask
for these. Not covered: which calls to make.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from autoforge.generator.conformance.effects import Declarations
from autoforge.generator.conformance.findings import Findings, shown
from autoforge.generator.conformance.snapshot import Snapshot
from autoforge.generator.conformance.subject import Subject, Tool
from autoforge.mcp_envs.containment import Call, CallResult, SyncWorker
from autoforge.mcp_envs.runtime import COUNTER_TABLE
from autoforge.mcp_envs.state import State, without_log

__all__ = ["Laboratory", "Outcome", "Place", "Step"]

_SCRATCH = "scratch"


class Step(NamedTuple):
    """A call as it was made."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Place:
    """A state that can be returned to: an episode nobody calls."""

    episode: str
    snapshot: Snapshot
    path: tuple[Step, ...]
    """The calls that led here from the seed."""

    @property
    def state(self) -> State:
        return self.snapshot.state


class Outcome(NamedTuple):
    """What became of a call, and what it changed."""

    kind: Literal["ok", "refused", "failed", "deadline"]
    value: Any
    message: str
    changed: bool
    """Whether the file of the state is another one."""
    tables: State | None = None
    """The tables that differ from those of the place, outside the log; None where nobody asked to look."""

    @property
    def ok(self) -> bool:
        return self.kind == "ok"


class Laboratory:
    """One worker, one scratch episode."""

    def __init__(self, worker: SyncWorker, subject: Subject, findings: Findings) -> None:
        self._worker = worker
        self._subject = subject
        self._findings = findings
        self._declarations = Declarations(subject.manifest)
        self._memory = sqlite3.connect(":memory:")
        self._here: Place | None = None
        """The place that the scratch episode is a clean copy of."""
        self._places = 0
        worker.open("seed")
        self.seed = self._place("seed", ())

    def close(self) -> None:
        self._memory.close()

    def attempts(
        self, place: Place, tool: Tool, choices: Sequence[Mapping[str, Any]], *, look: bool = False
    ) -> list[Outcome]:
        """Make calls, each on a copy of the place of its own; with `look`, see which tables they change."""
        if len(choices) > 1 and tool.reads_only:
            together = self._together(place, tool, choices)
            if together is not None:
                return together
        return [self.attempt(place, tool, arguments, look=look) for arguments in choices]

    def attempt(self, place: Place, tool: Tool, arguments: Mapping[str, Any], *, look: bool = False) -> Outcome:
        """Make one call on a copy of a place."""
        if self._findings.hangs(tool.name):
            return Outcome("deadline", None, "it was not called again, because a call before did not end", False, {})
        self._enter(place)
        result = self._worker.call(_SCRATCH, tool.name, arguments)
        self._note(tool, arguments, result)
        data = self._data(place)
        if data is not None and not result.ok:
            self._check_left(place, data, tool, arguments, result)
        tables = {} if data is None else self._changed_tables(place, data) if look or tool.reads_only else None
        if result.ok and tables:
            self._check_effects(place, tables, tool, shown(arguments))
        return Outcome(result.kind, result.value, result.message, data is not None, tables)

    def sequence(self, place: Place, tool: Tool, choices: Sequence[Mapping[str, Any]]) -> list[CallResult]:
        """Make calls one after the other on one copy of a place, until one does not end."""
        self._enter(place)
        self._here = None
        results = self._calls(tool, choices)
        data = self._data(place)
        if data is not None:
            tables = self._changed_tables(place, data)
            self._check_effects(place, tables, tool, f"after {len(results)} calls in a row")
            self._check_traces(place, data, tool, list(zip(choices, results, strict=False)))
        return results

    def crashes(self, place: Place, tool: Tool, arguments: Mapping[str, Any]) -> str | None:
        """What a call on a copy of a place crashes with, if it does; nothing is noted."""
        self._enter(place)
        self._here = None
        result = self._worker.call(_SCRATCH, tool.name, arguments)
        self._findings.count(tool.name, "tried again")
        return result.message if result.kind == "failed" else None

    def trace(self, place: Place, tool: Tool, arguments: Mapping[str, Any]) -> None:
        """Give a function arguments that the server would refuse: what becomes of the call is its own matter, if
        only it leaves no trace.
        """
        self._enter(place)
        result = self._worker.call(_SCRATCH, tool.name, arguments)
        self._findings.count(tool.name, "traced")
        data = self._data(place)
        if data is not None and not result.ok:
            self._check_left(place, data, tool, arguments, result)

    def keep(self, place: Place, tool: Tool, arguments: Mapping[str, Any]) -> Place | None:
        """The place that a call leads to; None where it does not succeed."""
        episode = f"place-{self._places}"
        self._places += 1
        self._worker.fork(place.episode, episode)
        if not self._worker.call(episode, tool.name, arguments).ok:
            self._worker.close_episode(episode)
            return None
        return self._place(episode, (*place.path, Step(tool.name, arguments)))

    def _place(self, episode: str, path: tuple[Step, ...]) -> Place:
        data = self._worker.state_path(episode).read_bytes()
        return Place(episode, Snapshot(data, self._memory), path)

    def _enter(self, place: Place) -> None:
        if self._here is not place:
            self._worker.fork(place.episode, _SCRATCH)
            self._here = place

    def _together(self, place: Place, tool: Tool, choices: Sequence[Mapping[str, Any]]) -> list[Outcome] | None:
        """The calls in few round trips; None where one of them changed the state or did not end, so that each needs
        its own.
        """
        self._enter(place)
        results = self._calls(tool, choices)
        if self._data(place) is not None or len(results) < len(choices):
            return None
        return [Outcome(result.kind, result.value, result.message, False, {}) for result in results]

    def _calls(self, tool: Tool, choices: Sequence[Mapping[str, Any]]) -> list[CallResult]:
        """Calls on the scratch episode as it is. Each that is not a success ends a round trip, lest each of many that
        hang be waited for.
        """
        results: list[CallResult] = []
        while len(results) < len(choices) and not self._findings.hangs(tool.name):
            left = choices[len(results) :]
            made = self._worker.calls(_SCRATCH, [Call(tool.name, arguments) for arguments in left], stop=True)
            for arguments, result in zip(left, made, strict=False):
                self._note(tool, arguments, result)
            results += made
        return results

    def _data(self, place: Place) -> bytes | None:
        """The bytes of the scratch episode, if they are other ones than those of the place."""
        data = self._worker.state_path(_SCRATCH).read_bytes()
        if data == place.snapshot.data:
            return None
        self._here = None
        return data

    def _changed_tables(self, place: Place, data: bytes) -> State:
        """Those that differ from those of the place in more than the record of what was done."""
        differing = {name: table for name, table in place.snapshot.differing(data).items() if table is not None}
        before = self._before(place, differing)
        after = without_log(differing, self._subject.manifest)
        return {name: contents for name, contents in after.items() if contents != before.get(name)}

    def _before(self, place: Place, tables: State) -> State:
        """The same tables as they were, without the log."""
        were = {name: place.state[name] for name in tables if name in place.state}
        return without_log(were, self._subject.manifest)

    def _check_effects(self, place: Place, tables: State, tool: Tool, cause: str) -> None:
        """Hold what successful calls changed against the effects in the manifest."""
        if tool.reads_only:
            if tables.keys() - {COUNTER_TABLE}:
                told = f"it is said to read only, and changed {', '.join(sorted(tables))}: {cause}"
                self._findings.add(tool.name, "effects", told)
            return
        for unnamed in self._declarations.undeclared(tool.record, self._before(place, tables), tables):
            told = f"{unnamed}, which the manifest does not name: {cause}"
            self._findings.add(tool.name, "effects", told)

    def _check_traces(
        self, place: Place, data: bytes, tool: Tool, calls: Sequence[tuple[Mapping[str, Any], CallResult]]
    ) -> None:
        """Make the successful ones of calls in a row again: without the others they must lead to the same state."""
        good = [arguments for arguments, result in calls if result.ok]
        if len(good) == len(calls) or self._findings.hangs(tool.name):
            return
        self._enter(place)
        self._here = None
        self._worker.calls(_SCRATCH, [Call(tool.name, arguments) for arguments in good])
        self._findings.count(tool.name, "tried again")
        again = self._worker.state_path(_SCRATCH).read_bytes()
        if place.snapshot.differing(again) != place.snapshot.differing(data):
            other = next(result.kind for _, result in calls if not result.ok)
            told = f"calls that ended as {other} changed the state, among {len(calls)} calls in a row"
            self._findings.add(tool.name, "atomicity", told)

    def _check_left(
        self, place: Place, data: bytes, tool: Tool, arguments: Mapping[str, Any], result: CallResult
    ) -> None:
        if place.snapshot.differing(data):
            told = f"a call that ended as {result.kind} changed the state: {shown(arguments)}"
            self._findings.add(tool.name, "atomicity", told)

    def _note(self, tool: Tool, arguments: Mapping[str, Any], result: CallResult) -> None:
        self._findings.count(tool.name, result.kind)
        if result.kind == "failed":
            self._findings.add(tool.name, "crash", f"{result.message[:200]} on {shown(arguments)}")
        elif result.kind == "deadline":
            self._findings.hang(tool.name, f"a call did not end in time: {shown(arguments)}")
        elif result.ok and self._findings.is_new_output(tool.name, json.dumps(result.value, sort_keys=True)):
            fault = tool.output_fault(result.value)
            if fault is not None:
                self._findings.add(tool.name, "output", f"{fault} (after {shown(arguments)})")
