"""One column to fill, and what it means in its entity.

Invariant: two columns of a row that belong to the same person or place have the same role, and columns of others
(billing, author) have another. Not covered: the values (`meanings`).
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.rules.meaning import label_of, meaning_of, split_name
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.prose import PROSE
from autoforge.generator.seed.setting import Facts, Setting
from autoforge.generator.vocabulary import word_set

__all__ = ["Column", "meaning_in"]

_LOCAL = word_set("address street city state country country_code postcode location latitude longitude timezone")
_PLACE_ROLES = word_set(
    "billing shipping delivery origin destination from to departure arrival pickup dropoff source target "
    "home away start end"
)
_NUMBERED = frozenset(("a", "b", "1", "2", "one", "two"))
"""Ends of names of two places of one row: `city_a`, `city_b`."""
_BY = word_set(
    "created updated closed approved assigned resolved requested reviewed signed received sender "
    "recipient receiver from to"
)


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
            last = self.words[-1] if self.words else ""
            return first if first in _PLACE_ROLES else last if last in _NUMBERED else ""
        return (
            first
            if first in _BY
            or (label_of(first) == "person_name" and first not in ("contact", "user", "person", "usuario"))
            else ""
        )


_VAGUE = frozenset(("label", "title", "code", "id", "sentence", "paragraph", "date_past", "datetime_past"))
"""Given meanings that the entity may make clearer."""
_PLANNED = word_set(
    "event performance show showtime screening appointment meeting concert match flight class session "
    "booking reservation visit trip"
)
_FIRMS = word_set(
    "user_name company hotel_name restaurant venue site_name school publisher airline brand team_name "
    "file_name folder_name"
)
"""Meanings of names of what can have an e-mail address without being a person."""


def _is_address(attribute: Attribute) -> bool:
    return attribute.meaning == "email" or attribute.name.lower() in ("email", "e_mail", "correo")


def meaning_in(setting: Setting, entity: Entity, attribute: Attribute) -> str:
    """The meaning of a column, seen with its entity."""
    given = attribute.meaning
    if given and given not in _VAGUE:
        return given
    found = meaning_of(
        attribute.name,
        attribute.description,
        attribute.type,
        None,
        attribute.enum,
        language=setting.language,
        entity=entity.name,
    )
    found = found if given in ("", "label", "title") else given
    name = split_name(attribute.name)
    if found in ("date_past", "datetime_past") and name == ("date",) and set(entity.name.split("_")) & _PLANNED:
        return found.replace("past", "future")
    if (
        name == ("name",)
        and attribute.type is ColumnType.TEXT
        and found not in _FIRMS
        and any(_is_address(a) for a in entity.attributes)
    ):
        return "person_name"
    if found in ("sentence", "paragraph"):
        own = meaning_of(entity.name.split("_")[-1])
        return own if own in PROSE and own != "reason" else found
    return found
