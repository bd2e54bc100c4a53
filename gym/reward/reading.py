"""One message of the agent, read for what it says of one answer.

Invariant: every place where a value stands is a `Mention`, with whether it is denied or hedged there. Not covered:
which message decides (`answers`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from autoforge.gym.reward.dates import read_dates
from autoforge.gym.reward.numbers import read_numbers
from autoforge.gym.reward.text import Word, find_phrases, plain, words
from autoforge.gym.reward.token import Moment, Token
from autoforge.gym.reward.wanted import Value, Wanted, too_vague

__all__ = ["LONGEST_MESSAGE", "Mention", "Message", "mentions"]

LONGEST_MESSAGE = 20_000
"""Characters. A longer one is no answer: it counts as one that says every value at once."""

_FILLERS = r"(?:(?:a|an|the|exactly|about|just|only|equal|to|at|longer|be|is|in|on|as|it|it's|€|\$|£|¥)[ ]?){0,3}"
_DENIED = re.compile(
    rf"(?:\b(?:not|never|nor|neither|cannot|instead of|rather than|other than|except|except for|unlike|no longer)"
    rf"|\w(?:n't|nt))[ ]{_FILLERS}[\"'*`]{{0,3}}$|\bnon-$"
)
_HEDGED = re.compile(
    rf"(?:\b(?:maybe|perhaps|possibly|probably|either|almost|nearly|up to|at least|at most"
    rf"|(?:might|could|may) be|(?:more|less|fewer|greater|higher|lower|larger|smaller|later|earlier) than))[ ]"
    rf"{_FILLERS}[\"'*`]{{0,3}}$"
)
_LOOK_BACK = 48


class Mention(NamedTuple):
    start: int
    end: int
    values: frozenset[Value]
    denied: bool
    """`not 10`."""
    hedged: bool
    """`maybe 10`, `more than 10`; or only the day of a moment."""


@dataclass(frozen=True)
class Message:
    """A message as said, and what can be read from it."""

    said: str

    @property
    def too_long(self) -> bool:
        return len(self.said) > LONGEST_MESSAGE

    @cached_property
    def text(self) -> str:
        return plain(self.said)

    @cached_property
    def words(self) -> list[Word]:
        return words(self.text)

    @cached_property
    def dates(self) -> list[Token]:
        return read_dates(self.text).tokens

    @cached_property
    def numbers(self) -> list[Token]:
        return read_numbers(self.text, read_dates(self.text).spans)


def mentions(message: Message, sought: Wanted) -> list[Mention]:
    """Where a message says one of the values that are sought, in no order."""
    return [*_of_tokens(message, sought), *_of_texts(message, sought)]


def _of_tokens(message: Message, sought: Wanted) -> Iterator[Mention]:
    for token in [*message.numbers, *message.dates]:
        values = sought.told_by(token)
        if values:
            vague = any(too_vague(token, value) for value in values)
            yield _mention(message.text, token.start, token.end, values, vague)


def _of_texts(message: Message, sought: Wanted) -> Iterator[Mention]:
    phrases = [v for v in sought.all if isinstance(v, tuple) and not isinstance(v, Moment)]
    known: Sequence[Sequence[Word]] = [words(" ".join(phrase)) for phrase in phrases]
    for phrase in find_phrases(message.words, known) if phrases else ():
        yield _mention(message.text, phrase.start, phrase.end, frozenset({phrases[phrase.number]}), False)


def _mention(text: str, start: int, end: int, values: frozenset[Value], vague: bool) -> Mention:
    before = text[max(0, start - _LOOK_BACK) : start]
    denied, hedged = _DENIED.search(before) is not None, _HEDGED.search(before) is not None
    return Mention(start, end, values, denied, vague or hedged)
