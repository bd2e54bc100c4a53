"""An instruction as the wishes in which a user tells it.

A wish is a sentence, with what leads up to it (a greeting, `First look for ...`) and what hangs on it (`Otherwise`,
`If that is not possible ... instead`). Sentences end outside of quotation marks, known values, dates and abbreviations.
Invariant: the wishes in their order, joined by single spaces, are the instruction. Not covered: what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from autoforge.gym.reward.dates import read_dates
from autoforge.gym.users.words import fold

__all__ = ["sentences", "wishes"]

_END = re.compile(r"(?<![.!?])[.!?]+[\"'”’»“)\]]*\s+(?=[\"'“„«¿¡(]*[^\W\d_a-zß-öø-ÿ])|\n\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:Mr|Mrs|Ms|Mx|Dr|Dra|Prof|St|No|Nr|Sr|Sra|Srta|Hr|Fr|Ud|Uds|vs|etc|e\.g|i\.e|z\. ?B|d\. ?h|bzw|ca|"
    r"Inc|Ltd|Jr|approx|Str|Av|Avda|[^\W\d_])\.$"
)
_LONGEST_ABBREVIATION = 12
_CLOSING = {'"': '"', "“": "”", "„": "“”", "«": "»", "'": "'"}
_OPENS = re.compile(r"(?<![^\s(\[:])[\"“„«']")
_GREETING = (
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|hola|buen[oa]s(?: dias| tardes| noches)?|hallo|"
    r"guten (?:tag|morgen|abend))(?: there| again| zusammen)?"
)
_NEED = (
    r"[^.!?]{0,20}\b(?:(?:few|couple of) (?:\w+ )?(?:things|requests|questions)|(?:some|your) help|a request|"
    r"varias cosas|peticion(?:es)?|ayuda|mehrere dinge|paar bitten|eine bitte|hilfe)\b[^.!?]{0,16}"
)
_OPENING = re.compile(rf"(?:{_GREETING})?[,.! ]*(?:{_NEED})?[.!]*")
_LOOKUP = re.compile(
    rf"(?:{_GREETING},? )?"
    r"(?:(?:first|then|next|and|also|after that|please|despues|luego|primero|dann|danach|bitte),? )*"
    r"(?:look (?:for|up)|find|search for|this is about|busca|se trata del?|such|suche|es geht um)\b"
)
_FOLLOWS = re.compile(
    r"(?:if (?:that|this|it|not|so)\b|should (?:that|this|it)\b|otherwise\b|else\b|instead\b|in that case\b|"
    r"the (?!first|second|third|next|last)|si (?:eso |esto )?no\b|si (?:funciona|es asi)\b|en (?:ese )?caso\b|"
    r"de lo contrario\b|para tu informacion\b|falls (?:das|es|dies|nicht)\b|wenn (?:das|es|dies|nicht)\b|sonst\b|"
    r"andernfalls\b|zu deiner information\b)"
)


def wishes(instruction: str, values: Iterable[object] = ()) -> tuple[str, ...]:
    """The wishes; `values` are those that no sentence may end in."""
    found: list[str] = []
    ahead: list[str] = []
    for sentence in sentences(instruction, values):
        plain = fold(sentence)
        if _OPENING.fullmatch(plain) or _LOOKUP.match(plain):
            ahead.append(sentence)
        elif _FOLLOWS.match(plain) and found and not ahead:
            found[-1] += f" {sentence}"
        else:
            found.append(" ".join((*ahead, sentence)))
            ahead = []
    if ahead and found and not all(_OPENING.fullmatch(fold(s)) for s in ahead):
        return (*found, " ".join(ahead))
    return (*found[:-1], " ".join((*found[-1:], *ahead)))


def sentences(text: str, values: Iterable[object] = ()) -> list[str]:
    """The sentences, with single spaces."""
    closed = sorted((*_quoted(text), *_dates(text), *_places(text, values)), reverse=True)
    found: list[str] = []
    start = reach = 0
    for match in _END.finditer(text):
        mark = match.start() + 1
        while closed and closed[-1][0] < mark:
            reach = max(reach, closed.pop()[1])
        before = text[max(start, mark - _LONGEST_ABBREVIATION) : mark]
        if reach <= mark and not (match[0][0] == "." and _ABBREVIATION.search(before)):
            found.append(text[start : match.end()])
            start = match.end()
    return [" ".join(part.split()) for part in (*found, text[start:]) if part.strip()]


def _quoted(text: str) -> list[tuple[int, int]]:
    """Places within quotation marks; a mark without its fellow is none."""
    found: list[tuple[int, int]] = []
    open_ended: set[str] = set()
    reach = -1
    for match in _OPENS.finditer(text):
        place, mark = match.start(), match[0]
        if place <= reach or mark in open_ended:
            continue
        closing = re.compile(rf"[{_CLOSING[mark]}](?![^\W_])").search(text, place + 1)
        if closing is None:
            open_ended.add(mark)
        else:
            reach = closing.start()
            found.append((place, reach))
    return found


def _dates(text: str) -> list[tuple[int, int]]:
    lower = text.lower()
    return read_dates(lower).spans if len(lower) == len(text) else []


def _places(text: str, values: Iterable[object]) -> list[tuple[int, int]]:
    wanted = [v for v in values if isinstance(v, str) and re.search(r"[.!?]\s", v)]
    return [m.span() for value in wanted for m in re.finditer(re.escape(value), text)]
