"""Words of names: splitting, singular and plural, identifiers and columns, in the languages of Latin script.

Invariant: pure functions of the text, no language detection per call. Not covered: verbs (`verbs`), sentences
(`prose`), what a value looks like (`meaning`).
"""

from __future__ import annotations

import keyword
import re
import sys
import types
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from autoforge.generator.vocabulary import word_set

if TYPE_CHECKING:
    import inflect

__all__ = ["ascii_word", "column_name", "plural", "singular", "snake", "split_words"]

_SINGULAR_ALREADY = word_set(
    "status address news series class process business access canvas bus gas analysis basis address progress "
    "success pass glass dress has is this as its sms dns https gps os ios aws css js tls https ls chess boss "
    "loss less plus minus always details previous lens species bias focus radius virus bonus campus census "
    "corpus genus menu address autobus diagnosis crisis thesis gratis apoyos atlas lunes martes jueves viernes "
    "crisis socios_ virus physics mathematics statistics_ news innings means headquarters"
)


_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "data": "data", "media": "media",
    "indices": "index", "criteria": "criterion", "movies": "movie", "cookies": "cookie", "series": "series",
    "ties": "tie", "calories": "calorie", "statistics": "statistics", "settings": "settings", "stats": "stats",
    "info": "info", "information": "information", "aliases": "alias", "statuses": "status", "addresses": "address",
    "buses": "bus", "gases": "gas", "caches": "cache", "heroes": "hero", "potatoes": "potato", "tomatoes": "tomato",
    "echoes": "echo", "vetoes": "veto", "cargoes": "cargo", "matches": "match", "leaves": "leave",
    "expenses": "expense", "houses": "house", "cases": "case", "databases": "database", "bases": "base",
    "courses": "course", "purchases": "purchase", "invoices": "invoice", "licenses": "license",
    "warehouses": "warehouse", "responses": "response", "releases": "release", "phases": "phase",
    "exercises": "exercise", "devices": "device", "prices": "price", "services": "service", "pages": "page",
    "images": "image", "messages": "message",
}  # fmt: skip


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def split_words(name: str) -> tuple[str, ...]:
    """The words of an identifier in any convention, lower case: `getHTTPServer-v2` → get, http, server, v2."""
    text = re.sub(r"([a-z0-9à-ÿ])([A-ZÀ-Þ])", r"\1 \2", name.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", text)
    return tuple(w.lower() for w in re.split(r"[^\w]+|_+", text) if w)


def ascii_word(word: str) -> str:
    """Without accents (ä → ae, é → e); words of other scripts stay as they are."""
    plain = unicodedata.normalize("NFKD", word.translate(_UMLAUTS))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return plain if plain.isascii() else word


def snake(words: tuple[str, ...] | list[str] | str) -> str:
    """A legal, readable identifier of the words (or of a name): snake_case, never empty, never beginning with a
    digit.
    """
    parts = split_words(words) if isinstance(words, str) else tuple(words)
    text = re.sub(r"\W+", "_", "_".join(ascii_word(w) for w in parts)).strip("_").lower()
    if not text or not text.isidentifier():
        text = f"n_{text}" if f"n_{text}".isidentifier() else "unnamed"
    return text[:60].rstrip("_")


def column_name(name: str) -> str:
    """A column for a documented property: snake_case, and no Python keyword."""
    text = snake(name)
    return f"{text}_" if keyword.iskeyword(text) else text


@cache
def _engine() -> inflect.engine:
    with _without_instruments():
        import inflect  # only the plurals that are not plain need it

    return inflect.engine()


@contextmanager
def _without_instruments() -> Iterator[None]:
    """inflect has typeguard rewrite its whole source whenever it is imported, which takes seconds; its types are not
    ours to check. A typeguard that is loaded already is left alone.
    """
    if "typeguard" in sys.modules:
        yield
        return
    plain = types.ModuleType("typeguard")
    plain.typechecked = lambda decorated: decorated  # type: ignore[attr-defined]
    sys.modules["typeguard"] = plain
    try:
        yield
    finally:
        del sys.modules["typeguard"]


_PLAIN_PLURAL = re.compile(r".*(?:[bdgkprtwl]|[^f]e|[aeo]y|ion|oom|tem|eam|ain|ign|oin|lan|urn|orm|ock|ic)")
_NOT_PLAIN = re.compile(
    r".*(?:foot|child|ouse|oose|die|axe|self|elf|alf|sheep|deer|craft|eau|ese)|person|criterion|furniture|information|"
    r"mine|money|they|equipment"
)


@cache
def singular(word: str) -> str:
    """`queries` → query, `libros` → libro; a word that is singular already is returned as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _SINGULAR_ALREADY or len(word) < 4 or not word.endswith(("s", "x")) or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(
        ("ciones", "siones", "ares", "ores", "eres", "iles", "ales", "eles", "ades", "udes", "enes", "anes", "ines")
    ) and _foreign(word):
        return word[:-2]
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if word.endswith("s"):
        return word[:-1]
    return word


def _foreign(word: str) -> bool:
    """Whether an -es plural is Romance (`ejemplares`) and not English (`files`, `pipelines`): the English singular
    would end in -e.
    """
    return word.endswith(("ciones", "siones", "ares", "ores", "ades", "udes")) and not word.endswith(
        (
            "shares",
            "stores",
            "scores",
            "grades",
            "trades",
            "squares",
            "softwares",
            "fares",
            "cores",
            "spares",
            "upgrades",
            "cascades",
        )
    )


@cache
def plural(word: str) -> str:
    """`category` → categories. Words that are plural or uncountable already stay."""
    if singular(word) != word or word in (
        "data",
        "media",
        "information",
        "info",
        "settings",
        "stats",
        "statistics",
        "inventory_",
    ):
        return word
    if word.endswith(("ción", "cion", "sion")):
        return word + "es"
    if re.search(r"(?:ar|or|ad|ud)$", word) and word in _ROMANCE_NOUNS:
        return word + "es"
    if word.endswith("o") and word not in ("potato", "tomato", "hero", "echo"):
        return word + "s"
    if not word.isascii() or (_PLAIN_PLURAL.fullmatch(word) and not _NOT_PLAIN.fullmatch(word)):
        return word + "s"
    result = _engine().plural_noun(word)
    return str(result or word + "s")


_ROMANCE_NOUNS = word_set(
    "ejemplar autor lector editor profesor doctor conductor hogar lugar ciudad universidad habitacion unidad entidad"
)
