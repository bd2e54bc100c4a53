"""What was said so far in an instruction, so that it can be referred to, and be found again.

Invariant: a short second mention (`that guest`) is offered only while one thing of that noun was mentioned. Not
covered: how it is said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Memory"]

_KEPT = 16
"""Alternatives of a cue that are kept."""
_Key = tuple[str, ...]


@dataclass
class Memory:
    """Of one instruction."""

    things: dict[_Key, str] = field(default_factory=dict)
    """Key of a row -> the noun it was called by."""
    picks: dict[_Key, str] = field(default_factory=dict)
    """Key of a row -> what tells it from others: with the highest price."""
    made: dict[_Key, str] = field(default_factory=dict)
    """Rows that a step makes, in order."""
    told: dict[str, str] = field(default_factory=dict)
    """Name of a known value -> the name of the field for which it was last said, in this wish."""
    ever: set[str] = field(default_factory=set)
    """Known values that were said."""
    cues: dict[str, tuple[str, ...]] = field(default_factory=dict)
    worded: set[str] = field(default_factory=set)
    """Nodes that were said."""

    def alone(self, key: _Key, noun: str) -> bool:
        """Whether the thing was mentioned and is the only one of its noun."""
        return key in self.things and list(self.things.values()).count(noun) == 1

    def pick(self, key: _Key, noun: str) -> str | None:
        """What tells a mentioned thing from all others of its noun that were mentioned."""
        own = self.picks.get(key) if key in self.things else None
        others = [self.picks.get(k) for k, n in self.things.items() if n == noun and k != key]
        return own if own and own not in others else None

    def mention(self, key: _Key, noun: str) -> None:
        self.things[key] = noun

    def say_known(self, name: str, field_name: str, alternatives: Iterable[str]) -> None:
        self.told[name] = field_name
        self.ever.add(name)
        self.cue(name, alternatives)

    def cue(self, name: str, alternatives: Iterable[str]) -> None:
        """One of the alternatives must be in the text; those of several mentions are kept together."""
        found = dict.fromkeys((*self.cues.get(name, ()), *(a for a in alternatives if a)))
        self.cues[name] = tuple(found)[:_KEPT]
        self.worded.add(name)

    def next_wish(self) -> None:
        """Values are said again in another wish, things may still be referred to."""
        self.told.clear()
