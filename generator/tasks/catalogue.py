"""What task generation knows of an environment's tools: slots of their arguments, rows and fields of their outputs.

Read from the files and from calls that really succeeded (`probing` fills it), so it is the same for every synthesizer.
Invariant: a slot or a field that names a column was seen to carry that column's values. Not covered: the graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from autoforge.mcp_envs.manifest import Column, Manifest, Table, ToolRecord

__all__ = ["Catalogue", "ColumnName", "Field", "Role", "RowSet", "Sample", "Slot", "ToolModel"]

Role: TypeAlias = Literal["reference", "value", "filter", "control"]
"""`reference`: names a row that is there; `value`: content of a row that is made or changed; `filter`: narrows what a
read returns; `control`: paging, sorting, projection, format: never needed for the outcome."""


class ColumnName(NamedTuple):
    table: str
    column: str


class Slot(NamedTuple):
    """A place for one value in a tool's arguments."""

    path: tuple[str | int, ...]
    """`("guestId",)`; inside lists and objects `("entities", 0, "name")`."""
    schema: Mapping[str, Any]
    required: bool
    """Whether every call must fill it."""
    role: Role
    column: ColumnName | None = None
    """The column whose values it takes: for a reference the key (or other identifying column) of the row it names."""

    @property
    def parameter(self) -> str:
        """The documented parameter that it is part of."""
        return str(self.path[0])

    @property
    def name(self) -> str:
        """The last name in its path."""
        return str(next(part for part in reversed(self.path) if isinstance(part, str)))


class Field(NamedTuple):
    """A value that an output holds outside of rows, or inside an item of a row set."""

    path: str
    """From the output's root, with `[*]` where it is inside lists."""
    type: Literal["number", "text", "date", "boolean", "list", "object"]
    column: ColumnName | None = None


class RowSet(NamedTuple):
    """Rows of a table that an output shows."""

    path: str
    """`$.rooms[*]` for a list, `$` or `$.room` for one row."""
    table: str
    fields: Mapping[str, str]
    """Column -> path inside the item (`roomId`, `owner.name`)."""
    types: Mapping[str, str]
    """Path inside the item -> type of its values, also of what is no column."""

    @property
    def many(self) -> bool:
        return "[*]" in self.path


class Sample(NamedTuple):
    """A call that succeeded on the seed, and its output."""

    arguments: Mapping[str, Any]
    value: Any


@dataclass(frozen=True)
class ToolModel:
    """One tool."""

    name: str
    record: ToolRecord
    document: Mapping[str, Any] = field(repr=False)
    slots: tuple[Slot, ...]
    rows: tuple[RowSet, ...]
    fields: tuple[Field, ...]
    samples: tuple[Sample, ...] = field(repr=False, default=())

    @property
    def side(self) -> Literal["agent", "user"]:
        return self.record.side

    @property
    def reads_only(self) -> bool:
        effects = self.record.effects
        return not (effects.creates or effects.updates or effects.deletes) and self.record.kind != "weak"

    @property
    def title(self) -> str:
        return str(self.document.get("title") or "")

    @property
    def description(self) -> str:
        return str(self.document.get("description") or "")

    def slot(self, path: tuple[str | int, ...]) -> Slot | None:
        return next((s for s in self.slots if s.path == path), None)


@dataclass(frozen=True)
class Catalogue:
    """All tools of an environment."""

    manifest: Manifest
    tools: Mapping[str, ToolModel]
    policy: str = ""

    @cached_property
    def tables(self) -> dict[str, Table]:
        return {table.name: table for table in self.manifest.tables}

    @cached_property
    def writes(self) -> bool:
        """Whether any tool changes the state: of an environment that only tells, tasks are questions."""
        return any(not tool.reads_only and tool.samples for tool in self.tools.values())

    def column(self, name: ColumnName) -> Column | None:
        table = self.tables.get(name.table)
        return next((c for c in table.columns if c.name == name.column), None) if table else None

    def domain(self, name: ColumnName) -> ColumnName:
        """The column where values come from: the key at the end of the foreign keys, or the column itself."""
        seen: set[str] = set()
        while name.table not in seen:
            seen.add(name.table)
            column = self.column(name)
            parent = self.tables.get(column.references or "") if column else None
            if parent is None or len(parent.key) != 1:
                break
            name = ColumnName(parent.name, parent.key[0])
        return name
