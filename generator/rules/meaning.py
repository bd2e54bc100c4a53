"""What the values of an attribute look like, as one word, from its name, description, format and type.

Names may be in English, Spanish, German, French, Portuguese, Italian, Chinese or Japanese. Invariant: the answer is
always a word of `MEANINGS` that a column of the given type can hold. Not covered: the values themselves
(`autoforge.generator.seed`), relations between attributes; a word that several languages share (`data`, `nombre`) is
settled by the type and the language given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from pydantic import JsonValue

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.meaning_glosses import GLOSSES, NUMERIC, TEMPORAL
from autoforge.generator.rules.meaning_words import NOUNS, WORDS
from autoforge.generator.vocabulary import word_set

__all__ = ["MEANINGS", "NAMES_OF_ROWS", "fits", "label_of", "meaning_of", "split_name"]

MEANINGS: dict[str, str] = GLOSSES
"""Every meaning and what its values are."""

NAMES_OF_ROWS = frozenset(
    (
        "name",
        "title",
        "label",
        "nombre",
        "titulo",
        "bezeichnung",
        "nom",
        "titre",
        "nome",
        "titolo",
        "titel",
        "名称",
        "名前",
    )
)
"""Names of the column by which people name a row."""
_FORMATS = {
    "email": "email",
    "idn-email": "email",
    "uri": "url",
    "url": "url",
    "iri": "url",
    "uri-reference": "url",
    "uuid": "uuid",
    "ipv4": "ip",
    "hostname": "host_name",
    "password": "password",
    "phone": "phone",
    "time": "time",
    "duration": "duration_minutes",
}
_NUMBER_TOO = word_set(
    "id code postcode card_number room_number isbn barcode phone iban policy_number datetime_past datetime_future"
)
"""Meanings of text that a number can also carry (moments as seconds since 1970)."""
_WHOLE = frozenset(("month", "year", "floor", "port", "position", "age"))
"""Meanings whose numbers have no fraction."""
_NEVER_TEXT = frozenset(("data_volume", "quantity", "stock", "integer", "real", "boolean"))
_PROSE = frozenset(
    ("sentence", "paragraph", "title", "label", "code", "id", "kind", "status", "category", "note", "boolean")
)
"""Meanings too vague to be taken from a description."""
_FUTURE = word_set(
    "due deadline start starts begin end ends finish until expires expiry expiration expected scheduled "
    "schedule arrival departure arrive depart next "
    "delivery pickup dropoff appointment reminder renewal valid through upcoming estimated target check "
    "planned event entrega fin inicio vencimiento "
    "entrada salida lieferung anreise abreise beginn ende faellig debut echeance fim prazo scadenza"
)
_ISO_COUNTRY = re.compile(r"alpha-?2|iso[ -]?3166|two-letter country", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"\b(?:e\.?g\.?|for example|such as|z\.? ?b\.?|por ejemplo|par exemple)\b.*", re.IGNORECASE | re.DOTALL
)
_PROCESS = re.compile(r"\b(status|open|closed|pending|progress|done|active|running)\b", re.IGNORECASE)
"""In the description of a column named `state`: it is no province."""
_ENGLISH_FIRST = {
    "nombre": "es fr",
    "data": "pt it",
    "land": "de",
    "via": "it",
    "note": "en",
    "age": "en",
    "ore": "it",
    "cap": "it",
    "fin": "es fr",
    "art": "de",
    "ende": "de",
    "etat": "fr",
    "poste": "fr",
    "resume": "fr",
    "typ": "de",
    "alter": "de",
    "handy": "de",
}
"""Words that mean something else in English: used only in the languages given, or where no language is."""


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """The words of an identifier in any case style, lower case, without Latin accents: `dueDate`, `due-date` -> `due`,
    `date`.
    """
    spaced = re.sub(r"(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    plain = "".join(
        c for c in unicodedata.normalize("NFKD", spaced.replace("ß", "ss")) if not "\u0300" <= c <= "\u036f"
    )
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain).lower()))


@cache
def _table(nouns: bool) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for meaning, phrases in (NOUNS if nouns else WORDS).items():
        if meaning in GLOSSES:
            for phrase in phrases.split("|"):
                found.setdefault(phrase.strip(), []).append(meaning)
    return {phrase: tuple(meanings) for phrase, meanings in found.items()}


@cache
def _eastern() -> tuple[tuple[str, str], ...]:
    """Chinese and Japanese words, longest first: they are looked for inside a name."""
    words = [(p, m) for nouns in (False, True) for p, ms in _table(nouns).items() for m in ms if p[0] > "\u2e80"]
    return tuple(sorted(words, key=lambda w: -len(w[0])))


def fits(meaning: str, type: ColumnType) -> bool:
    """Whether a column of the type can hold values of the meaning."""
    if type is ColumnType.BOOLEAN:
        return meaning == "boolean"
    if type is ColumnType.REAL and meaning in _WHOLE:
        return False
    if type in (ColumnType.INTEGER, ColumnType.REAL):
        return meaning in NUMERIC or meaning in _NUMBER_TOO
    if type in (ColumnType.DATE, ColumnType.DATETIME):
        return meaning in TEMPORAL
    if type is ColumnType.TIME:
        return meaning == "time"
    return type is ColumnType.JSON or meaning not in _NEVER_TEXT


def meaning_of(
    name: str,
    description: str = "",
    type: ColumnType = ColumnType.TEXT,
    format: str | None = None,
    enum: Sequence[JsonValue] = (),
    *,
    language: str = "",
    entity: str = "",
) -> str:
    """The meaning of an attribute, a word of `MEANINGS`.

    `language` is an ISO 639-1 hint; `entity` the noun of the row, so that `name` of a customer is a person's. Never
    raises.
    """
    words = split_name(name)
    if type is ColumnType.BOOLEAN:
        return "boolean"
    if words == ("state",) and (enum or _PROCESS.search(description)):
        return "status"
    if type in (ColumnType.DATE, ColumnType.DATETIME) or format in ("date", "date-time"):
        return _moment(words, type, format)
    if type is ColumnType.TIME:
        return "time"
    found = next((m for m in _candidates(words, description, format, language, entity) if fits(m, type)), None)
    if found in ("country", None) and type is ColumnType.TEXT and _ISO_COUNTRY.search(description):
        return "country_code"
    return _settled(found, type, bool(enum))


@lru_cache(maxsize=4096)
def label_of(entity: str, language: str = "") -> str:
    """The meaning of the name of a thing, by its noun: person_name for a customer, `label` for what is not known."""
    words = split_name(entity)
    return next(_nouns(words, language), "label")


def _settled(found: str | None, type: ColumnType, closed: bool) -> str:
    if found is not None:
        return found
    if closed:
        return "category"
    return {ColumnType.INTEGER: "integer", ColumnType.REAL: "real"}.get(type, "label")


def _candidates(
    words: tuple[str, ...], description: str, format: str | None, language: str, entity: str
) -> Iterator[str]:
    if format in _FORMATS:
        yield _FORMATS[format]
    exact = _lookup(words, language)
    if "label" in exact or "title" in exact:
        yield from (m for m in [label_of(entity, language)] if m != "label")
    yield from (m for m in exact if m != "label")
    yield from _eastern_in(words)
    if len(words) > 1 and words[-1] in ("id", "ids", "uuid"):
        yield "id"
    for ending in ("name", "title", "nombre", "nom", "nome", "titel", "titulo"):
        if words and words[-1].endswith(ending) and " ".join(words) != ending:
            yield from _nouns(tuple(w for w in (*words[:-1], words[-1].removesuffix(ending)) if w), language)
    yield from _parts(words, language)
    yield from _nouns(words, language)
    yield from _described(description, language)
    if words[-1:] == ("name",):
        yield "label"


def _lookup(words: Sequence[str], language: str) -> tuple[str, ...]:
    phrase = " ".join(words)
    if _foreign(phrase, language):
        return ()
    found = _table(False).get(phrase, ())
    return found or (_table(False).get(phrase[:-1], ()) if phrase.endswith("s") and len(phrase) > 4 else ())


def _foreign(phrase: str, language: str) -> bool:
    """Whether a word means something else in the language given."""
    return bool(language) and language not in _ENGLISH_FIRST.get(phrase, language).split()


def _nouns(words: tuple[str, ...], language: str) -> Iterator[str]:
    """Meanings of the head noun of a name, longest phrase first."""
    for start in range(len(words)):
        for phrase in (" ".join(words[start:]), " ".join(words[start:]).removesuffix("s")):
            yield from _table(True).get(phrase, ())
            known = () if _foreign(phrase, language) else _table(False).get(phrase, ())
            yield from (m for m in known if m.endswith(("name", "title")) or m in _NAMED)
    yield from _compound(words[-1] if words else "", nouns=True)


_NAMED = word_set(
    "company restaurant venue airline airport artist dish category tag language country city department brand sport "
    "medication diagnosis species breed ingredient stock_symbol skill school state region role genre"
)


def _parts(words: tuple[str, ...], language: str) -> Iterator[str]:
    """The head of a name: its end in English and German, its beginning in Romance languages; then what is inside."""
    if words[-1:] and words[-1] in ("at", "on") and len(words) > 1:
        yield "datetime_future" if _FUTURE & set(words) else "datetime_past"
    if words[:2] == ("number", "of") or words[:1] in (("num",), ("total",)) or words[-1:] in (("count",), ("total",)):
        yield from ("amount", "quantity") if "total" in words else ("quantity",)
    size = len(words)
    for length in range(min(4, size - 1), 0, -1):
        yield from _lookup(words[size - length :], language)
    if size > 1 and words[-1] in ("date", "datum", "time"):
        yield "date_future" if _FUTURE & set(words) else "date_past"
    for length in range(min(4, size - 1), 0, -1):
        yield from _lookup(words[:length], language)
    yield from _compound(words[-1] if words else "", nouns=False)
    for word in words[1:-1]:
        yield from _lookup((word,), language)


def _compound(word: str, nouns: bool) -> Iterator[str]:
    """German writes one word: the longest known end of it, at least four letters."""
    for start in range(2, len(word) - 3):
        yield from _table(nouns).get(word[start:], ())


def _eastern_in(words: tuple[str, ...]) -> Iterator[str]:
    text = "".join(words)
    if text and max(text) > "\u2e80":
        yield from (meaning for word, meaning in _eastern() if word in text)


def _described(description: str, language: str) -> Iterator[str]:
    """What the first sentence of a description names, longest phrase first."""
    sentence = re.split(r"[.;。\n]", _EXAMPLE.sub("", description), maxsplit=1)[0]
    words = split_name(sentence)[:14]
    yield from _eastern_in(words)
    for length in (3, 2, 1):
        for start in range(len(words) - length + 1):
            yield from (m for m in _lookup(words[start : start + length], language or "en") if m not in _PROSE)


def _moment(words: tuple[str, ...], type: ColumnType, format: str | None) -> str:
    exact = _table(False).get(" ".join(words), ())
    if "birth_date" in (*exact, *_eastern_in(words)) or {"birth", "born", "dob"} & set(words):
        return "birth_date" if type is not ColumnType.DATETIME else "datetime_past"
    known = [m for m in (*exact, *_eastern_in(words)) if m in TEMPORAL]
    future = known[0].endswith("future") if known else _is_future(words)
    unit = (
        "datetime" if type is ColumnType.DATETIME or (type is not ColumnType.DATE and format == "date-time") else "date"
    )
    return f"{unit}_{'future' if future else 'past'}"


def _is_future(words: tuple[str, ...]) -> bool:
    if any(w.endswith("ed") and w not in ("scheduled", "expected", "estimated", "planned") for w in words):
        return False
    return bool(_FUTURE & set(words))
