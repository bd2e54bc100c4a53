"""Values that an agent has met: what the user knows and what outputs showed.

Invariant: each value once per name, in the order in which it was met; only plain values. Not covered: which to use
where (`arguments`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["NamedValue", "SeenValues"]

_MOST = 400
"""Values kept: more than any plan of a baseline uses."""


class NamedValue(NamedTuple):
    name: str
    value: Any


class SeenValues:
    """A growing list of named values."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self._found: dict[tuple[str, str], NamedValue] = {}
        self.add(dict(known))

    def add(self, output: Any) -> None:
        """Note every plain value in an output."""
        for found in _leaves(output, ""):
            if len(self._found) < _MOST:
                self._found.setdefault((found.name, repr(found.value)), found)

    @property
    def all(self) -> list[NamedValue]:
        return list(self._found.values())

    def for_name(self, name: str) -> list[Any]:
        """The values, those that were met under such a name first."""
        alike = [v.value for v in self.all if _alike(v.name, name)]
        return alike + [v.value for v in self.all if not _alike(v.name, name)]

    def under(self, name: str) -> list[Any]:
        """The values that were met under such a name."""
        return [v.value for v in self.all if _alike(v.name, name)]


def _leaves(value: Any, name: str) -> Iterator[NamedValue]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, name)
    elif value is not None:
        yield NamedValue(name, value)


def _alike(one: str, two: str) -> bool:
    """`id`, `ticket_id` and `ticketId` may be the same thing."""
    short, long = sorted((_parts(one), _parts(two)), key=len)
    return bool(short) and long[-len(short) :] == short


def _parts(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower())
