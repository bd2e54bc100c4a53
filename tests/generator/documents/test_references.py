"""References are written out; endless and enormous ones are cut where that is honest, and refused where it is not."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Read, Refuse


def _tool(parameters: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"name": "t", "description": "d", "inputSchema": {"type": "object", **parameters}, **more}]


def _with(definitions: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    return _tool({"properties": {"x": schema}, "$defs": definitions})


_NODE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
}


def test_the_name_of_a_definition_is_the_title_of_its_object(read: Read) -> None:
    definitions = {
        "User": {"type": "object", "properties": {"id": {"type": "string"}}},
        "Colour": {"type": "string", "enum": ["red"]},
    }
    schema = {"type": "object", "properties": {"user": {"$ref": "#/$defs/User"}, "colour": {"$ref": "#/$defs/Colour"}}}
    properties = read(_with(definitions, schema)).tools[0].input_schema["properties"]["x"]["properties"]
    assert properties["user"]["title"] == "User"
    assert properties["colour"] == {"type": "string", "enum": ["red"]}


def test_own_definitions_of_a_tool_come_before_those_of_the_document(read: Read) -> None:
    document = {
        "$defs": {"A": {"type": "integer"}, "B": {"type": "boolean"}},
        "tools": _with(
            {"A": {"type": "string"}},
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}}},
        ),
    }
    properties = read(document).tools[0].input_schema["properties"]["x"]["properties"]
    assert (properties["a"]["type"], properties["b"]["type"]) == ("string", "boolean")


def test_pointers_are_unescaped(read: Read) -> None:
    definitions = {"a/b": {"type": "integer"}, "c~d": {"type": "integer"}, "e f": {"type": "integer"}}
    references = ("#/$defs/a~1b", "#/$defs/c~0d", "#/$defs/e%20f")
    schema = {
        "type": "object",
        "properties": {str(number): {"$ref": reference} for number, reference in enumerate(references)},
    }
    properties = read(_with(definitions, schema)).tools[0].input_schema["properties"]["x"]["properties"]
    assert [child["type"] for child in properties.values()] == ["integer"] * 3


def test_a_tree_is_cut_after_one_level_at_its_optional_property(read: Read) -> None:
    documentation = read(_with({"Node": _NODE}, {"$ref": "#/$defs/Node"}))
    node = documentation.tools[0].input_schema["properties"]["x"]
    assert list(node["properties"]) == ["name", "children"]
    assert list(node["properties"]["children"]["items"]["properties"]) == ["name"]
    assert node["properties"]["children"]["items"]["additionalProperties"] is False
    assert any("contains itself" in note and "/$defs/Node/properties/children" in note for note in documentation.notes)


def test_definitions_that_contain_each_other_are_cut_too(read: Read) -> None:
    definitions = {
        "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"]},
    }
    schema = read(_with(definitions, {"$ref": "#/$defs/A"})).tools[0].input_schema["properties"]["x"]
    assert schema["properties"]["b"]["required"] == ["a"]
    assert schema["properties"]["b"]["properties"]["a"] == {"title": "A", "type": "object"}


@pytest.mark.parametrize(
    "definition",
    [
        {"$ref": "#/$defs/Node"},
        {**_NODE, "required": ["children"]},
        {"type": "array", "items": {"$ref": "#/$defs/Node"}},
        {"allOf": [{"$ref": "#/$defs/Node"}]},
        {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
    ],
)
def test_recursion_without_an_optional_property_is_refused_with_its_pointer(definition: Any, refuse: Refuse) -> None:
    message = refuse(_with({"Node": definition}, {"$ref": "#/$defs/Node"}))
    assert "/$defs/Node" in message
    assert "contains itself" in message
    assert "optional" in message


def test_recursion_is_not_cut_at_a_property_outside_of_it(refuse: Refuse) -> None:
    definitions = {"Node": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}
    assert "contains itself" in refuse(
        _with(definitions, {"type": "object", "properties": {"optional": {"$ref": "#/$defs/Node"}}})
    )


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("#/$defs/Missing", "not in this document"),
        ("other.json#/A", "outside this document"),
        ("https://example.org/a.json", "outside this document"),
        ("#Anchor", "by an anchor"),
        (7, "no string"),
    ],
)
def test_a_reference_that_cannot_be_followed_is_refused_with_its_place(
    reference: Any, words: str, refuse: Refuse
) -> None:
    message = refuse(_with({}, {"$ref": reference}))
    assert words in message
    assert "docs.json#/0/inputSchema/properties/x" in message


def _doubling(levels: int) -> dict[str, Any]:
    """Definitions that write out to two to the power of `levels` objects."""
    definitions: dict[str, Any] = {}
    for level in range(levels):
        child = {"$ref": f"#/$defs/D{level + 1}"}
        definitions[f"D{level}"] = {"type": "object", "properties": {"left": child, "right": child}}
    definitions[f"D{levels}"] = {"type": "object", "properties": {"value": {"type": "string"}}}
    return definitions


def test_definitions_that_would_grow_without_bound_are_left_open_below_a_few(read: Read) -> None:
    documentation = read(_with(_doubling(35), {"$ref": "#/$defs/D0"}))
    outer = documentation.tools[0].input_schema["properties"]["x"]
    inner = outer["properties"]["left"]["properties"]["right"]
    assert inner == {"type": "object"}
    assert any("left open" in note for note in documentation.notes)


def test_many_definitions_within_each_other_end_in_time(read: Read) -> None:
    names = [f"T{number}" for number in range(30)]
    definitions = {
        name: {"type": "object", "properties": {other: {"$ref": f"#/$defs/{other}"} for other in names}}
        for name in names
    }
    assert read(_with(definitions, {"$ref": "#/$defs/T0"})).tools[0].input_schema["properties"]["x"]["title"] == "T0"


def test_a_schema_nested_too_deeply_is_refused(refuse: Refuse) -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(60):
        schema = {"type": "array", "items": schema}
    assert "40 levels" in refuse(_tool({"properties": {"x": schema}}))


def test_merging_alternatives_that_multiply_is_refused(refuse: Refuse) -> None:
    unions = [
        {"anyOf": [{"type": "object", "properties": {f"p{part}_{branch}": {"type": "string"}}} for branch in range(10)]}
        for part in range(9)
    ]
    assert "simplify" in refuse(_tool({"properties": {"x": {"allOf": unions}}}))


def test_keywords_beside_a_reference_narrow_it(read: Read) -> None:
    definitions = {"Name": {"type": "string", "maxLength": 9, "description": "A name."}}
    schema = read(
        _with(definitions, {"$ref": "#/$defs/Name", "minLength": 2, "description": "Yours.", "nullable": True})
    ).tools[0]
    assert schema.input_schema["properties"]["x"] == {
        "description": "Yours.",
        "anyOf": [{"type": "string", "minLength": 2, "maxLength": 9}, {"type": "null"}],
    }
