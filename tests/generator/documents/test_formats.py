"""Each format is recognised, named and read; mixed lists and wrappers too."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Read, Refuse

_OBJECT = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
_CLOSED = {**_OBJECT, "additionalProperties": False}

MCP = {
    "name": "find",
    "title": "Find it",
    "description": "Finds.",
    "inputSchema": _OBJECT,
    "outputSchema": _OBJECT,
    "annotations": {"readOnlyHint": True},
    "_meta": {"autoforge/side": "user"},
}
ANTHROPIC = {"name": "find", "description": "Finds.", "input_schema": _OBJECT, "annotations": None}
FUNCTION = {"name": "find", "description": "Finds.", "parameters": _OBJECT}
GOOGLE = {
    "name": "find",
    "description": "Finds.",
    "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]},
    "response": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]},
}
BFCL = {
    "name": "find",
    "description": "Finds.",
    "parameters": {**_OBJECT, "type": "dict"},
    "response": {**_OBJECT, "type": "dict"},
}
RAPIDAPI = {
    "category_name": "Weather",
    "tool_name": "Skies",
    "api_name": "find",
    "api_description": "Finds.",
    "method": "GET",
    "required_parameters": [{"name": "city", "type": "STRING", "default": ""}],
    "optional_parameters": [],
}

CASES = {
    "mcp": ([MCP], "MCP tools/list"),
    "mcp result": ({"tools": [MCP]}, "MCP tools/list"),
    "mcp answer": ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}}, "MCP tools/list"),
    "anthropic": ([ANTHROPIC], "Anthropic tools"),
    "openai bare": ([FUNCTION], "OpenAI functions"),
    "openai functions key": ({"model": "any", "functions": [FUNCTION]}, "OpenAI functions"),
    "openai wrapped": ({"tools": [{"type": "function", "function": FUNCTION}]}, "OpenAI tools"),
    "openai flat": ([{"type": "function", **FUNCTION, "strict": True}], "OpenAI Responses tools"),
    "google list": ({"tools": [{"functionDeclarations": [GOOGLE]}]}, "Google function declarations"),
    "google snake": ([{"function_declarations": [GOOGLE]}], "Google function declarations"),
    "google single": (GOOGLE, "Google function declarations"),
    "bfcl": ([BFCL], "BFCL"),
    "class": ({"class_name": "Maps", "tools": [{**ANTHROPIC, "output_schema": _OBJECT}]}, "tool class"),
    "rapidapi": ([RAPIDAPI], "RapidAPI"),
    "rapidapi wrapped": ({"tool_name": "Skies", "api_list": [RAPIDAPI]}, "RapidAPI"),
    "single": (MCP, "MCP tools/list"),
}


@pytest.mark.parametrize("case", CASES)
def test_every_format_gives_the_same_closed_input_schema(case: str, read: Read) -> None:
    value, name = CASES[case]
    documentation = read(value)
    (tool,) = documentation.tools
    assert tool.format == name
    assert [(count.format, count.tools) for count in documentation.formats] == [(name, 1)]
    assert (tool.name, tool.description, tool.input_schema) == ("find", "Finds.", _CLOSED)


@pytest.mark.parametrize("case", ["mcp", "google list", "bfcl", "class"])
def test_a_documented_response_is_the_output_schema(case: str, read: Read) -> None:
    assert read(CASES[case][0]).tools[0].output_schema == _CLOSED


def test_the_same_tool_has_the_same_digest_in_every_format(read: Read) -> None:
    assert (
        read([ANTHROPIC]).digest
        == read([FUNCTION]).digest
        == read({"tools": [{"type": "function", "function": FUNCTION}]}).digest
    )
    assert read([ANTHROPIC]).digest != read([{**ANTHROPIC, "description": "Finds!"}]).digest


def test_json_lines_and_a_list_are_the_same(read: Read) -> None:
    tools = [{**BFCL, "name": f"tool_{number}"} for number in range(3)]
    lines = "\n\n".join(json.dumps(tool) for tool in tools)
    assert read(lines, "bfcl.json").to_mcp() == read(lines, "bfcl.jsonl").to_mcp() == read(tools).to_mcp()


def test_a_mixed_list_is_read_element_by_element(read: Read) -> None:
    mixed = [
        {**MCP, "name": "a"},
        {**ANTHROPIC, "name": "b"},
        {"type": "function", "function": {**FUNCTION, "name": "c"}},
        {**BFCL, "name": "d"},
    ]
    documentation = read(mixed)
    assert [tool.format for tool in documentation.tools] == [
        "MCP tools/list",
        "Anthropic tools",
        "OpenAI tools",
        "BFCL",
    ]
    assert [tool.source.rsplit("#", 1)[1] for tool in documentation.tools] == ["/0", "/1", "/2/function", "/3"]


def test_mcp_keeps_title_annotations_and_meta(read: Read) -> None:
    (tool,) = read([MCP]).tools
    assert (tool.title, tool.annotations, tool.meta) == ("Find it", {"readOnlyHint": True}, {"autoforge/side": "user"})
    assert read([MCP]).to_mcp()[0] == {**MCP, "inputSchema": _CLOSED, "outputSchema": _CLOSED}


def test_to_mcp_gives_copies(read: Read) -> None:
    documentation = read([MCP])
    documentation.to_mcp()[0]["inputSchema"]["properties"].clear()
    assert documentation.to_mcp()[0]["inputSchema"] == _CLOSED


def test_server_info_and_instructions_head_the_documentation(read: Read) -> None:
    documentation = read({"serverInfo": {"name": "maps", "version": "1"}, "instructions": "Ask first.", "tools": [MCP]})
    assert (documentation.title, documentation.description) == ("maps", "Ask first.")


def test_a_class_groups_its_tools_and_two_classes_may_share_a_name(read: Read) -> None:
    documentation = read([{"class_name": name, "tools": [ANTHROPIC]} for name in ("Maps", "Trains")])
    assert [(tool.name, tool.group) for tool in documentation.tools] == [
        ("find", "Maps"),
        ("find_for_Trains", "Trains"),
    ]
    assert documentation.renamed == {"find_for_Trains": "find"}


def test_rapidapi_defaults_are_examples_and_templates_are_types(read: Read) -> None:
    parameter = {"name": "city", "type": "NUMBER", "description": "", "default": "34"}
    api = {
        **RAPIDAPI,
        "api_name": "/cities/:city",
        "required_parameters": [parameter],
        "template_response": {"ok": "bool", "rows": [{"id": "int", "_list_length": 9}], "note": None},
    }
    (tool,) = read([api]).tools
    assert tool.input_schema["properties"] == {"city": {"type": "number", "examples": [34]}}
    assert tool.examples == ({"city": 34},)
    assert tool.group == "Skies"
    assert tool.output_schema is not None
    rows = {
        "type": "array",
        "items": {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": False},
    }
    assert tool.output_schema["properties"] == {"ok": {"type": "boolean"}, "rows": rows, "note": {"type": "string"}}
    assert (tool.name, tool.original_name) == ("cities_by_city", "/cities/:city")
    assert tool.http is not None
    assert (tool.http.method, tool.http.path, tool.http.path_parameters) == ("GET", "/cities/:city", ("city",))


def test_two_rapidapi_collections_may_use_one_name(read: Read) -> None:
    documentation = read([{**RAPIDAPI, "tool_name": name} for name in ("Skies", "Clouds & Co")])
    assert [tool.name for tool in documentation.tools] == ["find", "find_for_Clouds_Co"]


def test_built_in_tools_are_left_out_with_a_note(read: Read) -> None:
    documentation = read([ANTHROPIC, {"type": "web_search_20250305", "name": "web_search"}])
    assert len(documentation.tools) == 1
    assert any("web_search" in note for note in documentation.notes)


def test_a_tool_without_parameters_takes_none(read: Read) -> None:
    documentation = read(
        [
            {"name": "ping"},
            {"name": "pong", "description": None, "parameters": None},
            {"name": "pang", "input_schema": {}},
        ]
    )
    empty = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    assert [tool.input_schema for tool in documentation.tools] == [empty] * 3
    assert any("no description" in note and "2 more places" in note for note in documentation.notes)


def test_parameters_as_a_list_or_a_bare_map_are_read_as_an_object(read: Read) -> None:
    listed = {"name": "a", "parameters": [{"name": "city", "type": "str", "required": True}]}
    bare = {"name": "b", "parameters": {"city": {"type": "string", "required": True}}}
    assert [tool.input_schema for tool in read([listed, bare]).tools] == [_CLOSED] * 2


def test_descriptions_are_dedented_and_lose_nothing_else(read: Read) -> None:
    text = "Get a task.\r\n            \r\n            Args:\r\n                id: Its id\t\r\n            "
    assert read([{"name": "t", "description": text}]).tools[0].description == "Get a task.\n\nArgs:\n    id: Its id"


def test_prose_of_the_parameters_joins_the_description(read: Read) -> None:
    schema: dict[str, Any] = {**_OBJECT, "description": "Give the city in English.", "title": "findArguments"}
    (tool,) = read([{"name": "t", "description": "Finds.", "parameters": schema}]).tools
    assert tool.description == "Finds.\n\nGive the city in English."
    assert set(tool.input_schema) == {"type", "properties", "required", "additionalProperties"}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"hello": "world"}, ["docs.json#", "no known shape", "inputSchema", "openapi"]),
        ([1], ["docs.json#/0", "no object"]),
        ("42", ["docs.json#", "no object"]),
        ([], ["docs.json", "no tools"]),
        ({"tools": []}, ["docs.json", "no tools"]),
        ({"openapi": "3.0.0", "paths": {}}, ["docs.json", "no tools"]),
        ([{"description": "d", "parameters": {}}], ["docs.json#/0", "without a name"]),
        ([{"name": 7, "parameters": {}}], ["docs.json#/0/name", "no string but 7"]),
        ([{"name": "  ", "parameters": {}}], ["docs.json#/0/name", "blank"]),
        ([{"name": "t", "parameters": "city"}], ["docs.json#/0/parameters", "no JSON Schema"]),
        ([{"name": "t", "parameters": {"type": "string"}}], ["docs.json#/0/parameters", "no object of arguments"]),
        (
            [{"name": "t", "parameters": {"type": "object", "properties": {"a": 3}}}],
            ["#/0/parameters/properties/a", "no JSON Schema"],
        ),
        (
            [{"name": "t", "parameters": {"type": "object", "properties": ["a"]}}],
            ["#/0/parameters/properties", "no object"],
        ),
        ({"functionDeclarations": ["x"]}, ["#/functionDeclarations/0", "no object"]),
        ([{**RAPIDAPI, "required_parameters": [{"type": "STRING"}]}], ["#/0/required_parameters/0", "without a name"]),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}, ["docs.json#", "error answer"]),
        ({"swagger": "1.2", "paths": {}}, ["docs.json#/swagger", "1.2"]),
    ],
)
def test_what_describes_no_tools_is_refused_with_its_place(value: Any, words: list[str], refuse: Refuse) -> None:
    message = refuse(value)
    assert all(word in message for word in words), message
    assert message.endswith(".") and "\n" not in message


def test_a_name_that_stands_twice_is_refused_with_both_pointers(refuse: Refuse) -> None:
    message = refuse([MCP, ANTHROPIC])
    assert "docs.json#/1" in message and "docs.json#/0" in message and "'find'" in message
