"""Operators on ISO dates and timestamps.

Invariant: the form of what came in is kept (`add_days`), and a day is the day that is written. `days_between` does not
ask which is first; between timestamps it is `Ambiguous` where calendar days and full days differ. Names of days and
months are English. Not covered: months and years as steps, opening hours, time zones of places.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from autoforge.generator.tasks.operators.alternatives import tried
from autoforge.generator.tasks.operators.moments import Moment, moment, order
from autoforge.generator.tasks.operators.numeric import whole
from autoforge.generator.tasks.operators.operator import Ambiguous, Operator, OperatorFault
from autoforge.mcp_envs.task import Reasoning

__all__ = ["OPERATORS", "alternatives"]


def _add_days(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> str:
    return _shifted(moment(over), whole(inputs["value"]))


def _days_between(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> int:
    one, other = moment(over), moment(inputs["value"])
    days = abs((other.day - one.day).days)
    if one.time is not None and other.time is not None:
        order(one, other)
        elapsed = abs(_instant(other) - _instant(one))
        if elapsed // timedelta(days=1) != days:
            raise Ambiguous(f"from {one} to {other} it is {days} calendar days, but fewer or more full ones")
    return days


def _date_of(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> str:
    return moment(over).day.isoformat()


def _weekday(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> str:
    return calendar.day_name[moment(over).day.weekday()]


def _month_of(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> str:
    return calendar.month_name[moment(over).day.month]


def _later(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> str:
    return _either(over, inputs["value"], 1)


def _earlier(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> str:
    return _either(over, inputs["value"], -1)


def _either(one: Any, other: Any, sign: int) -> str:
    found = order(moment(one), moment(other))
    if found == 0 and one != other:
        raise Ambiguous(f"{one} and {other} are the same moment, or the same day")
    return str(one if found == sign else other)


def _shifted(start: Moment, days: int) -> str:
    """What is written after the date stays: every day has 24 hours in a fixed zone."""
    try:
        return str(start._replace(day=start.day + timedelta(days=days)))
    except OverflowError:
        raise OperatorFault(f"{days} days from {start} is outside of the calendar") from None


def _instant(at: Moment) -> Any:
    return at.sortable


OPERATORS = (
    Operator("add_days", "date", "date", ("inputs.value",), _add_days),
    Operator("days_between", "date", "number", ("inputs.value",), _days_between),
    Operator("date_of", "date", "date", (), _date_of),
    Operator("weekday", "date", "text", (), _weekday),
    Operator("month_of", "date", "text", (), _month_of),
    Operator("later", "date", "date", ("inputs.value",), _later),
    Operator("earlier", "date", "date", ("inputs.value",), _earlier),
)


def alternatives(node: Reasoning, over: Any, inputs: Mapping[str, Any]) -> list[Any]:
    """A day more or less, days subtracted instead of added, the neighbouring day or month, the other date."""
    match node.reason:
        case "add_days":
            start, days = moment(over), whole(inputs["value"])
            shifts = (days + 1, days - 1, -days, 0)
            return tried(*(lambda shift=shift: _shifted(start, shift) for shift in shifts))
        case "days_between":
            days = _days_between(node, over, inputs)
            return [days + 1, *([days - 1] if days else [])]
        case "later" | "earlier":
            return [over, inputs["value"]]
        case "month_of":
            place = moment(over).day.month - 1
            return [calendar.month_name[(place + step) % 12 + 1] for step in (1, -1)]
        case "weekday":
            return [calendar.day_name[(moment(over).day.weekday() + step) % 7] for step in (1, -1)]
        case _:
            return tried(*(lambda step=step: _shifted(moment(over)._replace(rest=""), step) for step in (1, -1)))
