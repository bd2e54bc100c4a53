"""Columns that follow from what a row is: the name of a file from its path, a company's address from its name, a
share's from its ticker.

Invariant: see `cells.change`. Not covered: people, whose columns are drawn together (`people`).
"""

from __future__ import annotations

from collections.abc import Callable

from autoforge.generator.ir import Entity
from autoforge.generator.rules.meaning import NAMES_OF_ROWS
from autoforge.generator.seed.cells import change
from autoforge.generator.seed.column import meaning_in
from autoforge.generator.seed.people import latin
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.seed.words_en import SHARES

__all__ = ["identify"]


def identify(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Apply every rule to the rows of an entity."""
    for rule in (_files, _companies, _symbols):
        rule(setting, entity, rows)


def _files(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """The name of a file is the end of its path."""
    path = next(
        (a for a in entity.attributes if meaning_in(setting, entity, a) in ("file_path", "directory_path")), None
    )
    name = next(
        (a for n in ("name", "file_name", "filename", "folder_name") if (a := entity.attribute(n)) is not None), None
    )
    if path is not None and name is not None and name is not path:
        for i, row in enumerate(rows):
            change(setting, entity, rows, i, name.name, str(row.get(path.name)).rstrip("/").rpartition("/")[2])


_ADDRESSES: dict[str, Callable[[str], str]] = {
    "email": lambda name: f"info@{name}.example",
    "url": lambda name: f"https://www.{name}.example",
    "domain": lambda name: f"{name}.example",
    "slug": lambda name: name,
}


def _companies(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Addresses on the net are made of the row's name, unless it is a person's."""
    label = next((a for a in entity.attributes if a.name == entity.label or a.name.lower() in NAMES_OF_ROWS), None)
    if label is None or meaning_in(setting, entity, label) in ("person_name", "user_name", "email"):
        return
    firm = meaning_in(setting, entity, label) in (
        "company",
        "hotel_name",
        "restaurant",
        "venue",
        "site_name",
        "brand",
        "school",
        "publisher",
        "airline",
    )
    person = any(
        meaning_in(setting, entity, a) in ("person_name", "first_name", "last_name", "user_name")
        for a in entity.attributes
    )
    for attribute in entity.attributes:
        meaning = meaning_in(setting, entity, attribute)
        if meaning not in _ADDRESSES or not (meaning == "slug" or firm) or (meaning == "email" and person):
            continue
        for i, row in enumerate(rows):
            name = latin(str(row.get(label.name))).replace(".", "-")
            if name:
                change(setting, entity, rows, i, attribute.name, _ADDRESSES[meaning](name))


def _symbols(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """A ticker symbol has one company and one sector."""
    symbol = next(
        (a for a in entity.attributes if a.references is None and meaning_in(setting, entity, a) == "stock_symbol"),
        None,
    )
    for i, row in enumerate(rows):
        known = SHARES.get(str(row.get(symbol.name))) if symbol is not None else None
        if known is not None:
            for column, value in (
                ("name", known.company),
                ("company", known.company),
                ("company_name", known.company),
                ("sector", known.sector),
            ):
                change(setting, entity, rows, i, column, value)
