"""Frames in which a description sets a column, around the names of the documented ones.

Invariant: a frame names its groups (`field`, `value`, `of` and `owner` of the row, `before` for the value it had) and
says whether it tells an act or a result; a result stands at the beginning or after a coordination. Not covered: what
may stand around (`setting_clauses`).
"""

from __future__ import annotations

import re

from autoforge.generator.rules.prose.setting_words import (
    BECOME,
    DETERMINER,
    FROM,
    MARK,
    OF,
    POWER,
    PUT,
    SET,
    THEN,
    TO,
)

__all__ = ["VALUE", "WORD", "frames", "further"]

WORD = r"[\w'-]+"
_NOUN = rf"(?:{WORD} ){{0,3}}?{WORD}"
VALUE = r"⟦\d+⟧|-?[\w][\w.,-]*(?: [\w-]+){0,2}"


def frames(field: str) -> list[tuple[re.Pattern[str], bool]]:
    """Frames, and whether one tells an act rather than a result."""
    of = rf"(?:\s+{OF}\s+{DETERMINER}*(?P<of>{_NOUN}))?"
    owner = rf"(?:(?P<owner>{_NOUN})'?s?\s+)?"
    start = r"(?:^|[,;]\s*|\b(?:and|y|und|et|then|dann)\s+)"
    table = (
        (rf"\b{SET}\s+{DETERMINER}*(?:(?P<owner>{_NOUN})'s?\s+)?(?P<field>{field}){of}\s+{FROM}\s+"
         rf"(?P<before>⟦\d+⟧|{WORD})\s+{TO}\s+(?P<value>{VALUE})", True),
        (rf"\b{SET}\s+{DETERMINER}*(?:(?P<owner>{_NOUN})'s?\s+)?(?P<field>{field}){of}\s+{TO}\s+{DETERMINER}*"
         rf"(?P<value>{VALUE})", True),
        (rf"{start}{DETERMINER}*{owner}(?P<field>{field}){of}\s+{BECOME}\s*(?:\b{DETERMINER})*"
         rf"(?P<value>{VALUE})", False),
        (rf"\b{MARK}\s+{DETERMINER}*(?P<of>{_NOUN})\s+(?:as|como|als|comme|come)\s+(?P<value>{VALUE})", True),
        (rf"\b{PUT}\s+{DETERMINER}*(?P<of>{_NOUN})\s+{TO}\s+{DETERMINER}*(?P<field>{field})"
         rf"\s+(?P<value>{VALUE})", True),
        (rf"\b{PUT}\s+{DETERMINER}*(?P<of>{_NOUN})\s+{TO}\s+{DETERMINER}*(?P<value>{WORD})[ -](?P<field>{field})\b",
         True),
        (rf"{start}(?:{DETERMINER}*(?P<of>{_NOUN})\s+)?{THEN}\s+(?:(?:in|en) )?{DETERMINER}*(?:(?P<field>{field})\s+)?"
         rf"(?P<value>{VALUE})", False),
        (rf"{start}(?:{DETERMINER}*(?P<of>{_NOUN})\s+)?(?:is|are|ist)\s+(?P<value>{WORD})\s+(?:afterwards|"
         rf"thereafter|from then on)", False),
        (rf"\b{POWER}\s+(?P<value>on|off)\s+{DETERMINER}*"
         rf"(?:(?P<field>{field}){of}|(?P<owner>{_NOUN}))(?=$|[,;]| and\b)", True),
        (rf"\b{POWER}\s+{DETERMINER}*"
         rf"(?:(?P<field>{field}){of}|(?P<owner>{_NOUN}))\s+(?P<value>on|off|ein|an|aus)\b", True),
        (rf"^(?P<value>enciende|encender|apaga|apagar|allume|allumer|eteint|eteindre)\s+{DETERMINER}*(?P<of>{_NOUN})"
         rf"(?=$|[,;]| (?:y|et)\b)", True),
    )  # fmt: skip
    return [(re.compile(pattern), acts) for pattern, acts in table]


def further(field: str) -> re.Pattern[str]:
    of = rf"(?:\s+{OF}\s+{DETERMINER}*(?P<of>{_NOUN}))?"
    return re.compile(
        rf"^\s*(?:,\s*)?(?:(?:and|y|und|et|e)\s+)?(?:{SET}\s+)?{DETERMINER}*(?P<field>{field}){of}\s+"
        rf"(?:{TO}|{BECOME})\s+"
        rf"{DETERMINER}*(?P<value>{VALUE})"
    )
