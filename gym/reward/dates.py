"""Dates in plain text, in the ways people write them.

2026-03-05, 2026/3/5, 5 March 2026, 5th of March, March 5th, 2026, 13/03/2026, each with a time perhaps. Days before
months are told from months before days only where one is over 12 or both are the same; otherwise such a date says
nothing. Invariant: a date that does not exist is none; what is read takes time in proportion to the text. Not covered:
relative dates (tomorrow), years of two digits.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from autoforge.gym.reward.token import Moment, Token

__all__ = ["Dates", "as_moment", "read_dates"]

_MONTHS = """
january jan gennaio enero janvier januar janeiro
february feb febbraio febrero février februar fevereiro
march mar marzo mars märz março
april apr aprile abril avril
may maggio mayo mai maio
june jun giugno junio juin juni junho
july jul luglio julio juillet juli julho
august aug agosto août
september sep sept settembre septiembre septembre setembro
october oct ottobre octubre octobre oktober outubro
november nov novembre noviembre novembro
december dec dicembre diciembre décembre dezember dezembro
"""
_MONTH = {name: number for number, line in enumerate(_MONTHS.strip().splitlines(), 1) for name in line.split()}
_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_DATE = re.compile(
    rf"""(?<![\w.,])(?:
    (?P<y1>\d{{4}})(?P<s1>[-/.])(?P<m1>\d{{1,2}})(?P=s1)(?P<d1>\d{{1,2}})(?!\d)
  | (?P<a>\d{{1,2}})(?P<s2>[-/.])(?P<b>\d{{1,2}})(?P=s2)(?P<y2>\d{{4}})(?!\d)
  | (?P<d3>\d{{1,2}})(?P<th>st|nd|rd|th|er|º|\.)?[ ]{{1,2}}(?P<of>of[ ]|de[ ]|di[ ])?(?P<m3>{_NAMES})\b
    (?:\.?,?[ ](?:de[ ]|del[ ])?(?P<y3>\d{{4}})(?!\d))?
  | (?P<m4>{_NAMES})\.?[ ](?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?!\w|[.,:]\d|[ ]?%)(?:,?[ ](?P<y4>\d{{4}})(?!\d))?
  | (?:{_NAMES})\.?,?[ ]\d{{4}}(?!\d)
  )""",
    re.VERBOSE,
)
_TIME = r"(?P<h>\d{1,2}):(?P<min>\d{2})(?::(?P<s>\d{2})(?:\.\d{1,9})?)?(?!\d)[ ]?(?P<half>[ap]\.?m\b)?"
_TIME_AFTER = re.compile(rf"(?:t|,?[ ](?:at[ ]|@[ ])?){_TIME}[ ]?(?P<offset>z\b|utc\b|[+-]\d{{2}}:?\d{{2}}(?!\d))?")
_TIME_BEFORE = re.compile(rf"(?<![\d:]){_TIME}(?:,|[ ]on|[ ]of)?[ ](?:the[ ])?$")
_CLOCK = re.compile(rf"(?<![\d:]){_TIME}")


class Dates(NamedTuple):
    tokens: list[Token]
    spans: list[tuple[int, int]]
    """Places that belong to a date or a time, whether it was understood or not; no number stands there."""


def read_dates(text: str) -> Dates:
    """The dates in plain text."""
    tokens: list[Token] = []
    spans: list[tuple[int, int]] = []
    for match in _DATE.finditer(text):
        if match["m3"] == "may" and not (match["th"] or match["of"] or match["y3"]):
            continue  # 10 may be paid
        start, end, day = match.start(), match.end(), _day(match)
        if (after := _TIME_AFTER.match(text, end)) is not None:
            end = after.end()
        before = None if after else _TIME_BEFORE.search(text, max(0, start - 24), start)
        if before is not None:
            start = before.start()
        spans.append((start, end))
        if day is not None:
            tokens.append(Token(start, end, _timed(day, after or before)))
    spans += [match.span() for match in _CLOCK.finditer(text)]
    return Dates(tokens, sorted(spans))


def as_moment(text: str) -> Moment | None:
    """The moment that a text is, where it is a date with its year and nothing else."""
    tokens = read_dates(text.strip()).tokens
    if len(tokens) != 1 or (tokens[0].start, tokens[0].end) != (0, len(text.strip())):
        return None
    moment = tokens[0].value
    return moment if isinstance(moment, Moment) and moment.year is not None else None


def _day(match: re.Match[str]) -> Moment | None:
    if match["y1"]:
        return _existing(int(match["y1"]), int(match["m1"]), int(match["d1"]))
    if match["y2"]:
        return _numeric(int(match["a"]), int(match["b"]), int(match["y2"]))
    for month, day, year in (("m3", "d3", "y3"), ("m4", "d4", "y4")):
        if match[month]:
            return _existing(int(match[year]) if match[year] else None, _MONTH[match[month]], int(match[day]))
    return None


def _numeric(first: int, second: int, year: int) -> Moment | None:
    if first <= 12 and second <= 12 and first != second:
        return None
    return _existing(year, second, first) if second <= 12 else _existing(year, first, second)


def _existing(year: int | None, month: int, day: int) -> Moment | None:
    try:
        date(2000 if year is None else year, month, day)
    except ValueError:
        return None
    return Moment(year, month, day)


def _timed(day: Moment, match: re.Match[str] | None) -> Moment:
    if match is None:
        return day
    hour, minute, second = int(match["h"]), int(match["min"]), match["s"]
    if match["half"]:
        hour = hour % 12 + (12 if match["half"][0] == "p" else 0)
    offset = (match.groupdict().get("offset") or "").replace(":", "")
    offset = "" if offset in ("z", "utc", "+0000", "-0000") else offset
    return day._replace(time=(hour, minute, int(second) if second else None), offset=offset)
