"""The documented columns that a description may set: their names in words, and the values they can hold.

Invariant: a value comes out in the column's own spelling, and None where the column cannot hold it. Not covered: which
column a sentence means (`settings`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from pydantic import JsonValue

from autoforge.generator.rules.prose.numbers import number_in
from autoforge.generator.rules.prose.states import is_state
from autoforge.generator.rules.words import ascii_word, snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["Field", "Row", "fields_named", "is_status", "spellings", "truth", "value_in", "yes_or_no"]

_STATUS = word_set("status state estado situacion statut etat stato zustand situacao")
_YES = word_set("true yes on enabled verdadero wahr vrai verdadeiro vero ja si sí oui sim an ein")
_NO = word_set("false no off disabled falso falsch faux nein non nao não aus")
_POWER = word_set("on is_on power powered powered_on is_powered enabled is_enabled active is_active switched_on")


class Field(NamedTuple):
    """A documented property of the row."""

    name: str
    kind: Literal["choice", "flag", "number", "text"]
    values: tuple[JsonValue, ...] = ()
    """Of a choice: its values."""


class Row(NamedTuple):
    """What a tool's description may be about."""

    fields: tuple[Field, ...]
    nouns: frozenset[str]
    """Words for the tool's own row."""
    tool: str
    """The tool's name."""
    others: frozenset[str] = frozenset()
    """Names of the other documented tools."""
    reads: bool = False
    """Whether name and description begin with a verb of reading: then what is now so is no effect."""

    def names_another(self, text: str) -> bool:
        """Whether a text names another documented tool, by a name that is no plain word."""
        return any(w in self.others and len(split_words(w)) > 1 for w in re.findall(r"[\w.-]*\w", text))

    def is_state(self, word: str) -> bool:
        """Whether a word before a noun restricts it to rows in some state."""
        choices = (v for f in self.fields if f.kind == "choice" for v in f.values)
        return any(_same(str(v), word) for v in choices) or any(
            f.kind == "flag" and truth(f, word) is not None for f in self.fields
        )


def is_status(name: str) -> bool:
    """Whether a property holds the state of its row: `status`, `orderStatus`, `estado`."""
    words = split_words(name)
    return bool(words) and ascii_word(words[-1]) in _STATUS and len(words) <= 2


def value_in(field: Field, word: str, is_quoted: bool) -> JsonValue:
    """The value in the field's own spelling; None where it cannot hold it."""
    if field.kind == "choice":
        return next((v for v in field.values if _same(str(v), word)), None)
    if field.kind == "flag":
        said = yes_or_no(word)
        return truth(field, word) if said is None else said
    if field.kind == "number":
        return number_in({"zero": "0", "one": "1"}.get(word, word))
    return word if is_quoted or (is_status(field.name) and is_state(word) is not None) else None


def yes_or_no(word: str) -> bool | None:
    """What a word says of any flag: `on`, `nein`."""
    low = word.lower()
    return True if low in _YES else False if low in _NO else None


def truth(field: Field, word: str) -> bool | None:
    """`locked`, `unlocked` and `not locked` of a flag `is_locked`."""
    name, said = snake(field.name).removeprefix("is_"), snake(word)
    if said in ("on", "off") and snake(field.name) in _POWER:
        return said == "on"
    return True if said == name else False if said in (f"un{name}", f"not_{name}", f"in{name}") else None


def _same(value: str, word: str) -> bool:
    """Whether two spellings mean one value; number and gender of a participle do not matter."""
    left, right = snake(value), snake(word)
    stems = [re.sub(r"(?:es|as|os|en|er|e|a|o|s)$", "", w) for w in (left, right)]
    return (
        left == right
        or left.replace("_", "") == right.replace("_", "")
        or (stems[0] == stems[1] and len(stems[0]) >= 4 and " " not in word)
    )


def fields_named(name: str, fields: Sequence[Field], nouns: frozenset[str]) -> list[Field]:
    said = _spaced(name)
    exact = [f for f in fields if _spaced(f.name) == said]
    near = [f for f in fields if said in _shortened(f.name, nouns)]
    return exact or near or ([f for f in fields if is_status(f.name)] if said in _STATUS else [])


def _spaced(name: str) -> str:
    return " ".join(ascii_word(w) for w in split_words(name))


def _shortened(name: str, nouns: frozenset[str]) -> list[str]:
    """Further names of a field: `locked` for `is_locked`, `status` for `parcel_status`."""
    words = _spaced(name).split()
    return [" ".join(words[1:])] if len(words) > 1 and (words[0] in ("is", "has") or words[0] in nouns) else []


def spellings(row: Row) -> str:
    """A pattern of all names of fields."""
    fields, nouns = row.fields, row.nouns
    names = {s for f in fields for s in (f.name.lower(), _spaced(f.name), *_shortened(f.name, nouns))}
    if any(is_status(f.name) for f in fields):
        names |= _STATUS
    return "|".join(["⟦\\d+⟧", *(re.escape(n) for n in sorted(names, key=lambda n: (-len(n), n)))])
