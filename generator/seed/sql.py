"""`seed.sql`: the rows as INSERT statements that a reviewer can read line by line.

Invariant: one row is one line whatever its texts hold; what is read back equals what was given; no text can end its
literal. Parents come first, and references are checked at the end of the one transaction, so cycles load. Refused:
NUL, lone surrogates, numbers that SQLite cannot hold. Not covered: the tables (`emit.schema`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from autoforge.generator.emit.names import json_text, quote
from autoforge.generator.emit.prepare import prepared
from autoforge.generator.emit.schema import ordered_entities
from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.generator.seed.counters import counters
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.runtime import CLOCK_TABLE, COUNTER_TABLE

__all__ = ["literal", "seed_sql"]

MOST_PIECES = 100
"""Pieces of text joined by `||`; SQLite limits the depth of an expression, so longer ones are written as bytes."""
_BREAKS = re.compile("([\x01-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff])")
"""Characters that would break a line, or hide what it says from a reader."""
Rows = Mapping[str, Sequence[Mapping[str, JsonValue]]]


def seed_sql(world: World, rows: Rows) -> str:
    """The statements that fill an empty state with rows by entity name. Raises BadInput for a value that cannot be
    stored.
    """
    world = prepared(world)
    lines = [
        "BEGIN;",
        "PRAGMA defer_foreign_keys=ON;",
        f"INSERT INTO {CLOCK_TABLE} (now) VALUES ({literal(world.clock)});",
    ]
    for table, number in counters(world, rows).items():
        lines.append(f"INSERT INTO {COUNTER_TABLE} (name, value) VALUES ({literal(table)}, {number});")
    for entity in ordered_entities(world):
        lines += _statements(entity, rows.get(entity.name, ()))
    return "\n".join([*lines, "COMMIT;", ""])


def _statements(entity: Entity, rows: Sequence[Mapping[str, JsonValue]]) -> Iterator[str]:
    if not rows:
        return
    columns = [a for a in entity.attributes if any(a.name in row for row in rows)]
    yield ""
    yield f"INSERT INTO {quote(entity.table)} ({', '.join(quote(a.name) for a in columns)}) VALUES"
    for i, row in enumerate(rows):
        cells = ", ".join(_cell(entity, a, row.get(a.name)) for a in columns)
        yield f"  ({cells}){';' if i == len(rows) - 1 else ','}"


def _cell(entity: Entity, attribute: Attribute, value: JsonValue) -> str:
    try:
        if value is not None and (attribute.type is ColumnType.JSON or isinstance(value, list | dict)):
            _refuse_odd_numbers(value)
            return literal(json_text(value))
        return literal(value)
    except BadInput as error:
        raise BadInput(f"{entity.table}.{attribute.name}: {error}") from None


def _refuse_odd_numbers(value: JsonValue) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadInput(f"the number {value!r} is no JSON; give a finite one")
    for part in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        _refuse_odd_numbers(part)


def literal(value: JsonValue) -> str:
    """One SQL literal on one line. Raises BadInput for what SQLite cannot store and give back."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise BadInput(f"the number {value} has more than 64 bits; give a smaller one")
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise BadInput(f"the number {value!r} cannot be stored; give a finite one")
        return repr(value)
    return _text(str(value))


def _text(text: str) -> str:
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise BadInput(f"the text {text[:40]!r} holds a NUL or half a character; take it out")
    pieces = _BREAKS.split(text)
    if len(pieces) > MOST_PIECES:
        return f"CAST(x'{text.encode('utf-8').hex()}' AS TEXT)"
    parts = [
        f"char({ord(p)})" if i % 2 else "'" + p.replace("'", "''") + "'"
        for i, p in enumerate(pieces)
        if p or len(pieces) == 1
    ]
    return parts[0] if len(parts) == 1 else "(" + " || ".join(parts) + ")"
