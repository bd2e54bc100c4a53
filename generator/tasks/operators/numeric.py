"""Numbers without the noise of floats: exact inside, tidy outside.

Invariant: `tidy(exact(x))` is x for every number of at most 14 digits and 10 decimals, and 0.1 + 0.2 is 0.3. Not
covered: units and currencies.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any

from autoforge.generator.tasks.operators.operator import Ambiguous, OperatorFault

__all__ = ["LARGEST", "exact", "is_number", "rounded", "tidy", "whole"]

LARGEST = 10**30
"""Numbers are smaller than this."""
_DECIMALS = 10
_DIGITS = 14
"""Noise of float arithmetic begins behind these."""
_CONTEXT = Context(prec=80)


def is_number(value: Any) -> bool:
    """Booleans are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def exact(value: Any) -> Fraction:
    """The number that is written, without noise. Raises OperatorFault for what is no number, or no finite one."""
    if not is_number(value) or not -LARGEST < value < LARGEST:
        raise OperatorFault(f"{value!r:.60} is not a number to calculate with")
    return Fraction(value) if isinstance(value, int) else Fraction(_without_noise(Decimal(repr(value))))


def tidy(value: Fraction | int) -> int | float:
    """As JSON holds it: an int where it is whole, else a float of at most 10 decimals (10 digits below 1).

    Raises OperatorFault for what is too large.
    """
    if not -LARGEST < value < LARGEST:
        raise OperatorFault("the result is too large")
    if value.denominator == 1:
        return int(value)
    decimal = _without_noise(_CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator)))
    return int(decimal) if decimal == decimal.to_integral_value() else float(decimal)


def rounded(value: Fraction | int, decimals: int) -> Fraction:
    """To so many decimals. Raises Ambiguous where rounding halves up and to even differ, OperatorFault."""
    if not 0 <= decimals <= _DECIMALS:
        raise OperatorFault(f"a number is rounded to 0 to {_DECIMALS} decimals, not {decimals}")
    decimal = _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
    unit = Decimal(1).scaleb(-decimals)
    up, even = (decimal.quantize(unit, mode, _CONTEXT) for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN))
    if up != even:
        raise Ambiguous(f"{decimal} lies half way: it may be rounded to {up} or {even}")
    return Fraction(up)


def whole(value: Any) -> int:
    """A whole number. Raises OperatorFault."""
    number = exact(value)
    if number.denominator != 1:
        raise OperatorFault(f"{value!r} is not a whole number")
    return int(number)


def _without_noise(value: Decimal) -> Decimal:
    before = value.adjusted() + 1
    places = max(0, min(_DECIMALS - min(before, 0), _DIGITS - before))
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN, _CONTEXT) if places < 60 else Decimal(0)
