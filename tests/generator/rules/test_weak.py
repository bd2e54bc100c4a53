"""Tools that are not understood: weak is a matter of fact, and a weak tool keeps its schemas all the same."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import Log, OperationKind, walk_steps
from tests.generator.rules.conftest import (
    FLAG,
    INTEGER,
    NUMBER,
    TEXT,
    Desk,
    Open,
    Schema,
    listing,
    one_of,
    record,
    tool,
)

NONSENSE: list[dict[str, Any]] = [tool("frobnicate", "Frobnicates.", None, level=INTEGER, mode=one_of("soft", "hard"))]
KNOWN: list[dict[str, Any]] = [
    tool("get_user", "Gets a user.", None, user_id=TEXT),
    tool("create_user", "Creates a user.", None, name=TEXT),
    tool("add", "Adds two numbers.", None, a=NUMBER, b=NUMBER),
    tool("get_current_time", "Returns the current time."),
    tool("login", "Logs a user in.", None, username=TEXT, password=TEXT),
]


def weak_desk(world: Open, output: Schema | None = None) -> Desk:
    desk = world([tool("summarize_weather_mood", "Understands how the sky feels.", output, words=TEXT)])
    assert desk.weak() == ["summarize_weather_mood"]
    return desk


def test_weak_is_what_touches_no_entity_and_computes_nothing(world: Open) -> None:
    desk = world([*KNOWN, *NONSENSE])
    for operation in desk.world.operations:
        effects = desk.effects(operation.tool)
        touches = bool(effects.reads or effects.creates or effects.updates or effects.deletes)
        computes = (
            operation.kind is OperationKind.COMPUTE
            or "clock" in desk.source.split(f"def {operation.function}(")[1].split("\ndef ")[0]
            or "now()" in desk.source.split(f"def {operation.function}(")[1].split("\ndef ")[0]
        )
        assert operation.weak is not (touches or computes), operation.tool


def test_what_is_understood_is_not_weak(world: Open) -> None:
    assert world(KNOWN).weak() == []


def test_a_weak_tool_records_its_calls(world: Open) -> None:
    desk = weak_desk(world)
    desk.answer("summarize_weather_mood", words="grey")
    desk.answer("summarize_weather_mood", words="blue")
    assert [(r["tool"], r["arguments"]) for r in desk.log()] == [
        ("summarize_weather_mood", {"words": w}) for w in ("grey", "blue")
    ]


def test_a_weak_tool_changes_nothing_but_the_log(world: Open) -> None:
    desk = weak_desk(world)
    assert desk.effects("summarize_weather_mood").read_only
    assert any(isinstance(s, Log) for s in walk_steps(desk.operation("summarize_weather_mood").steps))
    assert desk.tables == set()


@pytest.mark.parametrize(
    "output",
    [
        record("*", mood=TEXT, score=NUMBER),
        record("*", mood=one_of("glad", "sad")),
        record("*", confidence={"type": "number", "minimum": 0.5, "maximum": 1}),
        record("*", words=listing(TEXT), nested=record("*", deep=record("*", flag=FLAG))),
        record("*", words={"type": "array", "items": TEXT, "minItems": 2}),
        record("*", code={"type": "string", "minLength": 4}),
        record("*", year={"type": "integer", "exclusiveMinimum": 1999}),
        record("*", day={"type": "string", "format": "date"}),
        record("*", mood={"const": "blue"}),
        record("*", mood={"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object"},
    ],
)
def test_a_weak_tool_honours_its_output_schema(world: Open, output: Schema) -> None:
    weak_desk(world, output).answer("summarize_weather_mood", words="grey")


def test_a_weak_tool_without_an_output_schema_says_that_it_took_the_call(world: Open) -> None:
    assert weak_desk(world).answer("summarize_weather_mood", words="grey") == {"status": "accepted"}
