"""What a schema says of a column."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.shapes import properties_of, row_schema, shape_of, wider

ROW = {"type": "object", "properties": {"id": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, ColumnType.TEXT),
        ({"type": "string", "format": "date"}, ColumnType.DATE),
        ({"type": "string", "format": "date-time"}, ColumnType.DATETIME),
        ({"type": "string", "format": "time"}, ColumnType.TIME),
        ({"type": "string", "format": "uuid"}, ColumnType.TEXT),
        ({"type": "integer"}, ColumnType.INTEGER),
        ({"type": "number"}, ColumnType.REAL),
        ({"type": "boolean"}, ColumnType.BOOLEAN),
        ({"type": "array", "items": {"type": "string"}}, ColumnType.JSON),
        ({"type": "object"}, ColumnType.JSON),
        ({}, ColumnType.TEXT),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, ColumnType.JSON),
        ({"oneOf": [{"type": "integer", "minimum": 1}, {"type": "integer", "maximum": 0}]}, ColumnType.INTEGER),
    ],
)
def test_a_schema_has_the_column_type_that_holds_its_values(schema: dict[str, Any], kind: ColumnType) -> None:
    assert shape_of(schema).type is kind


def test_a_null_branch_makes_the_column_nullable_and_leaves_the_type() -> None:
    shape = shape_of({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}], "description": "how many"})
    assert (shape.type, shape.nullable) == (ColumnType.INTEGER, True)
    assert shape.schema == {"type": "integer", "minimum": 3, "description": "how many"}


def test_a_list_is_many_and_an_object_is_not() -> None:
    assert shape_of({"type": "array", "items": ROW}).many
    assert not shape_of(ROW).many


@pytest.mark.parametrize(
    ("first", "second", "held"),
    [
        (ColumnType.INTEGER, ColumnType.REAL, ColumnType.REAL),
        (ColumnType.DATE, ColumnType.TEXT, ColumnType.DATE),
        (ColumnType.DATETIME, ColumnType.TEXT, ColumnType.DATETIME),
        (ColumnType.BOOLEAN, ColumnType.TEXT, ColumnType.TEXT),
        (ColumnType.INTEGER, ColumnType.TEXT, ColumnType.TEXT),
        (ColumnType.JSON, ColumnType.INTEGER, ColumnType.JSON),
    ],
)
def test_two_types_meet_in_the_one_that_holds_both(first: ColumnType, second: ColumnType, held: ColumnType) -> None:
    assert wider(first, second) is held
    assert wider(second, first) is held


def test_properties_are_found_behind_null_and_in_a_union() -> None:
    assert properties_of({"anyOf": [ROW, {"type": "null"}]}) == ROW["properties"]
    assert properties_of({"oneOf": [{"type": "string"}, ROW]}) == ROW["properties"]
    assert properties_of({"type": "string"}) == {}
    assert properties_of(None) == {}


def test_only_lists_of_objects_with_properties_have_rows() -> None:
    assert row_schema({"type": "array", "items": ROW}) == ROW
    assert row_schema({"type": "array", "items": {"type": "string"}}) is None
    assert row_schema({"type": "array", "items": {"type": "object"}}) is None
    assert row_schema(ROW) is None
