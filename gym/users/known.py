"""What a user knows: the values of `known`, under the names by which they are asked for, as the user says them.

Invariant: a value is said as it is known, never another; of namesakes (`date`, `date_2`) the one is meant that the wish
at hand holds. Not covered: whether something was asked at all (`hearing`), how answers are phrased (`phrases`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import JsonValue

from autoforge.gym.reward.dates import as_moment
from autoforge.gym.reward.reading import Message
from autoforge.gym.reward.text import find_phrases, plain, words
from autoforge.gym.reward.token import Moment
from autoforge.gym.users.words import content, fold, is_function, tokens, words_of_name
from autoforge.mcp_envs.task import Source, Task, UserValue, sources_in

__all__ = ["Fact", "Known", "as_said", "holds", "says", "user_values"]

_TRUTH = {"en": ("yes", "no"), "es": ("sí", "no"), "de": ("ja", "nein")}
_EMPTY = {"en": "empty", "es": "vacío", "de": "leer"}
_HYPHEN = re.compile(r"(?<=\bcheck) (?=(?:in|out)\b)")
_ANY = frozenset("full exact correct complete new nuevo completo neu vollstandig".split())
"""Words that a name may have before it without becoming another's."""


class Fact(NamedTuple):
    """One known value."""

    name: str
    """In `known`."""
    label: str
    """The name as the user says it."""
    tokens: frozenset[str]
    """Of the name, its number left out: namesakes have the same."""
    value: JsonValue
    said: str
    """The value as the user says it."""

    @property
    def moment(self) -> Moment | None:
        return as_moment(plain(self.value)) if isinstance(self.value, str) else None

    @property
    def last(self) -> str:
        """The last word of the name: `date` of `check_in_date`."""
        return tokens(self.label)[-1] if tokens(self.label) else self.label


class Known:
    """Of one task."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.instruction = task.instruction
        self.facts = tuple(self._fact(name, value) for name, value in task.known.items())

    @cached_property
    def arguments(self) -> frozenset[str]:
        """Names whose values are given to a tool, and are no mere condition."""
        return frozenset(name for step in self._task.blueprint.steps for name in user_values(step.sources))

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The words that the task is about."""
        return content(" ".join((self.instruction, *(f"{f.label} {f.said}" for f in self.facts))))

    def asked(self, question: str, wish: str, before: str = "") -> list[Fact]:
        """The values that a question names, in the order of `known`; where it names none, those of the wish at hand
        whose names end in a word of it. Several namesakes come back only where the wish holds them all; where it holds
        none, the last of those that were said `before` is meant, else the first."""
        exact = [fact for fact in self.facts if fact.name != fact.label and _holds(question, fact.name)]
        if exact:
            return exact
        heard = set(tokens(question))
        named = {fact.tokens for fact in self.facts if fact.tokens and fact.tokens <= heard}
        narrow = [group for group in named if not any(group < other for other in named)]
        if narrow:
            return [f for g in self._groups(narrow) for f in _meant(_as_written(question, g), wish, before)]
        return [f for f in self.facts if _alone(tokens(question), f.last) and holds(wish, f)]

    def _groups(self, wanted: Sequence[frozenset[str]]) -> Iterator[list[Fact]]:
        for group in dict.fromkeys(fact.tokens for fact in self.facts):
            if group in wanted:
                yield [fact for fact in self.facts if fact.tokens == group]

    def _fact(self, name: str, value: JsonValue) -> Fact:
        parts = words_of_name(name)
        pattern = r"(?<!\w)" + r"[\s_-]?".join(map(re.escape, parts)) + r"(?!\w)"
        match = re.search(pattern, self.instruction, re.IGNORECASE)
        plainly = _HYPHEN.sub("-", " ".join(parts))
        label = re.sub(r"[\s_]+", " ", match[0].lower()) if match else plainly
        label = label if tokens(label) == tokens(plainly) else plainly
        return Fact(name, label, frozenset(tokens(label)), value, as_said(value, self.instruction, self._task.language))


def as_said(value: Any, instruction: str, language: str) -> str:
    """A value as the user says it: texts in quotation marks only where the instruction has them."""
    if isinstance(value, bool):
        return _TRUTH.get(language, _TRUTH["en"])[not value]
    if value in (None, "", [], {}):
        return _EMPTY.get(language, _EMPTY["en"])
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list):
        return ", ".join(as_said(item, instruction, language) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {as_said(item, instruction, language)}" for key, item in value.items())
    text = str(value)
    return next((quoted for quoted in (f'"{text}"', f"'{text}'") if quoted in instruction), text)


def says(message: Message, value: Any) -> bool:
    """Whether a text says a value: numbers by their worth, dates by their day, texts as whole words."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return Decimal(str(value)) in {token.value for token in message.numbers}
    if isinstance(value, list | dict):
        parts = list(value.values() if isinstance(value, dict) else value)
        return bool(parts) and all(says(message, part) for part in parts)
    text = plain(str(value))
    moment = as_moment(text)
    if moment is not None and any(_same_day(moment, token.value) for token in message.dates):
        return True
    phrase = words(text)
    return bool(find_phrases(message.words, [phrase])) if phrase else bool(text.strip()) and text in message.text


def user_values(sources: Sequence[Source]) -> Iterator[str]:
    """The names of the known values in sources."""
    return (part.user for source in sources for part in sources_in(source) if isinstance(part, UserValue))


def holds(text: str, fact: Fact) -> bool:
    """Whether a text says a known value; of what is only true or false, its name."""
    if isinstance(fact.value, bool):
        return fact.tokens <= set(tokens(text))
    return says(Message(text), fact.value)


def _meant(namesakes: Sequence[Fact], wish: str, before: str) -> list[Fact]:
    distinct = list({fact.said: fact for fact in reversed(namesakes)}.values())[::-1]
    here = [fact for fact in distinct if holds(wish, fact)]
    return here or [fact for fact in distinct if holds(before, fact)][-1:] or distinct[:1]


def _same_day(one: Moment, other: object) -> bool:
    return isinstance(other, Moment) and (one.year, one.month, one.day) == (other.year, other.month, other.day)


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{Decimal(str(value)):f}"


def _alone(heard: Sequence[str], last: str) -> bool:
    """Whether the last word of a name is asked for without a word that makes it another's; an ID never is."""
    places = [place for place, word in enumerate(heard) if word == last and word != "id"]
    return any(place == 0 or heard[place - 1] in _ANY or is_function(heard[place - 1]) for place in places)


def _as_written(question: str, namesakes: list[Fact]) -> list[Fact]:
    """Of names that differ in the plural alone, those that are written as in the question, if there are any."""
    words = fold(question)
    return [fact for fact in namesakes if _holds(words, fold(fact.label))] or namesakes


def _holds(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
