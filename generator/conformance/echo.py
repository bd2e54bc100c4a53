"""Whether two outputs differ in more than the repetition of an argument.

Invariant: symmetric; outputs that differ only where one of the given values is repeated, alone or inside a text, count
as the same. Not covered: a repetition in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["differ"]

_MASK = "\ue000"
"""A private character that stands for a repeated value."""
_LEAST_INSIDE = 3
"""Shortest text that is masked inside longer words; a shorter one only as a word of its own."""


def differ(first: Any, second: Any, values: Sequence[Any], *, absent: bool = False) -> bool:
    """Compare two outputs after masking `values`. With `absent`, one call did not give the argument: what stands
    there instead is no sign.
    """
    pattern, numbers, flags = _sought(values)
    one, two = (_masked(output, pattern, numbers, flags) for output in (first, second))
    return not _alike(one, two) if absent else one != two


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def _sought(values: Sequence[Any]) -> tuple[re.Pattern[str] | None, set[float], set[bool]]:
    leaves = [leaf for value in values for leaf in _leaves(value)]
    numbers = {
        float(leaf)
        for leaf in leaves
        if isinstance(leaf, int | float) and not isinstance(leaf, bool) and abs(leaf) < 1e300
    }
    flags = {value for value in values if isinstance(value, bool)}
    texts = {leaf.strip() for leaf in leaves if isinstance(leaf, str)} | {
        str(leaf) for leaf in leaves if isinstance(leaf, int | float)
    }
    parts = [_part(text) for text in sorted(texts, key=lambda t: (-len(t), t)) if text]
    return (re.compile("|".join(parts), re.IGNORECASE) if parts else None), numbers, flags


def _part(text: str) -> str:
    escaped = re.escape(text)
    return escaped if len(text) >= _LEAST_INSIDE and not text.replace(".", "").isdigit() else rf"(?<!\w){escaped}(?!\w)"


def _masked(output: Any, pattern: re.Pattern[str] | None, numbers: set[float], flags: set[bool]) -> Any:
    if isinstance(output, dict):
        return {_key(name, pattern): _masked(inner, pattern, numbers, flags) for name, inner in output.items()}
    if isinstance(output, list):
        return [_masked(inner, pattern, numbers, flags) for inner in output]
    if isinstance(output, str):
        return _key(output, pattern)
    if isinstance(output, bool):
        return _MASK if output in flags else output
    if isinstance(output, int | float) and abs(output) < 1e300 and float(output) in numbers:
        return _MASK
    return output


def _key(text: str, pattern: re.Pattern[str] | None) -> str:
    return text if pattern is None else pattern.sub(_MASK, text)


def _alike(one: Any, two: Any) -> bool:
    """Equality in which a masked value is like anything that may stand in its place, and like nothing."""
    if one == two or _is_mask(one, two) or _is_mask(two, one):
        return True
    if isinstance(one, dict) and isinstance(two, dict):
        return all(_alike(one.get(name), two.get(name)) for name in one.keys() | two.keys())
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_alike, one, two))
    return False


def _is_mask(value: Any, other: Any) -> bool:
    if isinstance(value, list | dict):
        return other is None and bool(value) and all(isinstance(leaf, str) and _MASK in leaf for leaf in _leaves(value))
    return isinstance(value, str) and _MASK in value and not isinstance(other, list | dict)
