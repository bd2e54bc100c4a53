"""Columns that repeat something of another row: the customer's e-mail on the order, the product's price on the line.

Invariant: such a column equals what the row that it names holds, found by a foreign key of the row, or by the noun in
the column's name where there is no foreign key. Not covered: sums over children (`totals`).
"""

from __future__ import annotations

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, Entity
from autoforge.generator.rules.meaning import label_of, split_name
from autoforge.generator.seed.coherence import PRICES, QUANTITIES
from autoforge.generator.seed.column import meaning_in
from autoforge.generator.seed.plan import parent_entity
from autoforge.generator.seed.prose import PROSE
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.vocabulary import word_set

__all__ = ["copied_columns"]

_KEY_ENDINGS = ("_id", "_key", "_code", "_number", "_symbol", "_uuid", "_name")
_GENERIC = word_set(
    "user username login created updated closed assigned approved by author owner assignee reporter "
    "reviewer sender recipient receiver creator "
    "from to usuario benutzer autor auteur"
)
"""Words of columns that can mean any kind of user."""
_RATES = frozenset(("price", "unit_price", "nightly_rate", "daily_rate", "hourly_rate", "rate", "currency"))
"""Columns that a row takes over from its parent under the same name (a price also from `price`)."""
_NAMES = ("name", "full_name", "title", "label", "nombre", "nom", "nome", "titel", "titulo")


def copied_columns(setting: Setting, entity: Entity, rows: list[Row]) -> dict[str, list[JsonValue]]:
    """Values by column, for the columns that repeat something; the references of the rows must be filled."""
    found: dict[str, list[JsonValue]] = {}
    for attribute in entity.attributes:
        taken = (
            attribute.references is not None or attribute.name in entity.key or setting.tells_apart(entity, attribute)
        )
        if taken or meaning_in(setting, entity, attribute) in PROSE:
            continue
        values = _by_reference(setting, entity, attribute, rows) or _by_noun(setting, entity, attribute, rows)
        if values is not None and all(_holds(attribute, value) for value in values):
            found[attribute.name] = values
    return found


def _holds(attribute: Attribute, value: JsonValue) -> bool:
    inside = not isinstance(value, int | float) or (attribute.minimum or value) <= value <= (attribute.maximum or value)
    return (value is not None or attribute.nullable) and (not attribute.enum or value in attribute.enum) and inside


def _by_reference(setting: Setting, entity: Entity, attribute: Attribute, rows: list[Row]) -> list[JsonValue] | None:
    for reference in entity.attributes:
        parent = parent_entity(setting.world, reference) if reference.references is not None else None
        if parent is None or parent.name == entity.name:
            continue
        source = _source(parent, _stem(reference.name), attribute) or _price(setting, entity, parent, attribute)
        known = {repr(row[parent.key[0]]): row.get(source.name) for row in setting.rows[parent.name]} if source else {}
        if source is not None and any(source.name in row for row in setting.rows[parent.name]):
            return [known.get(repr(row.get(reference.name))) for row in rows]
    return None


def _stem(name: str) -> str:
    return next((name[: -len(end)] for end in _KEY_ENDINGS if name.endswith(end) and len(name) > len(end)), name)


def _source(parent: Entity, stem: str, attribute: Attribute) -> Attribute | None:
    """The column of the parent that a column of the child repeats."""
    name = attribute.name
    candidates = [a for a in parent.attributes if a.type is attribute.type and a.references is None]
    for start in (stem, parent.name):
        rest = name[len(start) + 1 :] if name.startswith(f"{start}_") else ""
        same = next((a for a in candidates if a.name == rest), None) if rest else None
        if same is not None:
            return same
        if rest in ("name", "title") or name == start:
            return next((a for a in candidates if a.name in (parent.label, *_NAMES)), None)
    if name in _RATES:
        return next((a for a in candidates if a.name == name or (name == "unit_price" and a.name == "price")), None)
    return None


def _price(setting: Setting, entity: Entity, parent: Entity, attribute: Attribute) -> Attribute | None:
    """The one price of the parent, for the unit price beside a quantity."""
    if attribute.name not in PRICES or not any(entity.attribute(name) for name in QUANTITIES):
        return None
    prices = [a for a in parent.attributes if a.type is attribute.type and meaning_in(setting, parent, a) == "price"]
    return prices[0] if len(prices) == 1 else None


def _by_noun(setting: Setting, entity: Entity, attribute: Attribute, rows: list[Row]) -> list[JsonValue] | None:
    """Without a foreign key: `category` beside an entity category, `created_by` beside users with logins."""
    if attribute.enum or attribute.examples:
        return None
    for parent in setting.world.entities:
        known = setting.rows.get(parent.name, [])
        if parent.name == entity.name or parent.singleton or not known:
            continue
        source = _source(parent, parent.name, attribute) if attribute.name not in _RATES else None
        if source is None and label_of(parent.name) == "person_name" != label_of(entity.name):
            source = _login(setting, entity, parent, attribute)
        if source is not None and source.name in known[0]:
            draw = setting.draw(entity.name, attribute.name, "@copied")
            choices = [row[source.name] for row in known if row.get(source.name) is not None]
            return [choices[0] if entity.singleton else draw.one(choices) for _ in rows] if choices else None
    return None


def _login(setting: Setting, entity: Entity, parent: Entity, attribute: Attribute) -> Attribute | None:
    """The column of the users that a column such as `created_by` holds: the one with the same meaning."""
    meaning = meaning_in(setting, entity, attribute)
    if not set(split_name(attribute.name)) <= _GENERIC | {"name", "email", "e", "mail"} or split_name(
        attribute.name
    ) in (("name",), ("email",)):
        return None
    if meaning not in ("user_name", "email", "person_name") or any(
        a.references == parent.name for a in entity.attributes
    ):
        return None
    return next(
        (
            a
            for a in parent.attributes
            if a.type is attribute.type and not a.enum and meaning_in(setting, parent, a) == meaning
        ),
        None,
    )
