"""What an agent's message is to a user: questions, requests to confirm, announcements, answers, farewells.

English, Spanish and German alike, whatever the task's language is. Invariant: every sentence is of one kind; a message
that asks something is never taken for an answer. Not covered: which values are asked for (`known`), requests for the
user's own tools (`own_side`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Literal, TypeAlias

from autoforge.gym.users import cues
from autoforge.gym.users.script import sentences
from autoforge.gym.users.words import content, fold, language_of, shared

__all__ = ["Heard", "Kind"]

Kind: TypeAlias = Literal[
    "further", "gives up", "confirm", "question", "unable", "announcement", "later", "courtesy", "statement"
]
_QUOTED = r'"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|\*\*|`[^`]*`'
_LIST = re.compile(r":\s*\n\s*(?:(?:[-*•]|\d+[.)])\s+)?|\n[^\S\n]*(?:\n[^\S\n]*)?(?:[-*•]|\d{1,3}[.)])\s+")
_LONGEST = 20_000
"""Characters of a message that are listened to."""
_LEAST_SUBJECT = 6
"""Words with a meaning that a message needs to be about something else."""


class Heard:
    """One message of the agent."""

    def __init__(self, text: str, values: Iterable[object] = ()) -> None:
        """`values` are known ones: what stands in them is no word of the agent's."""
        self.text = text[:_LONGEST].replace("’", "'")
        self._values = sorted((v for v in values if isinstance(v, str) and " " in v), key=len, reverse=True)
        self._quoted = re.compile("|".join((*map(re.escape, self._values), _QUOTED)))

    @cached_property
    def sentences(self) -> list[tuple[str, Kind]]:
        """The sentences, items of lists in the one that announces them, each with what it is."""
        joined = _LIST.sub(lambda match: ": " if match[0][0] == ":" else ", ", self.text)
        return [(s, _kind(self._quoted.sub("", s))) for s in sentences(joined, self._values)]

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(kind for _, kind in self.sentences)

    def of(self, kind: Kind) -> list[str]:
        """The sentences of a kind."""
        return [sentence for sentence, own in self.sentences if own == kind]

    @property
    def asks(self) -> bool:
        """Whether it wants anything to be said before it goes on."""
        return bool(self.kinds & {"confirm", "question"})

    @property
    def announces(self) -> bool:
        """Whether it is about to do something, or polite and no more."""
        return "announcement" in self.kinds or self.kinds <= {"courtesy", "later"}

    @property
    def unable(self) -> bool:
        """Whether it says that something cannot be done, and of nothing that it is done."""
        return "unable" in self.kinds and not any(cues.DONE.search(fold(s)) for s in self.of("statement"))

    @property
    def unclear(self) -> bool:
        """Whether a question is about what is wanted, not about a value."""
        return any(cues.CLARIFIES.search(fold(s)) for s in self.of("question"))

    def offers_other(self, subjects: frozenset[str], language: str) -> bool:
        """Whether it asks for leave to do something instead, or beside it what the task is not about."""
        asked = " ".join(map(fold, self.of("confirm")))
        said = content(asked) - cues.GENERAL
        beside = cues.MORE.search(asked) is not None and bool(said) and not shared(said, subjects)
        return cues.OTHER.search(asked) is not None or (beside and language_of(self.text) == language)

    @property
    def wants_part(self) -> bool:
        """Whether it tells the user to do its part, whatever that is."""
        return cues.YOUR_PART.search(fold(self.text)) is not None and "later" not in self.kinds

    @property
    def gives_leave(self) -> bool:
        """Whether it tells a user who said what its part is to go ahead."""
        return cues.YOUR_TURN.search(fold(self.text)) is not None and not self.kinds & {"later", "announcement"}

    @property
    def affirms(self) -> bool:
        """Whether it begins with yes."""
        return cues.AFFIRMS.match(fold(self.text)) is not None

    def strays(self, subjects: frozenset[str], language: str) -> bool:
        """Whether it is in the language of the task and about something else entirely."""
        said = content(self.text)
        elsewhere = len(said) >= _LEAST_SUBJECT and not shared(said, subjects)
        return elsewhere and self.kinds <= {"statement", "question"} and language_of(self.text) == language


def _kind(sentence: str) -> Kind:
    """What a sentence is, without what it quotes."""
    said = fold(sentence)
    if cues.FURTHER.search(said):
        return "further"
    if cues.GIVES_UP.search(said):
        return "gives up"
    asking = "?" in said or "¿" in said
    if cues.WAITS.search(said) or (asking and cues.CONFIRMS.search(said) and not cues.WHICH.search(said)):
        return "confirm"
    if asking or cues.ASKS.search(said):
        return "question"
    if cues.UNABLE.search(said) and not cues.OTHER.search(said):
        return "unable"
    kind = _told(said)
    return "announcement" if kind == "statement" and cues.FUTURE.search(sentence.casefold()) else kind


def _told(said: str) -> Kind:
    """What a sentence is that asks nothing."""
    polite = cues.COURTESY.match(said)
    rest = said[polite.end() :] if polite else said
    if not rest.strip(" .!,;:"):
        return "courtesy" if polite and not cues.DONE.search(said) else "statement"
    if cues.LATER.search(rest):
        return "later"
    return "announcement" if cues.ANNOUNCES.search(rest) and not cues.CONDITION.match(rest) else "statement"
