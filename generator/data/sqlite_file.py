"""An SQLite file → drafts: one per table, with what it declares: types, keys, references, NOT NULL, UNIQUE, enums.

Invariant: the file is opened read-only and immutable, never written, and every row of every table is read. A BLOB
becomes base64 text. Not covered: views, virtual tables, triggers and indexes, which are noted and left out;
references of several columns.
"""

from __future__ import annotations

import base64
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from autoforge.generator.data.drafts import CellPlan, Column, ConstantPlan, Draft, GroupPlan, RowsPlan, SinglePlan
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.state import quote

__all__ = ["is_sqlite", "read_sqlite"]

_MAGIC = b"SQLite format 3\0"
_LITERAL = re.compile(r"'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)")


def is_sqlite(head: bytes) -> bool:
    """By the first sixteen bytes; https://sqlite.org/fileformat.html section 1.3."""
    return head.startswith(_MAGIC)


def read_sqlite(path: Path, notes: list[str]) -> tuple[SinglePlan, list[Draft]]:
    """The plan of the file (an object of tables) and its drafts. Raises BadInput where it is corrupt or has a write-
    ahead log."""
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        raise BadInput(
            f"{path.name} has changes that are still in {log.name}: run `PRAGMA wal_checkpoint(TRUNCATE)` on it first."
        )
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        try:
            reader = _Reader(connection, path.name, notes)
            return reader.plan(), reader.drafts
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise BadInput(
                f"{path.name} cannot be read as an SQLite database ({error}): "
                f"repair it with `sqlite3 {path.name} .recover`, or export it again."
            ) from None


class _Reader:
    def __init__(self, connection: sqlite3.Connection, file: str, notes: list[str]) -> None:
        self._connection = connection
        self._file = file
        self._notes = notes
        self.drafts: list[Draft] = []

    def plan(self) -> SinglePlan:
        fields: list[tuple[str, Any]] = []
        foreign: list[tuple[Draft, list[tuple[Any, ...]]]] = []
        for name, sql in self._tables():
            draft = self._draft(name, sql)
            if not draft.columns:
                fields.append((name, ConstantPlan([])))
                continue
            self.drafts.append(draft)
            fields.append((name, RowsPlan(draft, GroupPlan([(c.path[0], CellPlan(c)) for c in draft.columns]))))
            foreign.append((draft, self._pragma("foreign_key_list", name)))
        by_name = {d.source.casefold(): d for d in self.drafts}
        for draft, references in foreign:
            self._link(draft, references, by_name)
        return SinglePlan(None, fields)

    def _tables(self) -> Iterator[tuple[str, str]]:
        kinds = {row[1]: row[2] for row in self._connection.execute("PRAGMA main.table_list")}
        for kind, name, sql in self._connection.execute(
            "SELECT type, name, coalesce(sql, '') FROM sqlite_master ORDER BY rowid"
        ).fetchall():
            if kind == "table" and kinds.get(name) == "table" and not name.startswith("sqlite_"):
                yield name, sql
            elif kind in ("view", "trigger") or kinds.get(name) == "virtual":
                self._notes.append(
                    f"{self._file}: the {'virtual table' if kind == 'table' else kind} {name} is left out."
                )

    def _pragma(self, pragma: str, table: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(f"PRAGMA {pragma}({quote(table)})").fetchall()

    def _draft(self, name: str, sql: str) -> Draft:
        declared = [row for row in self._pragma("table_xinfo", name) if row[6] != 1]
        names = ", ".join(quote(row[1]) for row in declared)
        key = [row[1] for row in sorted(declared, key=lambda row: row[5]) if row[5]]
        order = f" ORDER BY {', '.join(quote(k) + ' COLLATE BINARY' for k in key)}" if key else ""
        rows = self._connection.execute(f"SELECT {names} FROM {quote(name)}{order}").fetchall()
        draft = Draft(name, self._file, "table", len(rows))
        single = {row[0] for row in self._unique(name)}
        for i, row in enumerate(declared):
            draft.columns.append(self._column(name, row, [r[i] for r in rows], row[1] in single, sql))
        columns = {c.path[0]: c for c in draft.columns}
        if key and all(_exact(columns[k].cells) for k in key):
            draft.key = draft.order = tuple(columns[k] for k in key)
        else:
            draft.positions = list(range(1, len(rows) + 1))
        return draft

    def _unique(self, table: str) -> Iterator[tuple[str]]:
        for _, index, unique, *rest in self._pragma("index_list", table):
            columns = self._pragma("index_info", index)
            if unique and len(columns) == 1 and columns[0][2] and not rest[1]:
                yield (columns[0][2],)

    def _column(self, table: str, row: tuple[Any, ...], cells: list[Any], unique: bool, sql: str) -> Column:
        _, name, declared, not_null, default, *_ = row
        if any(isinstance(c, bytes) for c in cells):
            self._notes.append(f"{self._file}: BLOBs of {table}.{name} become base64 texts.")
            cells = [base64.b64encode(c).decode("ascii") if isinstance(c, bytes) else c for c in cells]
        odd = next((c for c in cells if isinstance(c, float) and c - c != 0), None)
        if odd is not None:
            raise BadInput(
                f"{self._file}, table {table}, column {name}: {odd} is no JSON number; store NULL or a finite number."
            )
        return Column(
            (name,),
            cells,
            declared=declared.upper(),
            not_null=bool(not_null),
            unique=unique,
            default=_default(default),
            enum=_listed(name, sql),
        )

    def _link(self, draft: Draft, references: list[tuple[Any, ...]], by_name: dict[str, Draft]) -> None:
        columns = {c.path[0].casefold(): c for c in draft.columns}
        several = {row[0] for row in references if row[1] > 0}
        for number, _, table, source, to, *_ in references:
            target = by_name.get(table.casefold())
            column = columns[source.casefold()]
            if (
                number in several
                or target is None
                or len(target.key) != 1
                or (to and to.casefold() != target.key[0].path[0].casefold())
            ):
                self._notes.append(
                    f"{self._file}: {draft.source}.{source} refers to {table}, but not to its one key column; "
                    "it is not kept as a reference."
                )
            elif not set(column.cells) - {None} <= set(target.key[0].cells):
                self._notes.append(
                    f"{self._file}: {draft.source}.{source} holds values that are no keys of {table}; "
                    "it is not kept as a reference."
                )
            elif {type(c) for c in column.cells} - {type(None)} <= {
                type(c) for c in target.key[0].cells
            } or not target.size:
                column.target, column.reason = target, "declared in the file"


def _exact(cells: list[JsonValue]) -> bool:
    """Whether a declared key can stay one: SQLite lets keys be NULL, real or of several types."""
    return {type(c) for c in cells} in (set(), {int}, {str}) and not any(
        isinstance(c, str) and "\0" in c for c in cells
    )


def _default(text: str | None) -> JsonValue:
    match = _LITERAL.fullmatch(text.strip()) if text else None
    if match is None:
        return None
    if match[2] is None:
        return match[1].replace("''", "'")
    return float(match[2]) if "." in match[2] else int(match[2])


def _listed(column: str, sql: str) -> tuple[JsonValue, ...]:
    """The texts of `CHECK (column IN ('a', 'b'))`."""
    match = re.search(
        rf"\bCHECK\s*\(\s*[\"`\[]?{re.escape(column)}[\"`\]]?\s+IN\s*\(((?:\s*'(?:[^']|'')*'\s*,?)+)\)\s*\)",
        sql,
        re.IGNORECASE,
    )
    return tuple(m[1].replace("''", "'") for m in _LITERAL.finditer(match[1])) if match else ()
