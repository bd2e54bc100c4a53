"""What an answer wants said, by type: the values that must be told and those that contradict them.

Invariant: two values that a reader could not tell apart (10 and 10.0, `open` and `OPEN`) are one. Not covered: whether
a message tells them (`answers`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from pydantic import JsonValue

from autoforge.gym.reward.dates import as_moment
from autoforge.gym.reward.numbers import EXACT, LONGEST
from autoforge.gym.reward.text import plain, words
from autoforge.gym.reward.token import Moment, Token
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Answer

__all__ = ["Value", "Wanted", "too_vague", "wanted", "written"]

Value: TypeAlias = Decimal | Moment | bool | tuple[str, ...]
"""A number, a date, yes or no, or a text as its words (with `;` before one that a line's end or the like parts)."""

_TWELVE = Context(prec=12)
_RATIO = re.compile(
    r"\b(?:percent\w*|rates?|ratios?|shares?|discounts?|interest|tax|vat|margins?|probability|chance)\b|%"
)
_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


@dataclass(frozen=True)
class Wanted:
    """The values of an answer."""

    values: frozenset[Value]
    """All of them must be told."""
    others: frozenset[Value]
    """None of them may be told beside."""
    beside: frozenset[Value]
    """Values of the task's other answers: they may be told beside, and prove nothing."""
    several: bool
    """Whether it is a list."""
    ratio: bool
    """Whether its name speaks of a percentage, so that `10 %` tells 10 or 0.1."""

    @cached_property
    def all(self) -> frozenset[Value]:
        return self.values | self.others | self.beside

    def told_by(self, token: Token) -> frozenset[Value]:
        """The values that a number or date in a message stands for; those that it names exactly, where there are."""
        if isinstance(token.value, Moment):
            return _moments(token.value, self.all)
        if token.percent:
            shares = {_canonical(token.value), _canonical(token.value.scaleb(-2, EXACT))} if self.ratio else set()
            return frozenset(shares & self.all)
        exact = _canonical(token.value)
        if exact in self.all or token.decimals < 2:
            return frozenset({exact} & self.all)
        return _rounded(self.all, token.decimals).get(exact, frozenset())


def wanted(answer: Answer, beside: Sequence[Answer] = ()) -> Wanted:
    """The values of an answer; `beside` are the other answers of its task. Raises BadInput for a value that nobody
    could tell: NaN, infinite, empty, an object.
    """
    kind = None if answer.type == "list" else answer.type
    values = _values(answer)
    allowed = frozenset(v for sibling in beside if sibling.type != "boolean" for v in _values(sibling)) - values
    others: set[Value] = set()
    for other in answer.others:
        for item in _items(other):
            if item is not None and item != "":
                others.add(_value(item, kind if _fits(item, kind) else None, answer))
    ratio = bool(_RATIO.search(plain(answer.name.replace("_", " "))))
    return Wanted(values, frozenset(others - values - allowed), allowed, answer.type == "list", ratio)


def _values(answer: Answer) -> frozenset[Value]:
    if answer.type == "list":
        return frozenset(_value(item, None, answer) for item in _items(answer.value))
    return frozenset({_value(answer.value, answer.type, answer)})


def too_vague(said: Token, value: Value) -> bool:
    """Whether a day was said where the value is a moment of that day."""
    return (
        isinstance(said.value, Moment)
        and said.value.time is None
        and isinstance(value, Moment)
        and _normal(value).time != (0, 0, 0)
    )


def written(value: JsonValue) -> str:
    """A value as a sentence has it; numbers in full, with a decimal point."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{Decimal(str(value)):f}" if isinstance(value, int | float) else str(value)


def _items(value: JsonValue) -> list[JsonValue]:
    if not isinstance(value, list):
        return [value]
    return [inner for item in value for inner in _items(item)]


def _fits(item: JsonValue, kind: str | None) -> bool:
    """Whether one of the others is of the answer's type at all."""
    if kind == "number":
        return isinstance(item, int | float) and not isinstance(item, bool)
    return kind in ("text", "date") or (kind == "boolean" and isinstance(item, bool))


def _value(item: JsonValue, kind: str | None, answer: Answer) -> Value:
    if isinstance(item, float) and not math.isfinite(item):
        raise _untellable(answer, item, "is not finite")
    if kind == "boolean":
        return _boolean(item, answer)
    if kind == "number" or (kind is None and isinstance(item, int | float) and not isinstance(item, bool)):
        return _number(item, answer)
    if not isinstance(item, str | int | float):
        raise _untellable(answer, item, "is no plain value")
    text = str(item).lower() if isinstance(item, bool) else item if isinstance(item, str) else written(item)
    moment = as_moment(plain(text)) if kind != "text" else None
    said = moment or tuple((";" if word.broken else "") + word.text for word in words(plain(text)))
    if not said:
        raise _untellable(answer, item, "has no words")
    return said


def _number(item: Any, answer: Answer) -> Decimal:
    try:
        number = Decimal(item if isinstance(item, int) and not isinstance(item, bool) else str(item).strip())
    except InvalidOperation:
        raise _untellable(answer, item, "is no number") from None
    if not number.is_finite() or abs(number.adjusted()) >= LONGEST - 60:
        raise _untellable(answer, item, "is not finite or has too many digits")
    return _canonical(number)


def _boolean(item: JsonValue, answer: Answer) -> bool:
    said = str(item).strip().casefold()
    if said not in _TRUE + _FALSE:
        raise _untellable(answer, item, "is neither true nor false")
    return said in _TRUE


def _untellable(answer: Answer, item: Any, words: str) -> BadInput:
    return BadInput(
        f"the answer {answer.name!r}: {str(item)[:80]!r} {words}; write the task again with autoforge-gen tasks."
    )


def _canonical(number: Decimal) -> Decimal:
    """Whole numbers exactly, others to twelve significant digits, as states are compared."""
    return number if number == number.to_integral_value() else _TWELVE.create_decimal(number)


@lru_cache(maxsize=64)
def _rounded(values: frozenset[Value], decimals: int) -> dict[Decimal, frozenset[Value]]:
    """Rounded to so many decimals -> the values that give it."""
    unit, found = Decimal(1).scaleb(-decimals), dict[Decimal, set[Value]]()
    for value in values:
        if isinstance(value, Decimal) and -int(value.as_tuple().exponent) > decimals:
            for way in (ROUND_HALF_UP, ROUND_HALF_DOWN):
                found.setdefault(_canonical(value.quantize(unit, way, EXACT)), set()).add(value)
    return {rounded: frozenset(group) for rounded, group in found.items()}


@lru_cache(maxsize=64)
def _by_day(values: frozenset[Value]) -> dict[tuple[int, int], list[Moment]]:
    found: dict[tuple[int, int], list[Moment]] = {}
    for value in values:
        if isinstance(value, Moment):
            found.setdefault((value.month, value.day), []).append(value)
    return found


def _moments(said: Moment, values: frozenset[Value]) -> frozenset[Value]:
    """The moments that a date in a message may mean."""
    known = _by_day(values).get((said.month, said.day), [])
    exact = [v for v in known if _normal(v) == _normal(said)]
    return frozenset(exact or [v for v in known if said.year in (None, v.year) and _same_time(said, v)])


def _normal(moment: Moment) -> Moment:
    hour, minute, second = moment.time or (0, 0, 0)
    return moment._replace(time=(hour, minute, second or 0))


def _same_time(said: Moment, known: Moment) -> bool:
    """Whether the times agree as far as both are given."""
    if said.time is None or known.time is None:
        return True
    seconds = said.time[2] is None or said.time[2] == (known.time[2] or 0)
    return (
        said.time[:2] == known.time[:2]
        and seconds
        and (said.offset == known.offset or not (said.offset and known.offset))
    )
