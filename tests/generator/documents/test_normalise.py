"""Schemas of every dialect become one portable dialect, and what was mended is noted."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import pytest

from autoforge.generator.documents.read import Document, documentation_of

from .conftest import Read


class _Mended(NamedTuple):
    schema: dict[str, Any]
    notes: str


def _mend(read: Read, schema: Any, **around: Any) -> _Mended:
    parameters = {"type": "object", "properties": {"x": schema}, **around}
    documentation = read([{"name": "t", "description": "d", "parameters": parameters}])
    return _Mended(documentation.tools[0].input_schema["properties"]["x"], " ".join(documentation.notes))


_STRING, _INTEGER, _NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
_ITEMS = {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean", "null", "object")]}
_ANY = {"anyOf": [*_ITEMS["anyOf"], {"type": "array", "items": _ITEMS}]}


@pytest.mark.parametrize(
    ("documented", "normal"),
    [
        ({"type": ["integer", "null"]}, {"anyOf": [_INTEGER, _NULL]}),
        (
            {"type": ["string", "number"], "minimum": 1, "maxLength": 3},
            {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "number", "minimum": 1}]},
        ),
        ({"type": "string", "nullable": True, "description": "d"}, {"description": "d", "anyOf": [_STRING, _NULL]}),
        (
            {"type": "string", "nullable": True, "enum": ["a", None]},
            {"anyOf": [{"type": "string", "enum": ["a"]}, _NULL]},
        ),
        ({"type": "dict"}, {"type": "object"}),
        (
            {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}},
            {"type": "object", "properties": {"a": _STRING}, "additionalProperties": False},
        ),
        ({"type": "float"}, {"type": "number"}),
        ({"type": "int"}, _INTEGER),
        ({"type": "bool"}, {"type": "boolean"}),
        ({"type": "datetime"}, {"type": "string", "format": "date-time"}),
        ({"type": "tuple", "items": {"type": "int"}}, {"type": "array", "items": _INTEGER}),
        ({"type": "List[str]"}, {"type": "array", "items": _STRING}),
        ({"type": "Optional[int]"}, {"anyOf": [_INTEGER, _NULL]}),
        ({"type": "string (optional)"}, _STRING),
        ({"type": "string or null"}, {"anyOf": [_STRING, _NULL]}),
        ({"type": "str | None"}, {"anyOf": [_STRING, _NULL]}),
        ({"type": "Dict[str, Any]"}, {"type": "object"}),
        ({"type": "array"}, {"type": "array", "items": _ANY}),
        ({"type": "any"}, _ANY),
        ({}, _ANY),
        (True, _ANY),
        ("integer", _INTEGER),
        ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        (
            {"enum": ["a", 1, None]},
            {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}, _NULL]},
        ),
        ({"const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"type": "integer", "enum": ["1", "2"]}, {"type": "integer", "enum": [1, 2]}),
        (
            {"properties": {"a": _STRING}},
            {"type": "object", "properties": {"a": _STRING}, "additionalProperties": False},
        ),
        ({"format": "int64"}, {"type": "integer", "format": "int64"}),
        ({"type": "integer", "format": "int64"}, {"type": "integer", "format": "int64"}),
        ({"minimum": 0}, {"type": "number", "minimum": 0}),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, {"type": "number", "exclusiveMinimum": 0}),
        ({"type": "number", "maximum": 9, "exclusiveMaximum": False}, {"type": "number", "maximum": 9}),
        ({"type": "string", "minLength": "2", "maxLength": -1}, {"type": "string", "minLength": 2}),
        ({"type": "string", "pattern": "^a+$"}, {"type": "string", "pattern": "^a+$"}),
        ({"type": "string", "pattern": "^(?!a)"}, _STRING),
        ({"type": "string", "pattern": "(?<year>\\d+)"}, _STRING),
        ({"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
        ({"type": "object", "additionalProperties": _INTEGER}, {"type": "object", "additionalProperties": _INTEGER}),
        ({"type": "object", "additionalProperties": {}}, {"type": "object"}),
        ({"type": "object", "additionalProperties": False}, {"type": "object", "additionalProperties": False}),
        (
            {"type": "object", "patternProperties": {"^x": _INTEGER}},
            {"type": "object", "additionalProperties": _INTEGER},
        ),
        (
            {"prefixItems": [_STRING, _INTEGER], "items": False},
            {"type": "array", "items": {"anyOf": [_STRING, _INTEGER]}, "maxItems": 2},
        ),
        (
            {"oneOf": [{"const": "a", "title": "First"}, {"const": "b"}]},
            {"type": "string", "enum": ["a", "b"], "description": "a: First"},
        ),
        ({"anyOf": [_STRING, {"anyOf": [_STRING, _NULL]}]}, {"anyOf": [_STRING, _NULL]}),
        ({"anyOf": [_STRING], "title": "X"}, {"title": "X", "type": "string"}),
        (
            {
                "type": "object",
                "properties": {"a": _STRING},
                "anyOf": [{"required": ["a"]}, {"properties": {"b": _STRING}}],
            },
            {
                "anyOf": [
                    {"type": "object", "properties": {"a": _STRING}, "required": ["a"], "additionalProperties": False},
                    {"type": "object", "properties": {"b": _STRING, "a": _STRING}, "additionalProperties": False},
                ]
            },
        ),
        (
            {"allOf": [{"type": "string", "minLength": 1}, {"minLength": 3, "maxLength": 9}]},
            {"type": "string", "minLength": 3, "maxLength": 9},
        ),
        ({"type": "string", "not": {"const": "a"}}, _STRING),
    ],
)
def test_each_dialect_has_its_portable_form(documented: Any, normal: Any, read: Read) -> None:
    assert _mend(read, documented).schema == normal


@pytest.mark.parametrize(
    ("documented", "words"),
    [
        ({"type": "dict"}, "'dict' is read as object"),
        ({"type": "Gizmo"}, "unknown type 'Gizmo'"),
        ({}, "no type; read as any value"),
        ({"default": 3}, "read as number, like its default"),
        ({"type": "array"}, "no items"),
        ({"oneOf": [_STRING, _NULL]}, "oneOf is read as anyOf"),
        ({"type": "string", "pattern": "(?=a)"}, "pattern is no portable regular expression"),
        ({"type": "string", "not": {}}, "'not' is not supported"),
        ({"type": "array", "items": [_STRING]}, "tuple is read as a list"),
        ({"type": "object", "patternProperties": {"a": {}}}, "pattern properties"),
        ({"allOf": [_STRING, _INTEGER]}, "contradict"),
        ({"type": "string", "enum": [[]]}, "allows nothing"),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]},
            "named 'b', which the schema does not describe",
        ),
    ],
)
def test_what_is_mended_is_noted(documented: Any, words: str, read: Read) -> None:
    assert words in _mend(read, documented).notes


@pytest.mark.parametrize(
    ("documented", "default"),
    [
        ({"type": "string", "default": None}, "absent"),
        ({"type": "string", "default": "None"}, "absent"),
        ({"type": "string", "enum": ["None", "a"], "default": "None"}, "None"),
        ({"type": "integer", "default": "10"}, 10),
        ({"type": "integer", "default": "None"}, "absent"),
        ({"type": "integer", "default": ""}, "absent"),
        ({"type": "boolean", "default": "True"}, True),
        ({"type": "string", "default": 5}, "5"),
        ({"type": "string", "default": ""}, ""),
        ({"type": ["string", "null"], "default": None}, None),
        ({"type": ["string", "null"], "default": "None"}, None),
        ({"type": "array", "items": _STRING, "default": "a"}, ["a"]),
        ({"type": "array", "items": _STRING, "default": "[]"}, []),
        ({"type": "string", "enum": ["a"], "default": "b"}, "absent"),
        ({"type": "number", "default": 1}, 1),
        ({"type": "boolean", "default": False}, False),
    ],
)
def test_a_default_fits_its_type_or_is_left_out(documented: Any, default: Any, read: Read) -> None:
    assert _mend(read, documented).schema.get("default", "absent") == default


def test_only_an_explicit_enum_in_prose_is_lifted(read: Read) -> None:
    lifted = _mend(read, {"type": "string", "description": 'State. [Enum]: ["Open", "Pending"]'})
    assert lifted.schema["enum"] == ["Open", "Pending"]
    assert "[Enum]" in lifted.notes
    for prose in ("One of: a, b", "must be 'x' or 'y'", 'Enum: ["a"]', "[Enum]: see below"):
        assert "enum" not in _mend(read, {"type": "string", "description": prose}).schema
    assert _mend(read, {"type": "integer", "description": "[Enum]: [1, 2]"}).schema["enum"] == [1, 2]


def test_required_inside_a_property_is_lifted_to_its_object(read: Read) -> None:
    inner = {
        "type": "object",
        "properties": {"a": {"type": "string", "required": True}, "b": {"type": "string", "required": False}},
    }
    assert _mend(read, inner).schema == {
        "type": "object",
        "properties": {"a": _STRING, "b": _STRING},
        "required": ["a"],
        "additionalProperties": False,
    }


def test_all_of_merges_properties_required_and_titles(read: Read) -> None:
    definitions = {
        "Base": {
            "type": "object",
            "properties": {"id": {"type": "integer"}},
            "required": ["id"],
            "additionalProperties": False,
        },
        "Dog": {
            "allOf": [
                {"$ref": "#/$defs/Base"},
                {"properties": {"id": {"minimum": 1}, "bark": {"type": "boolean"}}, "required": ["bark"]},
            ]
        },
    }
    schema = _mend(read, {"$ref": "#/$defs/Dog", "description": "A dog."}, **{"$defs": definitions}).schema
    assert schema == {
        "title": "Dog",
        "description": "A dog.",
        "type": "object",
        "required": ["id", "bark"],
        "additionalProperties": False,
        "properties": {"id": {"type": "integer", "minimum": 1}, "bark": {"type": "boolean"}},
    }


def test_an_explicitly_open_object_stays_open_and_a_silent_one_is_closed(read: Read) -> None:
    properties = {"properties": {"a": _STRING}}
    assert _mend(read, properties).schema["additionalProperties"] is False
    assert _mend(read, {**properties, "additionalProperties": True}).schema["additionalProperties"] == _ANY
    assert _mend(read, {**properties, "additionalProperties": _INTEGER}).schema["additionalProperties"] == _INTEGER


def test_a_property_may_be_called_like_a_keyword(read: Read) -> None:
    names = ("$ref", "type", "properties", "required", "enum", "anyOf", "items")
    schema = _mend(
        read, {"type": "object", "properties": {name: _STRING for name in names}, "required": ["required", "$ref"]}
    ).schema
    assert list(schema["properties"]) == list(names)
    assert schema["required"] == ["required", "$ref"]


def test_alternative_sets_of_arguments_become_one_object_and_a_sentence(read: Read) -> None:
    parameters = {
        "type": "object",
        "properties": {"id": _STRING, "email": _STRING, "why": _STRING},
        "required": ["why"],
        "anyOf": [{"required": ["id"]}, {"required": ["email"]}],
    }
    (tool,) = read([{"name": "t", "description": "Finds.", "parameters": parameters}]).tools
    assert tool.input_schema == {
        "type": "object",
        "properties": {"id": _STRING, "email": _STRING, "why": _STRING},
        "required": ["why"],
        "additionalProperties": False,
    }
    assert tool.description == "Finds.\n\nGive at least one of these: `id`; or `email`."


@pytest.mark.parametrize(
    ("output", "wrapped"),
    [
        ({"type": "array", "items": _STRING}, True),
        (_STRING, True),
        ({}, None),
        ({"type": "object", "properties": {"a": _STRING}}, False),
        ({"anyOf": [{"properties": {"a": _STRING}}, {"properties": {"b": _STRING}}]}, False),
        ({"type": "null"}, None),
    ],
)
def test_an_output_is_an_object_or_wrapped_in_one(output: Any, wrapped: bool | None, read: Read) -> None:
    (tool,) = read([{"name": "t", "inputSchema": {}, "outputSchema": output}]).tools
    if wrapped is None:
        assert tool.output_schema is None
    else:
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"
        assert ("result" in tool.output_schema["properties"]) is wrapped


def test_the_document_that_was_given_is_not_changed() -> None:
    pet = {"type": "object", "properties": {"a": {"type": ["string", "null"], "default": "None", "required": True}}}
    body = {"allOf": [{"$ref": "#/pet"}, {"properties": {"b": {"$ref": "#/pet"}}}], "nullable": True}
    document = {
        "pet": pet,
        "tools": [
            {"name": "t", "parameters": body},
            {"name": "u", "inputSchema": {"$ref": "#/pet"}, "outputSchema": body},
        ],
    }
    before = copy.deepcopy(document)
    assert len(documentation_of([Document("docs.json", document)]).tools) == 2
    assert document == before
