"""What a JSON Schema says a value is, as far as a column needs to know.

Invariant: works on normalised schemas (`documents`): inlined, no type arrays, draft 2020-12. Not covered: validation.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from autoforge.generator.ir import ColumnType

__all__ = ["Shape", "contradict", "is_moment", "properties_of", "row_schema", "shape_of"]

Schema = dict[str, Any]
_FORMATS = {"date": ColumnType.DATE, "date-time": ColumnType.DATETIME, "time": ColumnType.TIME}
_RANK = [
    ColumnType.JSON,
    ColumnType.TEXT,
    ColumnType.DATETIME,
    ColumnType.DATE,
    ColumnType.TIME,
    ColumnType.REAL,
    ColumnType.INTEGER,
    ColumnType.BOOLEAN,
]


class Shape(NamedTuple):
    """A schema seen as a column."""

    type: ColumnType
    nullable: bool
    schema: Schema
    """Without its null branch."""
    many: bool
    """A list."""


def shape_of(schema: Schema) -> Shape:
    """The column type of a value; a union of several real types is JSON."""
    bare, nullable = _without_null(schema)
    kind = bare.get("type")
    many = kind == "array"
    if kind in ("array", "object") or (kind is None and ("anyOf" in bare or "oneOf" in bare)):
        return Shape(_union(bare) or ColumnType.JSON, nullable, bare, many)
    if kind == "integer":
        return Shape(ColumnType.INTEGER, nullable, bare, False)
    if kind == "number":
        return Shape(ColumnType.REAL, nullable, bare, False)
    if kind == "boolean":
        return Shape(ColumnType.BOOLEAN, nullable, bare, False)
    return Shape(_FORMATS.get(str(bare.get("format")), ColumnType.TEXT), nullable, bare, False)


def _branches(schema: Schema) -> list[Schema]:
    """What a union offers."""
    return list(schema.get("anyOf") or schema.get("oneOf") or ())


def _union(schema: Schema) -> ColumnType | None:
    branches = [shape_of(b) for b in _branches(schema)]
    types = {b.type for b in branches}
    return types.pop() if len(types) == 1 and ColumnType.JSON not in types else None


def _without_null(schema: Schema) -> tuple[Schema, bool]:
    for union in ("anyOf", "oneOf"):
        branches = schema.get(union)
        if isinstance(branches, list) and any(b.get("type") == "null" for b in branches):
            rest = [b for b in branches if b.get("type") != "null"]
            outer = {k: v for k, v in schema.items() if k != union}
            return ({**outer, **rest[0]} if len(rest) == 1 else {**outer, union: rest}), True
    return schema, schema.get("type") == "null"


def wider(first: ColumnType, second: ColumnType) -> ColumnType:
    """The type that holds both; a date and a text is the date, since the text is only less precise."""
    if first == second:
        return first
    pair = {first, second}
    for precise in (ColumnType.DATETIME, ColumnType.DATE, ColumnType.TIME):
        if pair == {precise, ColumnType.TEXT}:
            return precise
    if pair == {ColumnType.INTEGER, ColumnType.REAL}:
        return ColumnType.REAL
    return min(pair, key=_RANK.index)


def contradict(first: Schema, second: Schema) -> bool:
    """Whether two schemas of lists or objects describe values of different make; single values of a list may differ
    in type.
    """
    one, two = _without_null(first)[0], _without_null(second)[0]
    kinds = {one.get("type"), two.get("type")}
    if None in kinds or len(kinds) > 1:
        return bool(kinds & {"array", "object"}) and None not in kinds
    if kinds == {"array"}:
        return contradict(one.get("items") or {}, two.get("items") or {})
    shared = set(properties_of(one)) & set(properties_of(two))
    return any(
        properties_of(one)[n].get("type") != properties_of(two)[n].get("type")
        or contradict(properties_of(one)[n], properties_of(two)[n])
        for n in shared
        if {"type"} <= set(properties_of(one)[n]) & set(properties_of(two)[n])
    )


def is_moment(name: str, kind: ColumnType) -> bool:
    """Whether a column holds a date or time of day and date: by its type, or by its name (`date`, `placed_at`)."""
    named = re.search(r"(?:^|_)(?:date|time|timestamp|fecha)$|_(?:at|on)$", name)
    return kind in (ColumnType.DATE, ColumnType.DATETIME) or named is not None


def properties_of(schema: Schema | None) -> dict[str, Schema]:
    """Declared properties of an object schema, also where unions hide one."""
    if not schema:
        return {}
    bare = _without_null(schema)[0]
    if "properties" in bare:
        return dict(bare["properties"])
    for branch in _branches(bare):
        if branch.get("properties"):
            return dict(branch["properties"])
    return {}


def row_schema(schema: Schema) -> Schema | None:
    """The object schema of a list's items, or None."""
    bare = _without_null(schema)[0]
    items = bare.get("items") if bare.get("type") == "array" else None
    return items if isinstance(items, dict) and properties_of(items) else None
