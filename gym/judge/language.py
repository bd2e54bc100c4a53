"""What the rules need to know of a language: words for asking, denying, comparing, ranking, doing, ending.

Invariant: a lexicon is plain text, read once; patterns are matched against text in lower case. Not covered: grammar.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

__all__ = ["Language", "folded", "language", "stem"]

_FALLBACK = "en"


class Language(NamedTuple):
    """One lexicon."""

    code: str
    numbers: Mapping[str, int]
    """Number words that the reader of numbers does not know."""
    empty: frozenset[str]
    """Stems of words that say nothing of what is wished."""
    verbs: Mapping[str, str]
    """The class of what a word does, by stem: `book` and `reserve` are one."""
    phrases: tuple[tuple[str, re.Pattern[str]], ...]
    """Verbs of several words, by class."""
    imperative: re.Pattern[str]
    """How a sentence begins that tells somebody to do something to something."""
    before: tuple[tuple[str, re.Pattern[str]], ...]
    """Comparisons that stand directly before a value, the longest first."""
    after: tuple[tuple[str, re.Pattern[str]], ...]
    """Comparisons that stand directly after one."""
    ranks: Mapping[str, str]
    """`lowest` → min."""
    rank_words: re.Pattern[str]
    """The group `rank` is one of `ranks`, in folded letters; German has a `number` in the same word."""
    ordinals: Mapping[str, int]
    ordinal_words: re.Pattern[str]
    rank_joint: re.Pattern[str]
    """What may stand between an ordinal and its rank."""
    signs: tuple[tuple[bool, re.Pattern[str]], ...]
    """With and without, on and off: the group `noun` is what it is about."""
    asks: re.Pattern[str]
    """The agent asks for something."""
    opens: re.Pattern[str]
    """Words of questions that no yes answers."""
    consents: re.Pattern[str]
    """The agent asks whether it may."""
    announces: re.Pattern[str]
    """The agent says what it is about to do."""
    closes: re.Pattern[str]
    """The agent asks whether there is more."""
    refuses: re.Pattern[str]
    """The agent says that it cannot."""
    denies: re.Pattern[str]
    """The user says that it has or knows it not."""
    thanks: re.Pattern[str]
    """Thanks and farewells."""
    requests: re.Pattern[str]
    """The user wants something."""
    lengths: re.Pattern[str]
    """Units of time."""
    weeks: re.Pattern[str]
    counted: re.Pattern[str]
    """What directly follows a number that only counts the talk: things, minutes, requests."""
    negates: re.Pattern[str]
    """Words that turn a comparison round: not more than."""
    fallback: re.Pattern[str]
    """A sentence that says what to do where another thing is refused, or not the case."""
    naming: re.Pattern[str]
    """Words before a name."""


def folded(word: str) -> str:
    """Without accents, in lower case."""
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(c))


_ENDINGS = {
    "en": ("ations", "ation", "ments", "ings", "ing", "ies", "ied", "ers", "ed", "es", "s", "y", "e"),
    "es": ("aciones", "acion", "amente", "ando", "iendo", "ados", "adas", "ado", "ada", "idos", "ido", "arlo", "ar",
           "er", "ir", "os", "as", "es", "o", "a", "e", "s"),
    "de": ("ungen", "ung", "ieren", "iere", "iert", "ende", "sten", "ern", "en", "er", "em", "es", "st", "et", "te",
           "e", "n", "s", "t"),
}  # fmt: skip


@cache
def stem(word: str, code: str) -> str:
    """The word without a common ending; never less than three letters."""
    word = folded(word)
    for ending in _ENDINGS.get(code, _ENDINGS["en"]):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def alternatives(text: str) -> str:
    """Phrases, one a line, as a pattern of whole words; the longest first."""
    phrases = sorted((line.strip() for line in text.strip().splitlines() if line.strip()), key=len, reverse=True)
    return r"(?<!\w)(?:" + "|".join(phrase.replace(" ", r"[ \n]+") for phrase in phrases) + r")(?!\w)"


def pattern(text: str) -> re.Pattern[str]:
    return re.compile(alternatives(text))


def read_language(code: str, lexicon: Mapping[str, str]) -> Language:
    """A lexicon from its text."""
    return Language(
        code=code,
        numbers=_numbers(lexicon["numbers"]),
        empty=frozenset(stem(word, code) for word in lexicon["empty"].split()),
        verbs=_classes(lexicon["verbs"], code),
        phrases=tuple(
            (head, re.compile(alternatives("\n".join(words)))) for head, words in _tables(lexicon["phrases"])
        ),
        imperative=re.compile("|".join(lexicon["imperative"].split("\n")[1:-1])),
        before=_comparisons(lexicon["before"], r"{}[ ]?(?:[€$£#\"']|eur |usd )?$"),
        after=_comparisons(lexicon["after"], r"^[\"'.,)]?[ ]?(?:€|%|eur|usd)?[ ]?{}"),
        ranks={folded(word): line[0] for line in _tables(lexicon["ranks"]) for word in line[1]},
        rank_words=_rank_words(lexicon["ranks"], code),
        ordinals={folded(word): int(line[0]) for line in _tables(lexicon["ordinals"]) for word in line[1]},
        ordinal_words=re.compile(_any_of(folded(word) for line in _tables(lexicon["ordinals"]) for word in line[1])),
        rank_joint=re.compile(lexicon["rank joint"].strip()),
        signs=tuple((line[0] == "+", re.compile(line[1])) for line in _signs(lexicon["signs"])),
        asks=pattern(lexicon["asks"]),
        opens=pattern(lexicon["opens"]),
        consents=pattern(lexicon["consents"]),
        announces=pattern(lexicon["announces"]),
        closes=pattern(lexicon["closes"]),
        refuses=pattern(lexicon["refuses"]),
        denies=pattern(lexicon["denies"]),
        thanks=pattern(lexicon["thanks"]),
        requests=_openings(lexicon["requests"]),
        lengths=pattern(lexicon["lengths"]),
        weeks=pattern(lexicon["weeks"]),
        counted=re.compile(
            r"^[ -](?:more |other |further |weitere |andere |otras? )?" + alternatives(lexicon["counted"])[7:]
        ),
        negates=re.compile(alternatives(lexicon["negates"])[len(r"(?<!\w)") :]),
        fallback=pattern(lexicon["fallback"]),
        naming=re.compile(alternatives(lexicon["naming"]) + r"[ :]*[\"']?$"),
    )


def _openings(text: str) -> re.Pattern[str]:
    """Phrases that something else follows."""
    return re.compile(r"(?<!\w)(?:" + "|".join(line.strip() for line in text.strip().splitlines()) + r")(?=\W|(?<=\s))")


def _tables(text: str) -> Iterable[tuple[str, list[str]]]:
    for line in text.strip().splitlines():
        head, _, rest = line.strip().partition(":")
        yield head.strip(), [word.strip() for word in rest.split(",")]


def _any_of(words: Iterable[str]) -> str:
    return r"(?<!\w)(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")(?!\w)"


def _rank_words(text: str, code: str) -> re.Pattern[str]:
    words = "|".join(sorted((re.escape(folded(w)) for _, ws in _tables(text) for w in ws), key=len, reverse=True))
    number = r"(?P<number>zweit|dritt|viert|funft)?" if code == "de" else ""
    return re.compile(rf"(?<!\w){number}(?P<rank>{words})(?!\w)")


def _signs(text: str) -> Iterable[tuple[str, str]]:
    for line in text.strip().splitlines():
        yield line.strip()[0], line.strip()[2:]


def _numbers(text: str) -> dict[str, int]:
    return {word: number for number, line in enumerate(text.strip().splitlines()) for word in line.split()}


def _classes(text: str, code: str) -> dict[str, str]:
    return {stem(word, code): head for head, words in _tables(text) for word in words}


def _comparisons(text: str, frame: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = [(words.strip(), head) for head, listed in _tables(text) for words in listed]
    found.sort(key=lambda pair: -len(pair[0]))
    return tuple((head, re.compile(frame.format(rf"(?<!\w)(?:{words})(?!\w)"))) for words, head in found)


@cache
def language(code: str) -> Language:
    """The lexicon of a language; English for one that has none."""
    from autoforge.gym.judge import english, german, spanish

    lexicons = {"en": english.LEXICON, "es": spanish.LEXICON, "de": german.LEXICON}
    chosen = code if code in lexicons else _FALLBACK
    return read_language(chosen, lexicons[chosen])
