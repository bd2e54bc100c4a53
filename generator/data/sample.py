"""What `--data` becomes: entities, their rows, and the recipe that puts the documents back together.

Invariant: a recipe holds shape only (which column is which property, which rows lack it, how a text was written),
never a value of a row: values come back out of the database. Not covered: how it is inferred (`tables`, `keys`,
`links`) and read back (`restore`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from pydantic import JsonValue

from autoforge.generator.ir import Entity

__all__ = ["Cell", "Constant", "DataSample", "Group", "Key", "Link", "Recipe", "Row", "Rows", "Single"]

Key = tuple[JsonValue, ...]
"""The stored values of a row's key columns."""
Row = dict[str, JsonValue]
_NO_ROWS: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True)
class Cell:
    """A property that is one column of the current row."""

    column: str
    codec: str = "same"
    """How the stored value becomes the value of the data: a word of `types.read_back`."""
    null_is: Literal["null", "missing", "empty"] = "null"
    """What SQL NULL stands for in most rows; `empty` is an empty text, of a CSV file."""
    otherwise: frozenset[Key] = _NO_ROWS
    """Rows where NULL stands for the other of null and missing."""
    forms: Mapping[Key, str] = field(default_factory=dict)
    """Rows whose value was written in another form than the column's, such as an integer among reals."""


@dataclass(frozen=True, slots=True)
class Group:
    """An object whose properties are columns (or child rows) of the current row."""

    fields: tuple[tuple[str, Recipe], ...]
    missing: frozenset[Key] = _NO_ROWS
    null: frozenset[Key] = _NO_ROWS


@dataclass(frozen=True, slots=True)
class Single:
    """An object that occurs once; its scalars are the only row of `entity` (None where it has none)."""

    entity: str | None
    fields: tuple[tuple[str, Recipe], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A list or map whose members are the rows of `entity` that belong to the current row."""

    entity: str
    shape: Literal["list", "map", "entries"]
    """`entries` is a list of objects with one key each."""
    item: Recipe
    owner: str | None = None
    """The column that holds the key of the current row; None where all rows belong."""
    order: tuple[str, ...] = ()
    key: Cell | None = None
    """The key of the map or entry."""
    many: bool = False
    """A map of lists: rows with the same key are one list."""
    missing: frozenset[Key] = _NO_ROWS
    null: frozenset[Key] = _NO_ROWS


@dataclass(frozen=True, slots=True)
class Constant:
    """An empty list or object: there is nothing in it to store."""

    value: JsonValue


Recipe = Cell | Group | Single | Rows | Constant


class Link(NamedTuple):
    """A JSON list column whose members are keys of an entity: joined in SQL by `json_each`."""

    entity: str
    column: str
    target: str
    reason: str


@dataclass(frozen=True)
class DataSample:
    """Samples of the state, as tables."""

    entities: tuple[Entity, ...]
    """Parents before children, as far as references make no cycle. Enums are what the sample holds: a documented enum
    may hold more."""
    rows: dict[str, list[Row]]
    """By entity name, in the order of `entities`; JSON columns hold Python values, dates and times ISO text;
    referenced rows first."""
    layout: dict[str, Recipe]
    """By file name."""
    names: dict[str, dict[str, str]]
    """Entity → column → name in the data; a property of a nested object is `outer.inner`. Columns that the data lacks
    are absent."""
    hidden: dict[str, frozenset[str]]
    """Columns that the data lacks: position in a list, key of the owner, generated numbers."""
    links: tuple[Link, ...] = ()
    empty: tuple[str, ...] = ()
    """Names of empty lists and objects: tables of which the data shows no row."""
    notes: tuple[str, ...] = ()
    digest: str = ""
    """SHA-256 of the files' names and bytes, as hexadecimal digits."""

    def entity(self, name: str) -> Entity:
        return next(e for e in self.entities if e.name == name)
