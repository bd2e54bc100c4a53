"""What is said to `server.py`, as far as the suite knows by then: calls and what must become of each.

Invariant: every call is one whose end was seen in the contained worker, or that JSON Schema and the check that ships in
`server.py` both judge. Not covered: saying it (`server`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.generator.conformance.findings import Findings
from autoforge.generator.conformance.laboratory import Laboratory, Step
from autoforge.generator.conformance.negative import invalid_calls
from autoforge.generator.conformance.probe import Evidence
from autoforge.generator.conformance.subject import Tool
from autoforge.generator.conformance.values import kinds

__all__ = ["Answered", "Conversation", "Refusable", "converse"]

_MOST_WRITING = 12
"""Tools that are looked at to find one whose calls show each other."""


class Refusable(NamedTuple):
    """A call that must come back as a tool error."""

    fault: str
    step: Step


class Answered(NamedTuple):
    """A call and what the function gave for it in the worker."""

    step: Step
    value: Any


class Conversation(NamedTuple):
    """Calls for the server to make; None where the suite found none."""

    refused: tuple[Refusable, ...]
    good: tuple[Answered, ...]
    """Calls that succeed on the seed and change nothing, one of each tool."""
    writing: Step | None
    """A call that succeeds on the seed and, made again, ends otherwise: its first answer tells that nobody made it
    before."""


def converse(laboratory: Laboratory, agents: Sequence[Tool], evidence: Evidence, findings: Findings) -> Conversation:
    """Choose the calls. Of each tool two that break its schema: an unknown parameter, and its first parameter of a
    wrong type."""
    sound = [tool for tool in agents if not findings.checks(tool.name)]
    good = tuple(_unchanging(sound, evidence))
    refusal = [Refusable("a refusal", Step(t.name, a)) for t in sound for a in evidence.refused[t.name][:1]][:1]
    invalid = [refusable for tool in agents for refusable in _invalid(tool, evidence)]
    return Conversation((*refusal, *invalid), good, _writing(laboratory, sound, evidence))


def _on_seed(tools: Sequence[Tool], evidence: Evidence) -> Iterator[Step]:
    for tool in tools:
        for witness in evidence.witnesses[tool.name][:1]:
            if not witness.place.path:
                yield Step(tool.name, witness.arguments)


def _unchanging(tools: Sequence[Tool], evidence: Evidence) -> Iterator[Answered]:
    for tool in tools:
        for witness in evidence.witnesses[tool.name][:1]:
            if not witness.place.path and not witness.outcome.changed:
                yield Answered(Step(tool.name, witness.arguments), witness.outcome.value)


def _invalid(tool: Tool, evidence: Evidence) -> Iterator[Refusable]:
    base: Mapping[str, Any] = next((w.arguments for w in evidence.witnesses[tool.name]), {})
    wanted = ["an unknown parameter"]
    wanted += [f"{p.name} is no {kind}" for p in tool.parameters[:1] for kind in kinds(p.schema)[:1]]
    found = {invalid.fault: invalid for invalid in invalid_calls(tool, base)}
    for fault in wanted:
        if fault in found and not tool.accepts(found[fault].arguments):  # otherwise `negative` has told it already
            yield Refusable(fault, Step(tool.name, found[fault].arguments))


def _writing(laboratory: Laboratory, sound: Sequence[Tool], evidence: Evidence) -> Step | None:
    writing = [t for t in sound if t.record.effects.creates or t.record.effects.updates]
    by_name = {tool.name: tool for tool in writing}
    for step in list(_on_seed(writing, evidence))[:_MOST_WRITING]:
        twice = laboratory.sequence(laboratory.seed, by_name[step.tool], [step.arguments, step.arguments])
        if len(twice) == 2 and twice[0].ok and twice[0] != twice[1]:
            return step
    return None
