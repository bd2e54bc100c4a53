"""What is known of a value before the program runs: enough to write `a + b` where that is safe and a helper where it
is not.

Invariant: a shape never promises more than the schema of a parameter or column enforces. Not covered: values inside
JSON columns.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType

__all__ = ["Shape", "bound_of", "of_attribute", "of_constant", "of_schema"]

Kind = Literal["any", "boolean", "integer", "number", "text", "list", "object", "row"]

_SCHEMA_KINDS: dict[str, Kind] = {
    "string": "text", "integer": "integer", "number": "number",
    "boolean": "boolean", "array": "list", "object": "object",
}  # fmt: skip
_COLUMN_KINDS: dict[ColumnType, Kind] = {
    ColumnType.INTEGER: "integer", ColumnType.REAL: "number", ColumnType.BOOLEAN: "boolean", ColumnType.JSON: "any",
}  # fmt: skip


class Shape(NamedTuple):
    kind: Kind = "any"
    nullable: bool = True
    entity: str | None = None
    """Of a row, or of the rows of a list."""
    schema: dict[str, JsonValue] | None = None
    """JSON Schema keywords that the value is known to satisfy when it is not None."""

    @property
    def numeric(self) -> bool:
        return self.kind in ("integer", "number")

    def given(self) -> Shape:
        """The same, known not to be None."""
        return self._replace(nullable=False)

    def union(self, other: Shape) -> Shape:
        """What is known of a value that has one shape or the other."""
        kind: Kind = self.kind if self.kind == other.kind else "number" if self.numeric and other.numeric else "any"
        entity = self.entity if self.entity == other.entity else None
        if kind == "row" and entity is None:
            kind = "object"
        return Shape(kind, self.nullable or other.nullable, entity, _either(self.schema, other.schema))


def of_schema(schema: JsonValue, *, nullable: bool) -> Shape:
    """The shape of a value that was validated against a JSON Schema; `nullable` says that it may be absent."""
    if not isinstance(schema, dict):
        return Shape()
    declared = schema.get("type")
    types = (
        [t for t in declared if isinstance(t, str)]
        if isinstance(declared, list)
        else [declared]
        if isinstance(declared, str)
        else []
    )
    kinds = {_SCHEMA_KINDS[t] for t in types if t in _SCHEMA_KINDS}
    if not kinds:
        return Shape(schema=schema)
    kind: Kind = kinds.pop() if len(kinds) == 1 else "number" if kinds == {"integer", "number"} else "any"
    return Shape(kind, nullable or "null" in types or schema.get("nullable") is True, schema=schema)


def of_attribute(attribute: Attribute) -> Shape:
    """The shape of a column of a stored row."""
    schema: dict[str, JsonValue] = {}
    if attribute.enum and attribute.type is not ColumnType.JSON:
        schema["enum"] = list(attribute.enum)
    if attribute.minimum is not None:
        schema["minimum"] = attribute.minimum
    if attribute.maximum is not None:
        schema["maximum"] = attribute.maximum
    if attribute.type is ColumnType.DATETIME:
        schema["format"] = "date-time"
    return Shape(_COLUMN_KINDS.get(attribute.type, "text"), attribute.nullable, schema=schema)


def of_constant(value: JsonValue) -> Shape:
    """The shape of a value that is written in the source."""
    if value is None:
        return Shape()
    kinds: dict[type, Kind] = {
        bool: "boolean",
        int: "integer",
        float: "number",
        str: "text",
        list: "list",
        dict: "object",
    }
    return Shape(kinds[type(value)], nullable=False, schema={"enum": [value]})


def _either(left: dict[str, JsonValue] | None, right: dict[str, JsonValue] | None) -> dict[str, JsonValue] | None:
    """What a value is known to satisfy that satisfies one schema or the other."""
    if left == right or not left or not right:
        return left if left == right else None
    merged: dict[str, JsonValue] = {}
    first, second = left.get("enum"), right.get("enum")
    if isinstance(first, list) and isinstance(second, list):
        merged["enum"] = [*first, *(v for v in second if v not in first)]
    if left.get("format") == right.get("format") is not None:
        merged["format"] = left["format"]
    least = [bound_of(schema, "minimum") for schema in (left, right)]
    most = [bound_of(schema, "maximum") for schema in (left, right)]
    if None not in least:
        merged["minimum"] = min(b for b in least if b is not None)
    if None not in most:
        merged["maximum"] = max(b for b in most if b is not None)
    return merged


def bound_of(schema: dict[str, JsonValue], keyword: Literal["minimum", "maximum"]) -> float | None:
    """The least or greatest number that a JSON Schema admits; None where it sets no bound."""
    values = schema.get("enum")
    numbers = [v for v in values if v is not None] if isinstance(values, list) else []
    if numbers and all(isinstance(v, int | float) for v in numbers):
        plain = [v for v in numbers if isinstance(v, int | float)]
        return min(plain) if keyword == "minimum" else max(plain)
    found = [schema.get(keyword), schema.get("exclusive" + keyword.capitalize())]
    bounds = [v for v in found if isinstance(v, int | float) and not isinstance(v, bool)]
    return (max(bounds) if keyword == "minimum" else min(bounds)) if bounds else None
