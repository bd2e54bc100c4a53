"""Whether a message that tells a number or a date takes it back: other values of its kind that are said in its stead.

Invariant: nothing but what stands in the message is used, and a message that says the value alone never contradicts
itself. Not covered: values known to be wrong (`Wanted.others`), which contradict wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from autoforge.gym.reward.numbers import UNIT
from autoforge.gym.reward.reading import Mention, Message
from autoforge.gym.reward.text import find_phrases, words
from autoforge.gym.reward.token import Moment, Token
from autoforge.gym.reward.wanted import Wanted

__all__ = ["contradiction"]

_MONEY = r"(?:[€$£¥*_\"'`]|\b(?:eur|usd|gbp|chf)\b|%)"
_SOFT = rf"[ ]?(?:{_MONEY}|\b{UNIT}\b)?[ ]?"
_DIRECT = re.compile(
    rf"{_SOFT}(?:/|-|–|—|~|\||\.\.+|…|\b(?:to|through|until|till|or|vs\.?|versus|and/or)\b){_SOFT}(?:{_MONEY}[ ]?)?"
)
_OR = re.compile(r"\W+(?:\w+\W+){0,3}(?:or|alternatively)\W+(?:\w+\W+){0,2}")
_TAKEN_BACK = re.compile(
    r"\b(?:actually|sorry|correction|i mean|i meant|scratch that|or rather|wait|maybe|perhaps|possibly|make that)\b"
    r"|\bno(?=\s*[,.!:-]|\s+(?:wait|sorry|it|that|make)\b|\s*$)"
)
_BETWEEN = re.compile(r"\bbetween[ ](?:\w+[ ])?[€$£¥]?$")
_AND = re.compile(rf"{_SOFT}and{_SOFT}")
_LISTED = re.compile(r"(?:[\s,;|/&*•\"'\[\]-]|\band\b){1,12}")
_LEAST_LIST = 3
"""Bare values in a row that are a listing and not an answer."""
_AFTER_NAME = re.compile(
    r"(?:[\s:=→*_\"'`>(€$£¥-]|\b(?:is|are|was|were|be|will|now|of|at|to|equals|equal|comes|exactly|only|just|currently"
    r"|actually|about)\b){1,12}"
)
_STILL_NAME = re.compile(r"\s\w+(?:\s\w+){0,2}(?:\s(?:is|are|was|were|comes)\b|:)")
_FARTHEST = 60


def contradiction(message: Message, told: Sequence[Mention], sought: Wanted, names: Sequence[str]) -> str | None:
    """What takes the value back, quoted; None where nothing does. `told` are the places that tell it, `names` the
    answer's name in plain text and then those of the task's other answers.
    """
    tokens = _tokens(message, sought)
    places = {mention.start for mention in told}
    if not sought.several:
        listed = _listing(message.text, tokens, places, sought)
        if listed:
            return listed
    for place, token in enumerate(tokens):
        if token.start in places:
            for other in tokens[max(0, place - 1) : place + 2]:
                first, second = sorted((token, other))
                if _is_other(other, sought) and _alternative(message.text, first, second):
                    return message.text[first.start : second.end]
    return (
        None
        if sought.several
        else _after_name(message, tokens, sought, names) or _parallel(message, tokens, places, sought)
    )


def _tokens(message: Message, sought: Wanted) -> list[Token]:
    """The tokens of the kinds that the answer has; day numbers beside dates."""
    found: list[Token] = []
    dates = any(isinstance(value, Moment) for value in sought.values)
    if dates:
        found += message.dates
    if any(isinstance(value, Decimal) for value in sought.values):
        found += message.numbers
    elif dates:
        found += [t for t in message.numbers if isinstance(t.value, Decimal) and t.value in range(1, 32)]
    return sorted(found, key=lambda token: token.start)


def _is_other(token: Token, sought: Wanted) -> bool:
    return not sought.told_by(token) & (sought.values | sought.beside)


def _alternative(text: str, first: Token, second: Token) -> bool:
    """Whether two tokens in a row are said in place of each other."""
    gap = text[first.end : second.start]
    if len(gap) > _FARTHEST:
        return False
    if _DIRECT.fullmatch(gap) or _OR.fullmatch(gap):
        return True
    before = text[max(0, first.start - 24) : first.start]
    if _AND.fullmatch(gap) and _BETWEEN.search(before):
        return True
    return len(gap.split()) <= 7 and _TAKEN_BACK.search(gap) is not None


def _listing(text: str, tokens: Sequence[Token], places: set[int], sought: Wanted) -> str | None:
    """A run of bare values that holds the value."""
    for run in _runs(text, tokens):
        values = {token.value for token in run if token.start in places or _is_other(token, sought)}
        if len(values) >= _LEAST_LIST and any(token.start in places for token in run):
            return text[run[0].start : run[-1].end][:_FARTHEST]
    return None


def _runs(text: str, tokens: Sequence[Token]) -> Iterator[list[Token]]:
    run: list[Token] = []
    for token in tokens:
        if run and not _LISTED.fullmatch(text[run[-1].end : token.start][:_FARTHEST]):
            yield run
            run = []
        run.append(token)
    yield run


def _after_name(message: Message, tokens: Sequence[Token], sought: Wanted, names: Sequence[str]) -> str | None:
    """Another value directly after the answer's name."""
    starts = {token.start: token for token in tokens}
    right = sought.values | (sought.beside if names[0] in names[1:] else frozenset())
    named = find_phrases(message.words, [words(name) for name in names])
    for phrase in (found for found in named if found.number == 0):
        match = _AFTER_NAME.match(message.text, phrase.end)
        end = match.end() if match else phrase.end
        token = next(
            (starts[place] for place in (end, end - 1, end - 2) if place in starts and place >= phrase.end), None
        )
        if token is not None and match is not None and not sought.told_by(token) & right:
            of = re.search(r"\bof\b", match[0]) and _STILL_NAME.match(message.text, token.end)
            if not of:
                return message.text[phrase.start : token.end]
    return None


def _parallel(message: Message, tokens: Sequence[Token], places: set[int], sought: Wanted) -> str | None:
    """Another value in the very words in which the value is said: `It is 10. It is 11.`"""
    frames = {_frame(message.text, token) for token in tokens if token.start in places} - {None}
    for token in tokens:
        if _frame(message.text, token) in frames and _is_other(token, sought):
            return message.text[max(0, token.start - 24) : token.end]
    return None


def _frame(text: str, token: Token) -> tuple[str, ...] | None:
    """Up to two words before in the same clause, and the one after; None where a clause begins with it."""
    clause = re.split(r"[,;{}\n]|[.!?]\s", text[max(0, token.start - 40) : token.start])[-1]
    before = re.findall(r"\w+", clause)[-2:]
    after = re.match(r"[^\w\s]|\s*\w+|", text[token.end : token.end + 24])
    return (*before, after[0].strip() if after else "") if before else None
