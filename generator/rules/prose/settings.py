"""Columns that a description sets outright: “Sets the status of a parcel to held”, “its tier becomes gold”, “marks it
as paid”, “turns the lamp off”.

Invariant: the column is documented and can hold the value, the row is the tool's own, and no condition stands before or
after; anything else gives nothing. Not covered: counters that move and what other rows become (`effects`), what must
hold before (`conditions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from pydantic import JsonValue

from autoforge.generator.rules.prose.numbers import number_in
from autoforge.generator.rules.prose.sentences import arguments_section, quote, segments, sentences, unquote
from autoforge.generator.rules.prose.setting_words import (
    ASIDE,
    BECOME,
    DETERMINER,
    HEDGE,
    LAST,
    LIT,
    MARK,
    OF,
    POWER,
    PUT,
    SET,
    THEN,
    TO,
)
from autoforge.generator.rules.prose.states import is_state
from autoforge.generator.rules.words import ascii_word, singular, snake, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["Field", "Setting", "is_status", "settings_in"]


class Field(NamedTuple):
    """A documented property of the row."""

    name: str
    kind: Literal["choice", "flag", "number", "text"]
    values: tuple[JsonValue, ...] = ()
    """Of a choice: its values."""


class Setting(NamedTuple):
    """What a description says outright."""

    field: str
    """The property, as documented."""
    value: JsonValue
    message: str
    """The part of the sentence that says so."""
    first: bool
    """Whether it is the first thing that the description says: then it is the tool's act."""


class _Text(NamedTuple):
    """A segment without accents and capitals; quoted words are numbers in brackets."""

    plain: str
    quoted: tuple[str, ...]

    def word(self, text: str) -> tuple[str, bool]:
        """The text as written, and whether it was quoted."""
        token = re.fullmatch(r"⟦(\d+)⟧", text)
        return (self.quoted[int(token.group(1))], True) if token else (text, False)


_STATUS = word_set("status state estado situacion statut etat stato zustand situacao")
_YES = word_set("true yes on enabled verdadero wahr vrai verdadeiro vero ja si an ein")
_NO = word_set("false no off disabled falso falsch faux nein non aus")
_POWER = word_set("on is_on power powered powered_on is_powered enabled is_enabled active is_active switched_on")
_ITSELF = word_set("it them this that one item record row given specified es sie ihn lo la le las los ello celui-ci")
_WORD = r"[\w'-]+"
_NOUN = rf"(?:{_WORD} ){{0,3}}?{_WORD}"
_VALUE = r"⟦\d+⟧|-?[\w][\w.,-]*(?: [\w-]+){0,2}"


def is_status(name: str) -> bool:
    """Whether a property holds the state of its row: `status`, `orderStatus`, `estado`."""
    words = split_words(name)
    return bool(words) and ascii_word(words[-1]) in _STATUS and len(words) <= 2


def settings_in(description: str, fields: Sequence[Field], nouns: frozenset[str]) -> list[Setting]:
    """What the description sets outright, one value a field; `nouns` are words for the tool's own row."""
    found: dict[str, Setting] = {}
    entries = arguments_section(description)
    first = True
    for sentence in sentences(description):
        if any(sentence.startswith((f"{name}:", f"{name} (")) for name in entries):
            continue
        for segment in segments(sentence):
            for setting in _of_segment(segment, fields, nouns, first):
                found.setdefault(setting.field, setting)
            first = False
    return list(found.values())


def _of_segment(segment: str, fields: Sequence[Field], nouns: frozenset[str], first: bool) -> Iterator[Setting]:
    text = _folded(segment)
    for pattern, acts in _frames(_spellings(fields, nouns)):
        for match in pattern.finditer(text.plain):
            if HEDGE.search(text.plain[: match.start("value")]) or not _is_own(match, nouns):
                continue
            start = first and acts and not text.plain[: match.start()].strip()
            told = list(_chain(match, text, fields, nouns, pattern))
            yield from (Setting(field, value, segment, start) for field, value in told)
            if told:
                return


def _chain(
    match: re.Match[str], text: _Text, fields: Sequence[Field], nouns: frozenset[str], pattern: re.Pattern[str]
) -> Iterator[tuple[str, JsonValue]]:
    """The value of a match, and of what is coordinated with it: `sets stage to triage and priority to normal`."""
    said, end = match["value"], match.end()
    rest = LIT.get(said, said) + text.plain[end:] if end > match.end("value") or said in LIT else ""
    rest = rest or text.plain[match.start("value") :]
    named = match.groupdict().get("field")
    further = _further(_spellings(fields, nouns))
    while True:
        settled = _settled(rest, named, text, fields, nouns)
        if settled is None:
            return
        field, value, rest = settled
        yield field, value
        following = further.match(rest)
        if following is None or not _is_own(following, nouns):
            return
        named, rest = following["field"], rest[following.start("value") :]


def _settled(
    rest: str, named: str | None, text: _Text, fields: Sequence[Field], nouns: frozenset[str]
) -> tuple[str, JsonValue, str] | None:
    """Field and value at the beginning of `rest`, the longest that is documented, and what follows it."""
    whole = re.match(_VALUE, rest)
    words = whole.group().split(" ") if whole else []
    for size in range(len(words), 0, -1):
        spelled = " ".join(words[:size])
        after = rest[len(spelled) :]
        spelled, after = spelled.rstrip(".,"), spelled[len(spelled.rstrip(".,")) :] + after
        last = LAST.fullmatch(after)
        if last is None or ASIDE.match(last["rest"]):
            continue
        chosen = _chosen(spelled, named, text, fields, nouns)
        if chosen is not None:
            return *chosen, last["rest"]
    return None


def _chosen(
    spelled: str, named: str | None, text: _Text, fields: Sequence[Field], nouns: frozenset[str]
) -> tuple[str, JsonValue] | None:
    """The field that is named, or the only one that can hold the value."""
    word, is_quoted = text.word(spelled)
    if named is not None:
        meant = _fields_named(text.word(named)[0], fields, nouns)
        values = [(f, v) for f in meant if (v := _value(f, word, is_quoted)) is not None]
        return (values[0][0].name, values[0][1]) if values else None
    choices = [(f.name, v) for f in fields if f.kind == "choice" and (v := _value(f, word, is_quoted)) is not None]
    status = [c for c in choices if is_status(c[0])]
    flags = [(f.name, v) for f in fields if f.kind == "flag" and (v := _truth(f, word)) is not None]
    texts = [(f.name, word) for f in fields if f.kind == "text" and is_status(f.name) and is_state(word) is not None]
    for group in (status, flags, choices, texts):
        if group:
            return group[0] if len(group) == 1 else None
    return None


def _value(field: Field, word: str, is_quoted: bool) -> JsonValue:
    """The value in the field's own spelling; None where it cannot hold it."""
    if field.kind == "choice":
        return next((v for v in field.values if _same(str(v), word)), None)
    if field.kind == "flag":
        low = word.lower()
        return True if low in _YES else False if low in _NO else _truth(field, word)
    if field.kind == "number":
        return number_in({"zero": "0", "one": "1"}.get(word, word))
    return word if is_quoted or (is_status(field.name) and is_state(word) is not None) else None


def _truth(field: Field, word: str) -> bool | None:
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


def _fields_named(name: str, fields: Sequence[Field], nouns: frozenset[str]) -> list[Field]:
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


def _spellings(fields: Sequence[Field], nouns: frozenset[str]) -> str:
    """A pattern of all names of fields."""
    names = {s for f in fields for s in (f.name.lower(), _spaced(f.name), *_shortened(f.name, nouns))}
    if any(is_status(f.name) for f in fields):
        names |= _STATUS
    return "|".join(["⟦\\d+⟧", *(re.escape(n) for n in sorted(names, key=lambda n: (-len(n), n)))])


def _frames(field: str) -> list[tuple[re.Pattern[str], bool]]:
    """Frames, and whether one tells an act rather than a result."""
    of = rf"(?:\s+{OF}\s+{DETERMINER}*(?P<of>{_NOUN}))?"
    owner = rf"(?:(?P<owner>{_NOUN})'?s?\s+)?"
    start = r"(?:^|[,;]\s*|\b(?:and|y|und|et|then|dann)\s+)"
    table = (
        (rf"\b{SET}\s+{DETERMINER}*(?:(?P<owner>{_NOUN})'s?\s+)?(?P<field>{field}){of}\s+{TO}\s+{DETERMINER}*"
         rf"(?P<value>{_VALUE})", True),
        (rf"{start}{DETERMINER}*{owner}(?P<field>{field}){of}\s+{BECOME}\s*(?:\b{DETERMINER})*"
         rf"(?P<value>{_VALUE})", False),
        (rf"\b{MARK}\s+{DETERMINER}*(?P<of>{_NOUN})\s+(?:as|como|als|comme|come)\s+(?P<value>{_VALUE})", True),
        (rf"\b{PUT}\s+{DETERMINER}*(?P<of>{_NOUN})\s+{TO}\s+{DETERMINER}*(?P<field>{field})"
         rf"\s+(?P<value>{_VALUE})", True),
        (rf"\b{PUT}\s+{DETERMINER}*(?P<of>{_NOUN})\s+{TO}\s+{DETERMINER}*(?P<value>{_WORD})[ -](?P<field>{field})\b",
         True),
        (rf"{start}(?:{DETERMINER}*(?P<of>{_NOUN})\s+)?{THEN}\s+(?:(?:in|en) )?{DETERMINER}*(?:(?P<field>{field})\s+)?"
         rf"(?P<value>{_VALUE})", False),
        (rf"{start}(?:{DETERMINER}*(?P<of>{_NOUN})\s+)?(?:is|are|ist)\s+(?P<value>{_WORD})\s+(?:afterwards|"
         rf"thereafter|from then on)", False),
        (rf"\b{POWER}\s+(?P<value>on|off)\s+{DETERMINER}*"
         rf"(?:(?P<field>{field}){of}|(?P<owner>{_NOUN}))(?=$|[,;]| and\b)", True),
        (rf"\b{POWER}\s+{DETERMINER}*"
         rf"(?:(?P<field>{field}){of}|(?P<owner>{_NOUN}))\s+(?P<value>on|off|ein|an|aus)\b", True),
        (rf"^(?P<value>enciende|encender|apaga|apagar|allume|allumer|eteint|eteindre)\s+{DETERMINER}*(?P<of>{_NOUN})"
         rf"(?=$|[,;]| (?:y|et)\b)", True),
    )  # fmt: skip
    return [(re.compile(pattern), acts) for pattern, acts in table]


def _further(field: str) -> re.Pattern[str]:
    of = rf"(?:\s+{OF}\s+{DETERMINER}*(?P<of>{_NOUN}))?"
    return re.compile(
        rf"^\s*(?:,\s*)?(?:(?:and|y|und|et|e)\s+)?(?:{SET}\s+)?{DETERMINER}*(?P<field>{field}){of}\s+"
        rf"(?:{TO}|{BECOME})\s+"
        rf"{DETERMINER}*(?P<value>{_VALUE})"
    )


def _is_own(match: re.Match[str], nouns: frozenset[str]) -> bool:
    """Whether a sentence is about the tool's own row: nothing is named, or one of its nouns."""
    groups = match.groupdict()
    for phrase in (groups.get("owner"), groups.get("of")):
        words = [ascii_word(w) for w in split_words(phrase or "") if w not in ("s", "current", "given", "specified")]
        if words and not ({singular(words[-1]), words[-1]} & (nouns | _ITSELF)):
            return False
    return True


def _folded(segment: str) -> _Text:
    quoted: list[str] = []

    def number(match: re.Match[str]) -> str:
        quoted.append(unquote(match.group()))
        return f"⟦{len(quoted) - 1}⟧"

    text = re.sub(r"⟦[^⟧]+⟧", number, quote(segment.replace("\u2019", "'")))
    plain = re.sub(r"[^\W\d_]+", lambda m: ascii_word(m.group()).lower(), text)
    return _Text(re.sub(r"\s+", " ", plain).strip(), tuple(quoted))
