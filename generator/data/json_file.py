"""JSON text → values, or one sentence that says what is wrong and where.

Invariant: what comes out is finite, valid Unicode and has no key twice, so it can be stored and written again. JSON
Lines become a list. Not covered: what the values mean (`tables`).
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.mcp_envs.errors import BadInput

__all__ = ["parse_json", "parse_json_lines"]

_SURROGATE = re.compile("[\ud800-\udfff]")


class _Repeated(dict[str, Any]):
    """An object in whose text a key occurs twice; found again to say where."""

    key: str


class _Place(NamedTuple):
    """A member of a document and how to get there."""

    parent: _Place | None
    step: str | int

    def pointer(self) -> str:
        """RFC 6901."""
        steps: list[str] = []
        place: _Place | None = self
        while place is not None:
            steps.append(str(place.step).replace("~", "~0").replace("/", "~1"))
            place = place.parent
        return "/" + "/".join(reversed(steps))


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
            f"{file}, line {error.lineno + line}, column {error.colno}: this is not JSON ({error.msg}); correct it there."
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
    seen: set[str] = set()
    repeated.key = next(k for k, _ in pairs if k in seen or seen.add(k))  # type: ignore[func-returns-value]
    return repeated


def _checked(document: Any, file: str) -> JsonValue:
    """The document itself, after a walk over every member; not recursive, since documents may be deep."""
    todo: list[tuple[Any, _Place | None]] = [(document, None)]
    while todo:
        value, place = todo.pop()
        kind = type(value)
        if kind is dict:
            for key, member in value.items():
                if not key.isascii() and _SURROGATE.search(key):
                    raise BadInput(
                        f"{file} at {_where(place)}: the key {key!r} is not valid Unicode; correct its \\u escapes."
                    )
                todo.append((member, _Place(place, key)))
        elif kind is list:
            todo.extend((member, _Place(place, i)) for i, member in enumerate(value))
        elif kind is str:
            if not value.isascii() and _SURROGATE.search(value):
                raise BadInput(
                    f"{file} at {_where(place)}: the text holds half a surrogate pair; correct its \\u escapes."
                )
        elif kind is float:
            if not math.isfinite(value):
                raise BadInput(f"{file} at {_where(place)}: {value} is no JSON number; write null or a finite number.")
        elif kind is _Repeated:
            raise BadInput(
                f"{file} at {_where(place)}: the key {value.key!r} occurs twice in one object; keep one of them."
            )
    checked: JsonValue = document
    return checked


def _where(place: _Place | None) -> str:
    return place.pointer() if place is not None else "the top"
