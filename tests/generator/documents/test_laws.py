"""Laws of the documentation reader that hold for any input."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from autoforge.generator.documents import Documentation, read_documents
from autoforge.mcp_envs.errors import BadInput

_SETTINGS = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
_WORDS = [
    *(
        "name",
        "type",
        "properties",
        "parameters",
        "input_schema",
        "inputSchema",
        "outputSchema",
        "items",
        "required",
        "enum",
        "const",
    ),
    *(
        "function",
        "functions",
        "tools",
        "openapi",
        "swagger",
        "paths",
        "get",
        "post",
        "/a/{b}",
        "responses",
        "200",
        "content",
        "schema",
    ),
    *(
        "application/json",
        "requestBody",
        "in",
        "$ref",
        "#",
        "#/a",
        "#/0",
        "anyOf",
        "oneOf",
        "allOf",
        "default",
        "nullable",
        "format",
    ),
    *(
        "api_name",
        "api_list",
        "required_parameters",
        "template_response",
        "class_name",
        "functionDeclarations",
        "response",
        "pattern",
    ),
    *(
        "description",
        "title",
        "_meta",
        "annotations",
        "examples",
        "additionalProperties",
        "prefixItems",
        "minimum",
        "discriminator",
    ),
    *(
        "exclusiveMinimum",
        "patternProperties",
        "object",
        "string",
        "array",
        "dict",
        "integer",
        "null",
        "query",
        "path",
        "body",
        "3.0.0",
    ),
    *(
        "2.0",
        "a",
        "b",
        "",
        "None",
        "propertyName",
        "mapping",
        "$defs",
        "definitions",
        "jsonrpc",
        "result",
        "error",
        "info",
    ),
]
_TEXT = st.sampled_from(_WORDS) | st.text(max_size=6)
_SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | _TEXT
JSON = st.recursive(
    _SCALAR, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=6), max_leaves=30
)


def _read(value: Any) -> Documentation:
    return read_documents(["-"], stdin=io.StringIO(value if isinstance(value, str) else json.dumps(value)))


def _reads_or_refuses(text: str) -> None:
    try:
        documentation = _read(text)
    except BadInput as refusal:
        message = str(refusal)
        assert "\n" not in message
        assert message.startswith("-")
        assert message.endswith(".")
    else:
        assert documentation.tools
        for tool in documentation.to_mcp():
            _assert_portable(tool["inputSchema"])
            _assert_portable(tool.get("outputSchema", {"type": "object"}))


def _assert_portable(schema: Any) -> None:
    """What the Inspector's strict mode and our own rules ask of every node."""
    Draft202012Validator.check_schema(schema)
    nodes = [schema]
    while nodes:
        node = nodes.pop()
        assert isinstance(node, dict)
        assert isinstance(node.get("type"), str) != ("anyOf" in node)
        assert not node.keys() & {"$ref", "$defs", "definitions", "allOf", "oneOf", "nullable", "example", "const"}
        properties = node.get("properties", {})
        assert set(node.get("required", [])) <= set(properties)
        if properties:
            assert "additionalProperties" in node
        if node.get("type") == "array":
            assert "items" in node
        extra = node.get("additionalProperties", False)
        assert extra is False or isinstance(extra, dict)
        nodes += [*properties.values(), *node.get("anyOf", [])]
        nodes += [child for child in (node.get("items"), extra) if child not in (None, False)]


@_SETTINGS
@given(JSON)
def test_any_json_is_read_or_refused_in_one_sentence(value: Any) -> None:
    _reads_or_refuses(json.dumps(value))


@_SETTINGS
@given(JSON, st.sampled_from(["parameters", "inputSchema", "input_schema", "response", "outputSchema"]))
def test_any_json_as_schema_is_read_or_refused_in_one_sentence(value: Any, key: str) -> None:
    _reads_or_refuses(json.dumps([{"name": "t", "description": "d", "parameters": {"type": "dict"}, key: value}]))


@_SETTINGS
@given(st.dictionaries(_TEXT, JSON, max_size=6), st.dictionaries(_TEXT, JSON, max_size=4))
def test_any_operation_is_read_or_refused_in_one_sentence(operation: Any, components: Any) -> None:
    _reads_or_refuses(
        json.dumps({"openapi": "3.0.0", "paths": {"/a/{b}": {"post": operation}}, "components": components})
    )


@_SETTINGS
@given(
    st.text(max_size=80) | st.lists(st.sampled_from(list("{}[]:,-&*!|>'\"#?\n ab1.~<%@`")), max_size=60).map("".join)
)
def test_any_text_is_read_or_refused_in_one_sentence(text: str) -> None:
    _reads_or_refuses(text)


# Valid schemas

_NAMES = st.sampled_from(["id", "name", "type", "required", "properties", "status", "a b", "ü"])
_PROSE = st.fixed_dictionaries(
    {}, optional={"title": st.just("T"), "description": st.text(max_size=12), "deprecated": st.booleans()}
)


def _with_prose(schemas: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda schema, prose: {**prose, **schema}, schemas, _PROSE)


_COUNT = st.integers(0, 9)
_LEAF = _with_prose(
    st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("string")},
            optional={
                "minLength": _COUNT,
                "maxLength": _COUNT,
                "pattern": st.sampled_from(["^a+$", "(?=x)", "\\d", "(?<n>a)"]),
                "format": st.sampled_from(["date", "uuid"]),
                "enum": st.lists(st.sampled_from("abc"), min_size=1, unique=True),
                "default": st.sampled_from(["a", None, "None", 3]),
                "nullable": st.booleans(),
            },
        ),
        st.fixed_dictionaries(
            {"type": st.sampled_from(["integer", "number", ["integer", "null"], ["string", "number"]])},
            optional={
                "minimum": st.integers(-5, 5),
                "exclusiveMaximum": st.integers(6, 9),
                "multipleOf": st.sampled_from([1, 0.5]),
                "default": st.sampled_from([1, "2", None]),
                "examples": st.just([1]),
            },
        ),
        st.sampled_from(
            [{"type": "boolean"}, {"type": "null"}, {"const": 1}, {"enum": ["x", 2, None]}, {}, {"const": None}]
        ),
    )
)


def _node(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    properties = st.dictionaries(_NAMES, inner, max_size=4)
    objects = st.fixed_dictionaries(
        {},
        optional={
            "type": st.just("object"),
            "properties": properties,
            "required": st.lists(_NAMES, max_size=3, unique=True),
            "additionalProperties": st.booleans() | inner,
            "minProperties": _COUNT,
            "patternProperties": st.just({"^x": {}}),
        },
    )
    arrays = st.fixed_dictionaries(
        {"type": st.just("array")},
        optional={
            "items": inner,
            "minItems": _COUNT,
            "uniqueItems": st.booleans(),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
        },
    )
    some = st.lists(inner, min_size=1, max_size=3)
    compositions = st.one_of(
        st.builds(lambda parts: {"anyOf": parts}, some),
        st.builds(lambda parts, base: {**base, "oneOf": parts}, some, objects),
        st.builds(lambda parts, base: {**base, "allOf": parts}, some, objects),
    )
    return _with_prose(st.one_of(objects, arrays, compositions))


SCHEMA = st.recursive(_LEAF, _node, max_leaves=12)


def _normal(schema: Any) -> dict[str, Any]:
    tool = {"name": "t", "description": "d", "inputSchema": {"type": "object", "properties": {"x": schema}}}
    result: dict[str, Any] = _read([tool]).tools[0].input_schema["properties"]["x"]
    return result


@_SETTINGS
@given(SCHEMA)
def test_a_valid_schema_becomes_a_portable_one(schema: Any) -> None:
    _assert_portable(_normal(schema))


@_SETTINGS
@given(SCHEMA)
def test_normalising_twice_equals_once(schema: Any) -> None:
    once = _normal(schema)
    assert _normal(copy.deepcopy(once)) == once


_EXACT = st.recursive(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(
                ["integer", "number", "string", "boolean", "null", ["integer", "null"], ["string", "number"]]
            )
        },
        optional={
            "minimum": st.integers(-2, 2),
            "maxLength": st.integers(0, 3),
            "enum": st.just([1, "a", None, True, 0.5]),
        },
    ),
    lambda inner: st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(lambda parts: {"anyOf": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: {"allOf": parts}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(
            lambda properties: {"type": "object", "properties": properties, "additionalProperties": False},
            st.dictionaries(st.sampled_from("ab"), inner, min_size=1),
        ),
    ),
    max_leaves=6,
)
_INSTANCE = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "abcd", 0.5, 1.0]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=5,
)


def _contradicts(documentation: Documentation) -> bool:
    """Whether a mending was noted that changes what is accepted: nothing could satisfy the documented schema."""
    return any("contradict" in note or "allows nothing" in note or "enum" in note for note in documentation.notes)


@settings(_SETTINGS, max_examples=300)
@given(_EXACT, _INSTANCE)
def test_a_schema_that_needs_no_mending_accepts_what_it_accepted(schema: Any, instance: Any) -> None:
    tool = {"name": "t", "description": "d", "inputSchema": {"type": "object", "properties": {"x": schema}}}
    documentation = _read([tool])
    if not _contradicts(documentation):
        normal = Draft202012Validator(documentation.tools[0].input_schema["properties"]["x"])
        assert normal.is_valid(instance) == Draft202012Validator(schema).is_valid(instance)


@_SETTINGS
@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=8), SCHEMA), min_size=1, max_size=4, unique_by=lambda pair: pair[0])
)
def test_docs_json_of_an_environment_reads_back_to_the_same_digest(pairs: Any) -> None:
    tools = [{"name": name, "inputSchema": {"type": "object", "properties": {"x": schema}}} for name, schema in pairs]
    try:
        first = _read(tools)
    except BadInput:
        assert any(not name.strip() for name, _ in pairs)
        return
    again = _read(first.to_mcp())
    assert again.digest == first.digest
    assert again.renamed == {}
