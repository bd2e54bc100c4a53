"""Small words of documentation, by language: articles and the like, prepositions.

Invariant: sets of lower-case words; English stands in for languages that are not listed. Not covered: the words of
instructions (`grammar`).
"""

from __future__ import annotations

from autoforge.generator.vocabulary import word_set

__all__ = ["DATIVE", "determiners", "prepositions"]

_DETERMINERS = {
    "en": word_set(
        "a an the this that these those one all multiple several some any each every your my its existing "
        "specific specified "
        "particular single another given current"
    ),
    "es": word_set("un una uno unos unas el la los las lo este esta estos estas tu su todos todas cada al del"),
    "de": word_set("ein eine einen einem einer eines der die das den dem des alle dein deine sein seine ihr ihre"),
}
_PREPOSITIONS = {
    "en": word_set(
        "to from in on at for by with of into onto about using under within between over and or per as without"
    ),
    "es": word_set("a en de del al con por para sobre entre según sin y o desde hasta"),
    "de": word_set(
        "in im an am auf aus bei mit nach von vom zu zum zur für über unter vor zwischen und oder ohne durch"
    ),
}
DATIVE = word_set("zu von mit bei aus nach in an auf zum zur im am vom vor unter")
"""German prepositions that mostly take the dative."""


def determiners(language: str) -> frozenset[str]:
    return frozenset(_DETERMINERS.get(language, _DETERMINERS["en"]))


def prepositions(language: str) -> frozenset[str]:
    return frozenset(_PREPOSITIONS.get(language, _PREPOSITIONS["en"]))
