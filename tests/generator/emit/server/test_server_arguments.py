"""What is accepted as arguments, what is refused, and in which words."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from autoforge.mcp_envs.arguments.arguments import Arguments
from autoforge.mcp_envs.arguments.quick import quick_object
from autoforge.mcp_envs.arguments.values import BadArguments, is_date, is_date_time, refuse_unstorable

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "order_id": {"type": "integer", "minimum": 1, "exclusiveMaximum": 1000},
        "status": {"type": "string", "enum": ["open", "shut"]},
        "note": {"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-z]+$"},
        "price": {"type": "number", "multipleOf": 0.5},
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "either": {"type": ["integer", "null"]},
        "on": {"type": "string", "format": "date"},
        "at": {"type": "string", "format": "date-time"},
        "email": {"type": "string", "format": "email"},
        "lines": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {"quantity": {"type": "integer"}, "product": {"const": "tea"}},
                "required": ["quantity", "product"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["order_id"],
}


def refusal(arguments: dict[str, Any], schema: dict[str, Any] = SCHEMA) -> str:
    with pytest.raises(BadArguments) as caught:
        Arguments(schema, {}).keywords(arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"order_id": "abc"}, "order_id: 'abc' is not of type 'integer'"),
        ({"order_id": True}, "order_id: true is not of type 'integer'"),
        ({"order_id": None}, "order_id: null is not of type 'integer'"),
        ({"order_id": 1.5}, "order_id: 1.5 is not of type 'integer'"),
        ({"order_id": 0}, "order_id: 0 is less than the minimum of 1"),
        ({"order_id": 1000}, "order_id: 1000 is not less than 1000"),
        ({}, "missing required parameter 'order_id'"),
        ({"order_ids": 1}, "unknown parameter 'order_ids'; did you mean 'order_id'?"),
        ({"order_id": 1, "status": "opened"}, "status: 'opened' is not one of 'open', 'shut'"),
        ({"order_id": 1, "note": "a"}, "note: 'a' is shorter, in characters, than 2"),
        ({"order_id": 1, "note": "abcdef"}, "note: 'abcdef' is longer, in characters, than 5"),
        ({"order_id": 1, "note": "ABC"}, "note: 'ABC' does not match the pattern '^[a-z]+$'"),
        ({"order_id": 1, "price": 0.3}, "price: 0.3 is not a multiple of 0.5"),
        ({"order_id": 1, "either": "x"}, "either: 'x' is not of type 'integer' or 'null'"),
        ({"order_id": 1, "on": "2026-02-30"}, "on: '2026-02-30' is not a date (YYYY-MM-DD)"),
        ({"order_id": 1, "lines": []}, "lines: [] has fewer items than 1"),
        ({"order_id": 1, "lines": [{"product": "tea"}]}, "lines[0]: missing required property 'quantity'"),
        ({"order_id": 1, "lines": [{}]}, "lines[0]: missing required properties 'quantity', 'product'"),
        (
            {"order_id": 1, "lines": [{"quantity": 1, "product": "tea", "prduct": 1}]},
            "lines[0]: unknown property 'prduct'; did you mean 'product'?",
        ),
        ({"order_id": 1, "lines": [{"quantity": 1, "product": "ink"}]}, "lines[0].product: 'ink' is not 'tea'"),
        ({"order_id": 1, "note": "a\0b"}, "note: the text contains a NUL character"),
        ({"order_id": 2**63}, "order_id: the integer does not fit in 64 bits"),
        ({"order_id": 1, "price": math.inf}, "price: the number is not finite"),
        ({"order_id": 1, "price": math.nan}, "price: the number is not finite"),
    ],
)
def test_a_refusal_is_one_sentence_that_names_the_parameter(arguments: dict[str, Any], sentence: str) -> None:
    assert refusal(arguments) == sentence


def test_a_time_is_named_with_the_form_it_wants() -> None:
    assert refusal({"order_id": 1, "at": "noon"}).startswith("at: 'noon' is not a date and time (YYYY-MM-DDTHH:MM:SS")


def test_an_unknown_parameter_far_from_any_is_answered_with_the_names() -> None:
    assert refusal({"zzz": 1}).startswith("unknown parameter 'zzz'; the parameters are 'order_id', 'status'")
    assert refusal({"zzz": 1}, {"type": "object"}) == "unknown parameter 'zzz'; there are none"


def test_a_long_value_is_cut_in_its_sentence() -> None:
    sentence = refusal({"order_id": "x" * 10_000})
    assert len(sentence) < 150 and "…" in sentence


@pytest.mark.parametrize("text", ["\ud800", "x\udfffy"])
def test_half_a_surrogate_pair_is_refused_in_words_that_can_be_sent(text: str) -> None:
    for arguments in ({"order_id": 1, "email": text}, {text: 1}, {"order_id": text}):
        refusal(arguments).encode()


def test_a_text_of_more_than_a_million_characters_is_refused() -> None:
    assert "longer than 1,000,000 characters" in refusal({"order_id": 1, "email": "x" * 1_000_001})


def test_an_integral_float_becomes_an_integer_where_the_schema_wants_one() -> None:
    arguments = {
        "order_id": 3.0,
        "price": 2.0,
        "either": 4.0,
        "maybe": 5.0,
        "lines": [{"quantity": 2.0, "product": "tea"}],
    }
    converted = Arguments(SCHEMA, {}).keywords(arguments)
    kinds = [type(converted[name]) for name in ("order_id", "price", "either", "maybe")]
    assert kinds == [int, float, int, int] and type(converted["lines"][0]["quantity"]) is int


def test_a_documented_name_becomes_the_functions_own() -> None:
    assert Arguments(SCHEMA, {"order_id": "order"}).keywords({"order_id": 1, "status": "open"}) == {
        "order": 1,
        "status": "open",
    }


def test_an_email_is_not_second_guessed() -> None:
    assert Arguments(SCHEMA, {}).keywords({"order_id": 1, "email": "me"}) == {"order_id": 1, "email": "me"}


def test_a_pattern_that_python_does_not_know_leaves_the_tool_usable() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string", "pattern": r"^\p{L}+$"}}}
    assert Arguments(schema, {}).keywords({"name": "x"}) == {"name": "x"}
    assert refusal({"name": 1}, schema) == "name: 1 is not of type 'string'"


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("2026-01-31", True),
        ("2026-1-31", False),
        ("20260131", False),
        ("2026-W05-6", False),
        ("2026-02-29", False),
        ("x", False),
    ],
)
def test_a_date_is_a_calendar_day_in_one_form(text: str, good: bool) -> None:
    assert is_date(text) is good


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("2026-01-31T10:00:00Z", True),
        ("2026-01-31T10:00:00+01:00", True),
        ("2026-01-31T10:00:00", True),
        ("2026-01-31t10:00:00.25z", True),
        ("2026-01-31T10:00", False),
        ("2026-01-31T25:00:00Z", False),
        ("2026-01-31", False),
    ],
)
def test_a_time_is_one_of_rfc_3339_whose_offset_may_be_missing(text: str, good: bool) -> None:
    assert is_date_time(text) is good


def property_schemas() -> st.SearchStrategy[Any]:
    plain: list[Any] = [
        {"type": "string"},
        {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "a"},
        {"type": "string", "enum": ["a", "b"]},
        {"type": "string", "format": "uuid"},
        {"type": "boolean"},
        {"type": "null"},
        {"type": "null", "enum": ["a"]},
        {"type": ["string", "null"], "minLength": 1},
        {"type": ["integer", "null"], "enum": [1]},
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        {"type": "integer", "multipleOf": 2},
        {"type": "number", "exclusiveMinimum": 0},
        {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        {"enum": ["a", 1]},
        {},
        True,
        False,
    ]
    kinds, bounds = st.sampled_from(["integer", "number"]), st.integers(-3, 3)
    numbers = st.fixed_dictionaries({"type": kinds}, optional={"minimum": bounds, "maximum": bounds})
    return st.recursive(st.sampled_from(plain) | numbers, containers, max_leaves=4)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    arrays = st.fixed_dictionaries({"type": st.just("array"), "items": inner}, optional={"minItems": st.integers(0, 2)})
    objects = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.fixed_dictionaries({"a": inner, "b": inner})},
        optional={
            "required": st.lists(st.sampled_from(["a", "b", "c"]), unique=True),
            "additionalProperties": st.booleans() | inner,
        },
    )
    return arrays | objects


def values() -> st.SearchStrategy[Any]:
    scalars = (
        st.none()
        | st.booleans()
        | st.integers(-4, 4)
        | st.floats()
        | st.sampled_from(["", "a", "b", "abcd", "a\0", "\ud800"])
    )
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3)
        ),
        max_leaves=5,
    )


@given(
    st.dictionaries(st.sampled_from(["a", "b"]), property_schemas(), max_size=2),
    st.dictionaries(st.sampled_from(["a", "b", "c"]), values(), max_size=3),
)
def test_what_the_quick_check_accepts_the_full_one_accepts(
    properties: dict[str, Any], arguments: dict[str, Any]
) -> None:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    quick = quick_object(schema)
    if quick is not None and quick(arguments):
        assert Draft202012Validator(schema).is_valid(arguments)
        refuse_unstorable(arguments, "")


def test_the_quick_check_takes_the_usual_schema() -> None:
    properties = {
        "id": {"type": "integer", "minimum": 1},
        "status": {"type": "string", "enum": ["a"]},
        "tags": {"type": "array", "items": {"type": "string"}},
    }
    quick = quick_object({"type": "object", "properties": properties, "required": ["id"]})
    assert quick is not None and quick({"id": 1, "status": "a", "tags": ["x"]}) and not quick({"id": 0})


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"^(\w+\s?)*$", r"^(a|a)*$", r"^(a?){30}a{30}$", r".*a.*a.*a.*b"])
@pytest.mark.parametrize("more", [{}, {"not": {"const": "x"}}], ids=["quick check", "full check"])
def test_no_pattern_keeps_the_server_busy(pattern: str, more: dict[str, Any]) -> None:
    """Each of these takes an engine that backtracks longer than anybody waits."""
    schema = {"type": "object", "properties": {"text": {"type": "string", "pattern": pattern, **more}}}
    assert refusal({"text": "a" * 20_000 + "!"}, schema).endswith(f"does not match the pattern {pattern!r}")


@pytest.mark.parametrize("more", [{}, {"not": {"const": "x"}}], ids=["quick check", "full check"])
def test_the_end_of_a_pattern_is_the_end_of_the_text(more: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"text": {"type": "string", "pattern": "^a$", **more}}}
    assert Arguments(schema, {}).keywords({"text": "a"}) == {"text": "a"}
    assert "does not match" in refusal({"text": "a\n"}, schema)
