"""Small text questions of the page: what may be shown, how wide it is, where a link points.

Invariant: every function is pure and independent of the locale and of the Python version. Not covered: escaping, which
the templates do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["anchors", "cells", "clean", "first_sentence", "share", "truncated"]

_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters, halves of pairs, and overrides of the reading direction, which disguise code."""


def clean(text: str) -> str:
    """The text without what UTF-8 or HTML cannot hold or what would disguise it; each such character becomes U+FFFD."""
    return _UNFIT.sub("\ufffd", text.replace("\r\n", "\n"))


def cells(text: str) -> int:
    """Width in columns of a monospaced font: 2 for East Asian wide characters, 0 for combining marks."""
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def truncated(text: str, width: int) -> str:
    """At most `width` columns, with an ellipsis where something was cut."""
    if cells(text) <= width:
        return text
    kept = ""
    for character in text:
        if cells(kept + character) > width - 1:
            break
        kept += character
    return kept.rstrip() + "…"


def first_sentence(text: str, width: int = 130) -> str:
    """The first sentence of a description, on one line."""
    head = re.split(r"(?<=[.!?])\s|\n\s*\n", text.strip(), maxsplit=1)[0]
    return truncated(" ".join(head.split()), width)


def share(part: int, whole: int) -> str:
    """A share in percent, without decimals where it is whole."""
    if not whole:
        return "0 %"
    percent = 100 * part / whole
    return f"{percent:.0f} %" if percent >= 10 or percent == int(percent) else f"{percent:.1f} %"


def anchors(prefix: str, names: Iterable[str]) -> dict[str, str]:
    """A fragment identifier for each name: readable where the name allows it, distinct even by case alone."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        stem = prefix + (re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or "unnamed")
        anchor, number = stem, 1
        while anchor.lower() in taken:
            number += 1
            anchor = f"{stem}-{number}"
        taken.add(anchor.lower())
        given[name] = anchor
    return given
