"""The values of one column: enums covered, defaults used, limits kept, uniqueness where it is asked for.

Invariant: a value has the column's type and lies in its enum and limits; where rows must be told apart no value
occurs twice, and where that is impossible the rest is None. Not covered: foreign keys (`relations`), keys (`keys`),
agreement with other columns (`coherence`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.seed.column import Column, meaning_in
from autoforge.generator.seed.draw import Draw
from autoforge.generator.seed.json_values import list_of_values
from autoforge.generator.seed.meanings import values_of_meaning
from autoforge.generator.seed.numbers import bounded
from autoforge.generator.seed.pattern_texts import TextMaker
from autoforge.generator.seed.setting import Facts, Setting
from autoforge.generator.vocabulary import word_set
from autoforge.mcp_envs.arguments.patterns import UnknownPattern, finder

__all__ = ["accepts", "column_values", "distinct", "fit"]

_MOSTLY_FALSE = word_set(
    "deleted disabled blocked suspended archived hidden closed cancelled canceled locked banned expired "
    "private draft overdue "
    "spam failed muted flagged refunded"
)
_MODES = word_set("airplane saver disturb mute silent maintenance debug test demo vacation")
"""Words of switches that are off in the one row of a device or of settings."""
SHARE_OF_DEFAULTS = 0.35
"""Rows of a column with a default that keep it."""


def column_values(setting: Setting, entity: Entity, attribute: Attribute, facts: Facts, count: int) -> list[JsonValue]:
    """One value per row for a column that is no foreign key."""
    draw = setting.draw(entity.name, attribute.name)
    apart = setting.tells_apart(entity, attribute)
    values = _raw(setting, entity, attribute, facts, draw, count)
    fitted = [fit(draw, attribute, value) for value in values]
    if apart:
        told = distinct(attribute, fitted)
        return [
            new if new is not None or attribute.nullable or attribute.unique else old
            for new, old in zip(told, fitted, strict=True)
        ]
    return _with_defaults(draw, entity, attribute, fitted)


def _raw(
    setting: Setting, entity: Entity, attribute: Attribute, facts: Facts, draw: Draw, count: int
) -> list[JsonValue]:
    if attribute.type is ColumnType.JSON:
        return list_of_values(setting, entity, attribute, facts, count)
    choices = [v for v in attribute.enum if v is not None]
    if choices:
        return covering(draw, choices, count)
    if attribute.type is ColumnType.BOOLEAN:
        if entity.singleton:
            return [not set(attribute.name.lower().split("_")) & (_MOSTLY_FALSE | _MODES)] * count
        likely = 0.2 if _MOSTLY_FALSE & set(attribute.name.lower().split("_")) else 0.6
        return covering(draw, [True, False], count, [likely, 1 - likely])
    meaning = meaning_in(setting, entity, attribute)
    if attribute.pattern is not None and attribute.type is ColumnType.TEXT:
        column = Column(setting, entity, attribute, meaning, facts, draw, count)
        return matching(draw, attribute.pattern, values_of_meaning(column))
    return values_of_meaning(Column(setting, entity, attribute, meaning, facts, draw, count))


def matching(draw: Draw, pattern: str, values: list[JsonValue]) -> list[JsonValue]:
    """The values that match a documented pattern, and made-up texts in the place of the others.

    A pattern that the maker of texts does not know leaves the values as they are.
    """
    try:
        found, maker = finder(pattern), TextMaker(draw.random, pattern)
        return [v if isinstance(v, str) and found(v) else maker.text() or v for v in values]
    except UnknownPattern:
        return values


def covering(
    draw: Draw, choices: Sequence[JsonValue], count: int, weights: Sequence[float] | None = None
) -> list[JsonValue]:
    """Every choice at least once where the rows suffice, the rest by weight."""
    shares = list(weights) if weights else [1 / (1 + i / 3) for i in range(len(choices))]
    first = draw.shuffled(choices)[:count]
    rest = draw.random.choices(list(choices), shares, k=count - len(first))
    return draw.shuffled(first + rest)


def _with_defaults(draw: Draw, entity: Entity, attribute: Attribute, values: list[JsonValue]) -> list[JsonValue]:
    default = attribute.default
    if default is None or not accepts(attribute, default):
        return values
    if entity.singleton and not _is_money(attribute):
        return [default] * len(values)
    if attribute.enum or attribute.type is ColumnType.BOOLEAN:
        return values if default in values else [default, *values[1:]]
    kept = [default if draw.chance(SHARE_OF_DEFAULTS) else value for value in values]
    return kept if default in kept else [default, *kept[1:]]


def _is_money(attribute: Attribute) -> bool:
    return attribute.meaning == "balance" and not attribute.default


def accepts(attribute: Attribute, value: JsonValue) -> bool:
    """Whether a documented value can stand in the column as it is."""
    if value is None or (isinstance(value, str) and ("\0" in value or len(value) > 2000)):
        return False
    choices = [v for v in attribute.enum if v is not None]
    if (
        choices
        and attribute.type is not ColumnType.JSON
        and not any(value == c and type(value) is type(c) for c in choices)
    ):
        return False
    if attribute.type in (ColumnType.INTEGER, ColumnType.REAL):
        return _is_number(attribute, value)
    if attribute.type is ColumnType.BOOLEAN:
        return isinstance(value, bool)
    if attribute.type is ColumnType.JSON:
        return isinstance(value, list | dict)
    form = _FORMS.get(attribute.type)
    return isinstance(value, str) and value.isprintable() and (form is None or bool(form.fullmatch(value)))


def _is_number(attribute: Attribute, value: JsonValue) -> bool:
    """Whether the value is a number of the column's kind, within its limits and exact in a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if attribute.type is ColumnType.INTEGER and not isinstance(value, int):
        return False
    return bounded(Draw(0), attribute, value, 12) == value and abs(value) < 2**53


_FORMS = {
    ColumnType.DATE: re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    ColumnType.DATETIME: re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d"),
    ColumnType.TIME: re.compile(r"([01]\d|2[0-3]):[0-5]\d"),
}


def fit(draw: Draw, attribute: Attribute, value: JsonValue) -> JsonValue:
    """The value as the column's type, within its limits."""
    if value is None or attribute.type is ColumnType.JSON or attribute.enum:
        return value
    if attribute.type in (ColumnType.INTEGER, ColumnType.REAL):
        return bounded(draw, attribute, _number(value), 5)
    if attribute.type is ColumnType.BOOLEAN:
        return bool(value)
    if attribute.type is ColumnType.DATETIME and isinstance(value, str) and len(value) == 10:
        return f"{value}T09:00:00"
    text = str(value)
    return text[:10] if attribute.type is ColumnType.DATE else text


def _number(value: JsonValue) -> float:
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            found = re.sub(r"\D", "", value)[:15]
            return int(found) if found else 0
        return int((moment - datetime(1970, 1, 1)).total_seconds())
    return value if isinstance(value, int | float) else 0


def distinct(attribute: Attribute, values: list[JsonValue]) -> list[JsonValue]:
    """The values, each made different from those before it; None where there is no other."""
    seen: set[str] = set()
    result: list[JsonValue] = []
    for value in values:
        number = 2
        while value is not None and _shown(value) in seen and number < 10_000:
            value = _another(attribute, value, number)
            number += 1
        if value is not None and _shown(value) in seen:
            value = None
        seen.add(_shown(value))
        result.append(value)
    return result


def _shown(value: JsonValue) -> str:
    """The same text for values that a column takes for equal: 2 and 2.0, also texts that differ in case only."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return repr(float(value) if number else value).casefold()  # type: ignore[arg-type]


def _another(attribute: Attribute, value: JsonValue, number: int) -> JsonValue:
    choices = [v for v in attribute.enum if v is not None]
    if choices and attribute.type is not ColumnType.JSON:
        return choices[number - 2] if number - 2 < len(choices) else None
    if isinstance(value, bool):
        return (True, False)[number - 2] if number < 4 else None
    if isinstance(value, int | float):
        return _next_number(attribute, value, number)
    if not isinstance(value, str):
        return (
            [*value, number]
            if isinstance(value, list)
            else {**value, "number": number}
            if isinstance(value, dict)
            else None
        )
    return _another_text(attribute.type, value, number)


def _next_number(attribute: Attribute, value: float, number: int) -> float | None:
    """The next higher number, beginning again at the lowest; smaller steps between close limits."""
    low, high = attribute.minimum, attribute.maximum
    if attribute.type is ColumnType.REAL and low is not None and high is not None:
        return low + (high - low) * ((number * 0.6180339887498949) % 1)
    step = value + 1
    if high is not None and step > high:
        return bounded(Draw(number), attribute, (low if low is not None else high - number), 5)
    return step


def _another_text(type: ColumnType, value: str, number: int) -> str:
    if type is ColumnType.DATE:
        return (date.fromisoformat(value) + timedelta(days=1)).isoformat()
    if type is ColumnType.DATETIME:
        return (datetime.fromisoformat(value) + timedelta(minutes=7)).isoformat(timespec="seconds")
    if type is ColumnType.TIME:
        minutes = (int(value[:2]) * 60 + int(value[3:5]) + 1) % 1440
        return f"{minutes // 60:02d}:{minutes % 60:02d}"
    stem, at, rest = re.sub(r"[ -]?\d*$", "", value) if number > 2 else value, "", ""
    if "@" in value or re.search(r"\.[a-z]{2,4}$", value):
        stem, at, rest = value.rpartition("@" if "@" in value else ".")
        return f"{re.sub(r'[-_]?[0-9]*$', '', stem)}{number}{at}{rest}"
    return f"{stem}{_joint(stem)}{number}"


def _joint(stem: str) -> str:
    return " " if " " in stem else "" if stem[-1:].isascii() and stem.islower() and "-" not in stem else "-"
