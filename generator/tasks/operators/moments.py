"""ISO dates and timestamps: reading, order.

Invariant: a day is the day that is written, whatever the zone. Not covered: local time of a place, durations, other
ways of writing dates (they are text).
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from autoforge.generator.tasks.operators.operator import OperatorFault

__all__ = ["Moment", "moment", "order", "read"]

_WRITTEN = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)


class Moment(NamedTuple):
    """A date, or a timestamp."""

    day: date
    time: datetime | None
    """None for a date; without a zone where none is written."""
    rest: str
    """What is written after the date."""

    @property
    def sortable(self) -> datetime | date:
        """Sorts moments of one form; one without a zone as if it were in UTC."""
        if self.time is None:
            return self.day
        return self.time.replace(tzinfo=UTC) if self.time.tzinfo is None else self.time

    def __str__(self) -> str:
        return self.day.isoformat() + self.rest


def read(value: Any) -> Moment | None:
    """None for what is no ISO date or timestamp of the calendar."""
    match = _WRITTEN.fullmatch(value) if isinstance(value, str) and len(value) <= 40 else None
    if match is None:
        return None
    try:
        day = date.fromisoformat(match[1])
        return Moment(day, datetime.fromisoformat(value) if match[2] else None, match[2] or "")
    except ValueError:
        return None


def moment(value: Any) -> Moment:
    """Raises OperatorFault for what is no ISO date or timestamp."""
    found = read(value)
    if found is None:
        raise OperatorFault(f"{value!r:.60} is not an ISO date or timestamp")
    return found


def order(one: Moment, other: Moment) -> int:
    """-1, 0 or 1; with a date, a timestamp counts as its day. Raises OperatorFault for a zone against none."""
    if one.time is None or other.time is None:
        return (one.day > other.day) - (one.day < other.day)
    offsets = {one.time.utcoffset(), other.time.utcoffset()}
    if None in offsets and not offsets <= {None, timedelta(0)}:
        raise OperatorFault(f"{one} and {other} are not comparable: one of them has no time zone")
    first, second = one.sortable, other.sortable
    return (first > second) - (first < second)
