"""The dead-parameter test: does each documented parameter matter anywhere?

A parameter is alive when, from one state and with all else equal, two of its values (or its absence) lead to states
that differ outside the log, to outputs that differ in more than a repetition of the argument, or to one success and one
refusal, and some call that gives it succeeds: one that is always refused when given is dead. Invariant: "alive" was
seen; "dead" means not seen in any state and with any value that was tried. Not covered: whether it has the right
effect.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from autoforge.generator.conformance.echo import differ
from autoforge.generator.conformance.findings import Findings
from autoforge.generator.conformance.laboratory import Laboratory, Outcome
from autoforge.generator.conformance.probe import Evidence, Witness
from autoforge.generator.conformance.subject import Parameter, Tool

__all__ = ["find_dead_parameters"]

_VALUES = 8
"""Most values of a parameter tried from one witness; other ones from the next."""
_LOOKED_AT = 4
"""Witnesses of which every change is looked at, whatever their parameters."""
_MORE_PLACES = 4
_MORE_CALLS = 40
"""Most calls of a tool to find further witnesses on each further state."""
_MOST_SPARES = 24
_THEN_ALONE = 3
"""Witnesses tried before a parameter is tried without company."""
_READING_TRIALS, _WRITING_TRIALS = 160, 48
"""Most calls for one parameter; of a tool that writes, each needs a state of its own and costs three times as much."""
_MOST_WITNESSES = 40
"""Calls from which a parameter is changed before it is called dead."""


class _Absent:
    """The parameter is not given."""


class _Trial(NamedTuple):
    given: Any
    """The value, or `_Absent`."""
    outcome: Outcome


def find_dead_parameters(laboratory: Laboratory, evidence: Evidence, findings: Findings, tool: Tool) -> None:
    """Note the parameters of a tool that matter nowhere. A tool that never succeeded is not judged."""
    if not evidence.witnesses[tool.name]:
        return
    search = _Search(laboratory, evidence, tool)
    for witness in evidence.witnesses[tool.name][:_LOOKED_AT]:
        search.seen(witness)  # the laboratory holds what it changed against the manifest, parameters or none
    open_parameters = list(tool.parameters)
    for number, witness in enumerate(itertools.islice(_witnesses(laboratory, evidence, tool), _MOST_WITNESSES)):
        if number == _THEN_ALONE:
            open_parameters = [p for p in open_parameters if not search.matters_alone(p)]
        open_parameters = [p for p in open_parameters if not search.matters(p, witness, number)]
        if findings.hangs(tool.name) or not any(search.left[p.name] > 0 for p in open_parameters):
            break
    findings.dead[tool.name] = [p.name for p in open_parameters if not search.matters_alone(p)]


def _witnesses(laboratory: Laboratory, evidence: Evidence, tool: Tool) -> Iterator[Witness]:
    """Those known, what shows most and what is given most in turn, then more from other states, as long as they are
    asked for.
    """
    known = evidence.witnesses[tool.name][:8]
    showing = sorted(known, key=lambda witness: -len(json.dumps(witness.outcome.value)))
    giving = sorted(known, key=lambda witness: -len(witness.arguments))
    in_turn = {id(w): w for pair in zip(showing, giving, strict=True) for w in pair}
    yield from in_turn.values()
    yield from _other_choices(laboratory, tool, known[:1])
    yield from evidence.spares[tool.name][:_MOST_SPARES]
    if known and tool.record.kind != "weak":
        for place in [evidence.places[0], *reversed(evidence.places[1:][-_MORE_PLACES:])]:
            yield from evidence.search(tool, place, _MORE_CALLS)


def _other_choices(laboratory: Laboratory, tool: Tool, known: list[Witness]) -> Iterator[Witness]:
    """A call with each other choice that a parameter has: an amount may show only where the speed costs something."""
    for witness, parameter in itertools.product(known, tool.parameters):
        choices = [v for v in parameter.schema.get("enum") or () if v != witness.arguments.get(parameter.name)]
        calls = [c for v in choices[:_VALUES] if tool.accepts(c := {**witness.arguments, parameter.name: v})]
        for call, outcome in zip(calls, laboratory.attempts(witness.place, tool, calls), strict=True):
            if outcome.ok:
                yield Witness(witness.place, call, outcome)


class _Search:
    """The trials of one tool."""

    def __init__(self, laboratory: Laboratory, evidence: Evidence, tool: Tool) -> None:
        self._laboratory = laboratory
        self._evidence = evidence
        self._tool = tool
        self._alone: set[str] = set()
        self._looked: dict[int, tuple[Outcome, Outcome]] = {}
        """By identity of an outcome, kept so that no other gets its number: the same call with what it changed."""
        trials = _READING_TRIALS if tool.reads_only else _WRITING_TRIALS
        self.left = {parameter.name: trials for parameter in tool.parameters}
        """Calls that may still be made for a parameter."""
        known = [*evidence.witnesses[tool.name], *evidence.spares[tool.name]]
        self._given = {name for witness in known for name in witness.arguments}
        """Parameters that some successful call gives."""
        self._told: set[str] = set()
        """Parameters of which a difference was seen."""

    def matters(self, parameter: Parameter, witness: Witness, number: int) -> bool:
        """Change the parameter in a call that succeeded; `number` chooses which values are tried."""
        tool, arguments = self._tool, witness.arguments
        self._given |= arguments.keys()
        if parameter.name in self._told & self._given:
            return True
        base = _Trial(arguments.get(parameter.name, _Absent), self.seen(witness))
        trials = [base]
        choices = _choices(self._evidence, tool, parameter, witness, number)
        choices = itertools.islice(choices, max(0, self.left[parameter.name]))
        while batch := list(itertools.islice(choices, _VALUES if tool.reads_only else 2)):
            self.left[parameter.name] -= len(batch)
            calls = [_with(arguments, parameter.name, value) for value in batch]
            for value, outcome in zip(
                batch, self._laboratory.attempts(witness.place, tool, calls, look=True), strict=True
            ):
                trial = _Trial(value, outcome)
                if any(_tells(parameter, other, trial) for other in (base, *_first_given(trials))):
                    self._told.add(parameter.name)
                if value is not _Absent and outcome.ok:
                    self._given.add(parameter.name)
                if parameter.name in self._told & self._given:
                    return True
                trials.append(trial)
        return False

    def seen(self, witness: Witness) -> Outcome:
        """The outcome of a witness, with what it changed."""
        if witness.outcome.tables is not None:
            return witness.outcome
        known = self._looked.get(id(witness.outcome))
        if known is None:
            looked = self._laboratory.attempt(witness.place, self._tool, witness.arguments, look=True)
            known = self._looked[id(witness.outcome)] = (witness.outcome, looked)
        return known[1]

    def matters_alone(self, parameter: Parameter) -> bool:
        """Change the parameter in calls that give no other optional one, which might come before it."""
        if parameter.name in self._alone or parameter.required:
            return False
        self._alone.add(parameter.name)
        known = self._evidence.witnesses[self._tool.name][0]
        needed = {p.name: known.arguments[p.name] for p in self._tool.parameters if p.required}
        values = self._evidence.proposer(known.place).values(self._tool, parameter)[:_VALUES]
        calls = [call for value in values if self._tool.accepts(call := {**needed, parameter.name: value})]
        outcomes = self._laboratory.attempts(known.place, self._tool, calls, look=True)
        good = [
            Witness(known.place, call, outcome) for call, outcome in zip(calls, outcomes, strict=True) if outcome.ok
        ]
        self._given |= {parameter.name} if good else set()
        if parameter.name in self._told & self._given:
            return True
        self.left[parameter.name] = max(self.left[parameter.name], _VALUES)
        return any(self.matters(parameter, witness, 0) for witness in good[:2])


def _first_given(trials: list[_Trial]) -> list[_Trial]:
    return [trial for trial in trials[1:] if trial.given is not _Absent and trial.outcome.ok][:1]


def _choices(evidence: Evidence, tool: Tool, parameter: Parameter, witness: Witness, number: int) -> Iterator[Any]:
    """Other values, some near and some extreme, and the absence of any; only such as the server takes with the rest."""
    name, arguments = parameter.name, witness.arguments
    values = evidence.proposer(witness.place).values(tool, parameter)
    start = number * _VALUES % len(values) if len(values) > _VALUES else 0
    spread = [*values[start:], *values[:start]][:_VALUES]
    seen = {json.dumps(arguments[name], sort_keys=True)} if name in arguments else set()
    for value in spread:
        text = json.dumps(value, sort_keys=True)
        if text not in seen and tool.accepts(_with(arguments, name, value)):
            seen.add(text)
            yield value
    if name in arguments and tool.accepts(_with(arguments, name, _Absent)):
        yield _Absent


def _with(arguments: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    rest = {other: given for other, given in arguments.items() if other != name}
    return rest if value is _Absent else {**rest, name: value}


def _tells(parameter: Parameter, one: _Trial, two: _Trial) -> bool:
    """Whether the difference between two trials shows that the parameter matters."""
    kinds = {one.outcome.kind, two.outcome.kind}
    if kinds == {"ok", "refused"}:
        return True
    if kinds != {"ok"}:
        return False
    if one.outcome.tables != two.outcome.tables:
        return True
    absent = _Absent in (one.given, two.given)
    default = [parameter.schema["default"]] if absent and "default" in parameter.schema else []
    values = [trial.given for trial in (one, two) if trial.given is not _Absent] + default
    return differ(one.outcome.value, two.outcome.value, values, absent=absent)
