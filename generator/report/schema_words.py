"""A JSON Schema in a few words, for a table cell.

Invariant: any JSON value is accepted; what is no schema reads as `any`. Not covered: nested properties, which the
documentation itself shows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from autoforge.generator.report.wording import truncated

__all__ = ["limit_words", "type_words", "value_words"]

_DEEPEST = 4
_MOST_VALUES = 12
_BOUNDS = (
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "more than {}"),
    ("maximum", "at most {}"),
    ("exclusiveMaximum", "less than {}"),
    ("multipleOf", "multiple of {}"),
    ("minLength", "length at least {}"),
    ("maxLength", "length at most {}"),
    ("minItems", "at least {} in the list"),
    ("maxItems", "at most {} in the list"),
    ("pattern", "matches {}"),
)


def type_words(schema: object, depth: int = 0) -> str:
    """The type of a value, e.g. `list of string`, `string or integer`, `string (date)`."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return "any"
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            return _either(type_words(part, depth + 1) for part in schema[key])
    named = schema.get("type")
    if isinstance(named, list):
        return _either(type_words({**schema, "type": name}, depth + 1) for name in named)
    if named == "array":
        return f"list of {type_words(schema.get('items'), depth + 1)}"
    if isinstance(named, str):
        return f"{named} ({schema['format']})" if named == "string" and isinstance(schema.get("format"), str) else named
    return "object" if "properties" in schema else _of_values(schema)


def _either(words: Any) -> str:
    return " or ".join(dict.fromkeys(words)) or "any"


def _of_values(schema: Mapping[str, Any]) -> str:
    values = schema.get("enum")
    kinds = {str: "string", bool: "boolean", int: "integer", float: "number"}
    return _either(kinds.get(type(value), "any") for value in values) if isinstance(values, list) else "any"


def limit_words(schema: object) -> list[str]:
    """What a value must keep to, one phrase each; those of the items of a list too."""
    if not isinstance(schema, Mapping):
        return []
    words = []
    if isinstance(schema.get("enum"), list):
        words.append("one of " + _values(schema["enum"]))
    if "const" in schema:
        words.append("always " + value_words(schema["const"]))
    words += [phrase.format(value_words(schema[key])) for key, phrase in _BOUNDS if key in schema]
    if schema.get("uniqueItems") is True:
        words.append("no item twice")
    items = schema.get("items")
    return words + ["each: " + word for word in (limit_words(items) if schema.get("type") == "array" else [])]


def _values(values: list[Any]) -> str:
    words = ", ".join(value_words(value) for value in values[:_MOST_VALUES])
    return words + (f" and {len(values) - _MOST_VALUES} more" if len(values) > _MOST_VALUES else "")


def value_words(value: object, width: int = 60) -> str:
    """A JSON value on one line; a text stands without quotes unless it is empty."""
    if isinstance(value, str) and value.strip():
        return truncated(" ".join(value.split()), width)
    return truncated(json.dumps(value, ensure_ascii=False, default=str), width)
