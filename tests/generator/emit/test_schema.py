"""The emitted schema holds every rule of the world, on a real database."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.emit import manifest_tables, schema_sql
from autoforge.generator.emit.names import quote, sql_literal
from autoforge.generator.emit.schema import ordered_entities
from autoforge.generator.ir import Attribute, ColumnType, Constant, Entity, Insert, Return, World
from autoforge.mcp_envs import runtime
from autoforge.mcp_envs.errors import BadInput

from .conftest import SEED, operation, shop


def world(*entities: Entity) -> World:
    """A world of these entities without tools."""
    return World(name="w", entities=entities, operations=())


def entity(name: str, *attributes: Attribute, key: tuple[str, ...] = ("id",)) -> Entity:
    """An entity with a text key."""
    return Entity(name=name, table=name, key=key, attributes=(Attribute(name="id"), *attributes))


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    connection = runtime.connect()
    connection.executescript(schema_sql(shop()) + SEED)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO orders (id, customer_id, created_at) VALUES ('x', 'nobody', '')",
        "INSERT INTO orders (id, customer_id, created_at) VALUES (NULL, 'CUS-001', '')",
        "INSERT INTO orders (id, customer_id) VALUES ('x', 'CUS-001')",
        "INSERT INTO customers (id, name, email) VALUES ('x', 'n', 'zoe@example.org')",
        "INSERT INTO order_items VALUES ('ORD-0001', 'apple', 1, 1)",
        "UPDATE orders SET status = 'lost'",
        "UPDATE orders SET rating = 6",
        "UPDATE orders SET rating = 0",
        "UPDATE orders SET gift = 'yes'",
        "UPDATE customers SET balance = -0.01",
        "UPDATE customers SET name = NULL",
        "INSERT INTO session (id) VALUES (2)",
    ],
)
def test_a_row_that_breaks_a_rule_of_the_world_is_rejected(database: sqlite3.Connection, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        database.execute(statement)


def test_columns_that_are_not_named_take_their_defaults(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO orders (id, customer_id, created_at) VALUES ('x', 'CUS-001', '2026-01-01T00:00:00')")
    row = database.execute("SELECT status, tags, gift, note FROM orders WHERE id = 'x'").fetchone()
    assert row == ("pending", [], False, None)


def test_children_that_need_their_parent_go_with_it_and_others_let_go_of_it(database: sqlite3.Connection) -> None:
    database.execute("DELETE FROM customers WHERE id = 'CUS-001'")
    assert database.execute("SELECT id FROM orders").fetchall() == [("ORD-0003",)]
    assert database.execute("SELECT count(*) FROM order_items").fetchone() == (0,)
    assert database.execute("SELECT referred_by FROM customers").fetchall() == [(None,)]


def test_a_key_that_changes_takes_its_references_along(database: sqlite3.Connection) -> None:
    database.execute("UPDATE customers SET id = 'new' WHERE id = 'CUS-001'")
    assert database.execute("SELECT count(*) FROM orders WHERE customer_id = 'new'").fetchone() == (2,)


def test_parents_come_before_children_and_cycles_are_no_obstacle() -> None:
    a = entity("a", Attribute(name="b", references="b"))
    b = entity("b", Attribute(name="c", references="c"))
    c = entity("c", Attribute(name="b", references="b"), Attribute(name="self", references="c"))
    assert [e.name for e in ordered_entities(world(a, b, c))] == ["b", "c", "a"]
    connection = runtime.connect()
    connection.executescript(schema_sql(world(a, b, c)))
    connection.close()


def test_every_foreign_key_is_found_by_an_index(database: sqlite3.Connection) -> None:
    indexed = {
        (table, database.execute(f"PRAGMA index_info({quote(index)})").fetchone()[2])
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for _, index, *_ in database.execute(f"PRAGMA index_list({quote(table)})").fetchall()
    }
    keys = {("orders", "customer_id"), ("order_items", "order_id"), ("customers", "referred_by"), ("session", "user")}
    assert keys <= indexed


def test_a_singleton_without_a_key_gets_one() -> None:
    session = next(t for t in manifest_tables(shop()) if t.name == "session")
    assert session.key == ("id",)
    assert [c.name for c in session.columns] == ["id", "user"]


def test_a_column_that_an_insert_leaves_out_may_be_empty() -> None:
    strict = entity("thing", Attribute(name="size", nullable=False))
    insert = operation(
        Insert(row="t", entity="thing", values=(("id", Constant(value="a")),)), Return(value=Constant(value=None))
    )
    relaxed = World(name="w", entities=(strict,), operations=(insert,))
    assert '"size" TEXT NOT NULL' in schema_sql(world(strict))
    assert '"size" TEXT\n' in schema_sql(relaxed)


def test_a_default_outside_the_listed_values_is_one_of_them() -> None:
    text = schema_sql(world(entity("thing", Attribute(name="state", enum=("a", "b"), default="new"))))
    assert "CHECK (\"state\" IN ('a', 'b', 'new'))" in text


def test_a_reference_to_an_entity_with_a_composite_key_is_no_constraint() -> None:
    pair = entity("pair", Attribute(name="other"), key=("id", "other"))
    text = schema_sql(world(pair, entity("thing", Attribute(name="pair_id", references="pair"))))
    assert "REFERENCES" not in text


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (world(entity("a", Attribute(name="b", references="nothing"))), "no entity 'nothing'"),
        (world(entity("a", Attribute(name="ID"))), "'id' is defined twice"),
        (world(entity("a"), entity("A")), "'a' is defined twice"),
        (world(entity("autoforge_clock")), "kept for the machinery"),
        (world(entity("sqlite_master")), "kept for the machinery"),
        (world(entity("a", Attribute(name="nul\0"))), "cannot be a table or column"),
        (world(entity("a", Attribute(name=""))), "cannot be a table or column"),
        (world(entity("a", *(Attribute(name=f"c{n}") for n in range(1900)))), "'a' would have 1,901 columns"),
    ],
)
def test_a_world_that_no_schema_can_hold_is_refused_with_the_reason(broken: World, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        schema_sql(broken)


LEGAL = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
NAMES = st.one_of(
    st.text(LEGAL, min_size=1, max_size=200),
    st.sampled_from(
        ["select", 'a"b', "a'b", "a;--", "a\nb", "/*", "日本", "table", "]", "`x`", "%s", "{x}", "?", ":a"]
    ),
).filter(lambda name: not name.lower().startswith(("sqlite_", "autoforge_")))


@given(st.lists(NAMES, min_size=3, max_size=5, unique_by=lambda n: n.lower()), st.text(), st.text())
def test_any_names_and_texts_make_the_tables_that_were_asked_for(names: list[str], note: str, value: str) -> None:
    first, second, key, *columns = names
    attributes = tuple(Attribute(name=c, enum=(value,), default=value, description=note) for c in columns)
    one = Entity(name="one", table=first, key=(key,), title=note, attributes=(Attribute(name=key), *attributes))
    link = Attribute(name=key, references="one", nullable=False)
    two = Entity(name="two", table=second, key=(), title=value, attributes=(link,))
    connection = runtime.connect()
    try:
        connection.executescript(schema_sql(world(two, one)))
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert tables == {first, second, "autoforge_clock", "autoforge_counters", "autoforge_log"}
        found = [row[1] for row in connection.execute(f"PRAGMA table_info({quote(first)})")]
        assert found == [key, *columns]
        connection.execute(f"INSERT INTO {quote(first)} ({quote(key)}) VALUES ('k')")
        stored = connection.execute(f"SELECT * FROM {quote(first)}").fetchone()
        clean = value.encode("utf-8", "replace").decode("utf-8")
        assert stored == ("k", *(clean for _ in columns))
    finally:
        connection.close()


@given(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(LEGAL))
)
def test_a_literal_is_read_back_as_the_value(value: bool | int | float | str | None) -> None:
    connection = sqlite3.connect(":memory:")
    try:
        (found,) = connection.execute(f"SELECT {sql_literal(value)}").fetchone()
    finally:
        connection.close()
    expected = None if isinstance(value, float) and math.isinf(value) else value
    if isinstance(expected, float):  # SQLite before 3.43 reads the last bit of some numbers otherwise
        assert math.isclose(found, expected, rel_tol=2**-50, abs_tol=2**-1070)
    else:
        assert found == expected


def test_a_literal_with_a_nul_stays_one_literal() -> None:
    connection = sqlite3.connect(":memory:")
    try:
        assert connection.execute(f"SELECT {sql_literal(chr(0).join(['a', 'b' + chr(39)]))}").fetchone() == ("a\0b'",)
    finally:
        connection.close()


def test_times_are_declared_as_text_and_lists_as_json() -> None:
    kinds = {t: schema_sql(world(entity("a", Attribute(name="c", type=t)))) for t in ColumnType}
    assert all('"c" TEXT' in kinds[t] for t in (ColumnType.TEXT, ColumnType.DATE, ColumnType.DATETIME, ColumnType.TIME))
    assert all(f'"c" {t.value.upper()}' in kinds[t] for t in (ColumnType.JSON, ColumnType.BOOLEAN, ColumnType.REAL))
