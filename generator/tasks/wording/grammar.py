"""What a language needs to make phrases: articles, cases, plurals, lists, and its templates.

A phrase has a text per case; `{thing:dat}` in a template takes one. Invariant: a language that tells no cases apart has
one text for all. Not covered: the languages themselves (`english`, `spanish`, `german`).
"""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autoforge.generator.rules.words import plural

__all__ = ["Grammar", "Noun", "Phrase"]


@dataclass(frozen=True)
class Phrase:
    """A phrase in every case of its language: `nom`, `acc`, `dat`, and `of` (after a word of quantity: number of …);
    the first stands for those that are missing."""

    nom: str
    acc: str = ""
    dat: str = ""
    of: str = ""

    def __format__(self, case: str) -> str:
        return (getattr(self, case) if case else "") or self.nom

    def __str__(self) -> str:
        return self.nom

    def plus(self, tail: str) -> Phrase:
        """With words after it."""
        return Phrase(*(f"{p} {tail}".strip() if p else "" for p in (self.nom, self.acc, self.dat, self.of)))


@dataclass(frozen=True)
class Noun:
    """A noun as it stands in a dictionary."""

    text: str
    gender: str = "n"
    many: str = ""


@dataclass(frozen=True)
class Grammar(ABC):
    """A language. Templates are alternatives by name; most are filled with phrases."""

    code: str
    templates: Mapping[str, tuple[str, ...]]
    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    ordinals: tuple[str, ...]
    """From the first."""
    superlatives: Mapping[str, tuple[str, str]]
    """Kind of field (`price`, `date`, `time`, `count`, `size`, `rating`, `number`) -> adjectives of least and most."""
    adjectives: Mapping[str, tuple[str, str]]
    """Kind of field -> adjectives of the thing itself (`cheapest`), where there are."""
    comparisons: Mapping[str, str]
    """Comparison -> words before the value; `less date` and the like for dates."""
    verbs: Mapping[str, str] = field(default_factory=dict)
    """English verb -> imperative, for documentation in English; empty for English itself."""
    sides: Mapping[str, str] = field(default_factory=dict)
    """First word of a reference (`from`, `to`) -> adjective of what it names."""
    foreign: bool = False
    """Whether the nouns are of documentation in English."""
    truth: tuple[str, str] = ("true", "false")

    # What depends on the language's articles.

    def noun(self, text: str) -> Noun:
        """A noun of the documentation."""
        return Noun(text, "n", self.plural(text))

    def plural(self, text: str) -> str:
        head, _, last = text.rpartition(" ")
        return f"{head} {plural(last)}".strip()

    @abstractmethod
    def indefinite(self, noun: Noun) -> Phrase:
        """`a reservation`."""

    @abstractmethod
    def definite(self, noun: Noun, adjective: str = "", *, many: bool = False, which: str = "the") -> Phrase:
        """`which`: `the`, `that` (shown before), `same`, `new`, `only`."""

    def name(self, text: str) -> str:
        """A field or parameter inside a sentence."""
        return text

    def named(self, noun: Noun, value: str) -> Phrase:
        """A row by its identity: `reservation R-7`, `the user alice`."""
        the = self.definite(noun)
        return Phrase(*(f"{form} {value}" if form else "" for form in (the.nom, the.acc, the.dat)))

    def inflect(self, adjective: str, noun: Noun) -> str:
        """The adjective in the form that the noun asks for."""
        return adjective

    def forms(self, word: str) -> tuple[str, ...]:
        """The inflected forms of a word of the grammar."""
        return (word,)

    def agree(self, name: str, words: str) -> str:
        """The words of a comparison after a field that may be a plural."""
        return words

    def finish(self, text: str) -> str:
        """Contractions and the like, over a whole text."""
        return text

    # What is the same everywhere.

    def say(self, template: str, chance: random.Random | None = None, **parts: object) -> str:
        """One of the alternatives, filled; the first without `chance`."""
        options = self.templates[template]
        return self.fill(chance.choice(options) if chance is not None else options[0], parts)

    @staticmethod
    def fill(pattern: str, parts: Mapping[str, object]) -> str:
        """A template filled; what is no phrase is the same in every case."""
        return pattern.format(**{k: Phrase(v) if isinstance(v, str) else v for k, v in parts.items()})

    def series(self, parts: Sequence[str], last: str = "and") -> str:
        """`a, b and c`; semicolons where a part has a comma."""
        word = self.templates[last][0]
        if len(parts) <= 1:
            return "".join(parts)
        mark = "; " if any(", " in re.sub(r'"[^"]*"', "", part) for part in parts) else ", "
        return f"{mark.join(parts[:-1])}{';' if mark == '; ' else ''} {word} {parts[-1]}"

    def ordinal(self, n: int) -> str:
        return self.ordinals[n - 1] if n <= len(self.ordinals) else f"{n}."
