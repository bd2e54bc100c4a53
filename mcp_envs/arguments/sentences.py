"""A part of `server.py`: what is wrong with a call's arguments, in one sentence that the agent can act on.

Invariant: the sentence names the parameter, repeats at most `SHOWN` characters of a value, and is valid UTF-8. Not
covered: keywords that no tool documentation uses; `jsonschema`'s own words stand for those.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from autoforge.mcp_envs.arguments.values import FORMATS

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

SHOWN = 80
"""Characters of a refused value that its sentence repeats."""


def urgency(error: ValidationError) -> tuple[int, int]:
    return (0 if error.validator == "required" else 1, len(error.absolute_path))


def _path(steps: Iterable[str | int]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")


def _show(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _listed(values: Sequence[Any]) -> str:
    shown = [_show(value) for value in values[:20]]
    return ", ".join(shown) + (", …" if len(values) > 20 else "")


def unknown_name(noun: str, name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    names = list(known)
    close = get_close_matches(name[:SHOWN], names, n=1)
    if close:
        return f"unknown {noun} {_show(name)}; did you mean '{close[0]}'?"
    return (
        f"unknown {noun} {_show(name)}; the {noun}s are {_listed(names)}"
        if names
        else f"unknown {noun} {_show(name)}; there are none"
    )


_BOUNDS = {
    "minimum": "is less than the minimum of",
    "maximum": "is greater than the maximum of",
    "exclusiveMinimum": "is not greater than",
    "exclusiveMaximum": "is not less than",
    "multipleOf": "is not a multiple of",
    "minLength": "is shorter, in characters, than",
    "maxLength": "is longer, in characters, than",
    "minItems": "has fewer items than",
    "maxItems": "has more items than",
    "pattern": "does not match the pattern",
    "const": "is not",
}


def sentence(error: ValidationError) -> str:
    """What is wrong with the arguments, for the agent."""
    while error.validator in ("anyOf", "oneOf") and error.context:
        error = max(error.context, key=lambda one: (len(one.absolute_path), one.validator != "type"))
    path = _path(error.absolute_path)
    said = _said(error, "property" if path else "parameter")
    return f"{path}: {said}" if path else said


def _said(error: ValidationError, noun: str) -> str:
    value: Any = error.instance
    limit: Any = error.validator_value
    keyword = str(error.validator)
    if keyword == "required":
        missing = [name for name in limit if name not in value]
        plural = "ies" if noun == "property" else "s"
        noun = noun if len(missing) == 1 else noun.removesuffix("y") + plural
        return f"missing required {noun} {_listed(missing)}"
    if keyword == "additionalProperties":
        known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
        return unknown_name(noun, next((name for name in value if name not in known), ""), known)
    if keyword == "type":
        return f"{_show(value)} is not of type " + " or ".join(
            f"'{one}'" for one in ([limit] if isinstance(limit, str) else limit)
        )
    if keyword == "enum":
        return f"{_show(value)} is not one of {_listed(limit)}"
    if keyword == "format":
        return f"{_show(value)} is not {FORMATS[limit]}"
    if keyword == "uniqueItems":
        return "an item occurs more than once"
    if keyword in _BOUNDS:
        return f"{_show(value)} {_BOUNDS[keyword]} {_show(limit)}"
    return error.message if len(error.message) <= 3 * SHOWN else error.message[: 3 * SHOWN] + "…"
