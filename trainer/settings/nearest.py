"""Which of the known names a misspelt one may stand for.

Invariant: a dotted name in the wrong table is found by its last part; nothing else is guessed that does not look alike.
Not covered: what is done about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["meant"]


def meant(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)`, to put behind a name; empty where nothing looks alike."""
    names = list(known)
    elsewhere = [name for name in names if "." in name and name.rpartition(".")[2] == word.rpartition(".")[2]]
    near = elsewhere or difflib.get_close_matches(word, names, 1, 0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""
