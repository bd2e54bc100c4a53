"""Word tables written as running text.

Invariant: the order and the repetition of words in a table mean nothing. Not covered: tables in which a word stands for
another (dictionaries beside the code that reads them).
"""

from __future__ import annotations

__all__ = ["word_set"]


def word_set(text: str) -> frozenset[str]:
    """The words of a text, for tables that are easier to read as one."""
    return frozenset(text.split())
