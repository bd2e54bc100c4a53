"""OpenAPI and Swagger operations become tools."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from autoforge.generator.documents import ToolDocument

from .conftest import Read, Refuse

_PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string"},
        "secret": {"type": "string", "writeOnly": True},
    },
}


def _api(paths: dict[str, Any], **components: Any) -> dict[str, Any]:
    return {
        "openapi": "3.0.3",
        "info": {"title": "Pets", "description": "All pets.", "version": "1"},
        "paths": paths,
        "components": components,
    }


def _json(schema: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def _tool(read: Read, path: str, method: str, operation: dict[str, Any], **components: Any) -> ToolDocument:
    (tool,) = read(_api({path: {method: operation}}, **components)).tools
    return tool


def test_info_heads_the_documentation_and_the_version_names_the_format(read: Read) -> None:
    documentation = read(_api({"/a": {"get": {"operationId": "a"}}}))
    assert (documentation.title, documentation.description) == ("Pets", "All pets.")
    assert documentation.formats[0].format == "OpenAPI 3.0"
    assert read({**_api({"/a": {"get": {}}}), "openapi": "3.1.1"}).formats[0].format == "OpenAPI 3.1"


def test_parameters_of_the_path_are_shared_and_overridden(read: Read) -> None:
    shared = [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "limit", "in": "query", "schema": {"type": "string"}},
    ]
    own = [
        {"name": "limit", "in": "query", "schema": {"type": "integer"}},
        {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
        {"name": "sid", "in": "cookie", "schema": {"type": "string"}},
        {"name": "Accept", "in": "header", "schema": {"type": "string"}},
    ]
    documentation = read(
        _api(
            {
                "/pets/{id}": {
                    "parameters": shared,
                    "get": {"operationId": "getPet", "parameters": own, "tags": ["pets"]},
                }
            }
        )
    )
    tool = documentation.tools[0]
    kinds = {name: schema["type"] for name, schema in tool.input_schema["properties"].items()}
    assert kinds == {"id": "string", "limit": "integer", "X-Trace": "string", "sid": "string"}
    assert tool.input_schema["required"] == ["id"]
    assert tool.http is not None
    assert (tool.http.method, tool.http.path) == ("GET", "/pets/{id}")
    assert (tool.http.path_parameters, tool.http.query_parameters) == (("id",), ("limit",))


def test_a_missing_operation_id_is_made_of_method_and_path(read: Read) -> None:
    documentation = read(_api({"/users/{userId}/orders": {"get": {}, "post": {}}, "/": {"get": {}}}))
    assert [tool.name for tool in documentation.tools] == [
        "get_users_by_userId_orders",
        "post_users_by_userId_orders",
        "get",
    ]
    assert documentation.renamed["get_users_by_userId_orders"] == "GET /users/{userId}/orders"
    assert any("no operationId" in note and "2 more" in note for note in documentation.notes)


def test_an_undescribed_path_parameter_is_a_required_string(read: Read) -> None:
    tool = _tool(read, "/users/{id}", "get", {})
    assert tool.input_schema["properties"] == {"id": {"type": "string"}}
    assert tool.input_schema["required"] == ["id"]


def test_body_properties_are_arguments_without_read_only_ones(read: Read) -> None:
    body = {**_json({"$ref": "#/components/schemas/Pet"}), "required": True}
    answer = {"201": {"description": "Made.", **_json({"$ref": "#/components/schemas/Pet"})}}
    tool = _tool(
        read,
        "/pets",
        "post",
        {"operationId": "addPet", "requestBody": body, "responses": answer},
        schemas={"Pet": _PET},
    )
    assert list(tool.input_schema["properties"]) == ["name", "secret"]
    assert tool.input_schema["required"] == ["name"]
    assert tool.output_schema is not None
    assert list(tool.output_schema["properties"]) == ["id", "name"]
    assert (tool.output_schema["title"], tool.output_schema["description"]) == ("Pet", "Made.")
    assert tool.http is not None
    assert tool.http.body_title == "Pet"


@pytest.mark.parametrize(
    ("flag", "required"), [({"required": True}, ["name"]), ({"required": False}, []), ({}, ["name"])]
)
def test_a_body_is_required_unless_it_says_that_it_is_not(
    flag: dict[str, Any], required: list[str], read: Read
) -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    tool = _tool(read, "/pets", "post", {"requestBody": {**_json(schema), **flag}})
    assert tool.input_schema["required"] == required


def test_json_is_preferred_to_forms_and_forms_to_the_rest(read: Read) -> None:
    def body(*names: str) -> dict[str, Any]:
        return {
            "content": {
                name: {"schema": {"type": "object", "properties": {name[-3:]: {"type": "string"}}}} for name in names
            }
        }

    for names, chosen in [
        (("application/xml", "multipart/form-data", "application/json; charset=utf-8"), "f-8"),
        (("application/xml", "application/vnd.api+json"), "son"),
        (("application/xml", "multipart/form-data", "application/x-www-form-urlencoded"), "ded"),
        (("application/xml",), "xml"),
    ]:
        tool = _tool(read, "/pets", "post", {"requestBody": body(*names)})
        assert list(tool.input_schema["properties"]) == [chosen]


def test_a_body_that_is_no_object_stays_one_argument(read: Read) -> None:
    body = {**_json({"type": "array", "items": {"type": "string"}}), "description": "The names.", "required": True}
    tool = _tool(read, "/pets", "post", {"requestBody": body})
    assert tool.input_schema["properties"] == {
        "body": {"description": "The names.", "type": "array", "items": {"type": "string"}}
    }


def test_colliding_names_are_mended_and_the_id_of_an_update_is_one_argument(read: Read) -> None:
    schema = {"type": "object", "properties": {"id": {"type": "string"}, "kind": {"type": "integer"}}}
    parameters = [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "kind", "in": "query", "schema": {"type": "string"}},
        {"name": "kind", "in": "header", "schema": {"type": "string"}},
    ]
    operation = {"parameters": parameters, "requestBody": _json(schema)}
    assert list(_tool(read, "/pets/{id}", "put", operation).input_schema["properties"]) == [
        "id",
        "kind",
        "header_kind",
        "body_kind",
    ]
    assert list(_tool(read, "/pets/{id}/toys", "post", operation).input_schema["properties"]) == [
        "id",
        "kind",
        "header_kind",
        "body_id",
        "body_kind",
    ]


def test_the_first_successful_response_with_a_schema_is_the_output(read: Read) -> None:
    responses = {
        "404": {"description": "None."},
        "204": {"description": "Nothing."},
        "200": {"description": "Pets.", **_json({"type": "array", "items": _PET})},
    }
    tool = _tool(read, "/pets", "get", {"responses": responses})
    assert tool.output_schema is not None
    assert tool.output_schema["required"] == ["result"]
    assert list(tool.output_schema["properties"]["result"]["items"]["properties"]) == ["id", "name"]
    assert (
        _tool(read, "/pets", "get", {"responses": {"204": {"description": "x"}, "default": _json(_PET)}}).output_schema
        is None
    )


def test_references_to_parameters_bodies_responses_and_path_items_are_followed(read: Read) -> None:
    components = {
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}},
        "requestBodies": {"Pet": {"required": True, **_json({"$ref": "#/components/schemas/Pet"})}},
        "responses": {"Pet": {"description": "A pet.", **_json({"$ref": "#/components/schemas/Pet"})}},
        "schemas": {"Pet": _PET},
    }
    operation = {
        "operationId": "put",
        "parameters": [{"$ref": "#/components/parameters/Id"}],
        "requestBody": {"$ref": "#/components/requestBodies/Pet"},
        "responses": {"200": {"$ref": "#/components/responses/Pet"}},
    }
    document = _api({"/pets/{id}": {"$ref": "#/x-items/pet"}}, **components)
    (tool,) = read({**document, "x-items": {"pet": {"put": operation}}}).tools
    assert list(tool.input_schema["properties"]) == ["id", "name", "secret"]
    assert tool.output_schema is not None
    assert tool.output_schema["title"] == "Pet"


def test_alternatives_with_a_discriminator_are_told_apart(read: Read) -> None:
    schemas = {
        "Cat": {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
        "Dog": {"type": "object", "properties": {"kind": {"type": "string"}}},
    }
    union = {
        "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
        "discriminator": {"propertyName": "kind", "mapping": {"meow": "#/components/schemas/Cat"}},
    }
    tool = _tool(
        read, "/pets", "post", {"requestBody": _json(union), "responses": {"200": _json(union)}}, schemas=schemas
    )
    assert tool.input_schema["properties"]["kind"]["enum"] == ["meow", "Dog"]
    assert tool.input_schema["required"] == ["kind"]
    assert tool.output_schema is not None
    branches = tool.output_schema["properties"]["result"]["anyOf"]
    assert [(branch["title"], branch["properties"]["kind"]["enum"]) for branch in branches] == [
        ("Cat", ["meow"]),
        ("Dog", ["Dog"]),
    ]


def test_swagger_two_bodies_forms_and_files_are_read(read: Read) -> None:
    parameters = [
        {
            "name": "id",
            "in": "path",
            "required": True,
            "type": "integer",
            "format": "int64",
            "minimum": 1,
            "exclusiveMinimum": True,
        },
        {
            "name": "tags",
            "in": "query",
            "type": "array",
            "items": {"type": "string"},
            "collectionFormat": "csv",
            "default": "a",
        },
        {"name": "photo", "in": "formData", "type": "file"},
    ]
    pet = {"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}}
    document = {
        "swagger": "2.0",
        "info": {"title": "Pets"},
        "definitions": {"Pet": _PET},
        "paths": {
            "/pets/{id}": {"post": {"operationId": "upload", "parameters": parameters}},
            "/pets": {
                "post": {
                    "operationId": "add",
                    "parameters": [pet],
                    "responses": {"200": {"schema": {"$ref": "#/definitions/Pet"}}},
                }
            },
        },
    }
    upload, add = read(document).tools
    assert upload.format == "Swagger 2.0"
    assert upload.input_schema["properties"] == {
        "id": {"type": "integer", "format": "int64", "exclusiveMinimum": 1},
        "tags": {"type": "array", "items": {"type": "string"}, "default": ["a"]},
        "photo": {"type": "string"},
    }
    assert upload.input_schema["required"] == ["id"]
    assert list(add.input_schema["properties"]) == ["name", "secret"]
    assert add.output_schema is not None


def test_yaml_with_numeric_codes_dates_and_anchors_reads_like_json(read: Read) -> None:
    text = """
openapi: 3.0.0
info: {title: Pets, version: 2024-01-31}
x-id: &id {name: id, in: path, required: yes, schema: {type: string, default: 2024-01-31}}
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [*id]
      responses:
        200:
          description: no
          content: {application/json: {schema: {type: object, properties: {zip: {type: string, example: 01234}}}}}
"""
    (tool,) = read(text, "api.yaml").tools
    assert tool.input_schema["properties"]["id"]["default"] == "2024-01-31"
    assert tool.output_schema is not None
    assert tool.output_schema["description"] == "no"
    assert tool.output_schema["properties"]["zip"]["examples"] == ["01234"]


def test_summary_and_description_are_both_kept(read: Read) -> None:
    tool = _tool(read, "/a", "get", {"summary": "Find.", "description": "Slowly.", "deprecated": True})
    assert (tool.title, tool.description) == ("Find.", "Find.\n\nSlowly.\n\nDeprecated.")
    assert _tool(read, "/a", "get", {"summary": "Find.", "description": "Find all."}).description == "Find all."


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (
            {"/a": {"get": {"operationId": "x"}, "post": {"operationId": "x"}}},
            ["#/paths/~1a/get", "#/paths/~1a/post", "'x'"],
        ),
        ({"/a": {"get": {"parameters": [{"in": "query"}]}}}, ["#/paths/~1a/get/parameters/0", "without a name"]),
        ({"/a": {"get": {"parameters": [{"name": "x", "in": "sky"}]}}}, ["'sky'", "path, query"]),
        (
            {"/a": {"get": {"parameters": [{"$ref": "#/components/parameters/No"}]}}},
            ["#/paths/~1a/get/parameters/0", "not in this document"],
        ),
        ({"/a": {"get": {"parameters": [{"$ref": "http://x/y.json"}]}}}, ["outside this document"]),
        ({"/a": {"get": {"parameters": {"$ref": "#/a"}}}}, ["#/paths/~1a/get/parameters", "no list"]),
        ({"/a": {"get": []}}, ["#/paths/~1a/get", "no object"]),
        ({"/a": []}, ["#/paths/~1a", "no object"]),
        ({"/a": {"$ref": "#/paths/~1a"}}, ["refers to itself"]),
    ],
)
def test_broken_operations_are_refused_with_their_place(
    paths: dict[str, Any], words: list[str], refuse: Refuse
) -> None:
    message = refuse(_api(paths))
    assert all(word in message for word in words), message


def _large(operations: int) -> dict[str, Any]:
    fields = {f"field_{index}": {"type": "string", "description": f"Field {index}."} for index in range(15)}
    schemas = {
        f"M{index}": {
            "type": "object",
            "properties": {**fields, "next": {"$ref": f"#/components/schemas/M{index + 1}"}},
        }
        for index in range(3)
    }
    paths = {
        f"/r{index}/{{id}}": {"get": {"responses": {"200": _json({"$ref": "#/components/schemas/M0"})}}}
        for index in range(operations)
    }
    return _api(paths, schemas={**schemas, "M3": {"type": "object"}})


def _calls(read: Read, document: dict[str, Any]) -> int:
    """Python calls made while reading: work without a clock."""
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        read(document)
    finally:
        sys.setprofile(before)
    return count


def test_work_is_linear_in_the_number_of_operations(read: Read) -> None:
    read(_large(1))
    few, many = _calls(read, _large(50)), _calls(read, _large(500))
    assert many < 10.5 * few


def test_tools_that_share_a_definition_share_no_object(read: Read) -> None:
    first, second = read(_large(2)).tools
    assert first.output_schema is not None and second.output_schema is not None
    first.output_schema["properties"]["next"]["properties"].clear()
    assert second.output_schema["properties"]["next"]["properties"]
