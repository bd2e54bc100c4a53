"""What kind of value a field holds, by its name and type: which superlative fits, how a flag is said.

Invariant: a superlative that is an adjective of the thing itself (`cheapest`) is given only where one field of the row
can be meant. Not covered: the words of other languages than the names' own (`grammar` has them by kind).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from autoforge.generator.rules.verbs import verb_of
from autoforge.generator.rules.words import split_words
from autoforge.generator.tasks.wording.grammar import Grammar
from autoforge.generator.tasks.wording.names import english_name, last_name
from autoforge.generator.vocabulary import word_set

__all__ = ["Superlative", "flag_words", "is_noun", "kind_of_field", "of_its_own", "superlative"]

_PRICE = word_set("price cost fare precio coste preis kosten")
_RATE = word_set(
    "rate fee amount balance total charge tariff importe tarifa saldo betrag gebuehr budget salary revenue"
)
_SIZE = word_set("size capacity area volume weight tamano capacidad groesse gewicht length height width")
_DURATION = word_set("duration minutes hours days seconds nights duracion dauer runtime")
_DATES = word_set("date day at on time datetime timestamp fecha datum deadline due")
_FLAGS = re.compile(
    r"(?:active|open|public|private|hidden|visible|available|urgent|paid|free|new|read|unread|ready|valid|online|offline|"
    r"alive|done|complete|private|closed|free|secret|hidden|readonly|mandatory|optional|required|default|"
    r"primary|on duty|\w{3,}(?:ed|able|ible)|activ[oa]|"
    r"disponible|aktiv|verfügbar|\w{4,}(?:ad[oa]|id[oa]))"
)


class Superlative(NamedTuple):
    adjective: str
    """`cheapest`, or `lowest` with the field's name."""
    of_thing: bool
    """Whether it is said of the thing itself."""


def of_its_own(name: str, noun: str) -> str:
    """The name of a field of a thing; that of the message of a message is its text."""
    return "text" if name == noun else name


def kind_of_field(path: str, type: str) -> str:
    """A key of `Grammar.superlatives`."""
    words = set(split_words(last_name(path)))
    if type == "date" or (type == "text" and words & _DATES):
        return "date"
    if type == "text":
        return "text"
    if words & (_PRICE | _RATE):
        return "price"
    if words & _DURATION:
        return "duration"
    return "size" if words & _SIZE else "number"


def superlative(path: str, type: str, most: bool, others: Iterable[str], grammar: Grammar) -> Superlative:
    """How the item is called that has most (or least) of a field; `others` are the fields beside it."""
    words = set(split_words(last_name(path)))
    prices = [o for o in {path, *others} if set(split_words(last_name(o))) & (_PRICE | _RATE)]
    if words & _PRICE and len(prices) == 1:
        return Superlative(grammar.adjectives["price"][most], True)
    return Superlative(grammar.superlatives[kind_of_field(path, type)][most], False)


def is_noun(name: str) -> bool:
    """Whether a flag is called by a thing: `breakfast`, `seaView`; not by what is done or is so (`do_only_once`)."""
    words = split_words(name)
    return (
        bool(words)
        and len(words) <= 2
        and words[0]
        not in ("do", "is", "has", "can", "must", "should", "only", "use", "allow", "not", "no", "in", "on")
        and verb_of(words[0]) is None
        and flag_words(name) is None
    )


def flag_words(name: str) -> str | None:
    """What a thing *is* where a flag is true: `isActive` → active, `enabled` → enabled; None where the name is none
    that can be said so.
    """
    text = english_name(name)
    return text if _FLAGS.fullmatch(text) else None
