"""`seed.sql` gives back what it was given, whatever that is, or refuses it with the column's name."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.generator.ir import Attribute, ColumnType, Entity, World
from autoforge.generator.seed import counters, seed_rows, seed_sql
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.runtime import Database, connect

from .worlds import BOOLEAN, INTEGER, JSON, REAL, TEXT, column, entity, key, loaded, shop, world

_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40) | st.sampled_from(
    ["'; DROP TABLE x; --", "a\r\nb", "line\n" * 150, "\u2028", "\ufeff", "'" * 9, "\x1a", "char(0)", "ß🙂"]
)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=6,
)
_VALUES: dict[ColumnType, Any] = {
    TEXT: _TEXTS,
    INTEGER: st.integers(-(2**63), 2**63 - 1),
    REAL: st.floats(allow_nan=False, allow_infinity=False).filter(
        lambda number: number == 0 or 1e-200 < abs(number) < 1e200
    ),
    # SQLite before 3.42 reads decimals of extreme exponents an ulp off
    BOOLEAN: st.booleans(),
    JSON: st.lists(_JSON, max_size=3) | st.dictionaries(_TEXTS, _JSON, max_size=3),
}
_NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=9).map(
    lambda s: s + '"x'
)


@st.composite
def _tables(draw: st.DrawFn) -> tuple[World, dict[str, list[dict[str, Any]]]]:
    names = draw(st.lists(_NAMES, min_size=1, max_size=4, unique_by=str.lower))
    types = [draw(st.sampled_from(list(_VALUES))) for _ in names]
    columns = [
        Attribute(name="key", type=INTEGER, nullable=False),
        *(Attribute(name=n, type=t) for n, t in zip(names, types, strict=True) if n.lower() != "key"),
    ]
    each = Entity(name="thing", table=draw(_NAMES), attributes=tuple(columns), key=("key",))
    filled = [
        {a.name: i if a.name == "key" else draw(st.none() | _VALUES[a.type]) for a in columns}
        for i in range(draw(st.integers(0, 3)))
    ]
    return World(name="any", entities=(each,), operations=()), {"thing": filled}


@settings(max_examples=200, deadline=None)
@given(_tables())
def test_what_is_read_back_equals_what_was_given(made: tuple[World, dict[str, list[dict[str, Any]]]]) -> None:
    given_world, rows = made
    each = given_world.entities[0]
    quoted = {a.name: '"' + a.name.replace('"', '""') + '"' for a in each.attributes}
    types = {TEXT: "TEXT", INTEGER: "INTEGER", REAL: "REAL", BOOLEAN: "BOOLEAN", JSON: "JSON"}
    table = '"' + each.table.replace('"', '""') + '"'
    connection = connect()
    connection.executescript(
        "CREATE TABLE autoforge_clock (now TEXT); "
        "CREATE TABLE autoforge_counters (name TEXT PRIMARY KEY, value INTEGER);"
    )
    connection.execute(
        f"CREATE TABLE {table} ({', '.join(f'{quoted[a.name]} {types[a.type]}' for a in each.attributes)})"
    )
    connection.executescript(seed_sql(given_world, rows))
    found = Database(connection).all(f"SELECT * FROM {table} ORDER BY 1")
    connection.close()
    assert found == rows["thing"]


def test_one_row_is_one_line() -> None:
    note = entity("note", key("id", INTEGER), column("body"))
    text = seed_sql(world("w", note), {"note": [{"id": 1, "body": "a\nb\r\u2028c"}]})
    assert "  (1, ('a' || char(10) || 'b' || char(13) || char(8232) || 'c'));" in text.splitlines()


@pytest.mark.parametrize("value", ["a\0b", "\ud800", float("nan"), float("inf"), 2**63, [float("nan")], {"a": ["\0"]}])
def test_what_sqlite_cannot_hold_is_refused_with_the_column(value: Any) -> None:
    note = entity("note", key("id", INTEGER), column("body", JSON if isinstance(value, list | dict) else TEXT))
    if isinstance(value, dict):
        assert "\\u0000" in seed_sql(world("w", note), {"note": [{"id": 1, "body": value}]})
        return
    with pytest.raises(BadInput, match=r"notes\.body"):
        seed_sql(world("w", note), {"note": [{"id": 1, "body": value}]})


def test_rows_that_refer_to_each_other_load() -> None:
    left = entity("left", key("id", INTEGER), column("right_id", INTEGER, references="right", nullable=False))
    right = entity("right", key("id", INTEGER), column("left_id", INTEGER, references="left", nullable=False))
    made = world("cycle", left, right)
    connection = loaded(made, seed_rows(made, seed=1))
    assert connection.execute("SELECT count(*) FROM lefts JOIN rights ON lefts.right_id = rights.id").fetchone()[0] > 0
    connection.close()


def test_a_row_that_refers_to_nothing_is_refused_by_the_database() -> None:
    child = entity("child", key("id", INTEGER), column("parent_id", INTEGER, references="parent", nullable=False))
    made = world("w", entity("parent", key("id", INTEGER)), child)
    with pytest.raises(sqlite3.IntegrityError):
        loaded(made, {"parent": [{"id": 1}], "child": [{"id": 1, "parent_id": 2}]})


def test_clock_and_counters_are_rows_of_the_seed() -> None:
    rows = seed_rows(shop(), seed=1)
    connection = loaded(shop(), rows)
    assert connection.execute("SELECT now FROM autoforge_clock").fetchall() == [("2026-03-02T09:00:00",)]
    assert dict(connection.execute("SELECT name, value FROM autoforge_counters")) == counters(shop(), rows)
    connection.close()


def test_counters_stand_at_the_highest_number_used() -> None:
    ticket = entity("ticket", key("id", INTEGER), id_template="{}")
    invoice = entity("invoice", key("number"), id_template="INV-{:04d}/26")
    made = world("w", ticket, invoice, entity("tag", key("name")))
    rows: dict[str, list[dict[str, Any]]] = {
        "ticket": [{"id": 7}, {"id": 3}],
        "invoice": [{"number": "INV-0012/26"}, {"number": "INV-x"}, {"number": "other"}],
    }
    assert counters(made, rows) == {"tickets": 7, "invoices": 12}
    assert counters(made, {}) == {"tickets": 0, "invoices": 0}
