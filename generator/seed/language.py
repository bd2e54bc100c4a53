"""The language of a world, from the words of its names and descriptions, and its words for seed values.

Invariant: English unless another language clearly has more of its own small words and letters. Not covered: mixed
documents.
"""

from __future__ import annotations

import re
from functools import cache

from autoforge.generator.ir import World
from autoforge.generator.seed.words_asia import ASIA
from autoforge.generator.seed.words_en import ENGLISH
from autoforge.generator.seed.words_europe import EUROPE

__all__ = ["currency_of", "language_of", "words_for"]

_SMALL = {
    "en": "the of and to in is for with by or an are be that which as from on all this",
    "es": "el los las del una para con por que de la en es y nombre fecha cliente codigo lista numero precio pedido",
    "de": "der die das und ein eine einer des den dem mit von fur ist zu im oder nach alle kunde nummer preis gibt",
    "fr": "le les des une du pour avec par qui que de la en est et aux nom numero prix liste commande",
    "pt": "da dos das uma um para por que de em ao nome cliente numero preco lista pedido",
    "it": "il lo gli del della dei delle una con di che nome cliente numero prezzo elenco ordine",
}
_LETTERS = {"es": "ñ¿¡óá", "de": "ßäöü", "fr": "êèçœà", "pt": "ãõçê", "it": "òàèù"}
_CURRENCIES = {"en": "USD", "es": "EUR", "de": "EUR", "fr": "EUR", "it": "EUR", "pt": "BRL", "zh": "CNY", "ja": "JPY"}
_CURRENCY = re.compile(r"\b(USD|EUR|GBP|JPY|CHF|CAD|AUD|BRL|MXN|INR|CNY|SEK)\b")


def _text(world: World) -> str:
    operations = (f"{o.tool} {o.summary}" for o in world.operations)
    columns = (f"{a.name} {a.description}" for e in world.entities for a in e.attributes)
    names = (f"{e.name} {e.title}" for e in world.entities)
    return " ".join((world.title, world.description, *names, *columns, *operations, *world.policy))


def language_of(world: World) -> str:
    """ISO 639-1 code, one of en es de fr pt it zh ja."""
    text = _text(world)
    letters = sum(c.isalpha() for c in text) or 1
    if sum("\u3040" <= c <= "\u30ff" for c in text) > 0.05 * letters:
        return "ja"
    if sum("\u4e00" <= c <= "\u9fff" for c in text) > 0.15 * letters:
        return "zh"
    found = re.findall(
        r"[a-z]+",
        text.lower().replace("ü", "u").replace("é", "e").replace("ó", "o").replace("ú", "u").replace("_", " "),
    )
    scores = {language: float(sum(w in set(small.split()) for w in found)) for language, small in _SMALL.items()}
    for language, signs in _LETTERS.items():
        scores[language] += 2 * sum(text.lower().count(sign) for sign in signs)
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] >= 4 and scores[best] > 1.3 * scores["en"] else "en"


def currency_of(world: World, language: str) -> str:
    """The one currency of a world: what its documents name, else that of its language."""
    named = _CURRENCY.findall(_text(world))
    return max(sorted(set(named)), key=named.count) if named else _CURRENCIES[language]


@cache
def words_for(meaning: str, language: str) -> tuple[tuple[str, ...], ...]:
    """The parts to join for a meaning; one part where values are whole; empty where there are no words for it."""
    own = {**EUROPE, **ASIA}.get(language, {})
    line = own.get(meaning) or ("" if "/" in meaning and language in (*EUROPE, *ASIA) else ENGLISH.get(meaning, ""))
    return tuple(tuple(part.strip().split("|")) for part in line.split(" + ")) if line else ()
