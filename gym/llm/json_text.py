"""JSON as models write it: strict values, found in plain or fenced text.

The invariant: what comes out can be written as JSON again (no NaN, no infinity, no lone surrogates). Broken documents
are reported, never mended.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, NoReturn

__all__ = ["Documents", "documents_in", "load_json", "load_json_at"]

FENCE: Final = re.compile(r"^[ \t]*(```+|~~~+)[^\n`]*\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)

# What begins a document, well written or not, as opposed to the brackets of prose: "{name} is filled in, see [note]".
OPENING: Final = re.compile(
    r"""\{ (?= \s* (["'}/] | \w+ \s* : | \Z)) | \[ (?= \s* (["'\[{\]/] | -?\d | (true|false|null)\b | \Z))""",
    re.VERBOSE,
)

# Levels; pydantic writes 255 and reads 200, of which what holds the value needs some.
DEEPEST: Final = 100


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _finite(text: str) -> float:
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{text} is too large a number")
    return value


DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


def load_json(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: it is not JSON, nested too deep, or holds a number that JSON cannot.
    """
    return _writable(_guarded(text, 0, whole=True)[0])


def load_json_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at a place in a text, and where it ends.

    Raises:
        ValueError: as `load_json`.
    """
    value, end = _guarded(text, start, whole=False)
    return _writable(value), end


def _guarded(text: str, start: int, whole: bool) -> tuple[Any, int]:
    try:
        value, end = (DECODER.decode(text), len(text)) if whole else DECODER.raw_decode(text, start)
    except RecursionError:
        value, end = None, -1
    if end < 0 or _too_deep(value):
        raise ValueError("it is nested too deep")
    return value, end


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [part for outer in level for part in _parts(outer)]
    return bool(level)


def _parts(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _writable(value: Any) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-8", "replace"))
    return value


class Documents(NamedTuple):
    """The JSON documents in a text, in its order, and what was wrong with the first broken one."""

    values: list[Any]
    fault: str | None


def documents_in(text: str) -> Documents:
    """Find whole JSON documents: the text itself, else fenced blocks, else outermost brackets in prose.

    The inside of a broken document is never offered: a part of it could pass for the whole.
    """
    faults: list[str] = []
    for pieces in ([text], [match.group(2) for match in FENCE.finditer(text)]):
        values = []
        for piece in pieces:
            try:
                values.append(load_json(piece.strip()))
            except ValueError as error:
                faults.append(str(error))
        if values:
            return Documents(values, None)
    values, fault = _in_prose(text)
    return Documents(values, None if values else fault or faults[-1])


def _in_prose(text: str) -> tuple[list[Any], str | None]:
    values: list[Any] = []
    position = 0
    while match := OPENING.search(text, position):
        try:
            value, position = _guarded(text, match.start(), whole=False)
        except ValueError as error:
            return values, str(error)
        values.append(_writable(value))
    return values, None
