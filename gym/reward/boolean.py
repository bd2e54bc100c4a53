"""Yes and no in a message: explicit words only, where they are the answer.

Invariant: `There is no fee` says neither. Not covered: statements without such a word (`It is available`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from autoforge.gym.reward.reading import Message
from autoforge.gym.reward.text import find_phrases, words

__all__ = ["Polarity", "polarity"]

_YES = frozenset("yes true yep yeah sì sí oui ja sim vero verdadero vrai wahr verdadeiro".split())
_NO = frozenset("no false nope non nein não falso faux falsch".split())
_EITHER = "|".join(sorted(_YES | _NO, key=len, reverse=True))
_SENTENCE = re.compile(r"[^.!?\n;]+")
_OPENING = re.compile(
    rf"[^\w]*(?:(?:it|that|this)(?:'s| is| was) )?({_EITHER})"
    r"(?=\W*$|\s*[,:—–]|\s+-|\s+(?:it|they|there|the|you|that|he|she|we|this|i)\b)"
)
_AFTER_NAME = re.compile(rf"\W+(?:\w+\W+){{0,3}}?({_EITHER})(?=\W|$)")
_BARE = re.compile(r"(?<!\w)(true|false)(?!\w)")
_DENIED = re.compile(r"(?:\bnot|n't) (?:a |the )?$")


class Polarity(NamedTuple):
    """One place that says yes or no."""

    value: bool
    place: int
    explicit: bool
    """Whether it answers: not only a `true` somewhere."""
    named: bool = False
    """Whether it stands after the answer's name."""


def polarity(message: Message, names: Sequence[str]) -> list[Polarity]:
    """The places that say yes or no to what the first of `names` (plain text) names; the others name other answers."""
    found = {*_openings(message), *_named(message, names), *_bare(message)}
    return sorted(found, key=lambda p: (p.place, not p.explicit))


def _openings(message: Message) -> Iterator[Polarity]:
    for sentence in _SENTENCE.finditer(message.text):
        match = _OPENING.match(message.text, sentence.start(), sentence.end())
        if match is not None:
            yield Polarity(match[1] in _YES, match.start(1), True)


def _named(message: Message, names: Sequence[str]) -> Iterator[Polarity]:
    phrases = find_phrases(message.words, [words(name) for name in names])
    ends = [*(phrase.start for phrase in phrases[1:]), len(message.text)]
    for phrase, next_name in zip(phrases, ends, strict=True) if phrases else ():
        sentence = _SENTENCE.match(message.text, phrase.end, next_name)
        if phrase.number == 0 and sentence is not None:
            match = _AFTER_NAME.match(message.text, phrase.end, sentence.end())
            if match is not None and not _DENIED.search(message.text, max(0, match.start(1) - 12), match.start(1)):
                yield Polarity(match[1] in _YES, match.start(1), True, True)


def _bare(message: Message) -> Iterator[Polarity]:
    for match in _BARE.finditer(message.text):
        if not _DENIED.search(message.text, max(0, match.start() - 12), match.start()):
            yield Polarity(match[1] == "true", match.start(1), False)
