"""Columns of a row that sum up or count other rows: the total of an order, the number of members.

Invariant: a total equals the sum over the lines that the seed holds, whether they are rows of another table or items of
a JSON column; a count equals the number of rows. A total that its column does not accept (an order without lines, a
minimum) stays as it was. Not covered: keeping them right afterwards, which is the tools' part.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.rules.meaning import split_name
from autoforge.generator.seed.cells import change
from autoforge.generator.seed.coherence import PRICES, QUANTITIES, TOTALS, settle
from autoforge.generator.seed.plan import parent_entity
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.seed.times import side_of

__all__ = ["sum_up"]

_DAILY_RATES = ("nightly_rate", "daily_rate", "price_per_night", "price_per_day", "rate_per_night", "rate_per_day")
_PARENT_TOTALS = (
    "subtotal",
    "total",
    "total_price",
    "total_amount",
    "grand_total",
    "order_total",
    "amount_due",
    "amount",
    "importe_total",
    "total_cost",
    "gesamtbetrag",
)


def sum_up(setting: Setting) -> None:
    """Fill the totals and counts of all entities from their children, once all rows are there."""
    for entity in setting.world.entities:
        rows = setting.rows[entity.name]
        if not rows or entity.singleton:
            continue
        _from_items(setting, entity, rows)
        _from_nights(setting, entity, rows)
        for child in setting.world.entities:
            reference = _line_reference(setting, child, entity)
            if reference is not None:
                _from_children(setting, entity, rows, child, reference)


def _line_reference(setting: Setting, child: Entity, entity: Entity) -> Attribute | None:
    columns = [
        a for a in child.attributes if a.references == entity.name and parent_entity(setting.world, a) is not None
    ]
    return columns[0] if len(columns) == 1 and child.name != entity.name else None


def _from_children(setting: Setting, entity: Entity, rows: list[Row], child: Entity, reference: Attribute) -> None:
    key = entity.key[0]
    children = setting.rows[child.name]
    for i, row in enumerate(rows):
        own = [c for c in children if c.get(reference.name) == row[key]]
        for attribute in entity.attributes:
            if attribute.type is ColumnType.INTEGER and _counts(attribute.name, child):
                change(setting, entity, rows, i, attribute.name, len(own))
    if {"payment", "pago", "zahlung", "paiement", "pagamento"} & set(split_name(child.name)):
        _split_payments(setting, rows, key, entity, child, reference)
    if {"item", "line", "position", "entry", "detail", "posten"} & set(split_name(child.name)):
        _set_totals(setting, entity, rows, lambda row: [c for c in children if c.get(reference.name) == row[key]])


def _split_payments(
    setting: Setting, rows: list[Row], key: str, entity: Entity, child: Entity, reference: Attribute
) -> None:
    """The payments for a row are equal parts of its total."""
    total = next((a for n in _PARENT_TOTALS if (a := entity.attribute(n)) is not None), None)
    children = setting.rows[child.name]
    if total is None or child.attribute("amount") is None:
        return
    for j, row in enumerate(rows):
        own = [i for i, c in enumerate(children) if c.get(reference.name) == row[key]]
        worth = row.get(total.name)
        for i in own:
            change(
                setting,
                child,
                children,
                i,
                "amount",
                round(worth / len(own), 2) if isinstance(worth, int | float) else None,
            )
        paid = sum(v for i in own if isinstance(v := children[i]["amount"], int | float))
        for name in ("amount_paid", "paid_amount", "total_paid"):
            change(setting, entity, rows, j, name, round(float(paid), 2))


def _from_nights(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """The price of a stay is its days times the daily rate of what is rented."""
    dated = [a for a in entity.attributes if a.type is ColumnType.DATE]
    first = next((a for a in dated if side_of(split_name(a.name)) == "start"), None)
    last = next((a for a in dated if side_of(split_name(a.name)) == "end"), None)
    total = next((a for n in _PARENT_TOTALS if (a := entity.attribute(n)) is not None), None)
    for reference in entity.attributes:
        parent = parent_entity(setting.world, reference) if reference.references is not None else None
        rate = next((n for n in _DAILY_RATES if parent is not None and parent.attribute(n) is not None), None)
        if parent is None or rate is None or first is None or last is None or total is None:
            continue
        rates = {repr(row[parent.key[0]]): row.get(rate) for row in setting.rows[parent.name]}
        for i, row in enumerate(rows):
            price, start, end = rates.get(repr(row[reference.name])), row.get(first.name), row.get(last.name)
            if isinstance(price, int | float) and isinstance(start, str) and isinstance(end, str):
                days = (date.fromisoformat(end) - date.fromisoformat(start)).days
                change(setting, entity, rows, i, total.name, round(float(price) * days, 2))


def _counts(column: str, child: Entity) -> bool:
    words = split_name(column)
    nouns = {child.name.split("_")[-1], child.table.split("_")[-1].lower()}
    counted = words[-1:] == ("count",) or words[:1] == ("num",) or words[:2] == ("number", "of")
    return counted and bool(nouns & set(words))


def _from_items(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    items = next((a for a in entity.attributes if a.type is ColumnType.JSON and _holds_lines(a)), None)
    if items is not None:
        _set_totals(setting, entity, rows, lambda row: _lines(row, items.name))


def _holds_lines(attribute: Attribute) -> bool:
    text = str(attribute.item_schema)
    return any(f"'{q}'" in text for q in QUANTITIES) and any(f"'{p}'" in text for p in PRICES)


def _lines(row: Row, column: str) -> list[Row]:
    value = row.get(column)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _set_totals(setting: Setting, entity: Entity, rows: list[Row], lines: Callable[[Row], list[Row]]) -> None:
    total = next(
        (
            a
            for n in _PARENT_TOTALS
            if (a := entity.attribute(n)) is not None and a.type in (ColumnType.INTEGER, ColumnType.REAL)
        ),
        None,
    )
    if total is None:
        return
    for i, row in enumerate(rows):
        own = lines(row)
        worth = sum(_worth(line) for line in own)
        if own:
            change(setting, entity, rows, i, total.name, round(worth, 2))
    if total.name == "subtotal":
        settle(setting, entity, rows)


def _worth(line: Row) -> float:
    def first(names: tuple[str, ...]) -> float | None:
        found = (line.get(name) for name in names)
        return next((v for v in found if isinstance(v, int | float) and not isinstance(v, bool)), None)

    price, quantity, total = first(PRICES), first(QUANTITIES), first(TOTALS)
    if price is not None and quantity is not None:
        return total if total is not None else price * quantity
    return total or 0
