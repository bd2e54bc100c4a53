"""A default that only a sentence tells stands in for what the call leaves out, except in an update."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.rules.prose import MISSING, default_in_prose, defaults_of_others
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
from tests.generator.rules.no_promises import DEFAULTS, OTHERS

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


@pytest.mark.parametrize(
    ("prose", "value"),
    [
        ("Page size (default: 20, max 100)", 20),
        ("Page size, default 20.", 20),
        ("Bytes, default 1,000,000", 1000000),
        ("Volume. Defaults to 0,25.", 0.25),
        ("Whether to notify the owner (default true)", True),
        ("Whether to notify the owner, by default false", False),
        ("Number of guests, 2 unless specified otherwise.", 2),
        ("If omitted, 10.", 10),
        ("If not provided, defaults to 10.", 10),
        ("If not specified, `low` is used.", "low"),
        ("Optional; medium if not given", "medium"),
        ("Assumed to be 1 if omitted.", 1),
        ("Defaults to 30 days.", 30),
        ("Cantidad; 1 si no se indica.", 1),
        ("Anzahl, wenn nicht angegeben 1.", 1),
        ("Quantité, 1 par défaut.", 1),
        ("Quantità, 1 se non specificata", 1),
    ],
)
def test_a_default_is_read_from_a_piece_that_says_no_more(prose: str, value: Any) -> None:
    assert default_in_prose(prose) == value


@pytest.mark.parametrize("prose", DEFAULTS)
def test_no_default_is_read_where_none_is_told(prose: str) -> None:
    assert default_in_prose(prose) is MISSING


@pytest.mark.parametrize("prose", OTHERS)
def test_no_default_of_a_parameter_is_read_where_none_is_told(prose: str) -> None:
    assert defaults_of_others(prose) == []


def test_a_default_is_of_the_parameter_that_is_named(world: Open) -> None:
    unit = record("*", unit_id=TEXT, grade=one_of("low", "high"), feed_grade=one_of("low", "high"))
    grades = {n: maybe(one_of("low", "high")) for n in ("grade", "feed_grade")}
    desk = world([tool("create_unit", "Creates a unit. The grade defaults to high.", unit, **grades)])
    defaults = {p.name: p.default for p in desk.operation("create_unit").parameters}
    assert (defaults["grade"], defaults["feed_grade"]) == ("high", None)


@pytest.mark.parametrize(
    "prose", ["Defaults to unlimited.", "Defaults to everyone", "Default: auto-assigned", "shared unless specified"]
)
def test_a_bare_word_is_no_text(world: Open, prose: str) -> None:
    desk = world([tool("create_unit", "Creates a unit.", UNIT, volume=INTEGER, ward=maybe(about(TEXT, prose)))])
    (ward,) = [p for p in desk.operation("create_unit").parameters if p.name == "ward"]
    assert ward.default is None


@pytest.mark.parametrize("prose", ["Millilitres, 30 if given", "Defaults to 9000", "Defaults to the last volume"])
def test_what_is_no_default_or_does_not_fit_is_left(world: Open, prose: str) -> None:
    volume = maybe(about({**INTEGER, "maximum": 550}, prose))
    desk = world([tool("create_unit", "Creates a unit.", UNIT, ward=TEXT, volume=volume)])
    assert desk.answer("create_unit", ward="B")["volume"] not in (30, 9000)


@pytest.mark.parametrize(
    ("schema", "prose"),
    [
        ({**INTEGER, "exclusiveMinimum": 5}, "Defaults to 5."),
        ({"type": "number", "exclusiveMaximum": 1}, "Defaults to 1."),
        ({**INTEGER, "multipleOf": 10}, "Defaults to 15."),
        ({**INTEGER, "minimum": 5}, "Defaults to 2."),
        (INTEGER, "Between 1 and 10. Defaults to 20."),
        (INTEGER, "Defaults to " + "9" * 5000),
        ({**TEXT, "pattern": "^[a-z]{3}$"}, "Defaults to `ABC`."),
        ({**TEXT, "maxLength": 3}, "Defaults to `long`."),
        ({**TEXT, "minLength": 5}, "Defaults to USD."),
    ],
)
def test_a_default_that_the_parameter_would_refuse_is_none(world: Open, schema: Schema, prose: str) -> None:
    unit = record("unit_id ward", **UNIT["properties"], code=schema)
    desk = world([tool("create_unit", "Creates a unit.", unit, ward=TEXT, code=maybe(about(schema, prose)))])
    assert {p.name: p.default for p in desk.operation("create_unit").parameters} == {"ward": None, "code": None}


def test_an_update_leaves_alone_what_is_left_out(world: Open) -> None:
    volume = maybe(about(INTEGER, "Defaults to 450."))
    desk = world([tool("update_unit", "Updates a unit.", UNIT, unit_id=TEXT, ward=maybe(TEXT), volume=volume)])
    row = desk.rows("units")[0]
    desk.put("units", {"unit_id": row["unit_id"]}, volume=7)
    assert desk.answer("update_unit", unit_id=row["unit_id"], ward="C")["volume"] == 7


@pytest.mark.parametrize(
    ("name", "schema", "prose"),
    [
        ("include_parts", FLAG, "Whether to include the parts. Defaults to false."),
        ("compact", FLAG, "Defaults to true."),
        ("urgent", FLAG, "Only urgent ones. Defaults to false."),
        ("locale", one_of("en", "de"), "Defaults to en."),
        ("volume", INTEGER, "Defaults to 2."),
    ],
)
def test_a_default_leaves_no_rows_out_that_it_is_not_about(world: Open, name: str, schema: Schema, prose: str) -> None:
    given = maybe(about(schema, prose))
    desk = world([tool("list_units", "Lists units.", record("*", units=listing(UNIT)), **{name: given})])
    assert len(desk.answer("list_units")["units"]) == len(desk.rows("units"))


def test_a_default_chooses_among_the_states_that_rows_have(world: Open) -> None:
    grade = maybe(about(one_of("low", "high"), "Defaults to high."))
    desk = world([tool("list_units", "Lists units.", record("*", units=listing(UNIT)), grade=grade)])
    desk.put("units", {}, grade="low")
    assert desk.answer("list_units")["units"] == []
    assert desk.answer("list_units", grade="low")["units"]
