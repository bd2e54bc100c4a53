"""A number or a date that stands in a text.

Invariant: plain data, in the order of the text. Not covered: reading them (`numbers`, `dates`).
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

__all__ = ["Moment", "Token"]


class Moment(NamedTuple):
    """A day, perhaps with its time."""

    year: int | None
    month: int
    day: int
    time: tuple[int, int, int | None] | None = None
    """Hour, minute, and second where it was said."""
    offset: str = ""
    """`+02:00` where it was said and is not UTC."""


class Token(NamedTuple):
    start: int
    end: int
    value: Decimal | Moment
    decimals: int = 0
    """Digits written after the decimal sign."""
    percent: bool = False
