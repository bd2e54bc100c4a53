"""Sentences of users and agents from which calibration dialogues are made, in two halves per purpose.

Invariant: the halves share no sentence; rules are tuned on `development` and measured on `held_out`, and no rule reads
a phrase. Not covered: who says what when (`dialogues`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["HALVES", "Half", "Phrasebook", "capitalised", "lowered", "phrasebook"]

Half: TypeAlias = Literal["development", "held_out"]
HALVES: tuple[Half, Half] = ("development", "held_out")
_MARK = "--"
"""The line between the halves."""


class Phrasebook(NamedTuple):
    """One half in one language."""

    language: str
    half: Half
    phrases: Mapping[str, tuple[str, ...]]
    verbs: Mapping[str, str]
    """Words, and others that say the same."""
    numbers: tuple[str, ...]
    """In words, from zero."""
    months: tuple[str, ...]
    dates: tuple[str, ...]
    """Ways to write a date: `{day}`, `{month}`, `{year}`, `{m}`, `{d}`."""
    opposites: tuple[tuple[str, str], ...]
    """Words, and others that say the opposite."""

    def say(self, purpose: str, chance: random.Random, **parts: object) -> str:
        """A sentence for a purpose; `{Wish}` is the part `wish` with a capital."""
        template = chance.choice(self.phrases[purpose])
        whole = {**parts, **{name.capitalize(): capitalised(str(value)) for name, value in parts.items()}}
        return capitalised(template.format(**whole))


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """The text as it goes on after other words; names and abbreviations stay."""
    return text if re.match(r"(?:I|I'm|I'd|[A-Z]{2,}|\W)", text + " ") and not text[1:2].islower() else (
        text[:1].lower() + text[1:]
    )  # fmt: skip


def phrasebook(language: str, half: Half) -> Phrasebook:
    """The half of a language; English for one that has none."""
    from autoforge.gym.judge import english_phrases, german_phrases, spanish_phrases

    modules = {"en": english_phrases, "es": spanish_phrases, "de": german_phrases}
    module = modules.get(language, english_phrases)
    number = HALVES.index(half)
    return Phrasebook(
        language=language if language in modules else "en",
        half=half,
        phrases={purpose: _half(text, number) for purpose, text in module.PHRASES.items()},
        verbs=dict(_pairs(module.VERBS[number])),
        numbers=tuple(module.NUMBERS.split()),
        months=tuple(module.MONTHS.split()),
        dates=tuple(_lines(module.DATES[number])),
        opposites=tuple(_pairs(module.OPPOSITES[number])),
    )


def _half(text: str, number: int) -> tuple[str, ...]:
    return tuple(_lines(text.split(f"\n{_MARK}\n")[number]))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines() if line.strip()]


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(first.strip(), second.strip()) for first, second in (line.split("=") for line in _lines(text))]
