"""JSON as models write it: strict values, found in plain or fenced text.

The invariant: what comes out can be written as JSON again (no NaN, no infinity, no lone surrogates). Broken documents
are reported, never mended.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NamedTuple, NoReturn

__all__ = ["Documents", "documents_in", "load_json"]

FENCE: Final = re.compile(r"^[ \t]*(```+|~~~+)[^\n`]*\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)

# What begins a document, well written or not, as opposed to the brackets of prose: "{name} is filled in, see [note]".
OPENING: Final = re.compile(
    r"""\{ (?= \s* (["'}/] | \w+ \s* : | \Z)) | \[ (?= \s* (["'\[{\]/] | -?\d | (true|false|null)\b | \Z))""",
    re.VERBOSE,
)


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


def _guarded(text: str, start: int, whole: bool) -> tuple[Any, int]:
    try:
        return (DECODER.decode(text), len(text)) if whole else DECODER.raw_decode(text, start)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


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
