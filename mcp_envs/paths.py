"""Paths into outputs: `$`, `.name`, `['any name']`, `[0]`, `[*]` (of a list or an object, RFC 9535 2.3.2).

Invariant: a path either leads to values that are there or raises `NoSuchPart`. Not covered: filters and slices of
JSONPath; those are operators.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

__all__ = ["NoSuchPart", "Step", "extract", "join", "parse", "part"]

_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]|\[(\*)\]|\['((?:[^'\\]|\\.)*)'\]")
Step = str | int | None
"""A property, a position, or None for every item."""


class NoSuchPart(Exception):
    """A path leads nowhere in a value."""


@lru_cache(maxsize=8192)
def parse(path: str) -> tuple[Step, ...]:
    """The steps of a path that begins with `$` or, inside an item, with a name. Raises ValueError."""
    text = path if path.startswith(("$", "[")) else "." + path if path else ""
    text = text.removeprefix("$")
    steps: list[Step] = []
    place = 0
    while place < len(text):
        match = _STEP.match(text, place)
        if match is None:
            raise ValueError(f"{path!r} is no path: unexpected {text[place : place + 10]!r}")
        name, position, every, quoted = match.groups()
        unquoted = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else None
        steps.append(None if every else int(position) if position else name if name is not None else unquoted)
        place = match.end()
    return tuple(steps)


def join(steps: Sequence[Step], root: str = "$") -> str:
    """The path of these steps."""
    parts = []
    for step in steps:
        if step is None or isinstance(step, int):
            parts.append("[*]" if step is None else f"[{step}]")
        elif re.fullmatch(r"[A-Za-z_]\w*", step):
            parts.append(f".{step}")
        else:
            parts.append("['" + re.sub(r"(['\\])", r"\\\1", step) + "']")
    return root + "".join(parts)


def extract(value: Any, path: str) -> Any:
    """The part that a path leads to; with `[*]` a list, of an object's values as they stand. Raises NoSuchPart."""
    try:
        steps = parse(path)
    except ValueError as error:
        raise NoSuchPart(str(error)) from None
    return _walk(value, steps, path)


def part(value: Any, path: str) -> Any:
    """The part that a path leads to; None where it leads nowhere."""
    try:
        return extract(value, path)
    except NoSuchPart:
        return None


def _walk(value: Any, steps: tuple[Step, ...], path: str) -> Any:
    for place, step in enumerate(steps):
        if step is None:
            if not isinstance(value, list | dict):
                raise NoSuchPart(f"{path}: not a list")
            rest = steps[place + 1 :]
            found = [_walk(item, rest, path) for item in (value.values() if isinstance(value, dict) else value)]
            return [inner for item in found for inner in item] if None in rest else found
        inside = isinstance(step, int) and isinstance(value, list) and step < len(value)
        if not inside and not (isinstance(step, str) and isinstance(value, dict) and step in value):
            raise NoSuchPart(f"{path}: no {step!r}")
        value = value[step]
    return value
