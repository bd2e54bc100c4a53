"""Values of one meaning for the rows of an entity.

Invariant: values of one row that show the same person, place, history or thing agree (they come from `setting.Facts`); every meaning
of the vocabulary has values, so nothing falls through. Not covered: limits, enums and uniqueness of the column (`values`).
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.rules.meaning import NAMES_OF_ROWS, label_of, meaning_of, split_name
from autoforge.generator.rules.meaning_words import NUMERIC
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.goods import Article
from autoforge.generator.seed.language import words_for
from autoforge.generator.seed.numbers import numbers
from autoforge.generator.seed.people import Person, latin
from autoforge.generator.seed.places import Place
from autoforge.generator.seed.prose import PROSE, line_of, sentences
from autoforge.generator.seed.setting import Facts, Setting
from autoforge.generator.seed.times import History
from autoforge.generator.seed.titles import CATEGORICAL, named_things, repeated, titles

__all__ = ["Column", "meaning_in", "prefix_of", "values_of_meaning"]

_PLACE_ROLES = frozenset("billing shipping delivery origin destination from to departure arrival pickup dropoff source target home away start end".split())
_BY = frozenset("created updated closed approved assigned resolved requested reviewed signed received sender recipient receiver from to".split())


class Column(NamedTuple):
    """One column to fill, or one property of a JSON value."""

    setting: Setting
    entity: Entity
    attribute: Attribute
    meaning: str
    facts: Facts
    draw: Draw
    size: int
    """How many rows."""

    @property
    def words(self) -> tuple[str, ...]:
        return split_name(self.attribute.name)

    @property
    def language(self) -> str:
        return self.setting.language

    @property
    def role(self) -> str:
        """Whose person or place it is: `billing` in `billing_city`; empty for the row's own."""
        first = self.words[0] if self.words else ""
        if first in self.entity.name.split("_"):
            return ""
        if self.meaning in _LOCAL:
            return first if first in _PLACE_ROLES else ""
        return first if first in _BY or (label_of(first) == "person_name" and first not in ("contact", "user", "person", "usuario")) else ""


_VAGUE = frozenset(("label", "title", "code", "id", "sentence", "paragraph", "date_past"))
"""Given meanings that the entity may make clearer."""
_PLANNED = frozenset("event performance show showtime screening appointment meeting concert match flight class session booking reservation visit trip".split())
_FIRMS = frozenset("user_name company hotel_name restaurant venue site_name school publisher airline brand team_name file_name folder_name".split())
"""Meanings of names of what can have an e-mail address without being a person."""


def _is_address(attribute: Attribute) -> bool:
    return attribute.meaning == "email" or attribute.name.lower() in ("email", "e_mail", "correo")


def meaning_in(setting: Setting, entity: Entity, attribute: Attribute) -> str:
    """The meaning of a column, seen with its entity."""
    given = attribute.meaning
    if given and given not in _VAGUE:
        return given
    found = meaning_of(attribute.name, attribute.description, attribute.type, None, attribute.enum, language=setting.language, entity=entity.name)
    found = found if given in ("", "label", "title") else given
    name = split_name(attribute.name)
    if found == "date_past" and name == ("date",) and set(entity.name.split("_")) & _PLANNED:
        return "date_future"
    if name == ("name",) and attribute.type is ColumnType.TEXT and found not in _FIRMS and any(_is_address(a) for a in entity.attributes):
        return "person_name"
    if found in ("sentence", "paragraph"):
        own = meaning_of(entity.name.split("_")[-1])
        return own if own in PROSE and own != "reason" else found
    return found


def values_of_meaning(column: Column) -> list[JsonValue]:
    """One value per row."""
    meaning = column.meaning
    if meaning in _PERSONAL:
        people = column.facts.people(column.role)
        return [_PERSONAL[meaning](people[i]) for i in range(column.size)]
    if meaning in _LOCAL:
        places = column.facts.places(column.role)
        return [_LOCAL[meaning](places[i]) for i in range(column.size)]
    if meaning in _MOMENTS:
        return [_moment(column, history) for history in column.facts.histories()[: column.size]]
    if meaning in _MADE:
        return [_MADE[meaning](column, i) for i in range(column.size)]
    if meaning == "currency_code" and not column.setting.tells_apart(column.entity, column.attribute):
        return [column.setting.currency] * column.size
    if meaning in _ARTICLES and column.language == "en" and label_of(column.entity.name) == "product_name" and not column.attribute.examples:
        return [_ARTICLES[meaning](article) for article in column.facts.articles()[: column.size]]
    if meaning in NUMERIC and meaning not in ("year", "month"):
        rich = column.entity.singleton
        return list(numbers(column.draw, meaning, column.attribute, f"{column.entity.name} {column.attribute.description}", column.size, rich=rich))
    if meaning == "label":
        return list(_labels(column))
    if meaning in PROSE:
        return list(sentences(column.draw, _line(column), column.language, column.size))
    if meaning in CATEGORICAL and not column.setting.tells_apart(column.entity, column.attribute) and not _names_row(column):
        return list(repeated(column.draw, _line(column), column.language, column.size))
    return list(titles(column.draw, meaning, column.language, column.size)) or list(_labels(column))


def _line(column: Column) -> str:
    return line_of(column.meaning, column.attribute, column.entity, column.language)


def prefix_of(name: str) -> str:
    """Three capital letters for a kind of thing: `ORD` for order."""
    letters = latin(name).replace(".", "")
    return (letters[:3] or "row").upper()


def _names_row(column: Column) -> bool:
    return column.attribute.name == column.entity.label or " ".join(column.words) in NAMES_OF_ROWS


def _labels(column: Column) -> Sequence[str]:
    words = column.words
    if _names_row(column) or words[-1:] in (("name",), ("title",)):
        noun = column.entity.name if " ".join(words) in NAMES_OF_ROWS else " ".join(w for w in words if w not in ("name", "title"))
        return named_things(column.draw, noun, column.language, column.size)
    stem, kinds = " ".join(words).capitalize() or "Value", max(3, column.size // 3)
    return [f"{stem} {_letter(column.draw.integer(0, kinds - 1))}" for _ in range(column.size)]


def _letter(number: int) -> str:
    return chr(65 + number) if number < 26 else str(number)


def _moment(column: Column, history: History) -> str:
    words, type = column.words, column.attribute.type
    if type is ColumnType.DATE and {"arrival", "departure"} & set(words):
        words = (*words, "date")
    moment = history.ahead(words) if column.meaning.endswith("future") else history.passed(words)
    if type is ColumnType.DATE or (type is not ColumnType.DATETIME and column.meaning.startswith("date_")):
        return moment.date().isoformat()
    return moment.isoformat(timespec="seconds")


def _company(column: Column, i: int) -> str:
    if column.language in ("zh", "ja"):
        return str(column.draw.fake.company())
    name, ending = str(column.draw.fake.last_name()).split()[0].replace("'", ""), column.draw.one(_ENDINGS.get(column.language, _ENDINGS["en"]).split("|"))
    return f"{name} {ending}"


_ENDINGS = {
    "en": "Trading|Supplies|Logistics|Foods|Electric|Consulting|Industries|and Partners|Textiles|Software", "es": "e Hijos|Logística|Suministros|Alimentos|Consultores",
    "de": "GmbH|Logistik|Handel|Technik|und Partner|Lebensmittel", "fr": "et Fils|Distribution|Logistique|Conseil|Industries", "pt": "e Filhos|Comércio|Logística|Alimentos",
    "it": "e Figli|Logistica|Alimentari|Consulenza|Industrie",
}  # fmt: skip


def _digits(column: Column, count: int) -> str:
    return "".join(str(column.draw.integer(0, 9)) for _ in range(count))


def _pattern(column: Column, text: str) -> str:
    """`#` becomes a digit, `?` a capital letter."""
    return "".join(_digits(column, 1) if c == "#" else column.draw.one("ABCDEFGHJKLMNPRSTUVWXYZ") if c == "?" else c for c in text)


def _hex(column: Column, count: int) -> str:
    return hashlib.sha256(str(column.draw.random.random()).encode("ascii")).hexdigest()[:count]


def _word(column: Column, meaning: str) -> str:
    return "-".join(latin(" ".join(column.draw.one(part) for part in words_for(meaning, "en"))).split("."))


def _path(column: Column, i: int) -> str:
    folder = column.draw.one(("documents", "reports", "projects", "archive", "shared"))
    return f"/home/{folder}/{''.join(column.draw.one(part) for part in words_for('file_name', 'en'))}"


def _folder(column: Column, i: int) -> str:
    return ("/home", "/home/documents", "/home/reports", "/home/documents/contracts", "/home/projects", "/home/projects/website", "/home/archive")[i % 7] + (
        f"/{2026 - i // 7}" if i >= 7 else ""
    )


def _uuid(column: Column, i: int) -> str:
    return str(uuid.UUID(int=column.draw.random.getrandbits(128), version=4))


def _clock_time(column: Column, i: int) -> str:
    return f"{column.draw.integer(7, 20):02d}:{column.draw.one(('00', '15', '30', '45'))}"


def _month(column: Column, i: int) -> JsonValue:
    number = column.draw.integer(1, 12)
    return number if column.attribute.type is ColumnType.INTEGER else datetime(2000, number, 1).strftime("%B")


_PERSONAL: dict[str, Callable[[Person], str]] = {
    "person_name": lambda p: p.full, "first_name": lambda p: p.first, "last_name": lambda p: p.last, "user_name": lambda p: p.login,
    "email": lambda p: p.email, "phone": lambda p: p.phone, "birth_date": lambda p: p.born.isoformat(),
}  # fmt: skip
_LOCAL: dict[str, Callable[[Place], JsonValue]] = {
    "address": lambda p: p.address, "street": lambda p: p.street, "city": lambda p: p.city, "state": lambda p: p.state, "country": lambda p: p.country,
    "country_code": lambda p: p.country_code, "postcode": lambda p: p.postcode, "location": lambda p: p.location, "latitude": lambda p: p.latitude,
    "longitude": lambda p: p.longitude, "timezone": lambda p: p.timezone,
}  # fmt: skip
_ARTICLES: dict[str, Callable[[Article], JsonValue]] = {"product_name": lambda a: a.name, "category": lambda a: a.category, "price": lambda a: a.price}
_MOMENTS = frozenset(("date_past", "date_future", "datetime_past", "datetime_future"))
_MADE: dict[str, Callable[[Column, int], JsonValue]] = {
    "company": _company, "file_path": _path, "directory_path": _folder, "uuid": _uuid, "time": _clock_time, "month": _month,
    "year": lambda c, i: c.setting.today.year - c.draw.integer(0, 24),
    "id": lambda c, i: 1000 + c.draw.integer(1, max(2, c.size // 3)) if c.attribute.type is ColumnType.INTEGER
    else f"{prefix_of(c.attribute.name)}-{c.draw.integer(1, max(2, c.size // 3)):04d}",
    "code": lambda c, i: _digits(c, 5) if c.attribute.type is ColumnType.INTEGER else _pattern(c, "??###"),
    "slug": lambda c, i: _word(c, "article_title"), "url": lambda c, i: f"https://www.example.com/{_word(c, 'label')}/{_digits(c, 4)}",
    "image_url": lambda c, i: f"https://images.example.com/{_hex(c, 10)}.jpg", "domain": lambda c, i: f"{_word(c, 'brand')}.example.com",
    "ip": lambda c, i: f"192.0.2.{c.draw.integer(1, 254)}", "mac_address": lambda c, i: ":".join(_hex(c, 2) for _ in range(6)),
    "host_name": lambda c, i: f"{c.draw.one(('web', 'db', 'mail', 'app', 'cache'))}-{i + 1:02d}.example.com",
    "cron": lambda c, i: f"{c.draw.one((0, 15, 30))} {c.draw.integer(0, 23)} * * {c.draw.one(('*', '1', '1-5'))}",
    "token": lambda c, i: _hex(c, 32), "hash": lambda c, i: _hex(c, 40), "password": lambda c, i: f"{_word(c, 'brand')}-{_digits(c, 4)}",
    "version": lambda c, i: f"{c.draw.integer(1, 4)}.{c.draw.integer(0, 9)}.{c.draw.integer(0, 9)}",
    "card_number": lambda c, i: int("4000" + _digits(c, 12)) if c.attribute.type is ColumnType.INTEGER else "4000" + _digits(c, 12),
    "iban": lambda c, i: int("10" + _digits(c, 8)) if c.attribute.type is ColumnType.INTEGER else str(c.draw.fake.iban()),
    "isbn": lambda c, i: str(c.draw.fake.isbn13(separator="")), "barcode": lambda c, i: str(c.draw.fake.ean13()), "sku": lambda c, i: _pattern(c, "???-####"),
    "tracking_number": lambda c, i: _pattern(c, "1Z########"), "coupon_code": lambda c, i: f"{c.draw.one(('SAVE', 'SPRING', 'WELCOME', 'TRAVEL'))}{5 * c.draw.integer(1, 6)}",
    "room_number": lambda c, i: int(f"{c.draw.integer(1, 6)}{c.draw.integer(1, 24):02d}") if c.attribute.type is ColumnType.INTEGER
    else f"{c.draw.integer(1, 6)}{c.draw.integer(1, 24):02d}",
    "flight_number": lambda c, i: f"{c.draw.one(('NA', 'SK', 'BC', 'AW'))}{c.draw.integer(100, 999)}",
    "seat_number": lambda c, i: f"{c.draw.integer(1, 32)}{c.draw.one('ABCDEF')}", "license_plate": lambda c, i: _pattern(c, "??-#### "[:7]),
    "policy_number": lambda c, i: _pattern(c, "P-######"), "boolean": lambda c, i: c.draw.chance(0.5),
}  # fmt: skip
