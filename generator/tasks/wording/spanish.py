"""Spanish.

Invariant: templates name only phrases that every caller gives; `¤` is the ending that agrees with the noun. Not
covered: irregular genders beyond the commonest.
"""

from __future__ import annotations

import re

from autoforge.generator.rules.words import ascii_word
from autoforge.generator.tasks.wording.grammar import Grammar, Noun, Phrase
from autoforge.generator.tasks.wording.spanish_words import CUES, TEMPLATES, VERBS
from autoforge.generator.vocabulary import word_set

__all__ = ["SPANISH"]

_MASCULINE = word_set("dia mapa programa sistema tema problema idioma planeta")
_FEMININE = word_set(
    "habitacion mano foto clave noche calle clase base parte fase red imagen orden ley flor sede serie tarde"
)
_ORDINALS = tuple(f"{w}¤" for w in "primer segund tercer cuart quint sext séptim octav noven décim".split())


class _Spanish(Grammar):
    def noun(self, text: str) -> Noun:
        head = text.split(" ")[-1 if self.foreign else 0]
        return Noun(text, "f" if _feminine(head) else "m", self.plural(text))

    def plural(self, text: str) -> str:
        if self.foreign:
            return super().plural(text)
        first, _, rest = text.partition(" ")
        if first.endswith("z"):
            first = first[:-1] + "ces"
        elif not first.endswith("s"):
            first = re.sub(r"ón$", "on", first) + ("s" if first[-1:] in "aeiouáéó" else "es")
        return f"{first} {rest}".strip()

    def indefinite(self, noun: Noun) -> Phrase:
        return Phrase(f"{'una' if noun.gender == 'f' else 'un'} {noun.text}")

    def definite(self, noun: Noun, adjective: str = "", *, many: bool = False, which: str = "the") -> Phrase:
        female = noun.gender == "f"
        article = {(False, False): "el", (True, False): "la", (False, True): "los", (True, True): "las"}[female, many]
        that = {(False, False): "ese", (True, False): "esa", (False, True): "esos", (True, True): "esas"}[female, many]
        first = {"the": article, "that": that, "same": f"{article} mism¤", "new": f"{article} nuev¤",
                 "only": f"{article} únic¤"}[which]  # fmt: skip
        before = [w for w in adjective.split(" ") if w in _ORDINALS]
        after = [w for w in adjective.split(" ") if w and w not in _ORDINALS]
        text = noun.many if many else noun.text
        words = " ".join([first, *before, text, *after])
        bare = " ".join([*before, text, *after]) if many and which == "the" else ""
        return Phrase(self._ended(words, female, many), of=self._ended(bare, female, many))

    @staticmethod
    def _ended(text: str, female: bool, many: bool) -> str:
        text = re.sub(r"\b(primer|tercer)¤", lambda m: m[1] + ("a" if female else ""), text)
        return text.replace("¤", ("a" if female else "o") + ("s" if many else ""))

    def inflect(self, adjective: str, noun: Noun) -> str:
        return self._ended(adjective, noun.gender == "f", False)

    def forms(self, word: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word.replace("¤", end) for end in ("o", "a", "", "os", "as")))

    def finish(self, text: str) -> str:
        text = re.sub(r"\bde el\b", "del", re.sub(r"\ba el\b", "al", text))
        return re.sub(r"\by (?=h?i(?!e))", "e ", text.replace("¤", "o"))


def _feminine(word: str) -> bool:
    plain = ascii_word(word.lower())
    if plain in _MASCULINE:
        return False
    return plain in _FEMININE or plain.endswith(("a", "cion", "sion", "dad", "tad", "tud", "umbre", "tion", "ity"))


SPANISH = _Spanish(
    code="es",
    templates={**TEMPLATES, **CUES},
    months=tuple("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()),
    weekdays=tuple("lunes martes miércoles jueves viernes sábado domingo".split()),
    ordinals=_ORDINALS,
    superlatives={
        "price": ("más baj¤", "más alt¤"), "date": ("más antigu¤", "más reciente"), "size": ("más pequeñ¤",
        "más grande"),
        "count": ("más baj¤", "más alt¤"), "duration": ("más cort¤", "más larg¤"), "number": ("más baj¤", "más alt¤"),
        "text": ("primer¤ por orden alfabético", "últim¤ por orden alfabético"),
    },
    adjectives={"price": ("más barat¤", "más car¤")},
    comparisons={
        "equal": "es", "not_equal": "no es", "less": "es menor que", "less_equal": "es como máximo",
        "greater": "es mayor que", "greater_equal": "es como mínimo", "contains": "contiene", "in": "es uno de",
        "less date": "es anterior a", "less_equal date": "no es posterior a", "greater date": "es posterior a",
        "greater_equal date": "no es anterior a", "not contains": "no contiene", "not in": "no es ninguno de",
    },
    verbs=VERBS,
    sides={"from": "origen", "source": "origen", "to": "destino", "target": "destino", "destination": "destino"},
    truth=("sí", "no"),
)  # fmt: skip
