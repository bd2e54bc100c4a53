"""JSON text → values, or one sentence that says what is wrong and where.

Invariant: what comes out is finite, valid Unicode and has no key twice, so it can be stored and written again. JSON
Lines become a list. Not covered: what the values mean (`tables`).
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.generator.pointer import escape_token
from autoforge.mcp_envs.errors import BadInput

__all__ = ["parse_json", "parse_json_lines"]

DEEPEST = 200
"""Levels of nesting that are read: what is deeper cannot be worked on safely by what comes after."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Repeated(dict[str, Any]):
    """An object in whose text a key occurs twice; found again to say where."""

    key: str


class _Place(NamedTuple):
    """A member of a document and how to get there."""

    parent: _Place | None
    step: str | int
    depth: int

    def pointer(self) -> str:
        """RFC 6901; a long one without its middle."""
        steps: list[str] = []
        place: _Place | None = self
        while place is not None:
            steps.append(escape_token(place.step))
            place = place.parent
        text = "/" + "/".join(reversed(steps))
        return text if len(text) <= 80 else f"{text[:40]}…{text[-30:]}"


def parse_json(text: str, file: str) -> JsonValue:
    """The value of a JSON document. Raises BadInput with line and column, or with a JSON pointer."""
    return _checked(_loads(text, file, 0), file)


def parse_json_lines(text: str, file: str) -> JsonValue:
    """The list of the values of each line that is not blank."""
    lines = text.split("\n")
    return _checked([_loads(line, file, i) for i, line in enumerate(lines) if line.strip()], file)


def _loads(text: str, file: str, line: int) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{file}, line {error.lineno + line}, column {error.colno}: "
            f"this is not JSON ({error.msg}); correct it there."
        ) from None
    except RecursionError:
        raise BadInput(f"{file} is nested too deep to be read: flatten it.") from None
    except ValueError as error:
        raise BadInput(f"{file} holds a number that cannot be read ({error}): write it as a text.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    repeated = _Repeated(value)
    repeated.key = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return repeated


def _checked(document: Any, file: str) -> JsonValue:
    """The document itself, after a walk over every member; not recursive, since documents may be deep."""
    todo: list[tuple[Any, _Place | None]] = [(document, None)]
    while todo:
        value, place = todo.pop()
        fault = _fault(value, place)
        if fault is not None:
            raise BadInput(f"{file} at {place.pointer() if place else 'the top'}: {fault}.")
        depth = place.depth + 1 if place else 1
        if type(value) is dict:
            todo.extend((member, _Place(place, key, depth)) for key, member in value.items())
        elif type(value) is list:
            todo.extend((member, _Place(place, i, depth)) for i, member in enumerate(value))
    checked: JsonValue = document
    return checked


def _fault(value: Any, place: _Place | None) -> str | None:
    """What is wrong with one member and what to do, its own members left aside."""
    kind = type(value)
    if kind is str:
        return None if _is_unicode(value) else "the text holds half a surrogate pair; correct its \\u escapes"
    if kind is float:
        return None if math.isfinite(value) else f"{value} is no JSON number; write null or a finite number"
    if kind is _Repeated:
        return f"the key {value.key!r} occurs twice in one object; keep one of them"
    if place is not None and place.depth >= DEEPEST and kind in (dict, list):
        return f"it is nested deeper than {DEEPEST} levels; flatten it"
    if kind is dict and not all(map(_is_unicode, value)):
        return "a key holds half a surrogate pair; correct its \\u escapes"
    return None


def _is_unicode(text: str) -> bool:
    return text.isascii() or _SURROGATE.search(text) is None
