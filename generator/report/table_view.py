"""What the page says of one table: its columns and the first rows of the seed.

Invariant: values are plain texts, unescaped. Not covered: markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from autoforge.generator.report.sample import Rows, Sample
from autoforge.generator.report.schema_words import value_words
from autoforge.generator.report.wording import truncated
from autoforge.mcp_envs.manifest import Column, Manifest, Table, ToolRecord

__all__ = ["Cell", "TableView", "table_views"]

_WIDEST = 60


class Cell(NamedTuple):
    text: str
    null: bool
    number: bool


@dataclass(frozen=True)
class TableView:
    table: Table
    anchor: str
    values: Mapping[str, str]
    """The values that a column may have, in words."""
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int | None
    """Rows in the seed; None where the seed could not be read."""
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    """Tools that only read it."""


def table_views(manifest: Manifest, sample: Sample, anchors: Mapping[str, str]) -> tuple[TableView, ...]:
    return tuple(
        _view(table, manifest.tools, sample.tables.get(table.name), anchors[table.name]) for table in manifest.tables
    )


def _view(table: Table, tools: tuple[ToolRecord, ...], rows: Rows | None, anchor: str) -> TableView:
    writers = [t.name for t in tools if table.name in (*t.effects.creates, *t.effects.updates, *t.effects.deletes)]
    readers = [t.name for t in tools if table.name in t.effects.reads and t.name not in writers]
    return TableView(
        table=table,
        anchor=anchor,
        values={column.name: _values(column) for column in table.columns},
        heads=rows.columns if rows else (),
        rows=tuple(tuple(_cell(value) for value in row) for row in rows.rows) if rows else (),
        total=rows.total if rows else None,
        writers=tuple(writers),
        readers=tuple(readers),
    )


def _values(column: Column) -> str:
    return ", ".join(value_words(value) for value in column.enum)


def _cell(value: object) -> Cell:
    if value is None:
        return Cell("null", True, False)
    if isinstance(value, bytes):
        return Cell(f"{len(value)} bytes", False, False)
    number = isinstance(value, int | float)
    return Cell(truncated(" ".join(str(value).split()), _WIDEST), False, number)
