"""The numbers of an estimate: a rate, an amount to start from, and what flags and choices add.

Invariant: a number is a column of a bound row, a parameter or a figure that the prose names; where there is none it
is 0. Not covered: units, and what is returned of it (`estimates`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import (
    Choose,
    ColumnType,
    Constant,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Function,
    Listing,
    RowField,
    Select,
    Variable,
)
from autoforge.generator.rules.facts import numeric
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.words import snake

__all__ = ["RATES", "UNITS", "base_amount", "rate_of", "surcharge_of"]

RATES = (
    "price",
    "unit_price",
    "rate",
    "nightly_rate",
    "price_per_night",
    "daily_rate",
    "hourly_rate",
    "cost",
    "fee",
    "monthly_price",
    "base_price",
    "precio",
    "tarifa",
    "preis",
    "prix",
)


UNITS = (
    "quantity",
    "qty",
    "units",
    "nights",
    "days",
    "hours",
    "count",
    "months",
    "cantidad",
    "dias",
    "noches",
    "menge",
    "weight",
    "distance",
    "seats",
    "tickets",
)


_NUMBER = r"(\d+(?:[.,]\d+)?)"
_HEAD = re.compile(
    r"\b(?:person|guest|people|adult|passenger|travell?er|attendee|head|persona|huésped|pasajero|gast|personne|pessoa|"
    r"hóspede|ospite)\b",
    re.IGNORECASE,
)
_COUNTS_HEADS = re.compile(
    r"^(?:(?:num|number_of|n)_)?(?:guests?|persons?|people|adults?|passengers?|travell?ers?|attendees?|party|pax|"
    r"huespedes|personas|pasajeros|gaeste|personen|personnes|pessoas|hospedes|ospiti)(?:_(?:count|size|number))?$"
)
_PERIOD = re.compile(
    r"\b(?:night|day|hour|week|month|noche|día|hora|semana|mes|nacht|tag|stunde|woche|monat|nuit|jour|heure|semaine|"
    r"mois|noite|dia|notte|giorno|ora)\b",
    re.IGNORECASE,
)


def rate_of(scene: Scene, rows: dict[str, str]) -> Expression:
    """A price of a bound row, else “0.20 per day” of the prose, else 0."""
    for row, name in rows.items():
        column = next((c for c in RATES if numeric(scene.entities[name].attribute(c))), None)
        column = column or next(
            (
                a.name
                for a in scene.entities[name].attributes
                if numeric(a) and any(a.name.endswith("_" + c) for c in RATES)
            ),
            None,
        )
        if column is not None:
            return call("coalesce", RowField(row=row, column=column), Constant(value=0))
    per = re.search(
        _NUMBER + r"\s*(?:€|\$|£|EUR|USD|GBP|euros?|dollars?)?\s*(?:per|por|pro|par|al|each|a)\s+(?:\w+\s+)?"
        r"(?:day|día|dia|tag|jour|night|unit|hour|giorno|late day|día de retraso)",
        scene.reading.text,
        re.IGNORECASE,
    )
    return Constant(value=float(per.group(1).replace(",", ".")) if per else 0)


def base_amount(scene: Scene, rows: dict[str, str]) -> Expression | None:
    """An amount parameter, else the sum over child rows of price × quantity (`calculate_order_total`)."""
    amount = next(
        (
            r
            for r in scene.roles
            if r.shape.type in (ColumnType.REAL, ColumnType.INTEGER)
            and snake(r.name) in ("amount", "price", "value", "importe", "betrag", "montant")
        ),
        None,
    )
    if amount is not None:
        return scene.argument(amount)
    for row, name in rows.items():
        for child in scene.entities.values():
            reference = next((a for a in child.attributes if a.references == name), None)
            priced = _priced_items(scene, row, name, child) if reference is not None and child.name != name else None
            if priced is not None:
                return priced
            quantity = next((a.name for a in child.attributes if a.name in UNITS and numeric(a)), None)
            price = next((a.name for a in child.attributes if a.name in RATES and numeric(a)), None)
            if reference is None or quantity is None or price is None or child.name == name:
                continue
            items = scene.variable(child.table)
            scene.add(
                Select(
                    rows=items,
                    entity=child.name,
                    where=(
                        Filter(column=reference.name, value=RowField(row=row, column=scene.entities[name].key[-1])),
                    ),
                )
            )
            scene.bound[items] = child.name
            product = call("multiply", RowField(row="row", column=price), RowField(row="row", column=quantity))
            return call("sum", Listing(over=Variable(name=items), item="row", value=product))
        listed = next(
            (
                a
                for a in scene.entities[name].attributes
                if a.name in ("total", "total_price", "total_amount", "amount", "importe_total") and numeric(a)
            ),
            None,
        )
        if listed is not None:
            return call("coalesce", RowField(row=row, column=listed.name), Constant(value=0))
    return None


def _priced_items(scene: Scene, row: str, name: str, child: Entity) -> Expression | None:
    """The sum over child rows of quantity × the price of the thing that each refers to."""
    quantity = next((a.name for a in child.attributes if a.name in UNITS and numeric(a)), None)
    own = next((a.name for a in child.attributes if a.name in RATES and numeric(a)), None)
    thing = next(
        (
            (a, t)
            for a in child.attributes
            if (t := scene.entities.get(a.references or "")) is not None
            and t.name != name
            and any(numeric(t.attribute(c)) for c in RATES)
        ),
        None,
    )
    if quantity is None or own is not None or thing is None:
        return None
    attribute, other = thing
    price = next(c for c in RATES if numeric(other.attribute(c)))
    items = scene.variable(child.table)
    reference = next(a.name for a in child.attributes if a.references == name)
    scene.add(
        Select(
            rows=items,
            entity=child.name,
            where=(Filter(column=reference, value=RowField(row=row, column=scene.entities[name].key[-1])),),
        )
    )
    scene.bound[items] = child.name
    find = Find(
        row="thing",
        entity=other.name,
        where=(Filter(column=other.key[-1], value=RowField(row="item", column=attribute.name)),),
        missing=f"An item is of no {other.title.lower()}.",
    )
    product = call(
        "multiply",
        call("coalesce", RowField(row="thing", column=price), Constant(value=0)),
        RowField(row="item", column=quantity),
    )
    scene.add(Each(over=Variable(name=items), item="item", steps=(find,), collect="prices", result=product))
    return call("sum", Variable(name="prices"))


def surcharge_of(scene: Scene, subtotal: Expression, units: Expression, text: str | None = None) -> Expression:
    """What flags and choices add, by the numbers that the prose names beside them: `express costs 2.50`; `text` is the
    tool's own description, or that of the tool whose price it takes.
    """
    text = " ".join([scene.reading.text if text is None else text, *(r.description for r in scene.roles)])
    total: Expression = Constant(value=0)
    for role in scene.roles:
        if "percent" in snake(role.name) or "rate" in snake(role.name).split("_"):
            share = call(
                "divide",
                call("multiply", subtotal, call("coalesce", scene.argument(role), Constant(value=0))),
                Constant(value=100),
            )
            sign: Function = (
                "subtract" if re.search(r"discount|rebate|descuento|rabatt|remise", snake(role.name)) else "add"
            )
            total = call(sign, total, share)
        if role.shape.type is ColumnType.BOOLEAN:
            added = _named_amount(scene, text, snake(role.name).split("_")[-1], subtotal, units)
            if added is not None:
                total = call(
                    "add", total, Choose(condition=scene.argument(role), then=added, otherwise=Constant(value=0))
                )
        for value in role.shape.schema.get("enum", ()):
            added = _named_amount(scene, text, str(value), subtotal, units)
            if added is not None:
                chosen = call("equal", scene.argument(role), Constant(value=value))
                total = call("add", total, Choose(condition=chosen, then=added, otherwise=Constant(value=0)))
    return total


def _named_amount(scene: Scene, text: str, word: str, subtotal: Expression, units: Expression) -> Expression | None:
    """The number nearest behind a word in its sentence: a percentage of the subtotal, per unit, per person, or a flat
    amount.
    """
    before = re.search(
        _NUMBER + r"\s*(?:€|\$|EUR|USD)?\s*(%|percent)?\s*(?:for|per|by|para|für|pour)\s+" + re.escape(word) + r"\b",
        text,
        re.IGNORECASE,
    )
    if before is not None:
        number = float(before.group(1).replace(",", "."))
        return call("multiply", subtotal, Constant(value=number / 100)) if before.group(2) else Constant(value=number)
    found = re.search(
        re.escape(word) + r"[^.;,]{0,60}?" + _NUMBER + r"\s*(%|percent|por ciento|prozent)?([^.;]{0,40})",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    number = float(found.group(1).replace(",", "."))
    if found.group(2):
        return call("multiply", subtotal, Constant(value=number / 100))
    return _times(scene, number, found.group(3), units)


def _times(scene: Scene, number: float, behind: str, units: Expression) -> Expression:
    """`12.50 per person and night`: what the number is taken times."""
    per = re.search(r"\b(?:per|por|pro|par|each)\s(.*)", behind, re.IGNORECASE)
    if per is None:
        return Constant(value=number)
    heads = next((r for r in scene.roles if _COUNTS_HEADS.search(snake(r.name))), None)
    if heads is None or not _HEAD.search(per.group(1)):
        return call("multiply", units, Constant(value=number))
    amount = call("multiply", scene.argument(heads), Constant(value=number))
    return call("multiply", units, amount) if _PERIOD.search(per.group(1)) else amount
