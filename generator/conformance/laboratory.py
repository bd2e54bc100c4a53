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

from autoforge.generator.conformance.findings import Findings, shown
from autoforge.generator.conformance.subject import Subject, Tool
from autoforge.mcp_envs.containment import Call, CallResult, SyncWorker
from autoforge.mcp_envs.state import State, state_of_bytes, without_log

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
    data: bytes
    """The bytes of its file."""
    state: State
    path: tuple[Step, ...] = ()
    """The calls that led here from the seed."""


class Outcome(NamedTuple):
    """What became of a call, and the state it left."""

    kind: Literal["ok", "refused", "failed", "deadline"]
    value: Any
    message: str
    state: State
    """The very object of the place where nothing changed."""

    @property
    def ok(self) -> bool:
        return self.kind == "ok"


class Laboratory:
    """One worker, one scratch episode."""

    def __init__(self, worker: SyncWorker, subject: Subject, findings: Findings) -> None:
        self._worker = worker
        self._subject = subject
        self._findings = findings
        self._memory = sqlite3.connect(":memory:")
        self._here: Place | None = None
        """The place that the scratch episode is a clean copy of."""
        self._places = 0
        worker.open("seed")
        self.seed = self._place("seed", ())

    def close(self) -> None:
        self._memory.close()

    def attempt(self, place: Place, tool: Tool, arguments: Mapping[str, Any]) -> Outcome:
        """Make one call on a copy of a place."""
        return self.attempts(place, tool, [arguments])[0]

    def attempts(self, place: Place, tool: Tool, choices: Sequence[Mapping[str, Any]]) -> list[Outcome]:
        """Make calls, each on a copy of the place of its own."""
        if len(choices) > 1 and tool.reads_only:
            together = self._together(place, tool, choices)
            if together is not None:
                return together
        return [self._one(place, tool, arguments) for arguments in choices]

    def sequence(self, place: Place, tool: Tool, choices: Sequence[Mapping[str, Any]]) -> list[CallResult]:
        """Make calls one after the other on one copy of a place. Stops at a call that does not end."""
        results: list[CallResult] = []
        while len(results) < len(choices) and not self._findings.hangs(tool.name):
            self._enter(place)
            self._here = None
            batch = choices[len(results) : len(results) + 25]
            made = self._worker.calls(_SCRATCH, [Call(tool.name, arguments) for arguments in batch])
            for arguments, result in zip(batch, made, strict=True):
                self._note(tool, arguments, result)
            results += made
        return results

    def trace(self, place: Place, tool: Tool, arguments: Mapping[str, Any]) -> None:
        """Give a function arguments that the server would refuse: what becomes of the call is its own matter, if
        only it leaves no trace.
        """
        self._enter(place)
        result = self._worker.call(_SCRATCH, tool.name, arguments)
        self._findings.count(tool.name, "traced")
        if self._state(place) is not place.state and not result.ok:
            self._findings.add(
                tool.name, "atomicity", f"a call that ended as {result.kind} changed the state: {shown(arguments)}"
            )

    def keep(self, place: Place, tool: Tool, arguments: Mapping[str, Any]) -> Place | None:
        """The place that a call leads to; None where it does not succeed."""
        episode = f"place-{self._places}"
        self._places += 1
        self._worker.fork(place.episode, episode)
        if not self._worker.call(episode, tool.name, arguments).ok:
            self._worker.close_episode(episode)
            return None
        return self._place(episode, (*place.path, Step(tool.name, arguments)))

    def outside_log(self, state: State) -> State:
        """What counts of a state in the search for parameters that matter."""
        return without_log(state, self._subject.manifest)

    def _place(self, episode: str, path: tuple[Step, ...]) -> Place:
        data = self._worker.state_path(episode).read_bytes()
        return Place(episode, data, state_of_bytes(data, self._memory), path)

    def _enter(self, place: Place) -> None:
        if self._here is not place:
            self._worker.fork(place.episode, _SCRATCH)
            self._here = place

    def _one(self, place: Place, tool: Tool, arguments: Mapping[str, Any]) -> Outcome:
        if self._findings.hangs(tool.name):
            return Outcome("deadline", None, "it was not called again, because a call before did not end", place.state)
        self._enter(place)
        result = self._worker.call(_SCRATCH, tool.name, arguments)
        self._note(tool, arguments, result)
        state = self._state(place)
        if not result.ok and state != place.state:
            self._findings.add(
                tool.name, "atomicity", f"a call that ended as {result.kind} changed the state: {shown(arguments)}"
            )
        return Outcome(result.kind, result.value, result.message, state)

    def _together(self, place: Place, tool: Tool, choices: Sequence[Mapping[str, Any]]) -> list[Outcome] | None:
        """The calls in one round trip; None where one of them changed the state or did not end, so that each needs
        its own.
        """
        if self._findings.hangs(tool.name):
            return None
        self._enter(place)
        results = self._worker.calls(_SCRATCH, [Call(tool.name, arguments) for arguments in choices], stop=False)
        if self._state(place) is not place.state:
            return None
        for arguments, result in zip(choices, results, strict=True):
            self._note(tool, arguments, result)
        return [Outcome(result.kind, result.value, result.message, place.state) for result in results]

    def _state(self, place: Place) -> State:
        data = self._worker.state_path(_SCRATCH).read_bytes()
        if data == place.data:
            return place.state
        self._here = None
        state = state_of_bytes(data, self._memory)
        return place.state if state == place.state else state

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
