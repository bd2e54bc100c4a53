"""A part of `server.py`: the check of one call's arguments against the documented input schema.

Invariant: what passes is valid by JSON Schema 2020-12, names only documented parameters, and can be stored by SQLite
without loss; what does not pass is refused with one sentence that names the parameter. The quick check accepts a subset
of what the full one accepts, never more. Not covered: preconditions on the state, which are the tool's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autoforge.mcp_envs.arguments.patterns import UnknownPattern, finder
from autoforge.mcp_envs.arguments.quick import Check, never, quick_object
from autoforge.mcp_envs.arguments.sentences import sentence, unknown_name, urgency
from autoforge.mcp_envs.arguments.values import BadArguments, is_date, is_date_time, refuse_unstorable

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, FormatChecker


class Arguments:
    """The arguments of one tool; compiled at its first call, so that starting costs nothing."""

    __slots__ = ("_properties", "_quick", "_renamed", "_schema", "_validator")

    def __init__(self, schema: dict[str, Any], renamed: dict[str, str]) -> None:
        self._schema = schema
        self._properties: dict[str, Any] = schema.get("properties") or {}
        self._renamed = renamed
        self._quick: Check | None = None
        self._validator: Draft202012Validator | None = None

    def keywords(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The keyword arguments of the tool's function. Raises `BadArguments`."""
        if self._quick is None:
            self._quick = quick_object(self._schema) or never
        if not self._quick(arguments):
            arguments = self._full(arguments)
        if not self._renamed:
            return arguments
        return {self._renamed.get(name, name): value for name, value in arguments.items()}

    def _full(self, arguments: dict[str, Any]) -> dict[str, Any]:
        for name, value in arguments.items():
            if name not in self._properties:
                raise BadArguments(unknown_name("parameter", name, self._properties))
            refuse_unstorable(value, name)
        if self._validator is None:
            self._validator = _validator(self._schema)
        errors = list(self._validator.iter_errors(arguments))
        if errors:
            raise BadArguments(sentence(min(errors, key=urgency)))
        converted: dict[str, Any] = _convert(arguments, self._schema)
        return converted


def _validator(schema: dict[str, Any]) -> Draft202012Validator:
    from jsonschema import FormatChecker

    formats = FormatChecker(())
    formats.checks("date")(is_date)
    formats.checks("date-time")(is_date_time)
    return patient_validator(schema, formats)


def patient_validator(schema: dict[str, Any], formats: FormatChecker | None = None) -> Draft202012Validator:
    """JSON Schema's full check, with an engine for its patterns that no text keeps busy."""
    from jsonschema import Draft202012Validator, ValidationError, validators

    def pattern(validator: Any, expression: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
        try:
            if isinstance(instance, str) and not finder(expression)(instance):
                yield ValidationError(f"{instance!r} does not match {expression!r}")
        except UnknownPattern:  # a tool without the check is of more use than none
            return

    extend: Any = validators.extend
    validator: Draft202012Validator = extend(Draft202012Validator, {"pattern": pattern})(schema, format_checker=formats)
    return validator


def _convert(value: Any, schema: Any) -> Any:
    """Integral floats as integers where the schema wants an integer: JSON Schema takes 3.0 for one, Python does not."""
    if not isinstance(schema, dict):
        return value
    if isinstance(value, float) and value.is_integer() and _wants_integer(schema):
        return int(value)
    if isinstance(value, list):
        return [_convert(item, schema.get("items")) for item in value]
    if isinstance(value, dict):
        properties = schema.get("properties") or {}
        return {name: _convert(item, properties.get(name)) for name, item in value.items()}
    return value


def _wants_integer(schema: dict[str, Any]) -> bool:
    kind = schema.get("type")
    if kind is None:
        branches = [one for key in ("anyOf", "oneOf") for one in schema.get(key, ()) if isinstance(one, dict)]
        return any(map(_wants_integer, branches)) and not any(one.get("type") == "number" for one in branches)
    return kind == "integer" or (isinstance(kind, list) and "integer" in kind and "number" not in kind)
