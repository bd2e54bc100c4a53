"""Kinds of JSON values, and when two are equal or in order.

Invariant: only values of one kind are compared, and where people could disagree on the result (texts that differ by
case alone, numbers inside texts) it is `Ambiguous`. Not covered: equality of states (`mcp_envs.equality`).

Numbers: 1 = 1.0; booleans are none. Dates: in order of time; with a date, a timestamp counts as its day. Texts: equal
as written; in order of the alphabet, without regard to case and accents.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from autoforge.generator.tasks.operators import moments
from autoforge.generator.tasks.operators.numeric import exact, is_number
from autoforge.generator.tasks.operators.operator import Ambiguous, OperatorFault

__all__ = ["Kind", "boolean", "contains", "distinct", "equal", "fold", "holds", "identity", "kind_of", "order", "rank",
           "same", "text"]  # fmt: skip

Kind = Literal["null", "boolean", "number", "date", "timestamp", "text", "list", "object"]
_NUMERIC = re.compile(r"[+-]?[0-9]+([.][0-9]+)?")
_ORDERS: Mapping[str, Callable[[int], bool]] = {
    "less": lambda sign: sign < 0, "less_equal": lambda sign: sign <= 0,
    "greater": lambda sign: sign > 0, "greater_equal": lambda sign: sign >= 0,
}  # fmt: skip


def kind_of(value: Any) -> Kind:
    """Raises OperatorFault for what JSON cannot hold."""
    if isinstance(value, str):
        found = moments.read(value)
        return "text" if found is None else "date" if found.time is None else "timestamp"
    if is_number(value):
        return "number"
    for type_, kind in _KINDS:
        if isinstance(value, type_):
            return kind
    raise OperatorFault(f"{value!r:.60} is not a JSON value")


_KINDS: tuple[tuple[type, Kind], ...] = (
    (type(None), "null"), (bool, "boolean"), (list, "list"), (dict, "object"),
)  # fmt: skip


def same(one: Any, other: Any) -> bool:
    """Whether they are one JSON value: 1 = 1.0, true is not 1, the order of properties does not matter."""
    if is_number(one) and is_number(other):
        return exact(one) == exact(other)
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(inner, other[name]) for name, inner in one.items())
    return bool(one == other)


def equal(one: Any, other: Any) -> bool:
    """Whether a reader would call them equal; null equals null alone.

    Raises Ambiguous for texts that differ by case, accents or outer spaces alone, OperatorFault across kinds.
    """
    kinds = {kind_of(one), kind_of(other)}
    if "null" in kinds:
        return len(kinds) == 1
    if kinds <= {"date", "timestamp"}:
        return order(one, other) == 0
    if len(kinds) > 1:
        raise OperatorFault(f"{one!r:.60} and {other!r:.60} are of different kinds")
    if kinds == {"text"} and one != other and fold(one) == fold(other):
        raise Ambiguous(f"{one!r} and {other!r} differ by case, accents or spaces alone")
    return same(one, other)


def order(one: Any, other: Any) -> int:
    """-1, 0 or 1. Raises Ambiguous for texts that are in order by one reading alone, OperatorFault across kinds."""
    kinds = {kind_of(one), kind_of(other)}
    if kinds == {"number"}:
        return _sign(exact(one), exact(other))
    if kinds <= {"date", "timestamp"}:
        return moments.order(moments.moment(one), moments.moment(other))
    if kinds != {"text"}:
        raise OperatorFault(f"{one!r:.60} and {other!r:.60} have no order")
    return 0 if one == other else _text_order(one, other)


def rank(value: Any) -> Any:
    """Sorts values of one kind, roughly: `order` decides. Raises OperatorFault for kinds without an order."""
    kind = kind_of(value)
    if kind == "number":
        return exact(value)
    if kind in ("date", "timestamp"):
        return moments.moment(value).sortable
    if kind == "text":
        return fold(value)
    raise OperatorFault(f"{value!r:.60} has no order")


def holds(one: Any, compare: str, other: Any) -> bool:
    """Whether the comparison holds. Raises OperatorFault for an order with null or across kinds."""
    if compare in ("equal", "not_equal"):
        return equal(one, other) == (compare == "equal")
    if compare in _ORDERS:
        return _ORDERS[compare](order(one, other))
    if compare == "contains":
        return contains(one, other)
    if compare == "in" and isinstance(other, list):
        return any(equal(one, item) for item in other)
    raise OperatorFault(f"{compare} cannot compare {one!r:.60} with {other!r:.60}")


def contains(whole: Any, part: Any) -> bool:
    """Whether a list has the value, or a text the words, without regard to case. Raises OperatorFault."""
    if isinstance(whole, list):
        return any(equal(item, part) for item in whole)
    return text(part).casefold() in text(whole).casefold()


def text(value: Any) -> str:
    """Raises OperatorFault for what is no text, or an empty one."""
    if not isinstance(value, str) or not value:
        raise OperatorFault(f"{value!r:.60} is not a text")
    return value


def boolean(value: Any) -> bool:
    """Raises OperatorFault for what is no boolean."""
    if not isinstance(value, bool):
        raise OperatorFault(f"{value!r:.60} is not a boolean")
    return value


def identity(value: Any) -> Hashable:
    """Equal for plain values that are the same. Raises OperatorFault for lists, objects and null."""
    if value is None or isinstance(value, list | dict):
        raise OperatorFault(f"{value!r:.60} is not a plain value")
    return ("number", exact(value)) if is_number(value) else (type(value).__name__, value)


def distinct(values: Iterable[Any]) -> dict[Hashable, Any]:
    """Plain values by identity, at their first occurrence.

    Raises Ambiguous where two texts differ by case, accents or outer spaces alone, OperatorFault for other values.
    """
    found: dict[Hashable, Any] = {}
    for value in values:
        found.setdefault(identity(value), value)
    folded: dict[str, str] = {}
    for value in found.values():
        if isinstance(value, str) and folded.setdefault(fold(value), value) != value:
            raise Ambiguous(f"{folded[fold(value)]!r} and {value!r} differ by case, accents or spaces alone")
    return found


def fold(value: str) -> str:
    """Without case, accents and outer spaces."""
    if value.isascii():
        return value.strip().casefold()
    parts = unicodedata.normalize("NFKD", value.strip().casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _text_order(one: str, other: str) -> int:
    """Letter by letter, with numbers by their value, and as numbers: all readings must agree."""
    first, second = fold(one), fold(other)
    signs = {_sign(first, second), _sign(_natural(first), _natural(second))}
    if _NUMERIC.fullmatch(first) and _NUMERIC.fullmatch(second):
        signs.add(_sign(Decimal(first), Decimal(second)))
    if len(signs) > 1 or 0 in signs:
        raise Ambiguous(f"people may disagree which of {one!r} and {other!r} comes first")
    return signs.pop()


def _natural(value: str) -> Sequence[Any]:
    parts = re.split(r"([0-9]+)", value)
    return [(len(part.lstrip("0")), part.lstrip("0")) if i % 2 else part for i, part in enumerate(parts)]


def _sign(one: Any, other: Any) -> int:
    return int(one > other) - int(one < other)
