"""Patterns that can explode are kept where they are matched without backtracking, and nowhere else."""

from __future__ import annotations

import pytest

from .conftest import Read

EXPLOSIVE = (r"^(a+)+$", r"^(\w+\s?)*$", r"^(a|a)*$", r"^(a?){30}a{30}$", r"^.*a.*b.*c.*d$")


def with_pattern(key: str, pattern: str) -> list[dict[str, object]]:
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": pattern}}}
    return [{"name": "paint", "inputSchema": {"type": "object"}, key: schema}]


@pytest.mark.parametrize("pattern", EXPLOSIVE)
def test_an_argument_keeps_a_pattern_that_can_explode(pattern: str, read: Read) -> None:
    documentation = read(with_pattern("inputSchema", pattern))
    assert documentation.tools[0].input_schema["properties"]["x"] == {"type": "string", "pattern": pattern}


@pytest.mark.parametrize("pattern", EXPLOSIVE)
def test_a_result_does_not_since_any_client_may_match_it(pattern: str, read: Read) -> None:
    documentation = read(with_pattern("outputSchema", pattern))
    assert documentation.tools[0].output_schema == {
        "type": "object",
        "properties": {"x": {"type": "string"}},
        "additionalProperties": False,
    }
    assert (
        f"{documentation.tools[0].source}/outputSchema/properties/x: pattern could keep a client busy for ever and was "
        "dropped from the result."
    ) in documentation.notes


@pytest.mark.parametrize("pattern", [r"^\d{4}-\d{2}$", r"^[A-Z]{3}$", r"^[*+?()]+x*$", r"^ORD-\d+$", r"^(?:a|b)\(\+$"])
def test_a_result_keeps_a_simple_pattern(pattern: str, read: Read) -> None:
    documentation = read(with_pattern("outputSchema", pattern))
    assert documentation.tools[0].output_schema is not None
    assert documentation.tools[0].output_schema["properties"]["x"]["pattern"] == pattern


@pytest.mark.parametrize("pattern", [r"(a)\1", "(?=a)b", "((a{1,100}){1,100}){1,100}", "(", r"[a-z", "a{2,1}"])
def test_what_no_such_engine_can_match_is_dropped(pattern: str, read: Read) -> None:
    documentation = read(with_pattern("inputSchema", pattern))
    assert documentation.tools[0].input_schema["properties"]["x"] == {"type": "string"}
    assert any("pattern is no portable regular expression and was dropped" in note for note in documentation.notes)
