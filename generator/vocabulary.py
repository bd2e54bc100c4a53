"""Sets of words, written as one line of text.

Invariant: words are lower case. Not covered: the words themselves, which stand where they are used.
"""

from __future__ import annotations

__all__ = ["word_list", "word_set"]


def word_list(text: str) -> list[str]:
    """The words in order."""
    return text.split()


def word_set(text: str) -> frozenset[str]:
    """The words without order."""
    return frozenset(text.split())
