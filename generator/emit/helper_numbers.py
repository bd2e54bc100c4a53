"""Source of the helper functions of generated code for numbers and comparisons; `helpers` says what they keep.

Invariant: each source stands by itself, but for the helpers that it calls. Not covered: choosing them (`helpers`).
"""

from __future__ import annotations

__all__ = ["NUMBERS"]

NUMBERS = '''
def _is_number(value):
    """Whether a value is a number that the state can hold; True and False are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= 1e300


def _finite(number):
    """A result without the noise of binary fractions; None when it is out of range."""
    if isinstance(number, int):
        return number if abs(number) < 2**63 else None
    return round(number, 10) if abs(number) <= 1e300 else None


def _add(left, right):
    """The sum; None when either is not a number."""
    return _finite(left + right) if _is_number(left) and _is_number(right) else None


def _subtract(left, right):
    """The difference; None when either is not a number."""
    return _finite(left - right) if _is_number(left) and _is_number(right) else None


def _multiply(left, right):
    """The product; None when either is not a number."""
    return _finite(left * right) if _is_number(left) and _is_number(right) else None


def _divide(left, right):
    """The quotient; None when either is not a number or the divisor is zero."""
    if not _is_number(left) or not _is_number(right) or right == 0:
        return None
    return _finite(float(left) / float(right)) if abs(right) >= 1e-300 else None


def _modulo(left, right):
    """The remainder, with the sign of the divisor; None when either is not a number or the divisor is zero."""
    return _finite(left % right) if _is_number(left) and _is_number(right) and right != 0 else None


def _power(base, exponent):
    """The power; None when either is not a number or there is no real result in range."""
    if not _is_number(base) or not _is_number(exponent) or (base < 0 and exponent != int(exponent)):
        return None
    try:
        result = float(base) ** float(exponent)
    except (OverflowError, ZeroDivisionError):
        return None
    whole = isinstance(base, int) and isinstance(exponent, int) and exponent >= 0 and abs(result) < 2**53
    return int(result) if whole else _finite(result)


def _negate(value):
    """The number with the other sign; None when it is not a number."""
    return _finite(-value) if _is_number(value) else None


def _absolute(value):
    """The number without its sign; None when it is not a number."""
    return _finite(abs(value)) if _is_number(value) else None


def _round(value, digits=0):
    """The number rounded to so many decimals, a whole number for none; None when it is not a number."""
    if not _is_number(value):
        return None
    places = max(-15, min(15, _integer(digits) or 0))
    return _finite(round(value, places) if places else round(value))


def _minimum(*values):
    """The least of the values that are known; None when none is."""
    known = [value for value in values if value is not None]
    return min(known, key=_sort_key) if known else None


def _maximum(*values):
    """The greatest of the values that are known; None when none is."""
    known = [value for value in values if value is not None]
    return max(known, key=_sort_key) if known else None


def _sort_key(value):
    """A total order over all values: None, then numbers, then texts, then lists and objects."""
    if value is None:
        return (0, 0, "")
    if isinstance(value, (int, float)):
        return (1, value, "")
    if isinstance(value, str):
        return (2, 0, value)
    return (3, 0, json.dumps(value, sort_keys=True))


def _comparable(left, right):
    """Whether both are numbers or both are texts."""
    both_texts = isinstance(left, str) and isinstance(right, str)
    return both_texts or (isinstance(left, (int, float)) and isinstance(right, (int, float)))


def _less(left, right):
    """Whether left comes before right; False when either is unknown or they are of different kinds."""
    return _comparable(left, right) and left < right


def _less_equal(left, right):
    """Whether left is not after right; False when either is unknown or they are of different kinds."""
    return _comparable(left, right) and left <= right


def _number(value):
    """The number that a value is or a text spells; None when there is none."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        spelled = value.strip().replace(",", "")
        try:
            value = int(spelled) if re.fullmatch(r"[+-]?\\d{1,18}", spelled) else float(spelled)
        except ValueError:
            return None
    return value if _is_number(value) else None


def _integer(value):
    """The whole number that a value is, or its whole part; None when it is no number."""
    number = _number(value)
    return None if number is None else int(number)


def _coalesce(*values):
    """The first value that is not None; None when all are."""
    for value in values:
        if value is not None:
            return value
    return None
'''
