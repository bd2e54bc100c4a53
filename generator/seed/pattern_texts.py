"""Texts that a documented pattern matches, made up by chance.

Invariant: the same pattern and random state give the same texts in any process, and making one ends soon, however the
pattern nests its repetitions. Not covered: look-around and back references.
"""

from __future__ import annotations

import random
import re
import string
from itertools import chain
from typing import Any

import rstr

from autoforge.mcp_envs.arguments.patterns import UnknownPattern, finder

__all__ = ["TextMaker"]

_MOST = 8
"""Most repetitions of `*` and `+`."""
_OPEN = 1 << 16
"""Repetitions from which a bound is none."""
_WIDEST = 256
"""Characters of a range that are drawn from."""
_LONGEST = 200
"""Characters of a text, and a hundredth of the repetitions that are made for one."""


class TextMaker:
    """Makes texts for one pattern."""

    def __init__(self, chance: random.Random, pattern: str) -> None:
        """Raises UnknownPattern where `finder` would."""
        self._chance = chance
        self._pattern = pattern
        self._found = finder(pattern)

    def text(self) -> str | None:
        """A printable text that the pattern matches; None where chance gives none. Raises UnknownPattern for a pattern
        of a kind that no text can be made for.
        """
        try:
            text = _Maker(self._chance).xeger(self._pattern)
        except _TooLong:
            return None
        except (re.error, LookupError, NotImplementedError, OverflowError, RecursionError, ValueError) as error:
            raise UnknownPattern(self._pattern) from error
        return text if len(text) <= _LONGEST and text.isprintable() and self._found(text) else None


class _TooLong(Exception):
    """A text would grow too long."""


class _Maker(rstr.Rstr):
    """The walk over a parsed pattern, with two corrections: few repetitions, and classes in an order that does not
    depend on how texts are hashed.
    """

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self._left = 100 * _LONGEST
        self._cases = {**self._cases, "range": lambda ends: list(map(chr, range(ends[0], ends[1] + 1)[:_WIDEST]))}

    def _handle_repeat(self, start_range: int, end_range: int, value: Any) -> str:
        if start_range <= 1 and end_range >= _OPEN:
            start_range, end_range = 1, _MOST
        times = self._random.randint(start_range, max(start_range, min(end_range, 100)))
        self._left -= times
        if self._left < 0:
            raise _TooLong
        return "".join(self._handle_state(state) for _ in range(times) for state in value)

    def _handle_in(self, value: Any) -> str:
        candidates = list(chain(*(self._handle_state(state) for state in value)))
        if candidates[0] is False:
            candidates = sorted(set(string.printable).difference(candidates[1:]))
        return str(self._random.choice(candidates))
