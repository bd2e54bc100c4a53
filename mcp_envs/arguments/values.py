"""A part of `server.py`: values that JSON may carry and the state may not.

Invariant: a value that passes is stored by SQLite without loss and can be sent back as JSON in UTF-8. A date or a time
is checked here too, because JSON Schema leaves formats to whoever asks. Not covered: what a schema says of a value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

TEXT_LIMIT = 1_000_000
"""Longest string argument, in characters."""
INTEGER_BOUND = 2**63

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)
FORMATS = {
    "date": "a date (YYYY-MM-DD)",
    "date-time": "a date and time (YYYY-MM-DDTHH:MM:SS, with or without an offset)",
}


class BadArguments(Exception):
    """The sentence that tells the agent which argument is wrong and why."""


def refuse_unstorable(value: Any, path: str) -> None:
    """Refuse what JSON may carry and SQLite may not. Raises `BadArguments`."""
    if isinstance(value, str):
        fault = text_fault(value)
        if fault:
            raise BadArguments(f"{path}: {fault}")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise BadArguments(f"{path}: the number is not finite")
    elif isinstance(value, int):
        if not -INTEGER_BOUND <= value < INTEGER_BOUND:
            raise BadArguments(f"{path}: the integer does not fit in 64 bits")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            refuse_unstorable(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for name, item in value.items():
            refuse_unstorable(name, path)
            refuse_unstorable(item, f"{path}.{name}")


def text_fault(text: str) -> str | None:
    if "\0" in text:
        return "the text contains a NUL character"
    if len(text) > TEXT_LIMIT:
        return f"the text is longer than {TEXT_LIMIT:,} characters"
    try:
        if not text.isascii():
            text.encode()
    except UnicodeEncodeError:
        return "the text contains half of a surrogate pair, which is not a character"
    return None


def is_date(value: object) -> bool:
    """Whether a string is a calendar date; anything else passes."""
    return not isinstance(value, str) or (_DATE.fullmatch(value) is not None and _parses(date.fromisoformat, value))


def is_date_time(value: object) -> bool:
    """Whether a string is an RFC 3339 time whose offset may be missing; anything else passes."""
    return not isinstance(value, str) or (
        _DATE_TIME.fullmatch(value) is not None and _parses(datetime.fromisoformat, value.upper())
    )


def _parses(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True
