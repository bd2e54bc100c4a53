"""Source of the helper functions of generated code for dates and times; `helpers` says what they keep.

Invariant: each source stands by itself, but for the helpers that it calls. Not covered: choosing them (`helpers`).
"""

from __future__ import annotations

__all__ = ["DATES"]

DATES = '''
def _moment(value):
    """A date or time in ISO 8601 as a datetime, its zone left out; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.removesuffix("Z")).replace(tzinfo=None)
    except ValueError:
        return None


def _day_time(value):
    """A time of day, `HH:MM` or `HH:MM:SS`, as a datetime of some day; None for anything else."""
    return _moment(f"2000-01-01T{value}") if isinstance(value, str) and re.match(r"\\d\\d:\\d\\d", value) else None


def _add_days(value, days):
    """The date or date and time so many days later; None when it is no date or leaves the calendar."""
    moment = _moment(value)
    if moment is None or not _is_number(days):
        return None
    try:
        later = (moment + timedelta(days=days)).isoformat(timespec="seconds")
    except OverflowError:
        return None
    return later[:10] if len(value) <= 10 else later


def _add_minutes(value, minutes):
    """The date and time so many minutes later, or the time of day, around midnight; None when it is neither."""
    time_of_day = _day_time(value)
    moment = time_of_day or _moment(value)
    if moment is None or not _is_number(minutes):
        return None
    try:
        later = (moment + timedelta(minutes=minutes)).isoformat(timespec="seconds")
    except OverflowError:
        return None
    return later[11:16] if time_of_day else later


def _days_between(start, end):
    """The days from one date to another, negative when it is earlier; None when either is no date."""
    first, last = _moment(start), _moment(end)
    return None if first is None or last is None else (last.date() - first.date()).days


def _date_of(value):
    """The date of a date and time; None when it is none."""
    moment = _moment(value)
    return None if moment is None else moment.date().isoformat()


def _time_of(value):
    """The time of day of a date and time, `HH:MM`; None when it is none."""
    moment = _day_time(value) or _moment(value)
    return None if moment is None else moment.isoformat(timespec="minutes")[11:16]


def _add_months(value, months):
    """The date so many months later, its day held within the month; None when it is no date or leaves the calendar."""
    moment = _moment(value)
    if moment is None or not _is_number(months):
        return None
    count = moment.year * 12 + moment.month - 1 + int(months)
    if not 12 <= count < 120_000:
        return None
    year, month = count // 12, count % 12 + 1
    longest = 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    days = longest if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    later = moment.replace(year=year, month=month, day=min(moment.day, days)).isoformat(timespec="seconds")
    return later[:10] if len(value) <= 10 else later


def _months_between(start, end):
    """The whole months from one date to another, negative when it is earlier; None when either is no date."""
    first, last = _moment(start), _moment(end)
    if first is None or last is None:
        return None
    if last < first:
        return -_months_between(end, start)
    return (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)


def _years_between(start, end):
    """The whole years from one date to another, such as an age; None when either is no date."""
    months = _months_between(start, end)
    return None if months is None else int(months / 12)


def _minutes_between(start, end):
    """The minutes from one moment, or time of day, to another; None when either is neither."""
    first, last = (_day_time(value) or _moment(value) for value in (start, end))
    return None if first is None or last is None else _finite((last - first).total_seconds() / 60)


def _weekday(value):
    """The name of the day of the week of a date; None when it is no date."""
    moment = _moment(value)
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return None if moment is None else names[moment.weekday()]
'''
