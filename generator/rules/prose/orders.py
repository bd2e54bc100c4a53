"""In which order a list comes, as prose says it: `newest first`, `sorted by name`, `in alphabetical order`.

Invariant: pure functions of the text; only an order that is said, never one that is likely. Not covered: which column
has the words (`read_order`), and orders that a parameter chooses.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from autoforge.generator.rules.words import ascii_word

__all__ = ["Told", "order_in_prose"]


class Told(NamedTuple):
    """One told order."""

    by: Literal["words", "made", "time", "name"]
    """By the column that `words` name, by when rows came to be, by their time, by their name."""
    words: str
    descending: bool


_FIRST = (
    r"(?:first|at the top|on top|primero|primeros|primeras|en primer lugar|zuerst|d'abord|en premier|en tete|primeiro|"
    r"per prim[aie]|prima)"
)
_NEW = (
    r"(?:newest|latest|most recent(?:ly \w+)?|last(?: ones?)?|(?:mas|mais|piu|plus) (?:recientes?|nuev[oa]s?|recentes?|"
    r"nov[oa]s?|recent[ei]?s?|nuov[ei])|neu(?:e)?ste[nr]?|juengste[nr]?|letzte[nr]?)"
)
_OLD = (
    r"(?:oldest|(?:mas|mais|piu|plus) (?:antigu[oa]s?|viej[oa]s?|antig[oa]s?|velh[oa]s?|vecch[ie]e?|ancien(?:ne)?s?)|"
    r"aelteste[nr]?)"
)
_SOON = r"(?:earliest|soonest|fruehste[nr]?|fruehe?ste[nr]?)"
_NOUN = r"(?P<words>[a-z_]+(?: [a-z_]+)?)"
_BY = (
    r"\b(?:sorted|ordered|ordenad[oa]s?|tri[ei]e?s?|tri(?:e|ee|es|ees)|ordinat[aei]|sortiert|geordnet) "
    r"(?:by|por|par|per|nach) (?:the |their |its |su |sus |la |el |le |il |o |a |dem |der |ihrem |ihrer )?"
    r"(?P<words>[a-z_]+(?: [a-z_]+){0,3}?)(?=,| and\b| then\b| y\b| und\b| et\b| e\b|\.|;|:|$| in (?:asc|desc)| \(|"
    r" (?:asc|desc|auf|ab)\w*|"
    rf" {_FIRST})"
)
_DOWN = re.compile(
    r"\b(?:descending|descendente|absteigend|decroissant|decrescente|(?:newest|latest|highest|largest|most recent|"
    r"biggest|greatest) first)\b"
)
_MANY = r"(?:highest|largest|greatest|biggest|most)"
_FEW = r"(?:lowest|smallest|fewest|least)"
_TABLE: tuple[tuple[str, str, bool], ...] = (
    (rf"\b{_NEW} {_FIRST}\b", "made", True),
    (rf"\b{_OLD} {_FIRST}\b", "made", False),
    (r"\b(?:reverse|umgekehrt\w*) (?:chronological|chronologisch)\w*|\b(?:orden|ordre|ordem|ordine) "
     r"(?:cronologic[oa]|chronologique) invers[aoe]?", "made", True),
    (r"\b(?:chronological order|chronologically|chronologisch\w*|(?:orden|ordre|ordem|ordine) "
     r"(?:cronologic[oa]|chronologique))\b", "time", False),
    (rf"\b{_SOON}(?: ones?)? {_FIRST}\b", "time", False),
    (rf"\b(?:{_SOON}) {_NOUN} {_FIRST}\b", "words", False),
    (rf"\b(?:newest|latest|most recent|oldest) {_NOUN} {_FIRST}\b", "words", False),
    (rf"\b{_MANY} {_NOUN} {_FIRST}\b", "words", True),
    (rf"\b{_FEW} {_NOUN} {_FIRST}\b", "words", False),
    (r"\b(?:alphabetical order|alphabetically|alphabetisch\w*|(?:orden|ordre|ordem|ordine) (?:alfabetic[oa]|"
     r"alphabetique)|alfabeticamente|alphabetiquement)\b", "name", False),
    (rf"\bin (?:the )?order of (?:the |their )?{_NOUN}(?=[,.;]|$)", "words", False),
    (rf"\b(?:those|the ones) that {_NOUN} first {_FIRST}\b", "words", False),
)  # fmt: skip
_RULES = tuple((re.compile(pattern), by, down) for pattern, by, down in _TABLE)
_SUPERLATIVES = {
    "cheapest": ("price", False), "guenstigste": ("price", False), "guenstigsten": ("price", False),
    "strongest": ("strength", True), "heaviest": ("weight", True), "lightest": ("weight", False),
    "longest": ("duration", True), "shortest": ("duration", False), "fullest": ("quantity", True),
}  # fmt: skip
_SUPERLATIVE = re.compile(rf"\b({'|'.join(_SUPERLATIVES)}) {_FIRST}\b")


def order_in_prose(text: str) -> Told | None:
    """The order that a description promises, None where it promises none."""
    plain = re.sub(r"[^\W\d_]+", lambda m: ascii_word(m.group()).lower(), text.replace("\u2019", "'"))
    if named := re.search(_BY, plain):
        return Told("words", named["words"].strip(), bool(_DOWN.search(plain)))
    if adjective := _SUPERLATIVE.search(plain):
        return Told("words", *_SUPERLATIVES[adjective.group(1)])
    for pattern, by, down in _RULES:
        if (match := pattern.search(plain)) is not None:
            latest = by == "words" and bool(re.match(r"\W*(?:newest|latest|most recent)", match.group()))
            return Told(by, match.groupdict().get("words") or "", down or latest)  # type: ignore[arg-type]
    return None
