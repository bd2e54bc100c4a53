"""What a function does to tables, measured from the SQL in its source.

Invariant (soundness): every table and column that the function can write is in the result. SQL that is spelled out
whole is prepared, never run, on an empty state, and SQLite itself says what it touches; of SQL that is put together
from pieces every table that the pieces mention counts. What hangs on deleted rows by foreign key is not counted, as
in `ir.effects_of`. Not covered: whether the source may be run (`mcp_envs.containment`).
"""

from __future__ import annotations

import ast
import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import NamedTuple

from autoforge.generator.emit import schema_sql
from autoforge.generator.ir import Constant, Delete, Entity, Insert, Select, Step, Update, World
from autoforge.mcp_envs.containment.names import SQL_METHODS
from autoforge.mcp_envs.containment.scopes import Scopes
from autoforge.mcp_envs.containment.sql import FixedText

__all__ = ["Measured", "effect_steps", "measure"]

_NULL = Constant(value=None)
_VERB = re.compile(r"\s*(insert|replace|update|delete)\b(?:\s+or\s+\w+)?(?:\s+(?:into|from))?\s*", re.IGNORECASE)
_BINDINGS = re.compile(r"The current statement uses (\d+)")


class Measured(NamedTuple):
    """Tables as the schema names them."""

    reads: frozenset[str]
    creates: frozenset[str]
    updates: frozenset[tuple[str, str]]
    """(table, column) pairs."""
    deletes: frozenset[str]
    faults: tuple[str, ...]
    """SQL that cannot be prepared, in a sentence each."""

    @property
    def touches_nothing(self) -> bool:
        return not (self.reads or self.creates or self.updates or self.deletes)


class _Watch:
    """Collects what SQLite's authorizer is asked while statements are prepared."""

    def __init__(self, columns: Mapping[str, frozenset[str]]) -> None:
        self.columns = columns
        self.reads: set[str] = set()
        self.creates: set[str] = set()
        self.updates: set[tuple[str, str]] = set()
        self.deletes: set[str] = set()

    def authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        known = first if first is not None and first in self.columns else None
        if action == sqlite3.SQLITE_READ and known:
            self.reads.add(known)
        elif action == sqlite3.SQLITE_INSERT and known:
            self.creates.add(known)
        elif action == sqlite3.SQLITE_UPDATE and known and second:
            self.updates.add((known, second))
        elif action == sqlite3.SQLITE_DELETE and known:
            self.deletes.add(known)
        elif action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_PRAGMA):
            return sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_OK

    def pieces(self, beginning: str, texts: Iterable[str]) -> None:
        """Count what pieces of a statement mention."""
        pieces = [beginning, *texts]
        text = "\n".join(pieces).lower()
        mentioned = {table for table in self.columns if table.lower() in text}
        self.reads |= mentioned
        for piece in pieces:
            if (match := _VERB.match(piece)) is not None:
                named = _named_first(piece[match.end() :], mentioned)
                for table in [named] if named is not None else mentioned:
                    self._write(match.group(1).lower(), table, text)

    def _write(self, verb: str, table: str, text: str) -> None:
        if verb in ("insert", "replace"):
            self.creates.add(table)
        if verb in ("delete", "replace"):
            self.deletes.add(table)
        if verb == "update" or (verb == "insert" and "conflict" in text):
            self.updates |= {(table, column) for column in self.columns[table] if column.lower() in text}


def _named_first(text: str, tables: Iterable[str]) -> str | None:
    """The table whose name a text begins with, quoted or not; None where that is in another piece."""
    plain = text.lstrip("\"'`[ ").lower()
    fitting = [table for table in tables if re.match(re.escape(table.lower()) + r"(?!\w)", plain)]
    return max(fitting, key=len) if fitting else None


def measure(world: World, module: str, function: str) -> Measured:
    """The effects of one function of a module on the tables of a world. The module is parsed, never run."""
    tree = ast.parse(module)
    fixed = FixedText(tree, Scopes(tree))
    body = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function)
    watch = _Watch({e.table: frozenset(a.name for a in e.attributes) for e in world.entities})
    faults: list[str] = []
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema_sql(world) + "PRAGMA foreign_keys=OFF;")
        connection.set_authorizer(watch.authorize)
        for call in _sql_calls(body):
            text = _whole(call.args[0])
            if text is None:
                watch.pieces(fixed.beginning(call.args[0]), fixed.texts(call.args[0]))
            else:
                faults += _prepare(connection, text, call)
    return Measured(
        frozenset(watch.reads),
        frozenset(watch.creates),
        frozenset(watch.updates),
        frozenset(watch.deletes),
        tuple(dict.fromkeys(faults)),
    )


def _sql_calls(body: ast.FunctionDef) -> list[ast.Call]:
    calls = [n for n in ast.walk(body) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.args]
    return [
        c
        for c in calls
        if isinstance(c.func, ast.Attribute)
        and isinstance(c.func.value, ast.Name)
        and c.func.value.id == "db"
        and c.func.attr in SQL_METHODS
    ]


def _whole(node: ast.expr) -> str | None:
    """The text of SQL that is spelled out in one place; None for what is put together."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _whole(left), _whole(right)
            return None if first is None or second is None else first + second
        case _:
            return None


def _prepare(connection: sqlite3.Connection, text: str, call: ast.Call) -> list[str]:
    """Let SQLite read a statement; what is wrong with it."""
    wanted = 0
    try:
        connection.execute("EXPLAIN " + text).close()
    except sqlite3.ProgrammingError as error:
        match = _BINDINGS.search(str(error))
        if match is None:
            return [f"SQL {_short(text)}: {error}"]
        wanted = int(match.group(1))
    except (sqlite3.Error, sqlite3.Warning) as error:
        return [f"SQL {_short(text)}: {error}"]
    given = len(call.args) - 1
    if not any(isinstance(a, ast.Starred) for a in call.args) and given != wanted:
        return [f"SQL {_short(text)}: it has {wanted} `?`, but {given} values are given"]
    return []


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= 120 else plain[:119] + "…")


def effect_steps(world: World, measured: Measured) -> tuple[Step, ...]:
    """Steps that say just this much of a function: which tables it reads and writes."""
    entities = {e.table: e for e in world.entities}
    steps: list[Step] = [Select(rows=f"{t}_read", entity=entities[t].name) for t in sorted(measured.reads)]
    steps += [
        Insert(row=f"{t}_new", entity=entities[t].name, values=_all_columns(entities[t]))
        for t in sorted(measured.creates)
    ]
    changed: dict[str, list[str]] = {}
    for table, column in sorted(measured.updates):
        changed.setdefault(table, []).append(column)
    steps += [
        Update(row=f"{t}_row", entity=entities[t].name, values=tuple((c, _NULL) for c in columns))
        for t, columns in changed.items()
    ]
    steps += [Delete(entity=entities[t].name, where=()) for t in sorted(measured.deletes)]
    return tuple(steps)


def _all_columns(entity: Entity) -> tuple[tuple[str, Constant], ...]:
    """Every column: an insert that leaves one out is the function's own matter and changes nothing about the table."""
    return tuple((a.name, _NULL) for a in entity.attributes)
