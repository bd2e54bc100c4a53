"""Words as a listener compares them: without case, accents, plural and choice among synonyms, in three languages.

Invariant: a name and a sentence go through the same steps, so what was alike stays alike. Not covered: grammar; values
(`known`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["content", "fold", "is_function", "language_of", "shared", "tokens", "words_of_name"]

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SPELLINGS = {
    "email": r"e[- ]?mail[- ]?adresse|e[- ]mails?|correos? electronicos?",
    "birth date": r"date of birth|birthday|birthdate|geburtsdatum",
    "first name": r"given name|vorname",
    "last name": r"surname|family name|nachname",
    "phone number": r"telefonnummer|phone no",
}
_SPELLING = re.compile(rf"\b(?:{'|'.join(f'({pattern})' for pattern in _SPELLINGS.values())})\b")
_SPELLED = (*_SPELLINGS,)
_SYNONYMS = """
email mail correo
phone telephone telefono telefon
name nombre
date fecha datum
birth nacimiento geburt
title titulo titel
author autor
genre genero
reason motivo grund
amount importe betrag monto
day dia tag
year anio ano jahr
kind tipo art
price precio preis
id identifier identificador kennung
status estado
payment pago zahlung
address direccion adresse
city ciudad stadt
country pais land
description descripcion beschreibung
quantity cantidad menge
note nota notiz
book libro buch
member socio mitglied
room habitacion zimmer
"""
_CANONICAL = {word: line.split()[0] for line in _SYNONYMS.strip().splitlines() for word in line.split()}
_FUNCTION = {
    "en": """a an the and or but if then else of to in on at for from with without by as is are was were be been being
    am has have had do does did done will would shall should can could may might must not no yes it its this that these
    those there here i you he she we they me my your his her our their us them what which who whom whose when where why
    how please so too also just only now more most any some all each other another than about into out up down over
    after before again very like need want thing things few get give let make know look find help""",
    "es": """el la los las un una unos unas y o u pero si no de del al a en con sin por para como es son era fue ser
    estar esta este esto estos estas ese esa eso esos esas ha han he hay hacer hace que cual cuales quien cuando donde
    porque se le les lo me mi mis tu tus su sus nos yo usted ustedes ya muy mas menos tambien solo todo toda todos
    todas otro otra algo favor ahora despues luego""",
    "de": """der die das den dem des ein eine einen einem einer und oder aber wenn falls nicht kein keine ist sind war
    waren sein habe hat haben hatte wird werden wurde kann soll muss darf mochte von zu zum zur im in an am auf aus bei
    mit ohne nach vor fur uber unter um als wie was welche welcher welches wer wann wo warum ich du er sie es wir ihr
    mir dir ihnen mein dein bitte auch nur noch schon jetzt dann danach alle mehr""",
}  # fmt: skip
_WORDS_OF = {code: frozenset(text.split()) for code, text in _FUNCTION.items()}
_EVERY = frozenset().union(*_WORDS_OF.values())
_LEAST_CONTENT = 4
_ROOT = 4


def fold(text: str) -> str:
    """Lower case without accents; some terms in one spelling."""
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))
    return _SPELLING.sub(lambda match: _SPELLED[(match.lastindex or 1) - 1], plain)


def tokens(text: str) -> list[str]:
    """The words in order, each as the first of its synonyms, in the singular."""
    return [_token(word) for word in _WORD.findall(fold(text))]


def words_of_name(name: str) -> tuple[str, ...]:
    """The words of `check_in_date_2` or `checkInDate`, without the number that tells namesakes apart."""
    return tuple(_WORD.findall(re.sub(r"_\d+$", "", _CAMEL.sub("_", name)).lower())) or (name,)


def is_function(word: str) -> bool:
    """Whether a word has no meaning of its own, in one of the languages."""
    return word in _EVERY


def content(text: str) -> frozenset[str]:
    """The words that carry meaning."""
    found = _WORD.findall(fold(text))
    return frozenset(_token(w) for w in found if len(w) >= _LEAST_CONTENT and w not in _EVERY and not w.isdigit())


def shared(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether a word of one is a form of a word of the other."""
    roots = {word[:_ROOT] for word in other}
    return any(word[:_ROOT] in roots for word in one)


def language_of(text: str) -> str:
    """`en`, `es` or `de` by its function words; empty where that does not tell."""
    found = _WORD.findall(fold(text))
    counts = sorted(((sum(w in own for w in found), code) for code, own in _WORDS_OF.items()), reverse=True)
    (best, code), (second, _) = counts[:2]
    return code if best > second else ""


def _token(word: str) -> str:
    plain = word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
    return _CANONICAL.get(word) or _CANONICAL.get(plain, plain)
