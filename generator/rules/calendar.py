"""Calculations with dates: differences, sums, ages, days of the week.

Invariant: a text that is no date is refused, and "today" is the clock of the state. Not covered: opening hours, public
holidays, time zones.
"""

from __future__ import annotations

import re

from autoforge.generator.ir import Constant, Expression, Refuse, Today
from autoforge.generator.rules.signature import (
    Formula,
    Operand,
    Signature,
    apply,
    choose_by,
    constant,
    is_null,
    refusal,
)
from autoforge.generator.vocabulary import word_set

__all__ = ["date_function"]

_UNITS = {
    "day": "day",
    "dia": "day",
    "tag": "day",
    "week": "week",
    "semana": "week",
    "woche": "week",
    "month": "month",
    "mes": "month",
    "meses": "month",
    "monat": "month",
    "year": "year",
    "ano": "year",
    "anio": "year",
    "jahr": "year",
    "hour": "hour",
    "hora": "hour",
    "stunde": "hour",
    "minute": "minute",
    "minuto": "minute",
}
_LATER = word_set(
    "end to until second 2 date2 b return fin hasta later reference as current on end_date segunda final ende bis"
)
_BORN = word_set("birth birthdate birthday born dob nacimiento geburtsdatum")
_ADDING = re.compile(r"^(?:add|plus|increment|shift|sumar|anadir|agregar|addieren)\b")
_TAKING = re.compile(r"^(?:subtract|minus|restar|subtrahieren)\b")
_DIFFERENCE = re.compile(
    r"\b(?:between|difference|diff|interval|until|entre|diferencia|zwischen|differenz|elapsed|duration)\b"
)
_OTHER = re.compile(
    r"business|working|work days|workday|weekdays|laborable|habil|holiday|timezone|time zone|booking|available"
)


_ALLOWED = word_set(
    "add adding plus increment shift subtract minus to from date dates day days time datetime week "
    "weeks month months year years hour hours minute minutes "
    "between difference diff interval until elapsed duration age in of the a is get find calculate "
    "compute calc what name weekday weekend two and given "
    "sumar restar anadir agregar fecha fechas dia dias semana semanas mes meses ano anos entre "
    "diferencia edad calcular obtener de la el y en "
    "addieren subtrahieren tage zwischen differenz alter berechnen wochentag datum hasta fin"
)
"""Words of a name that speak of nothing but dates."""


def date_function(signature: Signature) -> Formula | None:
    """The formula of a calculation with dates; None where the tool is none."""
    dates = signature.of("date")
    phrase = " ".join(signature.words)
    if (
        not dates
        or set(signature.words) - _ALLOWED
        or _OTHER.search(phrase)
        or any("id" in o.words for o in signature.operands)
    ):
        return None
    rest = [o for o in signature.operands if o not in dates]
    found = (
        _age(signature, dates, rest)
        or _sum(signature, phrase, dates, rest)
        or _difference(signature, phrase, dates, rest)
    )
    found = found or _about_one(phrase, dates, rest)
    if found is None:
        return None
    wrong = tuple(_no_date(d) for d in dates)
    return found._replace(refusals=(*wrong, *found.refusals))


def _no_date(date: Operand) -> Refuse:
    unread = is_null(apply("date_of", date.argument))
    given = apply("and", apply("not_null", date.argument), unread) if date.is_optional else unread
    return refusal(given, f"{{{date.name}}} is no date; write YYYY-MM-DD.")


def _ordered(dates: list[Operand]) -> tuple[Operand, Operand]:
    first, second = dates
    return (second, first) if set(first.words) & _LATER and not set(second.words) & _LATER else (first, second)


def _age(signature: Signature, dates: list[Operand], rest: list[Operand]) -> Formula | None:
    if (
        ("age" not in signature.words and "edad" not in signature.words and "alter" not in signature.words)
        or rest
        or len(dates) > 2
    ):
        return None
    born = next((d for d in dates if set(d.words) & _BORN), dates[0])
    other = next((d for d in dates if d is not born), None)
    now: Expression = Today() if other is None else other.or_else(Today())
    later = refusal(apply("less", now, born.argument), f"{{{born.name}}} lies in the future.")
    return Formula(apply("years_between", born.argument, now), (later,), _spans(born.argument, now))


def _spans(first: Expression, last: Expression) -> tuple[tuple[str, Expression], ...]:
    days = apply("days_between", first, last)
    return (
        ("days", days),
        ("total_days", days),
        ("dias", days),
        ("weeks", apply("divide", days, constant(7))),
        ("months", apply("months_between", first, last)),
        ("years", apply("years_between", first, last)),
        ("age", apply("years_between", first, last)),
        ("hours", apply("divide", apply("minutes_between", first, last), constant(60))),
    )


def _unit_of(words: tuple[str, ...]) -> str | None:
    return next((u for w in words if (u := _UNITS.get(w) or _UNITS.get(w.removesuffix("s"))) is not None), None)


def _later(date: Expression, amount: Expression, unit: str) -> Expression:
    factors = {"week": 7, "year": 12, "hour": 60}
    scaled = apply("multiply", amount, Constant(value=factors[unit])) if unit in factors else amount
    return apply(
        {"day": "add_days", "week": "add_days", "month": "add_months", "year": "add_months"}.get(unit, "add_minutes"),
        date,
        scaled,
    )


def _sum(signature: Signature, phrase: str, dates: list[Operand], rest: list[Operand]) -> Formula | None:
    """`add_days(date, days)`, `date_add(date, amount, unit)`."""
    numbers = [o for o in rest if o.is_number]
    units = [o for o in rest if o.is_text and o.choices]
    adds, takes = (
        _ADDING.search(phrase) or "add" in signature.words,
        _TAKING.search(phrase) or "subtract" in signature.words,
    )
    if (
        len(dates) != 1
        or len(numbers) != 1
        or len(numbers) + len(units) != len(rest)
        or not (adds or takes)
        or len(units) > 1
    ):
        return None
    amount: Expression = apply("negate", numbers[0].argument) if takes and not adds else numbers[0].argument
    if units:
        cases = [(c, _unit_of((c.lower(),))) for c in units[0].choices]
        known = [(c, _later(dates[0].argument, amount, u)) for c, u in cases if u is not None]
        return (
            Formula(choose_by(units[0], known, fold=not units[0].enum), kind="text")
            if known and len(known) == len(cases)
            else None
        )
    unit = _unit_of(numbers[0].words) or _unit_of(signature.words)
    return Formula(_later(dates[0].argument, amount, unit), kind="text") if unit is not None else None


def _difference(signature: Signature, phrase: str, dates: list[Operand], rest: list[Operand]) -> Formula | None:
    """`days_between(start, end)`, `date_difference(start, end, unit)`, `days_until(date)`."""
    if not _DIFFERENCE.search(phrase) or len(dates) > 2 or (len(dates) == 1 and "until" not in signature.words):
        return None
    first, last = (
        (Today(), dates[0].argument) if len(dates) == 1 else tuple(d.or_else(Today()) for d in _ordered(dates))
    )
    spans = dict(_spans(first, last)) | {
        "minutes": apply("minutes_between", first, last),
        "seconds": apply("multiply", apply("minutes_between", first, last), constant(60)),
    }
    if not rest:
        unit = _unit_of(signature.words) or "day"
        return Formula(spans[f"{unit}s"], others=tuple(spans.items()))
    if len(rest) != 1 or not rest[0].is_text or not rest[0].choices:
        return None
    cases = [(c, spans.get(f"{_unit_of((c.lower(),))}s")) for c in rest[0].choices]
    known = [(c, v) for c, v in cases if v is not None]
    return (
        Formula(choose_by(rest[0], known, fold=not rest[0].enum), others=tuple(spans.items()))
        if len(known) == len(cases)
        else None
    )


def _about_one(phrase: str, dates: list[Operand], rest: list[Operand]) -> Formula | None:
    if rest or len(dates) != 1:
        return None
    date = dates[0].argument
    if re.search(r"\bweekday\b|\bday of (?:the )?week\b|dia de la semana|wochentag|day name", phrase):
        return Formula(
            apply("weekday", date),
            others=(("weekday", apply("weekday", date)), ("is_weekend", _weekend(date))),
            kind="text",
        )
    return Formula(_weekend(date), kind="boolean") if re.search(r"\bweekend\b|fin de semana", phrase) else None


def _weekend(date: Expression) -> Expression:
    return apply("in", apply("weekday", date), constant(["Saturday", "Sunday"]))
