"""Values that stand alone: codes, paths, addresses on the net, companies, tokens; one maker per meaning.

Invariant: a maker draws from the column's stream only. Not covered: people, places, times, titles and amounts, which
agree within a row.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from datetime import datetime

from pydantic import JsonValue

from autoforge.generator.ir import ColumnType
from autoforge.generator.seed.column import Column
from autoforge.generator.seed.language import words_for
from autoforge.generator.seed.people import latin

__all__ = ["MAKERS", "prefix_of"]


def prefix_of(name: str) -> str:
    """Three capital letters for a kind of thing: `ORD` for order."""
    letters = latin(name).replace(".", "")
    return (letters[:3] or "row").upper()


def _company(column: Column, i: int) -> str:
    if column.language in ("zh", "ja"):
        return str(column.draw.fake.company())
    name, ending = (
        str(column.draw.fake.last_name()).split()[0].replace("'", ""),
        column.draw.one(_ENDINGS.get(column.language, _ENDINGS["en"]).split("|")),
    )
    return f"{name} {ending}"


_ENDINGS = {
    "en": "Trading|Supplies|Logistics|Foods|Electric|Consulting|Industries|and Partners|Textiles|Software",
    "es": "e Hijos|Logística|Suministros|Alimentos|Consultores",
    "de": "GmbH|Logistik|Handel|Technik|und Partner|Lebensmittel",
    "fr": "et Fils|Distribution|Logistique|Conseil|Industries",
    "pt": "e Filhos|Comércio|Logística|Alimentos",
    "it": "e Figli|Logistica|Alimentari|Consulenza|Industrie",
}


def _digits(column: Column, count: int) -> str:
    return "".join(str(column.draw.integer(0, 9)) for _ in range(count))


def _pattern(column: Column, text: str) -> str:
    """`#` becomes a digit, `?` a capital letter."""
    return "".join(
        _digits(column, 1) if c == "#" else column.draw.one("ABCDEFGHJKLMNPRSTUVWXYZ") if c == "?" else c for c in text
    )


def _hex(column: Column, count: int) -> str:
    return hashlib.sha256(str(column.draw.random.random()).encode("ascii")).hexdigest()[:count]


def _word(column: Column, meaning: str) -> str:
    return "-".join(latin(" ".join(column.draw.one(part) for part in words_for(meaning, "en"))).split("."))


def _path(column: Column, i: int) -> str:
    folder = column.draw.one(("documents", "reports", "projects", "archive", "shared"))
    return f"/home/{folder}/{''.join(column.draw.one(part) for part in words_for('file_name', 'en'))}"


def _folder(column: Column, i: int) -> str:
    return (
        "/home",
        "/home/documents",
        "/home/reports",
        "/home/documents/contracts",
        "/home/projects",
        "/home/projects/website",
        "/home/archive",
    )[i % 7] + (f"/{2026 - i // 7}" if i >= 7 else "")


def _uuid(column: Column, i: int) -> str:
    return str(uuid.UUID(int=column.draw.random.getrandbits(128), version=4))


def _clock_time(column: Column, i: int) -> str:
    return f"{column.draw.integer(7, 20):02d}:{column.draw.one(('00', '15', '30', '45'))}"


def _month(column: Column, i: int) -> JsonValue:
    number = column.draw.integer(1, 12)
    return number if column.attribute.type is ColumnType.INTEGER else datetime(2000, number, 1).strftime("%B")


MAKERS: dict[str, Callable[[Column, int], JsonValue]] = {
    "company": _company,
    "file_path": _path,
    "directory_path": _folder,
    "uuid": _uuid,
    "time": _clock_time,
    "month": _month,
    "year": lambda c, i: c.setting.today.year - c.draw.integer(0, 24),
    "id": lambda c, i: (
        1000 + c.draw.integer(1, max(2, c.size // 3))
        if c.attribute.type is ColumnType.INTEGER
        else f"{prefix_of(c.attribute.name)}-{c.draw.integer(1, max(2, c.size // 3)):04d}"
    ),
    "code": lambda c, i: _digits(c, 5) if c.attribute.type is ColumnType.INTEGER else _pattern(c, "??###"),
    "slug": lambda c, i: _word(c, "article_title"),
    "url": lambda c, i: f"https://www.example.com/{_word(c, 'label')}/{_digits(c, 4)}",
    "image_url": lambda c, i: f"https://images.example.com/{_hex(c, 10)}.jpg",
    "domain": lambda c, i: f"{_word(c, 'brand')}.example.com",
    "ip": lambda c, i: f"192.0.2.{c.draw.integer(1, 254)}",
    "mac_address": lambda c, i: ":".join(_hex(c, 2) for _ in range(6)),
    "host_name": lambda c, i: f"{c.draw.one(('web', 'db', 'mail', 'app', 'cache'))}-{i + 1:02d}.example.com",
    "cron": lambda c, i: f"{c.draw.one((0, 15, 30))} {c.draw.integer(0, 23)} * * {c.draw.one(('*', '1', '1-5'))}",
    "token": lambda c, i: _hex(c, 32),
    "hash": lambda c, i: _hex(c, 40),
    "password": lambda c, i: f"{_word(c, 'brand')}-{_digits(c, 4)}",
    "version": lambda c, i: f"{c.draw.integer(1, 4)}.{c.draw.integer(0, 9)}.{c.draw.integer(0, 9)}",
    "card_number": lambda c, i: (
        int("4000" + _digits(c, 12)) if c.attribute.type is ColumnType.INTEGER else "4000" + _digits(c, 12)
    ),
    "iban": lambda c, i: (
        int("10" + _digits(c, 8)) if c.attribute.type is ColumnType.INTEGER else str(c.draw.fake.iban())
    ),
    "isbn": lambda c, i: str(c.draw.fake.isbn13(separator="")),
    "barcode": lambda c, i: str(c.draw.fake.ean13()),
    "sku": lambda c, i: _pattern(c, "???-####"),
    "tracking_number": lambda c, i: _pattern(c, "1Z########"),
    "coupon_code": lambda c, i: f"{c.draw.one(('SAVE', 'SPRING', 'WELCOME', 'TRAVEL'))}{5 * c.draw.integer(1, 6)}",
    "room_number": lambda c, i: (
        int(f"{c.draw.integer(1, 6)}{c.draw.integer(1, 24):02d}")
        if c.attribute.type is ColumnType.INTEGER
        else f"{c.draw.integer(1, 6)}{c.draw.integer(1, 24):02d}"
    ),
    "flight_number": lambda c, i: f"{c.draw.one(('NA', 'SK', 'BC', 'AW'))}{c.draw.integer(100, 999)}",
    "seat_number": lambda c, i: f"{c.draw.integer(1, 32)}{c.draw.one('ABCDEF')}",
    "license_plate": lambda c, i: _pattern(c, "??-#### "[:7]),
    "policy_number": lambda c, i: _pattern(c, "P-######"),
    "boolean": lambda c, i: c.draw.chance(0.5),
}
"""By meaning: the column and the number of the row give a value."""
