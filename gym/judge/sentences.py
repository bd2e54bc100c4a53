"""Messages as sentences, each with a plain form of the same length, so that a quotation can be cut from what was said.

Invariant: `plain` has one character for each of `said`. Not covered: abbreviations with a full stop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from autoforge.gym.reward.text import Word, words

__all__ = ["QUOTED", "Sentence", "level", "sentences_of"]

_ALIKE = {
    **dict.fromkeys(map(ord, "‘’ʼ`´′"), "'"), **dict.fromkeys(map(ord, "“”„«»″"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒−﹣－"), "-"),
    **dict.fromkeys((0x200B, 0x2060, 0xFEFF, 0xAD, 0xA0, 0x2009, 0x202F), " "),
}  # fmt: skip
QUOTED = re.compile(r'"[^"\n]*"|(?<![\w])\'[^\'\n]{3,}\'(?!\w)')
_END = re.compile(r"[.!?;]+[\"')]*(?=\s|$)|\n+|(?<=\w)\.(?=\s|$)")
_NO_END = re.compile(r"(?:\b(?:nr|no|mr|mrs|ms|dr|sr|sra|e\.g|i\.e|z\.b|z\. b|approx|ca)|(?<![\d.,])\d{1,2})$")
_JOINED = re.compile(r"(?:and|und|y|e|or|oder|o)\b")
_MONTH = re.compile(r"(?i)(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)\w*\b")


class _Plain(NamedTuple):
    said: str
    start: int


class Sentence(_Plain):
    """A part of a message."""

    @cached_property
    def plain(self) -> str:
        return level(self.said)

    @cached_property
    def words(self) -> list[Word]:
        return words(self.plain)


def level(text: str) -> str:
    """The text in lower case with plain quotes and dashes, character by character."""
    plain = text.translate(_ALIKE)
    low = plain.lower()
    return low if len(low) == len(plain) else "".join(a if len(a := c.lower()) == 1 else c for c in plain)


def sentences_of(text: str) -> list[Sentence]:
    """The sentences; none ends inside a quotation."""
    flat = level(text)
    quotes = [match.span() for match in QUOTED.finditer(flat)]
    found, start = [], 0
    for end in _ends(text, flat, quotes):
        if text[start:end].strip():
            lead = len(text[start:end]) - len(text[start:end].lstrip())
            found.append(Sentence(text[start:end].strip(), start + lead))
        start = end
    return found


def _ends(text: str, flat: str, quotes: list[tuple[int, int]]) -> Iterator[int]:
    for match in _END.finditer(flat):
        inside = any(a < match.start() and match.end() <= b for a, b in quotes)
        rest = text[match.end() :].lstrip()
        if inside and any(match.end() == b for _, b in quotes):
            inside = bool(rest) and not rest[:1].isupper()
        small = match[0] == "." and _NO_END.search(flat[: match.start()]) and rest[:1].isalnum()
        joined = match[0] == ";" and _JOINED.match(rest)
        if not inside and not joined and not (small and (rest[:1].islower() or _MONTH.match(rest))):
            yield match.end()
    yield len(flat)
