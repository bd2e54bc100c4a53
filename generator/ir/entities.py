"""Things and their columns.

Invariant: names are legal in SQL; a column refers to an entity by its name. Not covered: rows (`seed`), tables in SQL
(`emit`).
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import JsonValue

from autoforge.generator.ir.node import Node
from autoforge.mcp_envs.manifest import ColumnKind

__all__ = ["Attribute", "ColumnKind", "ColumnType", "Entity", "Transition"]


class ColumnType(StrEnum):
    """How a value is stored; also its declared SQL type in upper case."""

    TEXT = "text"
    INTEGER = "integer"
    REAL = "real"
    BOOLEAN = "boolean"
    DATE = "date"
    """ISO 8601 text, `YYYY-MM-DD`."""
    DATETIME = "datetime"
    """ISO 8601 text, `YYYY-MM-DDTHH:MM:SS`, no zone: all times of an environment share one."""
    TIME = "time"
    """`HH:MM`."""
    JSON = "json"
    """A list or object, as JSON text."""


class Attribute(Node):
    name: str
    """The column, a legal SQL name; outputs map it to the documented property name."""
    type: ColumnType = ColumnType.TEXT
    kind: ColumnKind = ColumnKind.VALUE
    description: str = ""
    enum: tuple[JsonValue, ...] = ()
    nullable: bool = True
    default: JsonValue = None
    unique: bool = False
    references: str | None = None
    """The entity whose key this column holds."""
    minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None
    """Regular expression that a documented parameter asks of the text."""
    meaning: str = ""
    """What a seed value should look like: a word of `autoforge.generator.rules.meaning` (email, person_name, city,
    price, …).
    """
    item_schema: dict[str, JsonValue] | None = None
    """JSON Schema of the value where `type` is json."""
    examples: tuple[JsonValue, ...] = ()
    """Values that the documentation itself shows."""
    evidence: tuple[str, ...] = ()
    """Where it was found: `tool.parameter`, `tool -> output path`."""


class Transition(Node):
    """A move of a status machine that some tool makes."""

    tool: str
    before: tuple[str, ...]
    """States it is legal from; empty means any state but `after`."""
    after: str


class Entity(Node):
    name: str
    """Singular, snake_case."""
    table: str
    title: str = ""
    attributes: tuple[Attribute, ...]
    key: tuple[str, ...]
    """Columns of the primary key."""
    id_template: str | None = None
    """How a generated id reads, e.g. `ORD-{:04d}`; `{}` for integers; None where tools do not create ids of this
    entity.
    """
    singleton: bool = False
    """Exactly one row: a session, an account, settings, a working directory."""
    label: str | None = None
    """The column by which people name a row."""
    owner: str | None = None
    """The column that says whose row it is, where the documentation has users that own rows."""
    status: str | None = None
    transitions: tuple[Transition, ...] = ()
    seed_rows: int | None = None
    """Rows wanted in the seed; None means the general setting."""
    system: bool = False
    """A table of the machinery (log), not of the domain."""
    evidence: tuple[str, ...] = ()

    def attribute(self, name: str) -> Attribute | None:
        return next((a for a in self.attributes if a.name == name), None)
