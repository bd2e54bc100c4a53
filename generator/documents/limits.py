"""The bounds of one schema node, held against each other and against the values that are listed beside them.

An impossible bound is a slip of the documentation (two numbers the wrong way round, a default of an older version), and
the rest of it is of use: what contradicts is dropped, with a note that says what and where. Invariant: what is left
allows a value of a size that a call can hold, as far as type, enum, range and counts tell. Not covered: whether a text
of the allowed length can match the pattern or the format; subschemas.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from autoforge.generator.documents.merge import Schema
from autoforge.generator.documents.raw import Notes, Place
from autoforge.generator.documents.values import canonical, type_of
from autoforge.mcp_envs.arguments.patterns import UnknownPattern, finder

__all__ = ["mend_limits", "within"]

_COUNTS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
_LOWER, _UPPER = ("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")
_LARGEST = 10_000
"""Characters of JSON that every value may be made to have; the rows of a state are full of such values."""
_LIMITS = (*_LOWER, *_UPPER, "multipleOf", "pattern", "uniqueItems", *(k for pair in _COUNTS.values() for k in pair))


def mend_limits(schema: Schema, place: Place, notes: Notes) -> Schema:
    """A node in normal form without the bounds that nothing keeps."""
    kind = schema.get("type")
    if kind in ("integer", "number"):
        schema = _mend_range(schema, place, notes)
    elif kind in _COUNTS:
        schema = _mend_counts(schema, place, notes)
    return _mend_enum(schema, place, notes) if "enum" in schema else schema


def _mend_range(schema: Schema, place: Place, notes: Notes) -> Schema:
    if _has_value(schema):
        return schema
    without = {keyword: value for keyword, value in schema.items() if keyword != "multipleOf"}
    kept = ("multipleOf",) if _has_value(without) else (*_LOWER, *_UPPER)
    return _dropped(schema, kept, place, notes)


def _has_value(schema: Schema) -> bool:
    """Whether a number lies between the bounds; of an integer, or with `multipleOf`, a multiple of the step."""
    lower = max(((Fraction(str(schema[k])), k == _LOWER[1]) for k in _LOWER if k in schema), default=None)
    upper = min(((Fraction(str(schema[k])), k != _UPPER[1]) for k in _UPPER if k in schema), default=None)
    if lower is None or upper is None:
        return True
    (low, above), (high, up_to) = lower, upper
    step = Fraction(str(schema["multipleOf"])) if "multipleOf" in schema else None
    if schema["type"] == "integer":
        step = Fraction(step.numerator if step is not None else 1)
    if step is None:
        return low < high or (low == high and not above and up_to)
    first = math.floor(low / step) + 1 if above else math.ceil(low / step)
    last = math.floor(high / step) if up_to else math.ceil(high / step) - 1
    return first <= last


def _mend_counts(schema: Schema, place: Place, notes: Notes) -> Schema:
    least, most = _COUNTS[schema["type"]]
    if least in schema and most in schema and schema[least] > schema[most]:
        schema = _dropped(schema, (least, most), place, notes)
    if most in schema and len(schema.get("required", ())) > schema[most]:
        schema = _dropped(schema, (most,), place, notes)
    if least in schema and schema[least] > _possible(schema):
        schema = _dropped(schema, (least,), place, notes)
    if least in schema and _size(schema) > _LARGEST:
        notes.add(place, f"{least} {schema[least]} asks for more than {_LARGEST:,} characters and was dropped")
        schema = {keyword: value for keyword, value in schema.items() if keyword != least}
    return schema


def _size(schema: Schema) -> int:
    """The least that a value takes, about, in characters of JSON."""
    if "anyOf" in schema:
        return min(map(_size, schema["anyOf"]))
    if schema["type"] == "array":
        return 2 + int(schema.get("minItems", 0)) * (1 + _size(schema.get("items", {"type": "null"})))
    if schema["type"] == "object":
        properties = schema.get("properties", {})
        needed = sum(len(name) + _size(properties[name]) for name in schema.get("required", ()) if name in properties)
        return 2 + max(needed, int(schema.get("minProperties", 0)))
    return 2 + int(schema.get("minLength", 0))


def _possible(schema: Schema) -> float:
    """How many different items or properties there can be."""
    if schema["type"] == "array" and schema.get("uniqueItems") is True:
        items = schema.get("items", {})
        choices = len(items["enum"]) if "enum" in items else 2 if items.get("type") == "boolean" else math.inf
        return choices
    declared = schema.get("properties", ())  # an object that declares properties is closed (`finish`)
    closed = schema["type"] == "object" and schema.get("additionalProperties", not declared) is False
    return len(declared) if closed else math.inf


def _dropped(schema: Schema, keywords: tuple[str, ...], place: Place, notes: Notes, of: str = "") -> Schema:
    there = [keyword for keyword in keywords if keyword in schema]
    told = " and ".join(f"{keyword} {canonical(schema[keyword])}" for keyword in there)
    verbs = ("allows", "was") if len(there) == 1 else ("allow", "were")
    notes.add(place, f"{told} {verbs[0]} no value{of} and {verbs[1]} dropped")
    return {keyword: value for keyword, value in schema.items() if keyword not in there}


def _mend_enum(schema: Schema, place: Place, notes: Notes) -> Schema:
    allowed = [value for value in schema["enum"] if within(schema, value)]
    if len(allowed) == len(schema["enum"]):
        return schema
    if allowed:
        notes.add(place, "values of the enum that the bounds beside it rule out were dropped")
        return {**schema, "enum": allowed}
    there = tuple(keyword for keyword in _LIMITS if keyword in schema)
    return _dropped(schema, there, place, notes, " of the enum")


def within(schema: Schema, value: Any) -> bool:
    """Whether a value keeps the bounds of a node, its own only; what a bound does not speak of keeps it."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _in_range(schema, value)
    if isinstance(value, str) and "pattern" in schema and not _matches(schema["pattern"], value):
        return False
    least, most = _COUNTS.get(type_of(value), ("", ""))
    if least and not schema.get(least, 0) <= len(value) <= schema.get(most, math.inf):
        return False
    if isinstance(value, list) and schema.get("uniqueItems") is True:
        return len({canonical(item) for item in value}) == len(value)
    return True


def _in_range(schema: Schema, value: float) -> bool:
    if not schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf):
        return False
    if not schema.get("exclusiveMinimum", -math.inf) < value < schema.get("exclusiveMaximum", math.inf):
        return False
    return "multipleOf" not in schema or Fraction(str(value)) % Fraction(str(schema["multipleOf"])) == 0


def _matches(pattern: str, text: str) -> bool:
    try:
        return finder(pattern)(text)
    except UnknownPattern:
        return True
