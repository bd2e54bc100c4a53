"""Word tables written as running text."""

from __future__ import annotations

__all__ = ["word_set"]


def word_set(text: str) -> frozenset[str]:
    """The words of a text, for tables that are easier to read as one."""
    return frozenset(text.split())
