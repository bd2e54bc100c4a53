"""Known values that an agent repeats wrongly when it asks whether all is right.

Invariant: a value is corrected only where the agent names it, the wish at hand gives it to a tool, and what the agent
says is of its kind and is no value that the user knows. Not covered: whether to correct (`scripted`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from pydantic import JsonValue

from autoforge.gym.reward.dates import as_moment, read_dates
from autoforge.gym.reward.numbers import read_numbers
from autoforge.gym.reward.reading import Message
from autoforge.gym.reward.text import plain, words
from autoforge.gym.reward.token import Moment
from autoforge.gym.users.known import Fact, Known, says
from autoforge.gym.users.words import fold, is_function

__all__ = ["contradicted"]

_OPEN = r"[\s:=\"'“„«]*"
_MARKS = re.compile(_OPEN)
_GLUE = re.compile(
    rf"{_OPEN}(?:is|are|was|will be|would be|of|as|set to|to|on|es|sera|de|el|ist|ware|von|am|auf)\b{_OPEN}"
)
_STATED = re.compile(r"[:=]|\b(?:is|are|was|will be|would be|set to|es|sera|ist|ware)\b")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_TRUTH = re.compile(r"(?:(yes|true|si|ja|wahr)|(?:no|false|nein|falsch))\b")
_TEXT = re.compile(r"[^,.;:()|\"”»\n]{1,60}")
_RANGE = re.compile(r" (?:to|until|till|and|a|al|hasta|hasta el|y|bis|bis zum|und) |[ ]?[-–—][ ]?")
_WITH = frozenset(("with", "con", "mit"))
_NEARBY = 90
"""Characters after a name in which its value begins and ends."""


def contradicted(text: str, known: Known, wish: str) -> list[Fact]:
    """The facts of the wish that a text contradicts, in the order of `known`."""
    said = Message(wish)
    own = [f for f in known.facts if f.name in known.arguments and (isinstance(f.value, bool) or says(said, f.value))]
    clean = fold(re.sub(r"[*`_]", " ", text))
    wrong = {fact.name for fact in own if _wrong(clean, fact, known.facts)}
    wrong |= {fact.name for fact in _of_range(text, own, wish) if not says(Message(text), fact.value)}
    return [fact for fact in own if fact.name in wrong]


def _wrong(text: str, fact: Fact, facts: Sequence[Fact]) -> bool:
    """Whether a text gives the fact's name a value, and never one that is known."""
    stated = [value for rest, glue in _after_name(text, fact.label) if (value := _value(rest, glue, fact)) is not None]
    fellows = [f.value for f in facts if f.tokens == fact.tokens or not isinstance(f.value, bool)]
    return bool(stated) and not any(_equal(value, other) for value in stated for other in fellows)


def _after_name(text: str, label: str) -> Iterator[tuple[str, str]]:
    """What stands after each place of a name, and what joins it to the name; twice where a joining word may be the
    value itself."""
    parts = re.findall(r"[^\W_]+", fold(label))
    for match in re.finditer(r"(?<!\w)" + r"[\s_-]*".join(map(re.escape, parts)) + r"(?!\w)", text):
        before = re.search(r"(\w+)[ ]$", text[: match.start()])
        if len(parts) == 1 and before and not is_function(before[1]):
            continue
        rest = text[match.end() : match.end() + _NEARBY]
        for joint in (_MARKS.match(rest), _GLUE.match(rest)):
            if joint is not None and joint[0]:
                yield rest[joint.end() :], joint[0] + ("=" if before and before[1] in _WITH else "")


def _value(rest: str, glue: str, fact: Fact) -> object:
    """The value of the fact's kind that a text begins with; None where there is none."""
    if isinstance(fact.value, bool):
        truth = _TRUTH.match(rest)
        return bool(truth[1]) if truth else None
    if isinstance(fact.value, int | float):
        return next((t.value for t in read_numbers(rest, read_dates(rest).spans) if t.start == 0), None)
    if fact.moment is not None:
        return next((t.value for t in read_dates(rest).tokens if t.start == 0), None)
    if isinstance(fact.value, str) and _EMAIL.fullmatch(fact.value):
        email = _EMAIL.match(rest)
        return email[0].rstrip(".") if email else None
    text = _TEXT.match(rest) if isinstance(fact.value, str) and _STATED.search(glue) else None
    return text[0].strip() if text and text[0].strip() else None


def _equal(stated: object, value: JsonValue) -> bool:
    if isinstance(stated, bool) or isinstance(value, bool):
        return stated is value
    if isinstance(stated, Decimal):
        return isinstance(value, int | float) and Decimal(str(value)) == stated
    if isinstance(stated, Moment):
        day = as_moment(plain(value)) if isinstance(value, str) else None
        return day is not None and day[1:3] == stated[1:3] and stated.year in (None, day.year)
    one, other = _plain_words(str(stated)), _plain_words(str(value))
    return one[: len(other)] == other or (bool(one) and other[: len(one)] == one)


def _plain_words(text: str) -> list[str]:
    return [word.text for word in words(fold(plain(text)))]


def _iso(moment: Moment) -> str:
    return f"{moment.year or 0:04d}-{moment.month:02d}-{moment.day:02d}"


def _of_range(text: str, own: Sequence[Fact], wish: str) -> list[Fact]:
    """The two facts of the only span of days in a wish, where a text has one span, too."""
    wanted, told = _ranges(wish), _ranges(text)
    if len(wanted) != 1 or len(set(told)) != 1:
        return []
    days = [next((f for f in own if f.moment and says(Message(day), f.value)), None) for day in wanted[0]]
    return [fact for fact in days if fact is not None]


def _ranges(text: str) -> list[tuple[str, str]]:
    """Pairs of days with a word for `to` between them."""
    plainly = plain(text)
    tokens = read_dates(plainly).tokens
    return [
        (_iso(a.value), _iso(b.value))
        for a, b in pairwise(tokens)
        if _RANGE.fullmatch(plainly[a.end : b.start]) and isinstance(a.value, Moment) and isinstance(b.value, Moment)
    ]
