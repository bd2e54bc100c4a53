"""What a model may answer, stage by stage, as pydantic models whose JSON Schema it is shown.

Invariant: an answer that passes names only what exists within itself; what depends on the request (these tools, those
tables) is added by `held_to`, so that the model is told of such faults like of any other. Not covered: whether an
answer is any good (`versions`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model, model_validator

from autoforge.generator.ir import ColumnKind, ColumnType

__all__ = [
    "ColumnAnswer",
    "FunctionAnswer",
    "FunctionsAnswer",
    "SeedAnswer",
    "StructureAnswer",
    "TableAnswer",
    "held_to",
]

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=r'^[^"\x00-\x1f]+$')]
"""snake_case for new ones; tables of a user's own data keep their names, whatever these are."""

_MACHINERY = ("autoforge_", "sqlite_")
_TEMPLATE = re.compile(r"[^{}]*\{(?::0?\d{0,2}[dxX]?)?\}[^{}]*")
_Answer = TypeVar("_Answer", bound=BaseModel)


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ColumnAnswer(_Model):
    name: Name
    type: ColumnType = ColumnType.TEXT
    kind: ColumnKind = ColumnKind.VALUE
    description: str = ""
    enum: tuple[JsonValue, ...] = ()
    nullable: bool = True
    default: JsonValue = None
    unique: bool = False
    references: str | None = Field(default=None, description="Entity whose one-column key this column holds.")
    minimum: float | None = None
    maximum: float | None = None
    meaning: str = Field(default="", description="One of the listed words for generated values; empty if none fits.")
    item_schema: dict[str, JsonValue] | None = Field(default=None, description="JSON Schema of a json column's value.")

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.enum and self.default is not None and self.default not in self.enum:
            raise ValueError(f"column {self.name}: the default {self.default!r} is not in its enum")
        return self


class TableAnswer(_Model):
    name: Name = Field(description="The entity: singular.")
    table: Name
    title: str = ""
    columns: tuple[ColumnAnswer, ...] = Field(min_length=1)
    key: tuple[str, ...] = Field(min_length=1)
    id_template: str | None = Field(default=None, description="How a new id reads: 'ORD-{:04d}', or '{}' for integers.")
    singleton: bool = False
    label: str | None = None
    owner: str | None = None
    status: str | None = None

    @model_validator(mode="after")
    def _names_its_own_columns(self) -> Self:
        names = [column.name for column in self.columns]
        _once(f"column of {self.table}", names)
        for what, column in (
            *(("key", k) for k in self.key),
            ("label", self.label),
            ("owner", self.owner),
            ("status", self.status),
        ):
            if column is not None and column not in names:
                raise ValueError(f"table {self.table}: {what} names {column!r}, which is none of its columns")
        if self.table.startswith(_MACHINERY):
            raise ValueError(f"table {self.table}: names that begin so are kept for the machinery")
        if self.id_template is not None and not _TEMPLATE.fullmatch(self.id_template):
            raise ValueError(f"table {self.table}: the id template {self.id_template!r} must hold one {{}} or {{:04d}}")
        return self


class StructureAnswer(_Model):
    """The state: all tables, also those kept from the draft."""

    entities: tuple[TableAnswer, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _refers_to_what_exists(self) -> Self:
        _once("entity", (entity.name for entity in self.entities))
        _once("table", (entity.table for entity in self.entities))
        keys = {entity.name: entity.key for entity in self.entities}
        for entity in self.entities:
            for column in entity.columns:
                if column.references is not None and len(keys.get(column.references, ())) != 1:
                    what = f"{entity.table}.{column.name} references {column.references!r}"
                    raise ValueError(f"{what}, which is no entity with a key of one column")
        return self


class FunctionAnswer(_Model):
    tool: str
    kind: Literal[
        "get", "list", "search", "count", "create", "update", "set_status", "delete", "link", "unlink", "move",
        "transfer", "session", "compute",
    ]  # fmt: skip
    entity: str | None = Field(default=None, description="The entity that the tool is mainly about.")
    source: str = Field(description="Python source of exactly one function, with the signature that was given.")
    assumptions: tuple[str, ...] = Field(
        default=(), description="What the documentation leaves open and was decided here."
    )


class FunctionsAnswer(_Model):
    functions: tuple[FunctionAnswer, ...]


class RowsAnswer(_Model):
    entity: str
    rows: tuple[dict[str, JsonValue], ...] = Field(min_length=1, max_length=60)


class SeedAnswer(_Model):
    tables: tuple[RowsAnswer, ...]


def held_to(kind: type[_Answer], faults: Callable[[_Answer], Iterable[str]]) -> type[_Answer]:
    """The same kind of answer, invalid also where `faults` finds something (sentences for the model)."""

    def check(answer: _Answer) -> _Answer:
        if found := list(faults(answer)):
            raise ValueError("; ".join(found))
        return answer

    validators: dict[str, Any] = {"held_to": model_validator(mode="after")(check)}
    return create_model(kind.__name__, __base__=kind, __doc__=kind.__doc__, __validators__=validators)


def _once(what: str, names: Iterable[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"the {what} {twice[0]!r} is defined twice")
