"""A source of chance for one purpose: a column of an entity, or what several columns of a row have in common.

Invariant: the stream depends on the names it is made from only, so a new column leaves the values of the others alone,
and every process draws the same. Faker is imported at first use and has one instance per locale, which each stream
makes its own before use. Not covered: what is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from faker import Faker

__all__ = ["Draw", "locale_of"]

T = TypeVar("T")

_LOCALES = {"es": "es_ES", "de": "de_DE", "fr": "fr_FR", "pt": "pt_BR", "it": "it_IT", "zh": "zh_CN", "ja": "ja_JP"}


def locale_of(language: str) -> str:
    """The Faker locale of an ISO 639-1 code; American English where there is none."""
    return _LOCALES.get(language, "en_US")


@cache
def _faker(locale: str) -> Faker:
    from faker import Faker

    return Faker(locale)


class Draw:
    """Chance from a seed and the names of a purpose."""

    __slots__ = ("_locale", "random")

    def __init__(self, seed: int, *purpose: str, language: str = "en") -> None:
        self.random = random.Random("\x1f".join((str(seed), *purpose)))
        self._locale = locale_of(language)

    @property
    def fake(self) -> Faker:
        """Faker, drawing from this stream until another stream asks for it."""
        fake = _faker(self._locale)
        for generator in fake.factories:
            generator.random = self.random
        return fake

    def integer(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return self.random.randint(low, max(low, high))

    def real(self, low: float, high: float) -> float:
        return self.random.uniform(low, high)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one(self, items: Sequence[T]) -> T:
        return items[self.random.randrange(len(items))]

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Distinct items, at most as many as there are."""
        return self.random.sample(list(items), min(count, len(items)))

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return self.random.sample(list(items), len(items))
