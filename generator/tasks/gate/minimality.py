"""Whether the user gives no value in vain: with another one, or none, gold must be another, or there must be none.

Invariant: every alternative goes through the whole blueprint. A value of a branch that was not taken is tried on that
branch; a value that lands only where words are compared by presence is tried by leaving it out. Not covered: values
that the instruction holds beside those (`wording`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from autoforge.generator.tasks.gate.alternatives import Leaf, neighbours, others, slot_of
from autoforge.generator.tasks.gate.decisions import flips
from autoforge.generator.tasks.gate.performing import Performance
from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.scoring import landing
from autoforge.generator.tasks.gate.trial import Trial, answers_of
from autoforge.generator.tasks.gate.variants import without_argument
from autoforge.generator.tasks.interpreter import resolve
from autoforge.mcp_envs.equality import equal_states
from autoforge.mcp_envs.paths import NoSuchPart, extract
from autoforge.mcp_envs.task import (
    Blueprint,
    ListOf,
    ObjectOf,
    Reasoning,
    Source,
    ToolStep,
    UserValue,
    sources_in,
)

__all__ = ["check_minimal"]

_ALTERNATIVES = 20
"""Other values that are tried before one is called superfluous."""


def check_minimal(trial: Trial) -> bool:
    """True. Raises Rejection for a known value without which gold would be the same."""
    bases = _Bases(trial)
    for name in trial.draft.known:
        if not _matters(trial, name, bases):
            raise reject("superfluous value", f"gold is the same whatever {name!r} is")
    return True


class _Bases:
    """Gold and gold on the branches not taken, each carried out once."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._flipped: list[tuple[Blueprint, Performance]] | None = None

    def flipped(self) -> list[tuple[Blueprint, Performance]]:
        if self._flipped is None:
            self._flipped = [(b, self._trial.perform(b)) for b in flips(self._trial).values()]
        return self._flipped


def _matters(trial: Trial, name: str, bases: _Bases) -> bool:
    readers = [node for node in trial.draft.blueprint.nodes if _reads(node, name)]
    left_out = _left_out(trial, name)
    if not readers or (left_out is not None and not _same_as_gold(trial, trial.perform(left_out))):
        return bool(readers)  # what gives nothing when it is left out is needed as well
    values = list(islice(_values(trial, name), _ALTERNATIVES))
    words = feasible = False
    for value in values:
        done = trial.perform(known={**trial.draft.known, name: value})
        if done.execution is not None:
            if not _same_as_gold(trial, done):
                return True
            feasible, words = True, words or bool(trial.kinds_landed(done.state))
    if left_out is None and (words or not feasible):
        return True
    skipped = any(node.id in trial.execution.skipped for node in readers)
    return skipped and _matters_elsewhere(trial, name, values, bases)


def _same_as_gold(trial: Trial, done: Performance) -> bool:
    return done.execution is not None and trial.score_of(done) == 1 and _same_answers(trial, done, None)


def _reads(node: ToolStep | Reasoning, name: str) -> bool:
    parts = (part for source in node.sources for part in sources_in(source))
    return any(isinstance(part, UserValue) and part.user == name for part in parts)


def _left_out(trial: Trial, name: str) -> Blueprint | None:
    """The blueprint without the optional arguments that are the value; None where it is nowhere one."""
    blueprint = trial.draft.blueprint
    for step in blueprint.steps:
        for argument, source in step.arguments.items():
            needed = trial.catalogue.tools[step.tool].document.get("inputSchema", {}).get("required") or ()
            if isinstance(source, UserValue) and source.user == name and argument not in needed:
                blueprint = without_argument(blueprint, step.id, argument)
    return None if blueprint is trial.draft.blueprint else blueprint


def _values(trial: Trial, name: str) -> Iterator[Any]:
    """Other values, from each place where it is used in turn."""
    value = trial.draft.known[name]
    seen = [value]
    for candidate in _interleaved([*_of_arguments(trial, name), *_of_operands(trial, name), neighbours(value)]):
        if candidate not in seen and isinstance(candidate, int | float) == isinstance(value, int | float):
            seen.append(candidate)
            yield candidate


def _of_arguments(trial: Trial, name: str) -> Iterator[Iterator[Any]]:
    for step in trial.draft.blueprint.steps:
        tool = trial.catalogue.tools[step.tool]
        for argument, source in step.arguments.items():
            for path in _paths(source, name, (argument,)):
                leaf = Leaf(path, trial.draft.known[name])
                yield others(tool, leaf, trial.catalogue, trial.start.state, trial.chance)
                slot = slot_of(tool, path)
                if slot is not None and "default" in slot.schema:
                    yield iter([slot.schema["default"]])


def _paths(source: Source, name: str, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(source, UserValue) and source.user == name:
        yield path
    elif isinstance(source, ListOf):
        for place, item in enumerate(source.items):
            yield from _paths(item, name, (*path, place))
    elif isinstance(source, ObjectOf):
        for field, inner in source.fields.items():
            yield from _paths(inner, name, (*path, field))


def _of_operands(trial: Trial, name: str) -> Iterator[Iterator[Any]]:
    """What the items of a list hold where a reasoning node compares them with the value, and extremes."""
    value = trial.draft.known[name]
    for node in trial.draft.blueprint.reasons:
        if _reads(node, name):
            yield iter(_compared(trial, node))
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield iter([value * 1000 + 1, 0, -value - 1])


def _compared(trial: Trial, node: Reasoning) -> list[Any]:
    try:
        over = resolve(node.over, trial.draft.known, trial.execution.values) if node.over is not None else None
        found = extract(over, f"$[*].{node.by}") if isinstance(over, list) and node.by else [over]
    except (KeyError, NoSuchPart, ValueError):
        return []
    values = [value for value in found if isinstance(value, str | int | float)]
    return _telling_first(list(dict.fromkeys(values)))


def _telling_first(values: list[Any]) -> list[Any]:
    """As limits, the second least and the second greatest leave one item; then the others."""
    try:
        ranked = sorted(values)
    except TypeError:
        return values
    ends = [*ranked[1:2], *ranked[-2:-1], *ranked[:1], *ranked[-1:]]
    return list(dict.fromkeys([*ends, *ranked]))


def _interleaved(iterators: list[Iterator[Any]]) -> Iterator[Any]:
    while iterators:
        left = []
        for iterator in iterators:
            for value in islice(iterator, 1):
                left.append(iterator)
                yield value
        iterators = left


def _matters_elsewhere(trial: Trial, name: str, values: list[Any], bases: _Bases) -> bool:
    """Whether the value changes what comes out on a branch that gold does not take."""
    for blueprint, base in bases.flipped():
        for value in values:
            done = trial.perform(blueprint, {**trial.draft.known, name: value})
            if not _same_outcome(trial, done, base):
                return True
    return False


def _same_outcome(trial: Trial, one: Performance, two: Performance) -> bool:
    if (one.execution is None) != (two.execution is None):
        return False
    manifest = trial.stage.manifest
    if landing(one.state, two.state, manifest) & {"free_text"}:
        return False
    same = equal_states(trial.start.state, two.state, one.state, manifest).equal
    return same and _same_answers(trial, one, two)


def _same_answers(trial: Trial, one: Performance, two: Performance | None) -> bool:
    answers = trial.gold.answers if two is None else two.execution and answers_of(trial.draft, two)
    mine = one.execution and answers_of(trial.draft, one)
    return [a.value for a in mine or ()] == [a.value for a in answers or ()]
