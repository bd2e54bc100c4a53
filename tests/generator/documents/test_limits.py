"""Bounds that nothing can keep are slips: they are dropped with their place, and the rest of the tool stays."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from autoforge.generator.documents import ToolDocument

from .conftest import Read, Refuse

COLOURS = {"type": "string", "enum": ["red", "green"]}


def tool_with(schema: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"name": "paint", "inputSchema": {"type": "object", "properties": {"x": schema}}, **more}]


@pytest.mark.parametrize(
    ("documented", "left", "sentence"),
    [
        (
            {"type": "integer", "minimum": 10, "maximum": 5},
            {"type": "integer"},
            "minimum 10 and maximum 5 allow no value and were dropped",
        ),
        (
            {"type": "number", "exclusiveMinimum": 1, "maximum": 1},
            {"type": "number"},
            "exclusiveMinimum 1 and maximum 1 allow no value and were dropped",
        ),
        (
            {"type": "integer", "minimum": 0.2, "maximum": 0.8},
            {"type": "integer"},
            "minimum 0.2 and maximum 0.8 allow no value and were dropped",
        ),
        (
            {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 4},
            {"type": "integer"},
            "exclusiveMinimum 3 and exclusiveMaximum 4 allow no value and were dropped",
        ),
        (
            {"type": "integer", "minimum": 1, "maximum": 4, "multipleOf": 7},
            {"type": "integer", "minimum": 1, "maximum": 4},
            "multipleOf 7 allows no value and was dropped",
        ),
        (
            {"type": "string", "minLength": 9, "maxLength": 3},
            {"type": "string"},
            "minLength 9 and maxLength 3 allow no value and were dropped",
        ),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 4, "maxItems": 2},
            {"type": "array", "items": {"type": "string"}},
            "minItems 4 and maxItems 2 allow no value and were dropped",
        ),
        (
            {"type": "array", "items": COLOURS, "uniqueItems": True, "minItems": 3},
            {"type": "array", "items": COLOURS, "uniqueItems": True},
            "minItems 3 allows no value and was dropped",
        ),
        (
            {"type": "string", "enum": ["abc", "def"], "pattern": "^[A-Z]+$"},
            {"type": "string", "enum": ["abc", "def"]},
            'pattern "^[A-Z]+$" allows no value of the enum and was dropped',
        ),
        (
            {"type": "integer", "enum": [1, 2, 30], "minimum": 2},
            {"type": "integer", "enum": [2, 30], "minimum": 2},
            "values of the enum that the bounds beside it rule out were dropped",
        ),
        (
            {"type": "integer", "minimum": 1, "default": 0},
            {"type": "integer", "minimum": 1},
            "the default is none of the values that its enum and bounds allow and was dropped",
        ),
        (
            {**COLOURS, "default": "blue"},
            COLOURS,
            "the default is none of the values that its enum and bounds allow and was dropped",
        ),
    ],
)
def test_an_impossible_bound_is_dropped_with_its_place(
    documented: dict[str, Any], left: dict[str, Any], sentence: str, read: Read
) -> None:
    documentation = read(tool_with(documented))
    schema = documentation.tools[0].input_schema["properties"]["x"]
    assert schema == left
    [note] = [note for note in documentation.notes if "#/0/inputSchema/properties/x: " in note]
    assert note.endswith(f"{sentence}.")


@pytest.mark.parametrize(
    ("documented", "left", "sentence"),
    [
        (
            {"type": "string", "minLength": 10_000_000_000},
            {"type": "string"},
            "minLength 10000000000 asks for more than 10,000 characters and was dropped",
        ),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 1_000_000},
            {"type": "array", "items": {"type": "integer"}},
            "minItems 1000000 asks for more than 10,000 characters and was dropped",
        ),
        (
            {"type": "array", "items": {"type": "string", "minLength": 200}, "minItems": 100},
            {"type": "array", "items": {"type": "string", "minLength": 200}},
            "minItems 100 asks for more than 10,000 characters and was dropped",
        ),
        (
            {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 50_000},
            {"type": "object", "additionalProperties": {"type": "string"}},
            "minProperties 50000 asks for more than 10,000 characters and was dropped",
        ),
    ],
)
def test_a_size_that_no_call_can_hold_is_dropped_with_its_place(
    documented: dict[str, Any], left: dict[str, Any], sentence: str, read: Read
) -> None:
    documentation = read(tool_with(documented))
    assert documentation.tools[0].input_schema["properties"]["x"] == left
    [note] = [note for note in documentation.notes if "#/0/inputSchema/properties/x: " in note]
    assert note.endswith(f"{sentence}.")


def test_bounds_that_contradict_only_together_are_told_too(read: Read) -> None:
    parts = [{"type": "integer", "minimum": 10}, {"type": "integer", "maximum": 5}]
    documentation = read(tool_with({"allOf": parts}))
    assert documentation.tools[0].input_schema["properties"]["x"] == {"type": "integer"}
    assert any("minimum 10 and maximum 5 allow no value" in note for note in documentation.notes)


@pytest.mark.parametrize(
    ("possible", "value"),
    [
        ({"type": "integer", "minimum": 5, "maximum": 5}, 5),
        ({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5}, 4),
        ({"type": "number", "minimum": 0.1, "maximum": 0.3, "multipleOf": 0.1}, 0.1),
        ({"type": "string", "minLength": 3, "maxLength": 3, "default": "abc"}, "abc"),
        ({"type": "array", "items": COLOURS, "uniqueItems": True, "minItems": 2}, ["red", "green"]),
        ({"type": "string", "minLength": 5000}, "x" * 5000),
        ({"type": "array", "items": {"type": "string"}, "minItems": 500}, [""] * 500),
        ({"type": "object", "minProperties": 1, "properties": {"a": {"type": "string"}}}, {"a": "x"}),
    ],
)
def test_a_bound_that_something_keeps_stays(possible: dict[str, Any], value: Any, read: Read) -> None:
    tool: ToolDocument = read(tool_with(possible)).tools[0]
    schema = tool.input_schema["properties"]["x"]
    assert {key: schema[key] for key in possible if key != "properties"} == {
        key: possible[key] for key in possible if key != "properties"
    }
    assert Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize("side", ["admin", "User", None, 1, ["user"]])
def test_a_side_that_there_is_not_is_refused_with_its_place(side: Any, refuse: Refuse) -> None:
    message = refuse(tool_with({"type": "string"}, _meta={"autoforge/side": side}))
    assert message.startswith("docs.json#/0/_meta/autoforge~1side: is ")
    assert message.endswith('; write "agent" or "user", for whose tool it is.')


@pytest.mark.parametrize("side", ["agent", "user"])
def test_the_sides_that_there_are_are_kept(side: str, read: Read) -> None:
    documentation = read(tool_with({"type": "string"}, _meta={"autoforge/side": side, "other": 1}))
    assert documentation.tools[0].meta == {"autoforge/side": side, "other": 1}


@pytest.mark.parametrize("key", ["inputSchema", "outputSchema"])
def test_more_properties_than_columns_are_refused_with_their_place(key: str, refuse: Refuse) -> None:
    wide = {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(1001)}}
    message = refuse([{"name": "paint", "inputSchema": {"type": "object"}, key: wide}])
    assert message.startswith(f"docs.json#/0/{key}/properties: holds 1,001 properties; at most 1,000 ")
