"""What a new row gets by itself: id, clock, first status, owner, variant, the price of what it refers to.

Invariant: a value that the tool is given is never replaced. Not covered: the least values of columns that must hold one
(`inserts`) and what the prose says of new rows (`effects`).
"""

from __future__ import annotations

import re

from pydantic import JsonValue

from autoforge.generator.ir import (
    Attribute,
    ColumnType,
    Constant,
    Entity,
    Expression,
    NextId,
    Now,
    RowField,
    Today,
)
from autoforge.generator.rules.estimate_amounts import surcharge_of
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.words import snake

__all__ = ["presets"]


def presets(scene: Scene, entity: Entity, values: dict[str, Expression]) -> None:
    """What a new row gets by itself: id, clock, first status, owner, variant, price of what it refers to."""
    for attribute in entity.attributes:
        name = attribute.name
        if name in values:
            continue
        if name in entity.key and entity.id_template is not None:
            values[name] = NextId(entity=entity.name)
        elif name == entity.status and attribute.enum:
            values[name] = Constant(value=_first_status(scene, attribute))
        elif name in (
            "created_at",
            "updated_at",
            "timestamp",
            "created",
            "sent_at",
            "date_created",
            "order_date",
            "created_on",
            "booking_date",
            "placed_at",
            "modified_at",
            "last_modified",
            "updated",
        ):
            values[name] = Today() if attribute.type is ColumnType.DATE else Now()
        elif name == entity.owner and "session" in scene.entities:
            session = scene.entities["session"]
            user = next((a.name for a in session.attributes if a.references), None)
            if user is not None:
                row = "session" if "session" in scene.bound else scene.find(session, None, row="session")
                values[name] = RowField(row=row, column=user)
    variant = scene.cast.variant_of_tool.get(scene.reading.tool.name)
    if variant and entity.attribute(f"{entity.name}_type"):
        values[f"{entity.name}_type"] = Constant(value=variant)
    _derive(scene, entity, values)


def _first_status(scene: Scene, attribute: Attribute) -> JsonValue:
    if attribute.default is not None:
        return attribute.default
    made = scene.reading.verb.state or {
        "book": "booked",
        "reserve": "reserved",
        "schedule": "scheduled",
        "order": "ordered",
        "draft": "draft",
        "send": "sent",
        "place": "placed",
    }.get(scene.reading.verb.word, "")
    first = (
        "new",
        "open",
        "pending",
        "placed",
        "draft",
        "created",
        "active",
        "requested",
        "booked",
        "scheduled",
        "available",
        "abierto",
        "pendiente",
        "activo",
        "offen",
        "needsaction",
        "todo",
        "confirmed",
    )
    wanted = [made, *first]
    for word in wanted:
        for value in attribute.enum:
            if word and snake(str(value)).replace("_", "") == word:
                return value
    return attribute.enum[0]


def _derive(scene: Scene, entity: Entity, values: dict[str, Expression]) -> None:
    """`total = quantity × price` where the row refers to something that has a price."""
    total = next(
        (
            a
            for a in entity.attributes
            if a.name in ("total", "total_price", "total_amount", "amount_due", "total_cost", "importe_total")
            and a.name not in values
            and a.type in (ColumnType.REAL, ColumnType.INTEGER)
        ),
        None,
    )
    unit = next(
        (
            a
            for a in entity.attributes
            if a.name in ("price", "unit_price", "precio", "cost")
            and a.name not in values
            and a.type in (ColumnType.REAL, ColumnType.INTEGER)
        ),
        None,
    )
    if total is None and unit is None:
        return
    for row, other_name in scene.bound.items():
        price = next(
            (
                a
                for a in scene.entities[other_name].attributes
                if a.name
                in ("price", "unit_price", "precio", "rate", "price_per_night", "nightly_rate", "cost", "base_price")
            ),
            None,
        )
        if price is None or other_name == entity.name:
            continue
        source: Expression = RowField(row=row, column=price.name)
        if unit is not None:
            values[unit.name] = source
        nightly = price.name in ("price_per_night", "nightly_rate", "daily_rate", "rate", "price_per_day")
        days = _days(entity, values) if nightly else None
        quantity = days or next(
            (
                values[c]
                for c in ("quantity", "qty", "amount", "num_shares", "units", "cantidad", "guests", "tickets")
                if c in values
            ),
            None,
        )
        if total is not None:
            product: Expression = call("multiply", source, quantity) if quantity is not None else source
            if scene.reading.priced_as is not None:
                extra = surcharge_of(scene, product, quantity or Constant(value=1), scene.reading.priced_as)
                product = product if extra == Constant(value=0) else call("add", product, extra)
            values[total.name] = (
                call("integer", product)
                if total.type is ColumnType.INTEGER
                else call("round", product, Constant(value=2))
            )
        return


def _days(entity: Entity, values: dict[str, Expression]) -> Expression | None:
    """The days between the two dates of a new booking."""
    dates = [
        a.name
        for a in entity.attributes
        if a.name in values
        and a.type in (ColumnType.DATE, ColumnType.DATETIME)
        and not isinstance(values[a.name], Now | Today)
    ]
    start = next((d for d in dates if re.search(r"(?:^|_)(?:check_?in|start|from|pick_?up|arrival)(?:_|$)", d)), None)
    end = next(
        (
            d
            for d in dates
            if d != start and re.search(r"(?:^|_)(?:check_?out|end|to|until|drop_?off|return|departure)(?:_|$)", d)
        ),
        None,
    )
    return call("days_between", values[start], values[end]) if start is not None and end is not None else None
