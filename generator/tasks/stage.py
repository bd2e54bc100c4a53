"""A contained worker on which tasks are tried: runs of calls, each on a copy of a known start, and the state they
leave.

Invariant: every run begins from exactly the start it names, whatever ran before. Not covered: which calls to make, what
the states mean.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from autoforge.generator.conformance.snapshot import Snapshot
from autoforge.mcp_envs.containment import Call, CallResult, SyncWorker
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.state import State, digest, state_of_bytes, without_log
from autoforge.mcp_envs.task import GoldCall

__all__ = ["Run", "Session", "Stage", "Start", "state_digest"]

_SCRATCH = "scratch"


def state_digest(state: State, manifest: Manifest) -> str:
    """SHA-256 of a state without its log, counters and clock included."""
    return digest(without_log(state, manifest))


@dataclass(frozen=True, eq=False)
class Start:
    """A state that runs begin from; made by `Stage.start`."""

    episode: str
    state: State
    snapshot: Snapshot = field(repr=False)
    """Its file, by which others are read."""


class Run(NamedTuple):
    """What became of a sequence of calls."""

    results: list[CallResult]
    """Up to the first that did not end; refusals do not end a run unless `stop` was asked for."""
    state: State

    @property
    def ok(self) -> bool:
        return all(result.ok for result in self.results)


class Session:
    """One episode, call by call."""

    def __init__(self, stage: Stage, episode: str, start: Start) -> None:
        self._stage = stage
        self._start = start
        self.episode = episode

    def call(self, tool: str, arguments: Mapping[str, Any]) -> CallResult:
        return self._stage.worker.call(self.episode, tool, arguments)

    def state(self) -> State:
        return self._stage.read(self.episode, self._start)

    def close(self) -> None:
        self._stage.worker.close_episode(self.episode)


class Stage:
    """One worker for one environment. A context manager."""

    def __init__(self, folder: EnvironmentFolder, *, hash_seed: int = 0) -> None:
        """Start the worker. Raises BadInput, ContainmentError."""
        self.folder = folder
        self.manifest = folder.manifest
        self.worker = SyncWorker(Path(folder.path), hash_seed=hash_seed)
        self._memory = sqlite3.connect(":memory:")
        self._starts: dict[tuple[Any, ...], Start] = {}
        self._episodes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.worker.close()
        self._memory.close()

    def start(self, initial: Sequence[str] = (), setup: Sequence[GoldCall] = ()) -> Start:
        """The state of a task before its user speaks; made once. Raises CheckFailed where a call of the set-up is not
        ok.
        """
        key = (tuple(initial), tuple(call.model_dump_json() for call in setup))
        known = self._starts.get(key)
        if known is None:
            if len(self._starts) > 256:
                self._forget()
            episode = self._fresh()
            self.worker.open(episode, initial)
            for call in setup:
                result = self.worker.call(episode, call.tool, call.arguments)
                if not result.ok:
                    raise CheckFailed(f"the set-up call of {call.tool} was {result.kind}: {result.message}")
            known = self._starts[key] = self.start_of(episode)
        return known

    def start_of(self, episode: str) -> Start:
        """An episode as it is, to begin from."""
        snapshot = Snapshot(self.worker.state_path(episode).read_bytes(), self._memory)
        return Start(episode, snapshot.state, snapshot)

    def run(self, start: Start, calls: Sequence[Call | GoldCall], *, stop: bool = False) -> Run:
        """Make the calls in order on a copy of the start."""
        self.worker.fork(start.episode, _SCRATCH)
        made = [Call(call.tool, call.arguments) for call in calls]
        results = self.worker.calls(_SCRATCH, made, stop=stop) if made else []
        return Run(results, self._after(start))

    def session(self, start: Start) -> Session:
        """An episode of its own on a copy of the start."""
        episode = self._fresh()
        self.worker.fork(start.episode, episode)
        return Session(self, episode, start)

    def read(self, episode: str, start: Start | None = None) -> State:
        """The state of an episode; with the start that it came from only what differs is read anew."""
        data = self.worker.state_path(episode).read_bytes()
        if start is None:
            return state_of_bytes(data, self._memory)
        changed = start.snapshot.differing(data)
        if not changed:
            return start.state
        kept = {**start.state, **{name: rows for name, rows in changed.items() if rows is not None}}
        return {name: rows for name, rows in kept.items() if changed.get(name, rows) is not None}

    def _after(self, start: Start) -> State:
        return self.read(_SCRATCH, start)

    def _fresh(self) -> str:
        self._episodes += 1
        return f"episode-{self._episodes}"

    def _forget(self) -> None:
        for start in self._starts.values():
            self.worker.close_episode(start.episode)
        self._starts.clear()
