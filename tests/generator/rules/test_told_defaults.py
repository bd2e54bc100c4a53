"""A default that only a sentence tells stands in for what the call leaves out, except in an update."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generator.rules.conftest import (
    FLAG,
    INTEGER,
    TEXT,
    Open,
    Schema,
    about,
    listing,
    maybe,
    one_of,
    record,
    tool,
)

UNIT = record("*", unit_id=TEXT, ward=TEXT, volume=INTEGER, urgent=FLAG, grade=one_of("low", "high"))


@pytest.mark.parametrize(
    ("column", "schema", "prose", "text", "value"),
    [
        ("volume", INTEGER, "Millilitres. Defaults to 450.", "", 450),
        ("volume", INTEGER, "Millilitres, 450 by default", "", 450),
        ("volume", INTEGER, "30 unless stated", "", 30),
        ("volume", INTEGER, "10 when not given", "", 10),
        ("volume", INTEGER, "Menge, standardmäßig 20", "", 20),
        ("urgent", FLAG, "Whether it hurries. Default: yes", "", True),
        ("grade", one_of("low", "high"), "high unless told otherwise", "", "high"),
        ("grade", one_of("low", "high"), "", "If no grade is given, it is `high`.", "high"),
    ],
)
def test_a_told_default_stands_in_for_what_is_left_out(
    world: Open, column: str, schema: Schema, prose: str, text: str, value: Any
) -> None:
    given = maybe(about(schema, prose)) if prose else maybe(schema)
    desk = world([tool("create_unit", f"Creates a unit. {text}", UNIT, ward=TEXT, **{column: given})])
    assert desk.answer("create_unit", ward="B")[column] == value


def test_a_told_default_limits_a_list(world: Open) -> None:
    limit = maybe(about(INTEGER, "At most this many; default 2"))
    desk = world([tool("list_units", "Lists units.", record("*", units=listing(UNIT)), limit=limit)])
    assert len(desk.rows("units")) > 2
    assert len(desk.answer("list_units")["units"]) == 2


@pytest.mark.parametrize("prose", ["Millilitres, 30 if given", "Defaults to 9000", "Defaults to the last volume"])
def test_what_is_no_default_or_does_not_fit_is_left(world: Open, prose: str) -> None:
    volume = maybe(about({**INTEGER, "maximum": 550}, prose))
    desk = world([tool("create_unit", "Creates a unit.", UNIT, ward=TEXT, volume=volume)])
    assert desk.answer("create_unit", ward="B")["volume"] not in (30, 9000)


def test_an_update_leaves_alone_what_is_left_out(world: Open) -> None:
    volume = maybe(about(INTEGER, "Defaults to 450."))
    desk = world([tool("update_unit", "Updates a unit.", UNIT, unit_id=TEXT, ward=maybe(TEXT), volume=volume)])
    row = desk.rows("units")[0]
    desk.put("units", {"unit_id": row["unit_id"]}, volume=7)
    assert desk.answer("update_unit", unit_id=row["unit_id"], ward="C")["volume"] == 7
