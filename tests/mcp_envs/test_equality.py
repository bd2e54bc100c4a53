"""Equality of final states: what may differ and what may not."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.mcp_envs.equality import Comparison, equal_states
from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Provenance, Table
from autoforge.mcp_envs.state import State, dump

SCHEMA = """
CREATE TABLE autoforge_clock (now TEXT);
CREATE TABLE autoforge_counters (name TEXT PRIMARY KEY, value INTEGER);
CREATE TABLE autoforge_log (id INTEGER PRIMARY KEY, tool TEXT, arguments JSON);
CREATE TABLE users (email TEXT PRIMARY KEY, balance REAL, friends JSON);
CREATE TABLE orders (id TEXT PRIMARY KEY, user TEXT REFERENCES users, total REAL, labels JSON, remark TEXT,
  history TEXT, trace TEXT, parent TEXT);
CREATE TABLE lines (
  id INTEGER PRIMARY KEY, order_id TEXT REFERENCES orders, product TEXT, amount INTEGER);
CREATE TABLE watches (user TEXT, orders JSON);
INSERT INTO autoforge_clock VALUES ('2026-01-01T00:00:00');
INSERT INTO users VALUES ('ann@x.example', 10, '[]'), ('bob@x.example', 0.5, '{"b": 1, "a": [1, 2]}');
INSERT INTO orders VALUES ('ORD-1', 'ann@x.example', 5, '["x"]', NULL, NULL, 't', NULL);
INSERT INTO lines VALUES (1, 'ORD-1', 'pen', 2);
"""


def column(name: str, kind: ColumnKind = ColumnKind.VALUE, type: str = "TEXT", **more: Any) -> Column:
    return Column(name=name, type=type, kind=kind, **more)


MANIFEST = Manifest(
    name="shop",
    tables=(
        Table(name="users", entity="user", key=("email",), columns=(
            column("email", ColumnKind.KEY), column("balance", type="REAL"), column("friends", type="JSON"))),
        Table(name="orders", entity="order", key=("id",), columns=(
            column("id", ColumnKind.SURROGATE), column("user", references="users"), column("total", type="REAL"),
            column("labels", type="JSON", set_like=True), column("remark", ColumnKind.FREE_TEXT), column("history"),
            column("trace", ColumnKind.LOG), column("parent", references="orders"))),
        Table(name="lines", entity="line", key=("id",), columns=(
            column("id", ColumnKind.SURROGATE, type="INTEGER"), column("order_id", references="orders"),
            column("product"), column("amount", type="INTEGER"))),
        Table(name="watches", entity="watch", key=("user",), columns=(
            column("user", references="users"), column("orders", type="JSON", references="orders"))),
    ),
    tools=(),
    provenance=Provenance(generator="hand", docs_digest=""),
)  # fmt: skip


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(fresh()) as connection:
        yield connection


def fresh() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    return connection


def state(*statements: str) -> State:
    with closing(fresh()) as connection:
        for statement in statements:
            connection.execute(statement)
        return dump(connection)


INITIAL = state()


def compared(first: State, second: State) -> Comparison:
    there, back = equal_states(INITIAL, first, second, MANIFEST), equal_states(INITIAL, second, first, MANIFEST)
    assert there.equal == back.equal
    assert there.equal == (not there.differences)
    return there


def order(
    id: str,
    user: str = "ann@x.example",
    total: object = 1,
    labels: str = "[]",
    parent: str | None = None,
    remark: str = "",
) -> str:
    text = "NULL" if parent is None else f"'{parent}'"
    return (
        f"INSERT INTO orders VALUES ('{id}', '{user}', {total}, '{labels}', '{remark}', 'made {id}.', '{id}!', {text})"
    )


def test_generated_ids_may_be_swapped_between_two_rows() -> None:
    first = state(
        order("ORD-2", total=1),
        order("ORD-3", total=2),
        "INSERT INTO lines VALUES (2, 'ORD-2', 'pen', 1), (3, 'ORD-3', 'ink', 1)",
    )
    second = state(
        order("ORD-3", total=1),
        order("ORD-2", total=2),
        "INSERT INTO lines VALUES (3, 'ORD-3', 'pen', 1), (2, 'ORD-2', 'ink', 1)",
    )
    comparison = compared(first, second)
    assert comparison.equal
    assert comparison.renaming[("orders", "ORD-2")] == "ORD-3"


def test_a_foreign_key_to_the_other_generated_row_is_a_difference() -> None:
    first = state(order("ORD-2", total=1), order("ORD-3", total=2), "INSERT INTO lines VALUES (2, 'ORD-2', 'pen', 1)")
    second = state(order("ORD-2", total=1), order("ORD-3", total=2), "INSERT INTO lines VALUES (2, 'ORD-3', 'pen', 1)")
    comparison = compared(first, second)
    assert comparison.differences == ("lines 2: order_id 'ORD-2' / 'ORD-3'",)


def test_ids_of_the_initial_state_are_fixed() -> None:
    first = state("INSERT INTO lines VALUES (2, 'ORD-1', 'ink', 1)")
    second = state("UPDATE lines SET id = 9 WHERE id = 1", "INSERT INTO lines VALUES (1, 'ORD-1', 'ink', 1)")
    assert not compared(first, second).equal


def test_a_key_that_no_tool_generates_is_fixed() -> None:
    insert = "INSERT INTO users VALUES ('{}', 1, '[]')"
    assert not compared(state(insert.format("c@x.example")), state(insert.format("d@x.example"))).equal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("UPDATE users SET balance = 7", "UPDATE users SET balance = 7.0"),
        ("UPDATE users SET balance = 0.1 + 0.2", "UPDATE users SET balance = 0.3"),
        ("UPDATE users SET balance = 0.1 + 0.2 - 0.3", "UPDATE users SET balance = 0"),
        (
            """UPDATE users SET friends = '{"a": [1, 2], "b": 1.0}'""",
            """UPDATE users SET friends = '{"b":1,"a":[1,2]}'""",
        ),
        ("""UPDATE orders SET labels = '["x","y"]'""", """UPDATE orders SET labels = '["y","x"]'"""),
        ("UPDATE orders SET remark = 'as you wish'", "UPDATE orders SET remark = 'with pleasure'"),
        ("UPDATE orders SET remark = ' '", "UPDATE orders SET remark = NULL"),
        ("UPDATE orders SET trace = 'a'", "UPDATE orders SET trace = 'b'"),
        ("INSERT INTO autoforge_counters VALUES ('orders', 4)", "INSERT INTO autoforge_counters VALUES ('orders', 5)"),
        ("INSERT INTO autoforge_log(tool, arguments) VALUES ('t', '{}')", "DELETE FROM autoforge_log"),
        ("INSERT INTO watches VALUES ('ann@x.example', '[]')", "INSERT INTO watches VALUES ('ann@x.example', '[ ]')"),
    ],
)
def test_what_carries_no_meaning_is_no_difference(one: str, other: str) -> None:
    assert compared(state(one), state(other)) == (True, (), {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("UPDATE users SET balance = 7", "UPDATE users SET balance = 7.001"),
        ("UPDATE users SET friends = '[1, 2]'", "UPDATE users SET friends = '[2, 1]'"),
        ("UPDATE users SET friends = '[1]'", "UPDATE users SET friends = '[\"1\"]'"),
        ("""UPDATE orders SET labels = '["x","x"]'""", """UPDATE orders SET labels = '["x"]'"""),
        ("UPDATE orders SET remark = 'yes'", "UPDATE orders SET remark = NULL"),
        ("UPDATE orders SET history = ''", "UPDATE orders SET history = NULL"),
        (
            "UPDATE autoforge_clock SET now = '2026-01-02T00:00:00'",
            "UPDATE autoforge_clock SET now = '2026-01-01T00:00:00'",
        ),
        ("DELETE FROM lines", "UPDATE lines SET amount = 2"),
        (order("ORD-2"), "DELETE FROM watches"),
        ("INSERT INTO watches VALUES ('ann@x.example', '[]')", "DELETE FROM watches"),
    ],
)
def test_what_carries_meaning_is_a_difference(one: str, other: str) -> None:
    comparison = compared(state(one), state(other))
    assert not comparison.equal


def test_one_renaming_holds_in_json_and_in_texts_too() -> None:
    first = state(
        order("ORD-2", total=1),
        order("ORD-3", total=2),
        """INSERT INTO watches VALUES ('ann@x.example', '["ORD-2"]')""",
    )
    swapped = state(
        order("ORD-3", total=1),
        order("ORD-2", total=2),
        """INSERT INTO watches VALUES ('ann@x.example', '["ORD-3"]')""",
    )
    wrong = state(
        order("ORD-3", total=1),
        order("ORD-2", total=2),
        """INSERT INTO watches VALUES ('ann@x.example', '["ORD-2"]')""",
    )
    assert compared(first, swapped).equal
    assert not compared(first, wrong).equal


def test_an_answer_can_refuse_a_renaming_of_rows_that_look_alike() -> None:
    first, second = state(order("ORD-2"), order("ORD-3")), state(order("ORD-4"), order("ORD-5"))
    told = equal_states(INITIAL, first, second, MANIFEST, lambda renaming: renaming[("orders", "ORD-2")] == "ORD-5")
    assert told.equal and told.renaming[("orders", "ORD-3")] == "ORD-4"
    never = equal_states(INITIAL, first, second, MANIFEST, lambda renaming: False)
    assert never.differences == (
        "the states are equal, but under no renaming of generated ids that fits what was told",
    )


def test_a_ring_of_six_is_not_two_rings_of_three() -> None:
    def rings(*lengths: int) -> State:
        statements, start = [], 2
        for length in lengths:
            names = [f"ORD-{start + i}" for i in range(length)]
            statements += [order(n, parent=names[(i + 1) % length]) for i, n in enumerate(names)]
            start += length
        return state(*statements)

    assert compared(rings(3, 3), rings(3, 3)).equal
    comparison = compared(rings(6), rings(3, 3))
    assert comparison.differences == (
        "orders ORD-4: parent 'ORD-5' / 'ORD-2'",
        "orders ORD-7: parent 'ORD-2' / 'ORD-5'",
    )


def test_a_hundred_rows_alike_are_compared_at_once() -> None:
    first, second = (state(*(order(f"ORD-{n}") for n in range(start, start + 100))) for start in (2, 500))
    assert compared(first, second).equal


Line = tuple[int, str, int]
LINES = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["pen", "ink"]), st.integers(1, 2)), max_size=6)
TOTALS = st.lists(st.integers(1, 2), min_size=4, max_size=4)
PARENTS = st.lists(st.none() | st.integers(0, 3), min_size=4, max_size=4)


def built(
    totals: list[int], parents: list[int | None], lines: list[Line], names: list[str], numbers: list[int]
) -> list[str]:
    statements = [
        order(names[i], total=total, parent=None if parents[i] is None else names[parents[i] or 0])
        for i, total in enumerate(totals)
    ]
    statements += [
        f"INSERT INTO lines VALUES ({numbers[n]}, '{names[i]}', '{product}', {amount})"
        for n, (i, product, amount) in enumerate(lines)
    ]
    return [*statements, f"INSERT INTO watches VALUES ('bob@x.example', '{json.dumps([names[0], names[3]])}')"]


@settings(deadline=None, max_examples=60)
@given(
    TOTALS,
    PARENTS,
    LINES,
    st.permutations(range(2, 6)),
    st.permutations(range(10, 16)),
    st.randoms(use_true_random=False),
)
def test_any_renaming_of_generated_ids_in_any_order_is_equal(
    totals: list[int],
    parents: list[int | None],
    lines: list[Line],
    names: list[int],
    numbers: list[int],
    shuffler: random.Random,
) -> None:
    first = built(totals, parents, lines, [f"ORD-{n}" for n in range(2, 6)], list(range(10, 16)))
    second = built(totals, parents, lines, [f"ORD-{n}" for n in names], numbers)
    shuffler.shuffle(second)
    assert compared(state(*first), state(*second)).equal


DAMAGE = [
    "UPDATE orders SET total = total + 5 WHERE id = '{}'",
    "UPDATE orders SET user = 'bob@x.example' WHERE id = '{}'",
    "DELETE FROM orders WHERE id = '{}'",
    "INSERT INTO lines VALUES (99, '{}', 'ink', 1)",
    "INSERT INTO watches VALUES ('ann@x.example', '[\"{}\"]')",
    "UPDATE orders SET history = 'no longer {}' WHERE id = '{}'",
    "UPDATE orders SET id = 'ORD-1b' WHERE id = 'ORD-1'",
    "UPDATE users SET balance = balance + 1",
]


@settings(deadline=None, max_examples=60)
@given(TOTALS, PARENTS, LINES, st.permutations(range(2, 6)), st.sampled_from(DAMAGE), st.integers(0, 3))
def test_any_other_change_is_a_difference(
    totals: list[int], parents: list[int | None], lines: list[Line], names: list[int], damage: str, where: int
) -> None:
    first = built(totals, parents, lines, [f"ORD-{n}" for n in range(2, 6)], list(range(10, 16)))
    renamed = [f"ORD-{n}" for n in names]
    second = [*built(totals, parents, lines, renamed, list(range(20, 26))), damage.replace("{}", renamed[where])]
    assert not compared(state(*first), state(*second)).equal


def test_a_search_without_end_is_given_up_and_says_so() -> None:
    first, second = (state(*(order(f"ORD-{n}") for n in range(start, start + 8))) for start in (2, 50))
    comparison = equal_states(INITIAL, first, second, MANIFEST, lambda renaming: False)
    assert not comparison.equal
    assert "did not decide" in comparison.differences[0]


def test_a_thousand_rows_that_differ_are_told_in_a_moment() -> None:
    many = [order(f"ORD-{n}", total=n) for n in range(2, 1002)]
    comparison = equal_states(INITIAL, state(*many), INITIAL, MANIFEST)
    assert len(comparison.differences) == 12
    assert all(words.startswith("orders: only in the first") for words in comparison.differences)
