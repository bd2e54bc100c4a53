"""Carries a blueprint out in few round trips: its calls are foretold, made in one batch, held against the sources.

Invariant: what comes out is what `interpreter.execute` gives call by call; a wrong forecast costs time only. Not
covered: what the outcome means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.generator.tasks.interpreter import Execution, Infeasible, execute
from autoforge.generator.tasks.stage import Stage, Start
from autoforge.mcp_envs.containment import Call, CallResult
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Blueprint, GoldCall

__all__ = ["Performance", "perform"]

_EPISODE = "performance"
_MOST_ROUNDS = 200
"""Far more than a blueprint has calls, each of which can be a surprise once."""


class Performance(NamedTuple):
    """A blueprint as it was carried out, up to where it could be."""

    execution: Execution | None
    """None where it could not be carried out to the end."""
    fault: Infeasible | None
    calls: tuple[Call, ...]
    """All that were made, refused ones too."""
    state: State


class _Surprise(Exception):
    """The blueprint makes another call than was foretold."""

    def __init__(self, call: Call) -> None:
        super().__init__(call)
        self.call = call


class _Replay:
    """Answers the calls of a blueprint from a run that was made before."""

    def __init__(self, made: Sequence[Call], results: Sequence[CallResult]) -> None:
        self._made, self._results = made, results
        self.place = 0

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> CallResult:
        place = self.place
        if place >= len(self._results) or self._made[place].tool != tool or self._made[place].arguments != arguments:
            raise _Surprise(Call(tool, dict(arguments)))
        self.place += 1
        return self._results[place]


def perform(
    stage: Stage,
    start: Start,
    blueprint: Blueprint,
    known: Mapping[str, Any],
    *,
    order: Sequence[str] | None = None,
    foretold: Mapping[str, GoldCall] | None = None,
) -> Performance:
    """Carry it out on a copy of the start. `foretold`: node -> the call it is expected to make."""
    ids = order or [node.id for node in blueprint.nodes]
    expected = foretold or {}
    steps = {step.id for step in blueprint.steps}
    plan = [Call(expected[i].tool, expected[i].arguments) for i in ids if i in expected and i in steps]
    for _ in range(_MOST_ROUNDS):
        replay = _Replay(plan, _made(stage, start, plan))
        execution, fault = None, None
        try:
            execution = execute(blueprint, known, replay, order)
        except Infeasible as found:
            fault = found
        except _Surprise as surprise:
            plan = _corrected(plan, replay.place, surprise.call)
            continue
        if replay.place < len(plan):  # later calls of the forecast were made that the blueprint does not make
            plan = plan[: replay.place]
            _made(stage, start, plan)
        return Performance(execution, fault, tuple(plan), stage.read(_EPISODE))
    unsteady = Infeasible(ids[-1], "failed", "the tools answer the same calls differently each time")
    return Performance(None, unsteady, tuple(plan), stage.read(_EPISODE))


def _made(stage: Stage, start: Start, plan: Sequence[Call]) -> list[CallResult]:
    """Make the calls on a copy of the start; the state is read once they are the right ones."""
    stage.worker.fork(start.episode, _EPISODE)
    return stage.worker.calls(_EPISODE, plan) if plan else []


def _corrected(plan: list[Call], place: int, call: Call) -> list[Call]:
    """The forecast with the call that is really made at a place, and what that tells of the later ones."""
    later = plan[place:]
    position = next((i for i, other in enumerate(later) if other.tool == call.tool), None)
    if position is None:
        return [*plan[:place], call, *later]
    renamed: dict[Any, Any] = {}
    _compare(later[position].arguments, call.arguments, renamed)
    rest = [Call(other.tool, _renamed(other.arguments, renamed)) for other in later[position + 1 :]]
    return [*plan[:place], call, *rest]


def _compare(old: Any, new: Any, found: dict[Any, Any]) -> None:
    """Note which plain values became which."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in old.keys() & new.keys():
            _compare(old[name], new[name], found)
    elif isinstance(old, list) and isinstance(new, list):
        for one, two in zip(old, new, strict=False):
            _compare(one, two, found)
    elif isinstance(old, str | int) and isinstance(new, str | int) and old != new and not isinstance(old, bool):
        found[old] = new


def _renamed(value: Any, names: Mapping[Any, Any]) -> Any:
    if isinstance(value, Mapping):
        return {name: _renamed(inner, names) for name, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names) for inner in value]
    return names.get(value, value) if isinstance(value, str | int) and not isinstance(value, bool) else value
