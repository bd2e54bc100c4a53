"""Look-alike rows on top of the seed, so that a path has something to choose from and to be fooled by.

Invariant: the statements fill every column, keep foreign keys and leave the counters ahead of the new ids; whether the
schema takes them is found by running them. Not covered: which row a task picks.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Table
from autoforge.mcp_envs.runtime import COUNTER_TABLE
from autoforge.mcp_envs.state import State, literal, quote

__all__ = ["look_alikes"]

_MOST_ROWS = 3
_SCALES = (0.6, 0.75, 0.9, 1.1, 1.25, 1.4)


def look_alikes(state: State, manifest: Manifest, tables: Sequence[str], chance: random.Random) -> tuple[str, ...]:
    """Statements that add one to three rows to each of the tables, each like one that is there but for a few values."""
    statements: list[str] = []
    for table in manifest.tables:
        if table.name in tables and not table.singleton and len(table.key) == 1 and table.name in state:
            statements += _rows_like(state, table, chance)
    return tuple(statements)


def _rows_like(state: State, table: Table, chance: random.Random) -> list[str]:
    records = state[table.name].records()
    keys = [r.get(table.key[0]) for r in records]
    made: list[str] = []
    for number in range(1, chance.randint(1, _MOST_ROWS) + 1):
        key = _next_key(keys, number)
        if key is None or not records:
            break
        twin = chance.choice(records)
        row = {**twin, table.key[0]: key}
        for column in table.columns:
            row[column.name] = _varied(column, row.get(column.name), records, table, chance, number)
        names = ", ".join(quote(name) for name in row)
        made.append(f"INSERT INTO {quote(table.name)} ({names}) VALUES ({', '.join(map(literal, row.values()))})")
    if made:
        count = len(made)
        made.append(f"UPDATE {COUNTER_TABLE} SET value = value + {count} WHERE name = {literal(table.name)}")
    return made


def _next_key(keys: Sequence[Any], number: int) -> Any:
    if keys and all(isinstance(k, int) for k in keys):
        return max(keys) + number
    found = [re.fullmatch(r"(.*?)(\d+)", k) for k in keys if isinstance(k, str)]
    if not found or None in found or len(found) != len(keys):
        return None
    prefix, digits = found[-1].groups()  # type: ignore[union-attr]
    largest = max(int(m.group(2)) for m in found if m is not None and m.group(1) == prefix)
    return f"{prefix}{largest + number:0{len(digits)}d}"


def _varied(
    column: Column, value: Any, records: Sequence[dict[str, Any]], table: Table, chance: random.Random, number: int
) -> Any:
    """The value of a twin: numbers a little off, a text that all rows have to themselves made another one."""
    if value is None or column.name in table.key or column.references or column.enum:
        return value
    if column.kind in (ColumnKind.CLOCK, ColumnKind.LOG) or column.type == "BOOLEAN":
        return value
    stored = [r.get(column.name) for r in records]
    if isinstance(value, float) and value > 0:
        return round(value * chance.choice(_SCALES), 2)
    distinct = len({repr(v) for v in stored}) == len(stored) > 2
    if isinstance(value, str) and distinct and column.kind in (ColumnKind.KEY, ColumnKind.VALUE, ColumnKind.SURROGATE):
        if "@" in value:
            return value.replace("@", f".{number + 1}@", 1)
        if re.fullmatch(r"[A-Za-z][A-Za-z' -]+", value):
            return f"{value} {'II' if number == 1 else 'III' if number == 2 else 'IV'}"
        if " " in value.strip() and "\n" not in value:
            return f"{value} ({number + 1})"
    return value
