"""An instruction taken apart for making dialogues: its wishes one by one, and where each says which known value.

Invariant: parts are cut from the instruction's own words; nothing here is used by a rule, so that what makes dialogues
and what judges them do not agree by construction. Not covered: what is said around wishes (`dialogues`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.gym.judge.phrasebook import Phrasebook, capitalised, lowered
from autoforge.mcp_envs.task import Task

__all__ = ["Spot", "base_name", "in_words", "rewritten", "spots", "wishes_of", "without_spot"]

_QUOTED = re.compile(r'"[^"]*"|(?<!\w)\'[^\']*\'(?!\w)')
_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?!(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)"
    r"(?=[A-ZÁÉÍÓÚÄÖÜ¿¡])"
)
_LEADS = re.compile(
    r"^(?:(?:and finally|after that|then|next|finally|last|also|and|hi there|hello|hi|hey|first|second|now"
    r"|después|luego|a continuación|por último|finalmente|hola|también|necesito lo siguiente"
    r"|danach|als nächstes|zuletzt|zum schluss|dann|hallo|außerdem)\b(?: bitte| then)?[,:!.]?\s+"
    r"|(?:please|por favor|bitte)[,:]?\s+)+",
    re.IGNORECASE,
)
_PRELUDE = re.compile(
    r"\b(?:things?|requests?|cosas|peticiones|petición|dinge|bitten|anliegen)\b|^\w+(?: \w+)?[.!]$",
    re.IGNORECASE,
)
_FALLBACK = re.compile(
    r"^(?:should that|if that|if it|si eso|si no (?:se puede|es posible)|falls das|wenn das nicht)", re.IGNORECASE
)
_NUMBERED = re.compile(r"_\d+$")
_BOUND = re.compile(r"^(?:least|most)_|_limit$|_(?:hasta|desde)$")


class Spot(NamedTuple):
    """Where a sentence says a known value."""

    name: str
    start: int
    end: int


def wishes_of(task: Task) -> list[str]:
    """The wishes in order, without greetings and without the words that only join them; what is to be done where a
    wish is refused belongs to it."""
    found: list[str] = []
    for sentence in _sentences(task.instruction):
        bare = _LEADS.sub("", sentence)
        short = len(bare.split()) <= 10 and not spots(bare, task.known)
        if not found and short and _PRELUDE.search(sentence) and not bare.endswith("?"):
            continue
        if found and _FALLBACK.match(bare):
            found[-1] += " " + sentence
        else:
            found.append(capitalised(bare))
    return found


def _sentences(text: str) -> list[str]:
    """Split where no quotation is open."""
    quotes = [match.span() for match in _QUOTED.finditer(text)]
    cuts = [m.span() for m in _SENTENCE.finditer(text) if not any(a < m.start() < b for a, b in quotes)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def base_name(name: str) -> str:
    """`check_in_date_2` → check in date."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _NUMBERED.sub("", name)).replace("_", " ").lower()


def is_bound(name: str) -> bool:
    """Whether the value only narrows a choice, which nobody asks for by name."""
    return _BOUND.search(_NUMBERED.sub("", name)) is not None


def in_words(value: JsonValue) -> str:
    """The value as instructions write it; empty for one that has no words of its own."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, str):
        return value.replace("_", " ") if re.fullmatch(r"[a-zà-ÿ]+(?:_[a-zà-ÿ]+)+", value) else value
    return str(int(value)) if value == int(value) else str(value)


def _forms(value: JsonValue) -> Iterable[str]:
    text = in_words(value)
    if not text:
        return ()
    date = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", text)
    if date is None:
        return (text, str(value))
    months = _MONTHS[int(date[2]) - 1].split("/")
    marks = (("", ""), (" de", "de "), (".", ""))
    return (text, *(f"{int(date[3])}{mark} {month} {year}{date[1]}" for mark, year in marks for month in months))


_MONTHS = """January/enero/Januar February/febrero/Februar March/marzo/März April/abril May/mayo/Mai June/junio/Juni
July/julio/Juli August/agosto September/septiembre October/octubre/Oktober November/noviembre
December/diciembre/Dezember""".split()


def spots(sentence: str, known: Mapping[str, JsonValue]) -> list[Spot]:
    """Where known values stand, each place for one of them only; the longest first."""
    found: list[Spot] = []
    for name, value in sorted(known.items(), key=lambda pair: -len(in_words(pair[1]))):
        for form in _forms(value):
            for match in re.finditer(rf"(?<![\w.@-]){re.escape(form)}(?![\w@]|[.-]\w)", sentence):
                if not any(spot.start < match.end() and match.start() < spot.end for spot in found):
                    found.append(Spot(name, *match.span()))
    return sorted(found, key=lambda spot: spot.start)


def without_spot(sentence: str, spot: Spot) -> str | None:
    """The sentence without a detail `name value`; None where it is not said in that way."""
    name = r"[ -]".join(map(re.escape, base_name(spot.name).split()))
    head = re.search(rf"(?P<joint>,? (?:with|and|und|mit|con|y)|,) (?:the |una? |el |la )?{name} [\"']?$",
                     sentence[: spot.start], re.IGNORECASE)  # fmt: skip
    if head is None:
        return None
    rest = sentence[spot.end :].lstrip("\"'")
    joint = head["joint"].strip(" ,")
    if joint in ("with", "mit", "con"):
        follows = re.match(r"(,| and| y| und) ", rest)
        if follows is not None:
            return sentence[: head.start("joint")] + head["joint"] + " " + rest[follows.end() :]
        return sentence[: head.start("joint")] + rest
    return sentence[: head.start("joint")] + rest


def rewritten(sentence: str, book: Phrasebook, rate: float, draw: Iterable[float]) -> str:
    """The sentence with other verbs, outside of quotations; each with a chance of `rate`, by numbers drawn from 0 to
    1."""
    for (old, new), number in zip(book.verbs.items(), draw, strict=False):
        if number < rate:
            sentence = _with_other_verb(sentence, old, new)
    return sentence


def _with_other_verb(sentence: str, old: str, new: str) -> str:
    quotes = [match.span() for match in _QUOTED.finditer(sentence)]
    for match in re.finditer(rf"(?<!the )(?<![\w-]){re.escape(old)}(?![\w-])", sentence, re.IGNORECASE):
        if not any(start < match.end() and match.start() < end for start, end in quotes):
            put = capitalised(new) if match[0][0].isupper() else lowered(new)
            return sentence[: match.start()] + put + sentence[match.end() :]
    return sentence
