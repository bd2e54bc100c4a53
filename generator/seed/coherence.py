"""Columns of one row that follow from others: totals, limits, periods, ages.

Invariant: a rule changes a cell only to a value that the column accepts, never a key, a reference or a cell that
shows a documented value, and never makes two rows equal that must be told apart. Not covered: sums over other tables
(`totals`), states (`states`).
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.rules.meaning import split_name
from autoforge.generator.seed.cells import change
from autoforge.generator.seed.column import meaning_in
from autoforge.generator.seed.identity import identify
from autoforge.generator.seed.rates import exchange_rates
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.seed.times import side_of
from autoforge.generator.vocabulary import word_set

__all__ = ["PRICES", "QUANTITIES", "TOTALS", "settle"]

PRICES = (
    "unit_price",
    "price_per_unit",
    "price",
    "unit_cost",
    "nightly_rate",
    "daily_rate",
    "rate",
    "precio_unitario",
    "precio",
    "stuckpreis",
    "preis",
    "prix",
)
QUANTITIES = (
    "quantity",
    "qty",
    "units",
    "count",
    "shares",
    "nights",
    "num_nights",
    "days",
    "number_of_tickets",
    "cantidad",
    "menge",
    "anzahl",
    "quantite",
)
TOTALS = (
    "line_total",
    "subtotal",
    "total",
    "total_price",
    "total_amount",
    "total_cost",
    "grand_total",
    "amount",
    "importe",
    "gesamtpreis",
    "summe",
    "montant",
)
_SMALL = word_set("used available remaining free booked sold paid spent reserved occupied current consumed")
_LARGE = word_set("limit capacity total max maximum quota budget")


def settle(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Apply every rule to the rows of an entity."""
    for rule in (_periods, _ages, _products, _sums, _pairs, _shares, exchange_rates, identify):
        rule(setting, entity, rows)


def _named(entity: Entity, names: tuple[str, ...], types: tuple[ColumnType, ...]) -> Attribute | None:
    found = (entity.attribute(name) for name in names)
    return next((a for a in found if a is not None and a.type in types and a.references is None), None)


_NUMBERS = (ColumnType.INTEGER, ColumnType.REAL)


def _number(row: Row, attribute: Attribute | None) -> float:
    value = row.get(attribute.name) if attribute is not None else None
    return value if isinstance(value, int | float) else 0


def _periods(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """The end is not before the start, nor the end of a documented start before it; nights are counted."""
    dated = [a for a in entity.attributes if a.type in (ColumnType.DATE, ColumnType.DATETIME) and a.references is None]
    for first, last in [(a, b) for a in dated for b in dated if a.type is b.type and _follows(a.name, b.name)]:
        for i, row in enumerate(rows):
            low, high = row.get(first.name), row.get(last.name)
            if isinstance(low, str) and isinstance(high, str) and low > high:
                later, earlier = _moved(low, 1), _moved(high, -1)
                _ = change(setting, entity, rows, i, last.name, later) or change(
                    setting, entity, rows, i, first.name, earlier
                )
            _count_nights(setting, entity, rows, i, first, last)


def _follows(first: str, last: str) -> bool:
    a, b = split_name(first), split_name(last)
    if {"created", "erstellt"} & set(a) and (
        {"updated", "modified", "completed", "closed", "shipped", "delivered", "due"} & set(b)
    ):
        return True
    return side_of(a) == "start" and side_of(b) == "end" and len(set(a) ^ set(b)) <= 3


def _moved(moment: str, days: int) -> str:
    if len(moment) == 10:
        return (date.fromisoformat(moment) + timedelta(days=days)).isoformat()
    return (datetime.fromisoformat(moment) + timedelta(hours=days)).isoformat(timespec="seconds")


def _count_nights(setting: Setting, entity: Entity, rows: list[Row], i: int, first: Attribute, last: Attribute) -> None:
    low, high = rows[i].get(first.name), rows[i].get(last.name)
    if first.type is not ColumnType.DATE or not isinstance(low, str) or not isinstance(high, str):
        return
    for name in ("nights", "number_of_nights", "num_nights", "days", "duration_days", "noches", "nachte", "nuits"):
        change(setting, entity, rows, i, name, (date.fromisoformat(high) - date.fromisoformat(low)).days)


def _ages(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    born = next((a for a in entity.attributes if meaning_in(setting, entity, a) == "birth_date"), None)
    for i, row in enumerate(rows):
        value = row.get(born.name) if born is not None else None
        if isinstance(value, str) and "age" in row:
            day = date.fromisoformat(value[:10])
            change(
                setting,
                entity,
                rows,
                i,
                "age",
                setting.today.year - day.year - ((setting.today.month, setting.today.day) < (day.month, day.day)),
            )


def _products(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Total is quantity times price, less a discount in percent."""
    price, quantity = _named(entity, PRICES, _NUMBERS), _named(entity, QUANTITIES, _NUMBERS)
    total = _named(entity, TOTALS, _NUMBERS)
    if price is None or quantity is None or total is None:
        return
    discount = _named(entity, ("discount_percent", "discount_percentage", "discount"), _NUMBERS)
    percent = discount if discount is not None and meaning_in(setting, entity, discount) == "percentage" else None
    for i, row in enumerate(rows):
        if row.get(price.name) is not None and row.get(quantity.name) is not None:
            worth = _number(row, quantity) * _number(row, price) * (1 - _number(row, percent) / 100)
            change(setting, entity, rows, i, total.name, round(worth, 2))


def _sums(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Total is the subtotal with tax and shipping."""
    subtotal, total = (
        _named(entity, ("subtotal", "sub_total", "amount"), _NUMBERS),
        _named(entity, ("total", "total_amount", "total_price", "grand_total"), _NUMBERS),
    )
    if subtotal is None or total is None or _named(entity, PRICES, _NUMBERS) is not None:
        return
    more = [
        a
        for n in ("tax", "tax_amount", "vat", "shipping", "shipping_cost", "shipping_fee", "fee", "tip")
        if (a := _named(entity, (n,), _NUMBERS))
    ]
    if subtotal.name == "amount" and not more:
        return
    less = [a for n in ("discount_amount",) if (a := _named(entity, (n,), _NUMBERS))]
    for i, row in enumerate(rows):
        worth = _number(row, subtotal) + sum(_number(row, a) for a in more) - sum(_number(row, a) for a in less)
        change(setting, entity, rows, i, total.name, round(worth, 2))


def _pairs(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """The lower of two limits is not above the upper."""
    for attribute in entity.attributes:
        words = split_name(attribute.name)
        for low, high in (
            ("min", "max"),
            ("minimum", "maximum"),
            ("low", "high"),
            ("lower", "upper"),
            ("lowest", "highest"),
        ):
            if low in words and attribute.type in _NUMBERS:
                other = next(
                    (
                        a
                        for a in entity.attributes
                        if split_name(a.name) == tuple(high if w == low else w for w in words)
                    ),
                    None,
                )
                if other is not None and other.type in _NUMBERS:
                    _order(setting, entity, rows, attribute, other)


def _order(setting: Setting, entity: Entity, rows: list[Row], low: Attribute, high: Attribute) -> None:
    for i, row in enumerate(rows):
        below, above = row.get(low.name), row.get(high.name)
        if isinstance(below, int | float) and isinstance(above, int | float) and below > above:
            change(setting, entity, rows, i, low.name, above)
            change(setting, entity, rows, i, high.name, below)


def _shares(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """What is used or left is at most the limit: data_used_gb and data_limit_gb, available_seats and total_seats."""
    numeric = [a for a in entity.attributes if a.type in _NUMBERS and a.references is None]
    for small in numeric:
        part = set(split_name(small.name))
        if not part & _SMALL or part & _LARGE:
            continue
        for large in numeric:
            whole = set(split_name(large.name))
            if whole & _LARGE and (part - _SMALL <= whole - _LARGE or whole - _LARGE <= part - _SMALL):
                _cap(setting, entity, rows, small, large)


def _cap(setting: Setting, entity: Entity, rows: list[Row], small: Attribute, large: Attribute) -> None:
    draw = setting.draw(entity.name, small.name, "@share")
    for i, row in enumerate(rows):
        if _number(row, small) > _number(row, large):
            share = _number(row, large) * draw.real(0.1, 0.9)
            change(
                setting,
                entity,
                rows,
                i,
                small.name,
                round(share) if small.type is ColumnType.INTEGER else round(share, 2),
            )
