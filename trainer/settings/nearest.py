"""Which of the known names a misspelt one may stand for.

Invariant: nothing is guessed that does not look alike. Not covered: what is done about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["meant"]


def meant(word: str, known: Iterable[str]) -> str:
    """`, did you mean 'x'?`-words to put behind a name; empty where nothing looks alike."""
    names = list(known)
    near = difflib.get_close_matches(word, names, 1, 0.6)
    if not near:
        parts = [name for name in names if name.rpartition(".")[2] == word.rpartition(".")[2]]
        near = parts[:1]
    return f" (did you mean {near[0]!r}?)" if near else ""
