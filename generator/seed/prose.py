"""Which line of words fits a column best: prose and categories differ between tickets, stays and products.

Invariant: the column's own words decide before the entity's, and those before what the entity refers to; where no
kind has words of its own, the general line of the meaning is taken. Not covered: the words (`words_en`).
"""

from __future__ import annotations

from autoforge.generator.ir import Attribute, Entity
from autoforge.generator.rules.meaning import split_name
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.language import words_for

__all__ = ["PROSE", "line_of", "sentences"]

PROSE = frozenset(("sentence", "paragraph", "message", "note", "comment", "question", "reason", "resolution", "review"))
"""Meanings of which rows may share a value once all values were used."""
_KINDS = {
    "failure": "failure failed rejection declined",
    "suspension": "suspension suspended line blocked",
    "seat": "seat",
    "ticket": "ticket issue incident case complaint bug problem",
    "task": "task todo project milestone checklist",
    "product": "product item article",
    "story": "movie film play book novel performance",
    "event": "event concert workshop conference course class",
    "entity": "entity node",
    "relation": "relation relationship",
    "pet": "pet animal",
    "payment": "transfer transaction payment expense bill account budget",
    "post": "post channel topic forum thread blog",
    "stay": "reservation booking stay guest room appointment",
    "order": "order delivery shipment customer",
}
"""Kinds of rows with words of their own, by nouns; the first that has words for the meaning counts."""


def line_of(meaning: str, attribute: Attribute, entity: Entity, language: str) -> str:
    """The name of the line of words, `meaning` or `meaning/kind`."""
    about = " ".join(a.references for a in entity.attributes if a.references is not None)
    for words in (set(split_name(attribute.name)), set(split_name(entity.name)), set(split_name(about))):
        for kind, nouns in _KINDS.items():
            if words & set(nouns.split()) and words_for(f"{meaning}/{kind}", language):
                return f"{meaning}/{kind}"
    return meaning


def sentences(draw: Draw, line: str, language: str, count: int) -> list[str]:
    """`count` values of a line, each used again once all were."""
    pool = draw.shuffled(words_for(line, language)[0])
    return [pool[i % len(pool)] for i in range(count)]
