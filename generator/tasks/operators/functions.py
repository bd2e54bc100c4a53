"""What expressions calculate with: a budget of steps, equality and order, and the functions that may be called.

Invariant: every function is pure, spends steps for the work it does, and gives the same in every process (a set is gone
through in sorted order). Numbers are ints and exact fractions. Values that Python would not compare raise
OperatorFault. Not covered: the syntax (`evaluator`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from autoforge.generator.tasks.operators.numeric import LARGEST, rounded, tidy
from autoforge.generator.tasks.operators.operator import OperatorFault

__all__ = ["CALLS", "Budget", "elements", "less", "matches", "normal", "sized"]

_SIZE = 10_000
"""Longest list or text that an expression may make."""
_PRECISION = 10**40
_WRITTEN = re.compile(r"[+-]?[0-9]{1,30}([.][0-9]{1,30})?")


class Budget:
    """Steps that are left."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self, steps: int = 1) -> None:
        """Raises OperatorFault when none are left."""
        self._left -= steps
        if self._left < 0:
            raise OperatorFault("the expression takes too many steps")


def normal(value: Any) -> Any:
    """A number as an int or a fraction of bounded size. Raises OperatorFault for what is too large."""
    if isinstance(value, Fraction):
        if value.denominator > _PRECISION:
            value = Fraction(round(value * _PRECISION), _PRECISION)
        value = int(value) if value.denominator == 1 else value
    if isinstance(value, int | Fraction) and not -LARGEST < value < LARGEST:
        raise OperatorFault("a number is too large")
    return value


def sized(value: Any, budget: Budget) -> Any:
    """A new list or text, paid for. Raises OperatorFault where it is too long."""
    if len(value) > _SIZE:
        raise OperatorFault(f"a list or text has more than {_SIZE} parts")
    budget.spend(len(value))
    return value


def elements(value: Any, budget: Budget) -> list[Any]:
    """What is in a collection: keys of an object, letters of a text."""
    if isinstance(value, frozenset):
        budget.spend(len(value))
        return sorted(value, key=lambda one: (type(one).__name__, repr(one)))
    if isinstance(value, list | tuple | dict | str):
        return list(sized(value, budget))
    raise OperatorFault(f"{_kind(value)} cannot be gone through")


def matches(one: Any, other: Any, budget: Budget) -> bool:
    """Python's ==."""
    budget.spend()
    if type(one) is not type(other) or not isinstance(one, list | tuple | dict):
        return bool(one == other) if not isinstance(one, list | tuple | dict) else False
    if len(one) != len(other):
        return False
    if isinstance(one, dict):
        return all(name in other and matches(inner, other[name], budget) for name, inner in one.items())
    return all(matches(left, right, budget) for left, right in zip(one, other, strict=True))


def less(one: Any, other: Any, budget: Budget) -> bool:
    """Python's <, without booleans as numbers. Raises OperatorFault across kinds."""
    budget.spend()
    if isinstance(one, list | tuple) and type(one) is type(other):
        for left, right in zip(one, other, strict=False):
            if not matches(left, right, budget):
                return less(left, right, budget)
        return len(one) < len(other)
    if _kind(one) != _kind(other) or _kind(one) not in ("a number", "a text", "a boolean"):
        raise OperatorFault(f"{_kind(one)} and {_kind(other)} have no order")
    return bool(one < other)


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    for type_, words in ((bool, "a boolean"), (int, "a number"), (Fraction, "a number"), (str, "a text"),
                         (dict, "an object"), (frozenset, "a set")):  # fmt: skip
        if isinstance(value, type_):
            return words
    return "a list"


def _length(budget: Budget, value: Any) -> int:
    if not isinstance(value, list | tuple | dict | frozenset | str):
        raise OperatorFault(f"{_kind(value)} has no length")
    return len(value)


def _number(value: Any) -> int | Fraction:
    if not isinstance(value, int | Fraction):
        raise OperatorFault(f"{_kind(value)} is not a number")
    return value


def _sum(budget: Budget, values: Any) -> Any:
    total: Any = 0
    for value in elements(values, budget):
        total = normal(total + _number(value))
    return total


def _round(budget: Budget, value: Any, decimals: Any = 0) -> Any:
    if not isinstance(decimals, int):
        raise OperatorFault("round needs a whole number of decimals")
    return normal(rounded(_number(value), decimals))


def _extreme(sign: int) -> Callable[..., Any]:
    def extreme(budget: Budget, *values: Any, default: Any = None) -> Any:
        given = elements(values[0], budget) if len(values) == 1 else list(values)
        if not given and default is None:
            raise OperatorFault("there is no least or greatest of nothing")
        best = given[0] if given else default
        for value in given[1:]:
            if less(value, best, budget) if sign < 0 else less(best, value, budget):
                best = value
        return best

    return extreme


def _sorted(budget: Budget, values: Any, *, reverse: Any = False) -> list[Any]:
    def order(one: Any, other: Any) -> int:
        return -1 if less(one, other, budget) else int(less(other, one, budget))

    return sorted(elements(values, budget), key=cmp_to_key(order), reverse=bool(reverse))


def _text(budget: Budget, value: Any) -> str:
    if isinstance(value, list | tuple | dict | frozenset):
        raise OperatorFault(f"{_kind(value)} is not written as text")
    return str(value if isinstance(value, str | bool) or value is None else tidy(value))


def _parsed(value: Any) -> int | Fraction:
    if isinstance(value, str):
        if not _WRITTEN.fullmatch(value.strip()):
            raise OperatorFault(f"{value!r:.60} is not a number")
        return Fraction(value.strip())
    return _number(value)


def _set(budget: Budget, values: Any = ()) -> frozenset[Any]:
    found = elements(values, budget)
    for value in found:
        if not _plain(value):
            raise OperatorFault(f"{_kind(value)} cannot be in a set")
    return frozenset(found)


def _plain(value: Any) -> bool:
    return all(map(_plain, value)) if isinstance(value, tuple) else not isinstance(value, list | dict | frozenset)


def _range(budget: Budget, *limits: Any) -> list[int]:
    if (
        not 1 <= len(limits) <= 3
        or not all(isinstance(n, int) and abs(n) <= _SIZE for n in limits)
        or limits[2:] == (0,)
    ):
        raise OperatorFault(f"range needs whole numbers of at most {_SIZE}")
    return sized(list(range(*limits)), budget)  # type: ignore[no-any-return]


def _zip(budget: Budget, *lists: Any) -> list[tuple[Any, ...]]:
    return list(zip(*(elements(values, budget) for values in lists), strict=False))


def _truth(test: Callable[[Iterable[Any]], bool]) -> Callable[..., bool]:
    return lambda budget, values: test(elements(values, budget))


CALLS: Mapping[str, Callable[..., Any]] = {
    "len": _length, "sum": _sum, "round": _round, "min": _extreme(-1), "max": _extreme(1), "sorted": _sorted,
    "str": _text, "set": _set, "range": _range, "zip": _zip, "any": _truth(any), "all": _truth(all),
    "abs": lambda budget, value: abs(_number(value)),
    "int": lambda budget, value: int(_parsed(value)),
    "float": lambda budget, value: normal(_parsed(value)),
    "bool": lambda budget, value: bool(value),
    "list": lambda budget, values=(): elements(values, budget),
}  # fmt: skip
"""Function -> what it does; takes the budget first."""
