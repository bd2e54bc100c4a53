"""Words and values of made-up rows: titles, codes, addresses, names, and ids.

Many words are letters by chance, so that every token of the vocabulary is copied at times. Invariant: the same dice
give the same value. Not covered: which field gets which (`dialogues`).
"""

from __future__ import annotations

from random import Random

from faker.providers.lorem.en_US import Provider

from autoforge.trainer.tiny.words import ENGLISH, SYLLABLES

__all__ = ["identifier", "invented", "quoted", "value"]

_COMMON = tuple(Provider.word_list)

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = "0123456789"
_FREQUENT = "aaabcdeeeefghiiijklmnnooopqrrssttuuvwxyz"


def value(dice: Random) -> str:
    """Something that a thing may be found by, or set to."""
    kind = dice.random()
    if kind < 0.55:
        return _title(dice)
    if kind < 0.85:
        return "".join(dice.choices(_LETTERS, k=dice.randint(1, 4))) + dice.choice(["-", "", "-"]) + _number(2, 8, dice)
    if kind < 0.93:
        host = "".join(dice.choices(SYLLABLES, k=3)) + dice.choice([".com", ".org", ".net"])
        return f"{_word(dice).lower()}.{_word(dice).lower()}@{host}"
    return f"{dice.choice(ENGLISH).capitalize()} {_word(dice).capitalize()}"


def identifier(noun: str, dice: Random) -> int | str:
    """Mostly a number."""
    if dice.random() < 0.75:
        return dice.randint(1, dice.choice([9, 99, 99, 999, 9999]))
    prefix = f"{noun[: dice.randint(1, 3)].upper()}-" if dice.random() < 0.6 else ""
    return prefix + "".join(dice.choices(_DIGITS + "abcdef", k=dice.randint(3, 6)))


def quoted(text: str, dice: Random) -> str:
    """In quotation marks, or not."""
    return f'"{text}"' if dice.random() < 0.45 else text


def _title(dice: Random) -> str:
    text = " ".join(_word(dice) for _ in range(dice.randint(2, 6)))
    return text[0].upper() + text[1:] + (f" {dice.randint(2, 9)}" if dice.random() < 0.25 else "")


def invented(dice: Random) -> str:
    """A word that nobody knows."""
    if dice.random() < 0.5:
        return "".join(dice.choices(_FREQUENT, k=dice.randint(3, 10)))
    return "".join(dice.choices(SYLLABLES, k=dice.randint(2, 4)))


def _word(dice: Random) -> str:
    kind = dice.random()
    found = invented(dice) if kind < 0.45 else dice.choice(ENGLISH if kind < 0.6 else _COMMON)
    return found.capitalize() if dice.random() < 0.3 else found


def _number(least: int, most: int, dice: Random) -> str:
    return "".join(dice.choices(_DIGITS, k=dice.randint(least, most)))
