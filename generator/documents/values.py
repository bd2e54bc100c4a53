"""JSON values against types: which type a value has, and the value that was meant where the type differs.

Booleans are never numbers here; `1.0` is an integer, as in JSON Schema.

Invariant: a value is mended only where one meaning is possible. Not covered: schemas.
"""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["UNFIT", "canonical", "coerce", "fits", "type_of"]

UNFIT = object()
"""What `coerce` gives where no value of the type was meant."""

_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?[0-9]{1,30}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,2})?")
_TRUTH = {"true": True, "false": False, "yes": True, "no": False}


def type_of(value: Any) -> str:
    """The narrowest JSON Schema type of a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def fits(value: Any, kind: str) -> bool:
    """Whether `value` is of the JSON Schema type `kind`."""
    narrow = type_of(value)
    if kind == "number":
        return narrow in ("integer", "number")
    if kind == "integer":
        return narrow == "integer" or (narrow == "number" and float(value).is_integer())
    return narrow == kind


def coerce(value: Any, kind: str) -> Any:
    """The value of type `kind` that was meant by `value`, or `UNFIT`: `"5"` as integer is 5, 5 as string is `"5"`."""
    if fits(value, kind):
        return value
    if kind == "string" and not isinstance(value, dict | list) and value is not None:
        return json.dumps(value)
    if not isinstance(value, str):
        return bool(value) if kind == "boolean" and value in (0, 1) and value is not None else UNFIT
    text = value.strip()
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if kind == "number" and _NUMBER.fullmatch(text):
        return int(text) if _INTEGER.fullmatch(text) else float(text)
    if kind == "boolean":
        return _TRUTH.get(text.lower(), UNFIT)
    return {("array", "[]"): [], ("object", "{}"): {}}.get((kind, text), UNFIT)


def canonical(value: Any) -> str:
    """Text that is equal for equal JSON values: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
