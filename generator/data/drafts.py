"""Tables while they are being inferred: columns of cells, and the plan of each document over them.

Invariant: `cells` of every column of a draft have the draft's size; None is SQL NULL. Rows are named by their index
until their keys are known. Not covered: what decides (`tables`, `keys`, `links`), the frozen result (`sample`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from autoforge.generator.ir import ColumnType

__all__ = ["CellPlan", "Column", "ConstantPlan", "Draft", "GroupPlan", "Plan", "RowsPlan", "SinglePlan"]


@dataclass(eq=False, slots=True)
class Column:
    """One column; `path` holds its names in the data, outermost first, and is empty where the data has none."""

    path: tuple[str, ...]
    cells: list[JsonValue]
    role: Literal["data", "key", "value", "owner", "position", "number"] = "data"
    """`key`: keys of a map; `value`: members that are no objects; the last three are made up here."""
    missing: set[int] = field(default_factory=set)
    """Rows of an existing object that lack the property."""
    scope: int = 0
    """How many rows hold the object that the property belongs to."""
    written: bool = False
    """The cells are texts of a file without types (CSV)."""
    type: ColumnType = ColumnType.TEXT
    codec: str = "same"
    forms: dict[int, str] = field(default_factory=dict)
    name: str = ""
    target: Draft | None = None
    link: Draft | None = None
    reason: str = ""
    """Why it refers to `target` or `link`."""
    declared: str = ""
    """SQL type as declared, upper case."""
    not_null: bool = False
    unique: bool = False
    default: JsonValue = None
    enum: tuple[JsonValue, ...] = ()
    distinct: dict[JsonValue, None] | None = None
    """Cache of the distinct texts and integers, in order."""

    @property
    def generated(self) -> bool:
        """Whether the data has no such property."""
        return self.role in ("owner", "position", "number")

    def values(self) -> dict[JsonValue, None]:
        """Distinct scalar cells without NULL, in order of appearance."""
        if self.distinct is None:
            scalars = (c for c in self.cells if c is not None and not isinstance(c, list | dict))
            self.distinct = dict.fromkeys(scalars)
        return self.distinct


@dataclass(eq=False, slots=True)
class Draft:
    """One table."""

    source: str
    """Its name in the data."""
    document: str
    """The file."""
    kind: Literal["single", "list", "map", "entries", "table"]
    size: int
    columns: list[Column] = field(default_factory=list)
    parent: Draft | None = None
    owners: list[int] = field(default_factory=list)
    """Row of the parent, for each row."""
    positions: list[int] | None = None
    """Place in its list, from 1, for each row; None where order has no meaning."""
    own_key: Column | None = None
    many: bool = False
    scalar: bool = False
    """The members are no objects."""
    key: tuple[Column, ...] = ()
    order: tuple[Column, ...] = ()
    owner: Column | None = None
    entity: str = ""
    table: str = ""

    def ancestors(self) -> list[Draft]:
        """The parent, its parent, and so on."""
        found, draft = [], self.parent
        while draft is not None:
            found.append(draft)
            draft = draft.parent
        return found


@dataclass(slots=True)
class CellPlan:
    column: Column


@dataclass(slots=True)
class GroupPlan:
    fields: list[tuple[str, Plan]]
    missing: set[int] = field(default_factory=set)
    null: set[int] = field(default_factory=set)


@dataclass(slots=True)
class SinglePlan:
    draft: Draft | None
    fields: list[tuple[str, Plan]]


@dataclass(slots=True)
class RowsPlan:
    draft: Draft
    item: Plan
    missing: set[int] = field(default_factory=set)
    null: set[int] = field(default_factory=set)


@dataclass(slots=True)
class ConstantPlan:
    value: JsonValue


Plan = CellPlan | GroupPlan | SinglePlan | RowsPlan | ConstantPlan
