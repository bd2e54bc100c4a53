"""Calls that must not succeed: arguments against the schema, and ids that nothing has.

Invariant: every invalid call is judged by the check that ships in `server.py`, and held against JSON Schema's own
opinion; given to the function all the same, it may crash, but leaves no trace. Not covered: preconditions, which the
documentation states in prose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from autoforge.generator.conformance.columns import words
from autoforge.generator.conformance.findings import Findings, shown
from autoforge.generator.conformance.laboratory import Laboratory
from autoforge.generator.conformance.probe import Evidence, Witness
from autoforge.generator.conformance.subject import JsonSchema, Parameter, Subject, Tool
from autoforge.generator.conformance.values import kinds
from autoforge.mcp_envs.arguments.values import BadArguments

__all__ = ["Invalid", "check_negative", "invalid_calls"]

_WRONG: Mapping[str, Any] = {
    "string": 17,
    "integer": "seventeen",
    "number": "seventeen",
    "boolean": "maybe",
    "array": "not a list",
    "object": [1],
}
_NOBODY = ("no-such-id-000000", 999_999_937)
"""Ids that nothing has."""
_LONGEST = 800
"""Characters of a sentence that an agent can be expected to read."""
_TRACED = 2
"""Invalid calls of a tool that its function is given all the same."""


class Invalid(NamedTuple):
    """Arguments that break the schema in one way."""

    fault: str
    arguments: dict[str, Any]


def check_negative(
    laboratory: Laboratory, subject: Subject, evidence: Evidence, findings: Findings, tool: Tool
) -> None:
    """Make the calls and note what does not hold."""
    witness = next(iter(evidence.witnesses[tool.name]), None)
    base = dict(witness.arguments) if witness else next(evidence.proposer(laboratory.seed).proposals(tool), {})
    place = witness.place if witness else laboratory.seed
    for number, invalid in enumerate(invalid_calls(tool, base)):
        findings.count(tool.name, "invalid")
        _check_sentence(tool, invalid, findings)
        if number % 3 == 0 and number < 3 * _TRACED and not findings.hangs(tool.name):
            laboratory.trace(place, tool, invalid.arguments)
    for parameter in tool.parameters:
        if witness is not None and _is_own_key(subject, tool, parameter):
            _check_nobody(laboratory, findings, tool, parameter, witness)


def invalid_calls(tool: Tool, base: Mapping[str, Any]) -> Iterator[Invalid]:
    """Variants of valid arguments that break the schema, each in one way."""
    yield Invalid("an unknown parameter", {**base, "no_such_parameter": 1})
    for parameter in tool.parameters:
        if parameter.required:
            yield Invalid(
                f"{parameter.name} is missing", {name: value for name, value in base.items() if name != parameter.name}
            )
        for fault, value in _bad_values(parameter.schema):
            changed = {**base, parameter.name: value}
            if not tool.input_validator.is_valid(changed):
                yield Invalid(f"{parameter.name} {fault}", changed)


def _bad_values(schema: JsonSchema) -> Iterator[tuple[str, Any]]:
    for kind in kinds(schema)[:1]:
        if kind in _WRONG:
            yield f"is no {kind}", _WRONG[kind]
        if kind in ("array", "object"):
            yield "holds what it may not", [object_of_nothing()] if kind == "array" else {"\u00a0": None}
    if "null" not in kinds(schema):
        yield "is null", None
    if "enum" in schema:
        yield "is not one of its values", "no such value"
    for bound, step in (("minimum", -1), ("exclusiveMinimum", 0), ("maximum", 1), ("exclusiveMaximum", 0)):
        if isinstance(schema.get(bound), int | float) and not isinstance(schema[bound], bool):
            yield "is out of range", schema[bound] + step
    if isinstance(schema.get("maxLength"), int) and schema["maxLength"] < 10_000:
        yield "is too long", "x" * (schema["maxLength"] + 1)
    if schema.get("minLength", 0) > 0:
        yield "is too short", ""


def object_of_nothing() -> dict[str, Any]:
    """An object that no items schema with required properties, and none of a plain type, takes."""
    return {"\u00a0": {"\u00a0": None}}


def _check_sentence(tool: Tool, invalid: Invalid, findings: Findings) -> None:
    try:
        tool.checked(invalid.arguments)
    except BadArguments as error:
        said = str(error)
        if not said.strip() or len(said) > _LONGEST or "\n" in said.strip() or "Traceback" in said:
            findings.add(
                tool.name,
                "negative",
                f"{invalid.fault}: the server's sentence is not one an agent can use: {said[:120]!r}",
            )
    else:
        findings.add(tool.name, "negative", f"{invalid.fault}: the server takes {shown(invalid.arguments)}")


def _is_own_key(subject: Subject, tool: Tool, parameter: Parameter) -> bool:
    """Whether a parameter names the one thing that the tool is about, beyond doubt."""
    own = next((t for t in subject.manifest.tables if t.entity == tool.record.entity), None)
    if own is None or own.singleton or len(own.key) != 1 or not parameter.required:
        return False
    asked, key, entity = words(parameter.name), words(own.key[0]), words(own.entity)
    return asked in (key, (*entity, "id"), (*entity, *key))


def _check_nobody(
    laboratory: Laboratory, findings: Findings, tool: Tool, parameter: Parameter, witness: Witness
) -> None:
    """A call about something that does not exist may answer that it is not there, but must not pretend to change it.

    It is made where the witness succeeded, so that nothing else in it is refused.
    """
    creates = bool(tool.record.effects.creates)
    for nobody in _NOBODY:
        arguments = {**witness.arguments, parameter.name: nobody}
        if not tool.accepts(arguments):
            continue
        outcome = laboratory.attempt(witness.place, tool, arguments, look=True)
        if outcome.ok and outcome.tables and not creates:
            findings.add(
                tool.name,
                "negative",
                f"it changed the state for a {parameter.name} that does not exist: {shown(arguments)}",
            )
