"""German.

Invariant: templates take the case that their preposition asks for. Not covered: genders beyond the commonest endings,
and plurals that no rule tells.
"""

from __future__ import annotations

import re

from autoforge.generator.tasks.wording.german_words import CUES, TEMPLATES, VERBS
from autoforge.generator.tasks.wording.grammar import Grammar, Noun, Phrase
from autoforge.generator.vocabulary import word_set

__all__ = ["GERMAN"]

_FEMININE = word_set(
    "buchung bestellung nummer person adresse karte rechnung order reservation company nacht zeit stadt art"
)
_NEUTER = word_set(
    "konto buch zimmer datum ticket projekt paket auto geraet gerät team produkt event item file dokument"
)
_CASES = ("nom", "acc", "dat")
_THE = {"m": ("der", "den", "dem"), "f": ("die", "die", "der"), "n": ("das", "das", "dem"), "p": ("die", "die", "den")}
_THIS = {"m": ("dieser", "diesen", "diesem"), "f": ("diese", "diese", "dieser"), "n": ("dieses", "dieses", "diesem"),
         "p": ("diese", "diese", "diesen")}  # fmt: skip
_A = {"m": ("ein", "einen", "einem"), "f": ("eine", "eine", "einer"), "n": ("ein", "ein", "einem")}
_WEAK = {"m": ("e", "en", "en"), "f": ("e", "e", "en"), "n": ("e", "e", "en"), "p": ("en", "en", "en")}
_KINDS = {"new": "neu¤", "only": "einzig¤"}
_ORDINALS = tuple(f"{w}¤" for w in "erst zweit dritt viert fünft sechst siebt acht neunt zehnt".split())


class _German(Grammar):
    def noun(self, text: str) -> Noun:
        return Noun(text, _gender(text.split(" ")[-1].lower()), self.plural(text))

    def plural(self, text: str) -> str:
        if self.foreign:
            return super().plural(text)
        head, _, last = text.rpartition(" ")
        low = last.lower()
        if low.endswith(("ung", "heit", "keit", "schaft", "ion", "tät")):
            last += "en"
        elif low.endswith("e"):
            last += "n"
        elif not low.endswith(("er", "el", "en", "s")):
            last += "s" if low.endswith(("a", "i", "o", "u", "y", "t", "k", "m", "p")) else "e"
        return f"{head} {last}".strip()

    def indefinite(self, noun: Noun) -> Phrase:
        return Phrase(*(f"{form} {noun.text}" for form in _A[noun.gender]))

    def definite(self, noun: Noun, adjective: str = "", *, many: bool = False, which: str = "the") -> Phrase:
        gender = "p" if many else noun.gender
        articles = _THIS if which in ("that", "same") else _THE
        adjective = re.sub(r"\b(\w+)¤ (?=\w+¤)", r"\1", adjective)  # the second earliest is one word: zweitfrühest
        words = [w for w in (_KINDS.get(which, ""), adjective) if w]
        text = noun.many if many else noun.text
        forms = [" ".join([article, *(w.replace("¤", end) for w in words), text])
                 for article, end in zip(articles[gender], _WEAK[gender], strict=True)]  # fmt: skip
        of = " ".join(["der", *(w.replace("¤", "en") for w in words), text]) if many and which == "the" else ""
        return Phrase(forms[0], forms[1], forms[2], of)

    def inflect(self, adjective: str, noun: Noun) -> str:
        return adjective.replace("¤", "en")

    def forms(self, word: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word.replace("¤", end) for end in ("en", "e", "er", "es", "em")))

    def finish(self, text: str) -> str:
        for whole, short in (
            ("von dem", "vom"),
            ("zu dem", "zum"),
            ("in dem", "im"),
            ("an dem", "am"),
            ("zu der", "zur"),
        ):
            text = text.replace(f" {whole} ", f" {short} ")
        return text.replace("¤", "e")


def _gender(word: str) -> str:
    if word in _FEMININE or word.endswith(
        ("ung", "heit", "keit", "schaft", "ion", "tät", "ei", "nummer", "adresse", "ity")
    ):
        return "f"
    if word in _NEUTER or word.endswith(("chen", "lein", "um", "ment", "datum", "konto", "buch")):
        return "n"
    return "f" if word.endswith("e") and not word.endswith(("name", "ee", "ze", "kunde")) else "m"


GERMAN = _German(
    code="de",
    templates={**TEMPLATES, **CUES},
    months=tuple("Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()),
    weekdays=tuple("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split()),
    ordinals=_ORDINALS,
    superlatives={
        "price": ("niedrigst¤", "höchst¤"), "date": ("frühest¤", "spätest¤"), "size": ("kleinst¤", "größt¤"),
        "count": ("niedrigst¤", "höchst¤"), "duration": ("kürzest¤", "längst¤"), "number": ("niedrigst¤", "höchst¤"),
        "text": ("alphabetisch erst¤", "alphabetisch letzt¤"),
    },
    adjectives={"price": ("günstigst¤", "teuerst¤")},
    comparisons={
        "equal": "ist", "not_equal": "ist nicht", "less": "ist kleiner als", "less_equal": "ist höchstens",
        "greater": "ist größer als", "greater_equal": "ist mindestens", "contains": "enthält", "in": "ist eines von",
        "less date": "liegt vor", "less_equal date": "liegt nicht nach", "greater date": "liegt nach",
        "greater_equal date": "liegt nicht vor", "not contains": "enthält nicht", "not in": "ist keines von",
    },
    verbs=VERBS,
    truth=("ja", "nein"),
)  # fmt: skip
