"""Gold with one thing wrong: a write's argument, its target, or one write too many. Each must score 0.

Invariant: what is counted was run, was taken by the tools, and differs from gold in a `key` or `value` column; what
makes no difference there is excused only when no value in that place makes one, or when the column is not compared.
Not covered: dropped writes (`effects`), wrong branches and choices (`decisions`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from autoforge.generator.tasks.gate.alternatives import Leaf, accepts, leaves, others, slot_of
from autoforge.generator.tasks.gate.effects import changes_compared
from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.trial import Trial
from autoforge.generator.tasks.slots import replaced
from autoforge.mcp_envs.containment import Call
from autoforge.mcp_envs.state import State

__all__ = ["Mutants", "check_arguments", "check_extra_writes", "check_targets"]

_PLACES = 14
"""Arguments of one task that are perturbed."""
_TRIES = 3
"""Values tried in one place; where there are many, until one lands."""
_EXTRA = 8
"""Unrelated writes that are added, of different tools first."""
_EXTRA_TRIES = 20


class Mutants(NamedTuple):
    """What became of one kind of mutant."""

    killed: int = 0
    calls: tuple[Call, ...] = ()
    """The mutated writes that the tools took."""
    untested: int = 0
    """Places in which no other value that was tried was taken, or that were left out where there are too many."""


class _Place(NamedTuple):
    write: int
    """Position among the writes."""
    leaf: Leaf
    reference: bool
    many: bool
    """Whether it may hold more than a few values."""


class _Mutation(NamedTuple):
    call: Call
    state: State


def check_arguments(trial: Trial) -> Mutants:
    """Every argument of every write perturbed. Raises Rejection where that scores."""
    found = [place for place in _places(trial) if not place.reference]
    places = trial.chance.sample(found, _PLACES) if len(found) > _PLACES else found
    landed = [_landed(trial, place, "value does not matter", 1 if place.many else _TRIES) for place in places]
    calls = [call for made in landed for call in made]
    return Mutants(len(calls), tuple(calls), len(found) - sum(map(bool, landed)))


def _places(trial: Trial) -> Iterator[_Place]:
    for number, call in enumerate(trial.write_calls):
        tool = trial.catalogue.tools[call.tool]
        for leaf in leaves(call.arguments):
            slot = slot_of(tool, leaf.path)
            few = isinstance(leaf.value, bool) or (slot is not None and "enum" in slot.schema)
            if leaf.path:
                yield _Place(number, leaf, slot is not None and slot.role == "reference", not few)


def _landed(trial: Trial, place: _Place, reason: str, enough: int) -> list[Call]:
    """The mutants of one place that landed, at most `enough`. Raises Rejection where one scores, and where some other
    value makes no difference although these do.
    """
    landed: list[Call] = []
    idle: list[Call] = []
    for mutation in _mutations(trial, place):
        if not trial.scores(mutation.state):
            landed.append(mutation.call)
        elif (kinds := trial.kinds_landed(mutation.state)) & {"key", "value"}:
            raise _survived(reason, trial, place, mutation.call)
        elif not kinds:
            idle.append(mutation.call)
        if landed and idle:
            raise _survived(reason, trial, place, idle[0])
        if len(landed) == enough:
            break
    return landed


def _mutations(trial: Trial, place: _Place) -> Iterator[_Mutation]:
    """Runs in which another value stands in one place and the tools took it."""
    writes = trial.write_calls
    call = writes[place.write]
    tool = trial.catalogue.tools[call.tool]
    tried = 0
    for value in others(tool, place.leaf, trial.catalogue, trial.start.state, trial.chance):
        arguments = replaced(call.arguments, place.leaf.path, value)
        if not accepts(tool, arguments):
            continue
        mutant = Call(call.tool, arguments)
        run = trial.run([*writes[: place.write], mutant, *writes[place.write + 1 :]])
        tried += 1
        if run.results[place.write].ok:
            yield _Mutation(mutant, run.state)
        if tried >= _TRIES:
            return


def check_targets(trial: Trial) -> Mutants:
    """The target of every write swapped for look-alike rows, alone and in all writes at once. Raises Rejection."""
    calls: list[Call] = []
    places = [place for place in _places(trial) if place.reference]
    untested = max(0, len(places) - _PLACES)
    for place in places[:_PLACES]:
        landed = _landed(trial, place, "target does not matter", _TRIES)
        untested += not landed
        calls += landed
    together = _swapped_together(trial, places)
    return Mutants(len(calls) + together, tuple(calls), untested)


def _swapped_together(trial: Trial, places: Sequence[_Place]) -> int:
    """Swap a row that several writes name in all of them; the number of such swaps that the tools took."""
    groups: dict[str, list[_Place]] = {}
    for place in places:
        groups.setdefault(json.dumps(place.leaf.value), []).append(place)
    killed = 0
    for group in groups.values():
        if len({place.write for place in group}) > 1:
            killed += _swap(trial, group)
    return killed


def _swap(trial: Trial, group: Sequence[_Place]) -> int:
    first = trial.catalogue.tools[trial.write_calls[group[0].write].tool]
    values = others(first, group[0].leaf, trial.catalogue, trial.start.state, trial.chance)
    for _, value in zip(range(_TRIES), values, strict=False):
        writes = [Call(call.tool, call.arguments) for call in trial.write_calls]
        for place in group:
            writes[place.write] = Call(
                writes[place.write].tool, replaced(writes[place.write].arguments, place.leaf.path, value)
            )
        run = trial.run(writes)
        if run.ok and trial.landed(run.state):
            if trial.scores(run.state):
                raise _survived("target does not matter", trial, group[0], writes[group[0].write])
            return 1
    return 0


def check_extra_writes(trial: Trial, mutated: Iterable[Call]) -> Mutants:
    """Gold and one write that nobody asked for. Raises Rejection where that scores."""
    own = [Call(call.tool, call.arguments) for call in trial.write_calls]
    pool = [call for call in (*_samples(trial), *mutated) if call not in own]
    trial.chance.shuffle(pool)
    killed: list[Call] = []
    for number, extra in enumerate(_in_turn(pool)[:_EXTRA_TRIES]):
        writes: list[Any] = list(trial.write_calls)
        writes.insert(len(writes) if number % 2 == 0 else 0, extra)
        run = trial.run(writes)
        if not run.ok or not trial.landed(run.state):
            continue
        if trial.scores(run.state):
            raise reject("extra write unnoticed", f"gold and {_shown(extra)} scores")
        killed.append(extra)
        if len(killed) == _EXTRA:
            break
    return Mutants(len(killed), tuple(killed))


def _in_turn(calls: list[Call]) -> list[Call]:
    """One call of each tool, then a second of each, and so on."""
    before: Counter[str] = Counter()
    ranked = []
    for call in calls:
        ranked.append((before[call.tool], call))
        before[call.tool] += 1
    return [call for _, call in sorted(ranked, key=lambda pair: pair[0])]


def _samples(trial: Trial) -> list[Call]:
    tools = [tool for tool in trial.catalogue.tools.values() if changes_compared(tool, trial.catalogue)]
    return [Call(tool.name, sample.arguments) for tool in tools for sample in tool.samples[:3]]


def _survived(reason: str, trial: Trial, place: _Place, call: Call) -> Exception:
    gold = trial.write_calls[place.write]
    name = ".".join(map(str, place.leaf.path))
    return reject(reason, f"{gold.node}: {_shown(call)} instead of {name} {place.leaf.value!r} scores")


def _shown(call: Call) -> str:
    return f"{call.tool}({json.dumps(call.arguments, ensure_ascii=False)})"
