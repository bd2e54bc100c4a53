"""The result of a tool as a person would read it out.

Invariant: values are said as they are, and no part of a value is left out; what is too long is left out whole. Not
covered: results that are no JSON, which are said as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from autoforge.gym.users.known import as_said

__all__ = ["read_out"]

_LONGEST = 400
_DEPTH = 4


def read_out(text: str, language: str) -> str:
    """`data saver: yes; battery percent: 80`, at most `_LONGEST` characters of it."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())[:_LONGEST]
    said = ""
    for part in _parts(value, "", language, _DEPTH):
        joined = f"{said}; {part}" if said else part
        if len(joined) > _LONGEST:
            break
        said = joined
    return said or "…"


def _parts(value: Any, name: str, language: str, depth: int) -> Iterator[str]:
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            yield from _parts(inner, str(key).replace("_", " "), language, depth - 1)
    elif isinstance(value, list) and depth and any(isinstance(item, dict | list) for item in value):
        for item in value:
            yield from _parts(item, name, language, depth - 1)
    else:
        said = as_said(value, "", language)
        yield f"{name}: {said}" if name else said
