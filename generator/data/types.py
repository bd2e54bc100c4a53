"""The type of a column from its values, and the storage that gives every value back exactly.

Invariant: `read_back(store(v))` is v, also after the stored value went through the text of a seed file into a column
declared with the type in upper case (SQLite applies NUMERIC affinity to `JSON`, `DATE` and the like). Not covered:
which column refers to which (`links`), what values look like (`autoforge.generator.rules.meaning`).
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import date, datetime
from functools import lru_cache

from pydantic import JsonValue

from autoforge.generator.data.drafts import Column
from autoforge.generator.ir import ColumnType

__all__ = ["read_back", "store"]

_INT64 = 2**63
_EXACT = 2**53
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_DATETIME = re.compile(r"(\d{4}-\d\d-\d\d)([ T])(\d\d:\d\d)(:\d\d)?(Z|[+-]\d\d:?\d\d)?", re.ASCII)
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.(\d{1,15}))?", re.ASCII)
_WORD_PAIRS = (("true", "false"), ("True", "False"), ("TRUE", "FALSE"), ("yes", "no"), ("Yes", "No"), ("YES", "NO"))
_BOOLEAN_DECLARED = re.compile(r"BOOL", re.IGNORECASE)


def store(column: Column) -> None:
    """Choose type and codec of a column, and turn its cells into what is stored; `forms` says what the codec does
    not."""
    values = column.cells
    kinds = {type(v) for v in values} - {type(None)}
    if column.written:
        _store_written(column)
    elif not kinds:
        column.type = _declared_type(column.declared)
    elif kinds == {bool}:
        column.type = ColumnType.BOOLEAN
    elif kinds == {int}:
        _store_integers(column)
    elif kinds <= {int, float} and _survive(values):
        _store_reals(column)
    elif kinds == {str}:
        _store_texts(column)
    else:
        _store_json(column)


def _declared_type(declared: str) -> ColumnType:
    """By SQLite's affinity rules; https://sqlite.org/datatype3.html section 3.1."""
    if "INT" in declared:
        return ColumnType.INTEGER
    if any(word in declared for word in ("REAL", "FLOA", "DOUB", "DEC", "NUM")):
        return ColumnType.REAL
    if _BOOLEAN_DECLARED.search(declared):
        return ColumnType.BOOLEAN
    exact = {
        "DATE": ColumnType.DATE,
        "DATETIME": ColumnType.DATETIME,
        "TIMESTAMP": ColumnType.DATETIME,
        "TIME": ColumnType.TIME,
        "JSON": ColumnType.JSON,
        "JSON TEXT": ColumnType.JSON,
    }
    return exact.get(declared, ColumnType.TEXT)


def _store_integers(column: Column) -> None:
    integers = [v for v in column.cells if isinstance(v, int)]
    if not all(-_INT64 <= v < _INT64 for v in integers):
        column.codec = "integer_text"
        column.cells = [None if v is None else str(v) for v in column.cells]
    elif _BOOLEAN_DECLARED.search(column.declared) and all(v in (0, 1) for v in integers):
        column.type, column.codec = ColumnType.BOOLEAN, "bit"
        column.cells = [None if v is None else bool(v) for v in column.cells]
    else:
        column.type = ColumnType.INTEGER


def _survive(values: list[JsonValue]) -> bool:
    return all(
        _survives(v) if isinstance(v, float) else isinstance(v, int) and abs(v) <= _EXACT
        for v in values
        if v is not None
    )


def _survives(value: float) -> bool:
    """Whether SQLite reads the shortest literal of a real as the same real; it does not for a few of extreme size."""
    return 1e-12 < abs(value) < 1e18 or value == 0 or _literal_survives(value)


@lru_cache(maxsize=4096)
def _literal_survives(value: float) -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        return bool(connection.execute(f"SELECT {value!r}").fetchone()[0] == value)


def _store_reals(column: Column) -> None:
    column.type = ColumnType.REAL
    for row, value in enumerate(column.cells):
        if isinstance(value, int):
            column.forms[row] = "integer"
            column.cells[row] = float(value)
        elif isinstance(value, float) and value == 0 and math.copysign(1, value) < 0:
            column.forms[row] = "negative_zero"


def _store_texts(column: Column) -> None:
    texts = [v for v in column.cells if isinstance(v, str)]
    first = texts[0]
    if _DATE.fullmatch(first) and all(_DATE.fullmatch(t) and _is_date(t) for t in texts):
        column.type = ColumnType.DATE
    elif _TIME.fullmatch(first) and all(map(_TIME.fullmatch, texts)):
        column.type = ColumnType.TIME
    elif (codec := _datetime_codec(texts)) is not None:
        column.type, column.codec = ColumnType.DATETIME, codec
        column.cells = [_iso(v) if isinstance(v, str) else None for v in column.cells]
    elif any("\0" in t for t in texts):
        _store_json(column)


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _datetime_codec(texts: list[str]) -> str | None:
    """`datetime:` and the common way of writing (`T00:00:00Z`), where the texts are moments written in one way."""
    ways = set()
    for text in texts:
        match = _DATETIME.fullmatch(text)
        if match is None or not _is_datetime(match):
            return None
        ways.add((match[2], match[4] is not None, match[5] or ""))
        if len(ways) > 1:
            return None
    separator, seconds, zone = ways.pop()
    return (
        "same"
        if (separator, seconds, zone) == ("T", True, "")
        else f"datetime:{separator}{'00:00:00' if seconds else '00:00'}{zone}"
    )


def _is_datetime(match: re.Match[str]) -> bool:
    try:
        datetime.fromisoformat(f"{match[1]}T{match[3]}{match[4] or ':00'}")
    except ValueError:
        return False
    return True


def _iso(text: str) -> str:
    match = _DATETIME.fullmatch(text)
    assert match is not None
    return f"{match[1]}T{match[3]}{match[4] or ':00'}"


def _store_json(column: Column) -> None:
    """Lists, objects and mixtures. Scalars among them meet NUMERIC affinity, which turns 1.0 into 1 and rounds long
    integers."""
    column.type = ColumnType.JSON
    scalars = [v for v in column.cells if type(v) in (int, float)]
    if any(
        not _survives(v) if isinstance(v, float) else not -_INT64 <= v < _INT64
        for v in scalars
        if isinstance(v, int | float)
    ):
        column.type, column.codec = ColumnType.TEXT, "json_text"
        column.cells = [None if v is None else json.dumps(v) for v in column.cells]
        return
    for row, value in enumerate(column.cells):
        if isinstance(value, float):
            column.forms[row] = "negative_zero" if value == 0 and math.copysign(1, value) < 0 else "real"


def _store_written(column: Column) -> None:
    """Texts of a CSV file: a number only where its text can be written again from it."""
    texts = [v for v in column.cells if isinstance(v, str)]
    matches = [_DECIMAL.fullmatch(t) for t in texts]
    pair = next((p for p in _WORD_PAIRS if texts and set(texts) <= set(p)), None)
    if pair is not None:
        column.type, column.codec = ColumnType.BOOLEAN, f"words:{pair[0]}/{pair[1]}"
        column.cells = [None if v is None else v == pair[0] for v in column.cells]
    elif texts and all(m and m[0] != "-0" for m in matches):
        _store_decimals(column, [len(m[1] or "") for m in matches if m])
    elif texts:
        _store_texts(column)


def _store_decimals(column: Column, places: list[int]) -> None:
    texts = [v for v in column.cells if isinstance(v, str)]
    if not any(places):
        column.type, column.codec = ColumnType.INTEGER, "digits"
        column.cells = [int(v) if isinstance(v, str) else None for v in column.cells]
        return
    reals = [float(t) for t in texts]
    if not all(f"{r:.{p}f}" == t for r, p, t in zip(reals, places, texts, strict=True)) or not all(
        map(_survives, reals)
    ):
        return
    usual = Counter(places).most_common(1)[0][0]
    column.type, column.codec = ColumnType.REAL, f"decimals:{usual}"
    remaining = iter(zip(reals, places, strict=True))
    for row, value in enumerate(column.cells):
        if value is not None:
            real, place = next(remaining)
            column.cells[row] = real
            if real == 0 and math.copysign(1, real) < 0:
                column.forms[row] = f"negative:{place}"
            elif place != usual:
                column.forms[row] = f"decimals:{place}"


def read_back(value: JsonValue, codec: str, form: str | None = None) -> JsonValue:
    """The value of the data from a stored one that is not NULL: JSON columns decoded, booleans as such."""
    word, _, detail = (form or codec).partition(":")
    match word:
        case "integer" | "integer_text" | "bit":
            return int(_scalar(value))
        case "real":
            return float(_scalar(value))
        case "negative_zero":
            return -0.0
        case "json_text":
            decoded: JsonValue = json.loads(str(value))
            return decoded
        case "datetime":
            day, _, clock = str(value).partition("T")
            seconds = detail[1:9] == "00:00:00"
            return f"{day}{detail[0]}{clock if seconds else clock[:5]}{detail[9:] if seconds else detail[6:]}"
        case "words":
            return detail.split("/")[0 if value else 1]
        case "digits":
            return str(value)
        case "decimals":
            return f"{float(_scalar(value)):.{detail}f}"
        case "negative":
            return f"{-0.0:.{detail}f}"
    return value


def _scalar(value: JsonValue) -> int | float | str:
    assert isinstance(value, int | float | str)
    return value
