"""The pivot language, and how a text gets there.

Tokens: «fail» «if» «unless» «only» «can» «cannot» «must» «should» «not» «be» «have» «exist» «belong» «already» «same»
«differ» «unique» «after» «after=» «before» «before=» «past» «future» «more» «less» «atleast» «atmost» «enough»
«insufficient» «cover» «session» «instatus» «that» «become» «or» «and». Between them stand the author's own words.
Invariant: a text without known function words stays as it is. Not covered: what the pivot sentences mean
(`conditions`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from autoforge.generator.rules.prose.sentences import quote

__all__ = ["Language", "language_of", "pivot"]

_EDGE = r"(?:(?<![\w«])(?=\w)|(?<=\w)(?![\w»=]))"
"""A word boundary outside tokens, so that no rewrite sees the result of another as plain words."""


class Language(NamedTuple):
    code: str
    function_words: frozenset[str]
    rewrites: tuple[tuple[str, str], ...]
    """Pattern and replacement, in order; letter case is ignored."""


@cache
def _languages() -> dict[str, Language]:
    from autoforge.generator.rules.prose.english import ENGLISH
    from autoforge.generator.rules.prose.germanic import GERMAN
    from autoforge.generator.rules.prose.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH

    return {language.code: language for language in (ENGLISH, SPANISH, GERMAN, FRENCH, PORTUGUESE, ITALIAN)}


@cache
def _compiled(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    rewrites = _languages()[code].rewrites
    return tuple((re.compile(pattern.replace(r"\b", _EDGE), re.IGNORECASE), token) for pattern, token in rewrites)


def language_of(text: str) -> str:
    """The code of the language whose function words are most frequent; English in doubt."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    scores = {code: sum(w in language.function_words for w in words) for code, language in _languages().items()}
    return max(scores, key=lambda code: (scores[code], code == "en"))


def pivot(segment: str, code: str) -> str:
    """The segment in the pivot language, single-spaced; quoted words are protected as ⟦…⟧."""
    text = re.sub(r"[«»]", '"', quote(re.sub(r"\b[Ee]-[Mm]ail(?=s?\b)", "email", segment)))
    for pattern, token in _compiled(code):
        text = pattern.sub(token, text)
    text = re.sub(r"«cannot»(?= «have» (?!«(?:more|atleast|less)»))", "«must» «not»", text)
    spaced = re.sub(r"»(?=[^\s,;.)])", "» ", re.sub(r"(?<=\S)«", " «", text))
    return re.sub(r"\s+", " ", spaced).strip(" ,.")
