"""What an agent said, made plain: one form of letters, digits, quotes and dashes; and its words.

Invariant: a value and a message that quotes it go through the same steps, so what was alike stays alike. Not covered:
numbers and dates in it (`numbers`, `dates`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

__all__ = ["Phrase", "Word", "find_phrases", "plain", "words"]

_ALIKE = {
    **dict.fromkeys(map(ord, "‘’ʼ`´′"), "'"), **dict.fromkeys(map(ord, "“”„«»″"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒−﹣－"), "-"), ord("№"): "#",
    **dict.fromkeys(map(ord, "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉¼½¾⅓⅔"), " "), **dict.fromkeys((0x200B, 0x2060, 0xFEFF, 0xAD), None),
}  # fmt: skip
"""Look-alikes, and characters that NFKC would turn into digits of a neighbour."""
_GROUPING_SPACE = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|[nrtbf]|([\"\\/]))")
_WORD = re.compile(r"[^\W_]+(?:(?:[.@&](?=[^\W_])|[:,](?<=\d.)(?=\d))[^\W_]+)*(?:[+#]+|%)?")
"""A run of letters and digits; `.`, `@` and `&` inside it belong to it (mail addresses, decimals), between digits `:`
and `,` too, and `+`, `#` and `%` after it."""
_BREAK = re.compile(r"[;\n|]")


class Word(NamedTuple):
    text: str
    start: int
    end: int
    glued: bool
    """A dash or underscore with a digit beside it joins it to the word before: a part of a code such as `A-10`."""
    broken: bool
    """A semicolon, a line's end or a bar stands before it."""


class Phrase(NamedTuple):
    """A place where a phrase stands, by its number in the list of those looked for."""

    start: int
    end: int
    number: int


def plain(text: str) -> str:
    """Text in NFKC without case, with plain quotes and dashes; escapes of JSON are read."""
    text, escapes = _ESCAPE.subn(lambda m: chr(int(m[1], 16)) if m[1] else m[2] or " ", text)
    if escapes:  # two may be the halves of one character
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    text = _GROUPING_SPACE.sub("'", text).translate(_ALIKE)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def words(text: str) -> list[Word]:
    """The words of plain text in order."""
    found: list[Word] = []
    end = 0
    for match in _WORD.finditer(text):
        between = text[end : match.start()]
        joined = bool(found) and between in ("-", "_") and (text[end - 1].isdigit() or match[0][0].isdigit())
        found.append(Word(match[0], match.start(), match.end(), joined, bool(found and _BREAK.search(between))))
        end = match.end()
    return found


def find_phrases(said: Sequence[Word], phrases: Iterable[Sequence[Word]]) -> list[Phrase]:
    """Where the phrases stand as whole words: from left to right, the longest of those that begin at a word, no two
    overlapping.
    """
    by_first: dict[str, list[tuple[int, Sequence[Word]]]] = {}
    for number, phrase in enumerate(phrases):
        if phrase:
            by_first.setdefault(phrase[0].text, []).append((number, phrase))
    for group in by_first.values():
        group.sort(key=lambda pair: -len(pair[1]))
    found: list[Phrase] = []
    place = 0
    while place < len(said):
        match = _at(said, place, by_first)
        if match is None:
            place += 1
        else:
            number, length = match
            found.append(Phrase(said[place].start, said[place + length - 1].end, number))
            place += length
    return found


def _at(
    said: Sequence[Word], place: int, by_first: Mapping[str, list[tuple[int, Sequence[Word]]]]
) -> tuple[int, int] | None:
    if said[place].glued:
        return None
    fitting: tuple[int, int] | None = None
    for number, phrase in by_first.get(said[place].text, ()):
        end = place + len(phrase)
        here = said[place:end]
        if fitting is not None and len(phrase) < fitting[1]:
            break
        if len(here) == len(phrase) and not (end < len(said) and said[end].glued) and _alike(here, phrase):
            if [word.broken for word in here[1:]] == [word.broken for word in phrase[1:]]:
                return number, len(phrase)
            fitting = fitting or (number, len(phrase))
    return fitting


def _alike(here: Sequence[Word], phrase: Sequence[Word]) -> bool:
    """Whether the words are the same, and no break is said that the phrase has not."""
    pairs = enumerate(zip(here, phrase, strict=True))
    return all(said.text == word.text and (n == 0 or word.broken or not said.broken) for n, (said, word) in pairs)
