"""Numbers by meaning: ranges that a reader believes, near-equal neighbours, and the limits of the column.

Invariant: a result lies within `minimum` and `maximum` and is whole where the column is. Amounts have two decimals,
except in whole columns. Not covered: numbers that follow from others (`coherence`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from autoforge.generator.ir import Attribute, ColumnType
from autoforge.generator.rules.meaning import split_name
from autoforge.generator.seed.draw import Draw

__all__ = ["MONEY", "bounded", "ending", "numbers"]


class Span(NamedTuple):
    low: float
    high: float
    decimals: int = 0


_SPANS = {
    "quantity": Span(1, 9),
    "stock": Span(0, 120),
    "rating": Span(2.5, 5, 1),
    "score": Span(40, 100),
    "points": Span(0, 4800),
    "capacity": Span(2, 60),
    "percentage": Span(5, 60),
    "distance": Span(1, 480, 1),
    "weight": Span(0.2, 28, 2),
    "height": Span(20, 210, 1),
    "temperature": Span(-4, 31, 1),
    "humidity": Span(30, 90),
    "speed": Span(20, 120, 1),
    "area": Span(18, 240, 1),
    "duration_minutes": Span(15, 180),
    "duration_hours": Span(1, 40),
    "duration_days": Span(1, 14),
    "duration_seconds": Span(30, 900),
    "floor": Span(1, 9),
    "position": Span(1, 20),
    "age": Span(19, 78),
    "file_size": Span(2_000, 4_800_000),
    "port": Span(1024, 9000),
    "latitude": Span(-60, 60, 5),
    "longitude": Span(-150, 150, 5),
    "month": Span(1, 12),
    "data_volume": Span(1, 90, 1),
    "integer": Span(1, 100),
    "real": Span(1, 100, 2),
    "price": Span(8, 240, 2),
    "amount": Span(20, 900, 2),
    "balance": Span(250, 9500, 2),
    "salary": Span(32_000, 118_000),
    "tax": Span(2, 90, 2),
}
MONEY = frozenset(("price", "amount", "balance", "tax", "salary"))
_ROUND = frozenset(("percentage", "duration_minutes", "duration_seconds"))
"""Meanings whose whole numbers people give in fives."""
_THINGS = {
    "night nightly hotel room": Span(62, 310, 2),
    "flight airfare": Span(79, 890, 2),
    "stock share ticker": Span(18, 620, 2),
    "plan subscription monthly membership": Span(5, 80, 2),
    "rent apartment": Span(650, 2900, 0),
    "house property estate": Span(120_000, 890_000, 0),
    "car vehicle": Span(6_500, 48_000, 0),
    "fee shipping delivery": Span(2, 25, 2),
    "seat theater cinema concert": Span(9, 85, 2),
    "dish menu meal food": Span(6, 32, 2),
    "budget": Span(500, 20_000, 0),
    "hourly": Span(18, 120, 2),
    "fine": Span(5, 120, 2),
}
RICH = Span(12_000, 48_000, 2)
"""Balance of the one account of a session, enough for what tools charge."""


def numbers(
    draw: Draw, meaning: str, attribute: Attribute, context: str, count: int, *, rich: bool = False
) -> list[float]:
    """`count` numbers; every third of an amount of money lies close to the one before. `context` are words around the
    column.
    """
    span = RICH if rich and meaning == "balance" else _span(meaning, attribute, context)
    scale = _scale(attribute) if meaning in MONEY else 1
    values = [_one(draw, meaning, span) for _ in range(count)]
    if meaning in MONEY:
        values = [values[i - 1] + draw.one((0.5, 1.0, 2.0)) if i % 3 == 2 else value for i, value in enumerate(values)]
    return [bounded(draw, attribute, value * scale, span.decimals if scale == 1 else 0) for value in values]


def bounded(draw: Draw, attribute: Attribute, value: float, decimals: int = 2) -> float:
    """The value, or another within the column's limits; whole where the column is."""
    low, high = attribute.minimum, attribute.maximum
    if attribute.type is ColumnType.INTEGER:
        low = None if low is None else math.ceil(low)
        high = None if high is None else math.floor(high)
    inside = (low is None or value >= low) and (high is None or value <= high)
    if not inside:
        value = _within(draw, low, high)
    number = round(value) if attribute.type is ColumnType.INTEGER else round(value, decimals)
    if low is not None and number < low:
        number = low
    if high is not None and number > high:
        number = high
    return number if attribute.type is not ColumnType.INTEGER else int(number)


def _within(draw: Draw, low: float | None, high: float | None) -> float:
    if low is not None and high is not None:
        return draw.real(low, max(low, high))
    if low is not None:
        return low + draw.real(0, max(10.0, abs(low)))
    assert high is not None
    return draw.real(0, high) if high > 0 else high - draw.real(0, max(10.0, abs(high)))


def _span(meaning: str, attribute: Attribute, context: str) -> Span:
    words = set(split_name(f"{attribute.name} {context}"))
    if meaning == "price":
        return next((span for names, span in _THINGS.items() if set(names.split()) & words), _SPANS["price"])
    if meaning == "amount" and "budget" in words:
        return _THINGS["budget"]
    if meaning == "percentage" and words & {"discount", "change", "interest", "tax"}:
        return Span(-4, 4, 2) if "change" in words else Span(5, 30) if "discount" in words else Span(1, 20, 1)
    return _SPANS.get(meaning, _SPANS["integer"] if attribute.type is ColumnType.INTEGER else _SPANS["real"])


def _scale(attribute: Attribute) -> int:
    text = f"{attribute.name} {attribute.description}".lower()
    return 1000 if "milliunit" in text else 100 if "cents" in text or "minor unit" in text else 1


def ending(draw: Draw) -> float:
    """The cents of a price."""
    return draw.one((0.0, 0.5, 0.9, 0.99))


def _one(draw: Draw, meaning: str, span: Span) -> float:
    if meaning in ("price", "amount", "tax") and span.decimals:
        return draw.integer(int(span.low), int(span.high)) + ending(draw)
    if meaning in _ROUND and not span.decimals:
        return 5 * draw.integer(math.ceil(span.low / 5), int(span.high // 5))
    if span.decimals == 0:
        return (
            draw.integer(int(span.low), int(span.high))
            if span.high < 5000
            else 100 * draw.integer(int(span.low // 100) + 1, int(span.high // 100))
        )
    return round(draw.real(span.low, span.high), span.decimals)
