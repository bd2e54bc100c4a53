"""Where values come from: names to columns, schemas to values, rows to calls."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.conformance.arguments import Proposer
from autoforge.generator.conformance.columns import words
from autoforge.generator.conformance.drawing import matching
from autoforge.generator.conformance.subject import Subject, Tool
from autoforge.generator.conformance.values import fitted, plausible
from autoforge.mcp_envs.manifest import ToolRecord
from autoforge.mcp_envs.runtime import connect, create_state
from autoforge.mcp_envs.state import State, dump

from .conftest import DESK

SUBJECT = Subject.read(DESK)
NOW = "2026-03-02T09:00:00"


def seed_state() -> State:
    connection = connect()
    try:
        create_state(DESK, connection)
        return dump(connection)
    finally:
        connection.close()


STATE = seed_state()


def desk_tool(name: str) -> Tool:
    return next(tool for tool in SUBJECT.tools if tool.name == name)


def tool_of(schema: dict[str, Any]) -> Tool:
    document = {"inputSchema": {"type": "object", "properties": {"value": schema}, "additionalProperties": False}}
    return Tool(document, ToolRecord(name="tool", function="tool", kind="compute"), ())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("customerID", ("customer", "id")),
        ("user_ids", ("user", "id")),
        ("HTTPServer", ("http", "server")),
        ("categories", ("category",)),
        ("boxes", ("box",)),
        ("status", ("status",)),
        ("address", ("address",)),
        ("$.xgafv", ("xgafv",)),
    ],
)
def test_names_in_any_style_have_the_same_words(name: str, expected: tuple[str, ...]) -> None:
    assert words(name) == expected


@pytest.mark.parametrize(
    ("tool", "parameter", "expected"),
    [
        ("get_ticket", "ticket_id", ("tickets", "id")),
        ("assign_ticket", "agent_id", ("agents", "id")),
        ("add_note", "text", ("notes", "text")),
        ("search_tickets", "tag", ("tickets", "tags")),
        ("list_agents", "on_duty", ("agents", "on_duty")),
    ],
)
def test_a_parameter_finds_its_column(tool: str, parameter: str, expected: tuple[str, str]) -> None:
    places = [(match.table, match.column) for match in SUBJECT.columns(desk_tool(tool), parameter)]
    assert expected in places[:2]


def test_every_proposal_is_one_that_the_server_takes() -> None:
    proposer = Proposer(SUBJECT, STATE, 0)
    for tool in SUBJECT.tools:
        proposals = list(islice(proposer.proposals(tool), 60))
        assert proposals
        assert all(tool.input_validator.is_valid(proposal) for proposal in proposals)


def test_the_same_state_and_seed_give_the_same_proposals() -> None:
    tool = desk_tool("open_ticket")
    first, second = (list(Proposer(SUBJECT, STATE, 3).proposals(tool)) for _ in range(2))
    assert first == second
    assert first != list(Proposer(SUBJECT, STATE, 4).proposals(tool))


def test_a_note_is_proposed_for_a_ticket_that_exists() -> None:
    first = next(iter(Proposer(SUBJECT, STATE, 0).proposals(desk_tool("add_note"))))
    assert first["ticket_id"] in {row[0] for row in STATE["tickets"].rows}


@pytest.mark.parametrize(
    ("stored", "schema", "expected"),
    [
        (7, {"type": "string"}, ["7"]),
        ("7", {"type": "integer"}, [7]),
        ("x7", {"type": "integer"}, []),
        (1, {"type": "boolean"}, [True]),
        ('["a","b"]', {"type": "array", "items": {"type": "string"}}, [["a", "b"]]),
        ('["a","b"]', {"type": "string"}, ["a", "b"]),
        ("2026-01-02T03:04:05", {"type": "string", "format": "date"}, ["2026-01-02"]),
        (2.0, {"type": "integer"}, [2]),
        (None, {"type": "string"}, []),
        ("a", {"type": "array", "items": {"type": "string"}}, [["a"]]),
    ],
)
def test_a_stored_value_is_fitted_to_the_schema(stored: Any, schema: dict[str, Any], expected: list[Any]) -> None:
    found = fitted(stored, schema, lambda inner: inner)
    assert found[: len(expected)] == expected and bool(found) == bool(expected)


SCHEMAS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(
        lambda low, width: {"type": "integer", "minimum": low, "maximum": low + width},
        st.integers(-1000, 1000),
        st.integers(0, 50),
    ),
    st.builds(lambda low: {"type": "number", "exclusiveMinimum": low}, st.integers(-10, 10)),
    st.builds(
        lambda low, width: {"type": "string", "minLength": low, "maxLength": low + width},
        st.integers(0, 40),
        st.integers(0, 10),
    ),
    st.sampled_from([{"type": "string", "format": f} for f in ("date", "date-time", "email", "uuid", "uri")]),
    st.just({"enum": ["a", 1, None]}),
    st.just({"type": ["string", "null"]}),
    st.just({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "boolean"}}]}),
    st.just({"type": "array", "minItems": 3, "items": {"type": "integer"}}),
    st.just({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["b"]}),
)


@pytest.mark.parametrize("pattern", ["^[A-Z]{3}$", r"^\d{4}-\d{2}$", "^a+b?$", "[a-z]+@[a-z]+"])
def test_a_pattern_is_matched(pattern: str) -> None:
    schema = {"type": "string", "pattern": pattern}
    assert all(
        tool_of(schema).accepts_value("value", value) for value in plausible(tool_of(schema), schema, "value", NOW)
    )


def test_a_pattern_that_python_does_not_know_gives_a_value_all_the_same() -> None:
    schema = {"type": "string", "pattern": r"^\p{L}+$"}
    assert plausible(tool_of(schema), schema, "value", NOW) == ["a"]


@given(SCHEMAS)
def test_the_first_plausible_values_fit_their_schema(schema: dict[str, Any]) -> None:
    tool = tool_of(schema)
    values = plausible(tool, schema, "value", NOW)
    assert any(tool.accepts_value("value", value) for value in values[:3])


def test_of_two_times_that_a_pattern_describes_the_first_is_the_earlier_one() -> None:
    times = matching(r"^([01]\d|2[0-3]):[0-5]\d$")
    assert len(times) > 4 and list(times) == sorted(times)


def test_a_pattern_that_the_server_does_not_know_gives_no_texts() -> None:
    assert matching(r"(a)\1") == ()
