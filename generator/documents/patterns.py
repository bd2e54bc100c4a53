"""Which documented regular expressions are used.

Invariant: a pattern of an argument is kept only if the server can look for it in a time that grows with the text alone
(`mcp_envs/arguments/patterns`), and one of a result only if no client can take long over it, whatever engine it has.
Not covered: what only ECMAScript knows.
"""

from __future__ import annotations

import re
import warnings

from autoforge.generator.documents.raw import Notes, Place
from autoforge.mcp_envs.arguments.patterns import UnknownPattern, finder

__all__ = ["is_portable", "without_slow_patterns"]

_LOOK_AROUND = re.compile(r"\(\?(=|!|<=|<!)")
_PLAIN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""An escape or a class: whatever it holds repeats nothing."""
_REPEATED_GROUP = re.compile(r"\)[*+?{]")
_VARIABLE = re.compile(r"[*+]|(?<!\()\?|\{\d*,\d*\}")
_MOST_VARIABLE = 2


def is_portable(pattern: str) -> bool:
    """Whether Python and an engine that does not backtrack both know a pattern."""
    if _LOOK_AROUND.search(pattern):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
        finder(pattern)
    except (re.error, OverflowError, RecursionError, Warning, UnknownPattern):
        return False
    return True


def without_slow_patterns(schema: dict[str, object], place: Place, notes: Notes) -> dict[str, object]:
    """A finished schema of a result without the patterns that a client which backtracks (Python's, JavaScript's) could
    take for ever over.
    """
    kept: dict[str, object] = {}
    for keyword, value in schema.items():
        if keyword == "pattern" and isinstance(value, str) and not _is_quick_anywhere(value):
            notes.add(place, "pattern could keep a client busy for ever and was dropped from the result")
        elif keyword in ("items", "additionalProperties") and isinstance(value, dict):
            kept[keyword] = without_slow_patterns(value, place / keyword, notes)
        elif keyword == "properties" and isinstance(value, dict):
            inside = place / keyword
            kept[keyword] = {name: without_slow_patterns(s, inside / name, notes) for name, s in value.items()}
        elif keyword == "anyOf" and isinstance(value, list):
            kept[keyword] = [without_slow_patterns(s, place / keyword / n, notes) for n, s in enumerate(value)]
        else:
            kept[keyword] = value
    return kept


def _is_quick_anywhere(pattern: str) -> bool:
    """Whether backtracking is bounded: no group is repeated, and at most two things are repeated a varying number of
    times. It errs on the side of no.
    """
    plain = _PLAIN.sub("x", pattern)
    return not _REPEATED_GROUP.search(plain) and len(_VARIABLE.findall(plain)) <= _MOST_VARIABLE
