"""Equality of final states: what may differ and what may not."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.mcp_envs import equality
from autoforge.mcp_envs.equality import Comparison, equal_states
from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Provenance, Table
from autoforge.mcp_envs.remainder import HeldIds, remainder
from autoforge.mcp_envs.renaming import Part
from autoforge.mcp_envs.state import Contents, State, dump

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


def whole(first: State, second: State, held: HeldIds) -> tuple[State, State]:
    """Nothing cancels: every row is compared."""
    return first, second


IDS = st.sampled_from(["ORD-1", "ORD-2", "ORD-3", "X1", "zz"])
NUMBERS = st.sampled_from([1, 2, 3, 10, 2.0, 2.5, None])
JSON_TEXTS = st.sampled_from([
    "[]", '["ORD-2"]', '["ORD-1", "X1"]', "[2]", "[2.0, 10]", "[2e0]", "[20e-1, 1]", "[true]", "[1.99999999999999]",
    '["\\u004fRD-2"]', '{"ORD-3": "see X1"}', "not json ORD-2", "[12]", "2",
])  # fmt: skip
PROSE = st.sampled_from(["", "made ORD-2.", "XORD-2", "see X1 and ORD-3", "2", "zz"])
ORDER_ROWS = st.tuples(
    IDS, st.sampled_from(["ann@x.example", "ORD-2"]), NUMBERS, JSON_TEXTS, PROSE, PROSE, PROSE, st.none() | IDS
)
LINE_ROWS = st.tuples(st.sampled_from([1, 2, 3, 10]), IDS, PROSE, NUMBERS)
WATCH_ROWS = st.tuples(IDS, JSON_TEXTS)
MENTION_ROWS = st.tuples(st.sampled_from([1, 2, 3]), NUMBERS | JSON_TEXTS)
MENTIONS = Table(
    name="mentions",
    entity="mention",
    key=("id",),
    columns=(column("id", ColumnKind.SURROGATE), column("lines", type="JSON", references="lines")),
)
WIDE = MANIFEST.model_copy(update={"tables": (*MANIFEST.tables, MENTIONS)})


@st.composite
def three_states(draw: st.DrawFn) -> tuple[State, State, State]:
    """An initial state and two that share most of its rows."""
    shapes = {"orders": ORDER_ROWS, "lines": LINE_ROWS, "watches": WATCH_ROWS, "mentions": MENTION_ROWS}
    made: list[dict[str, Contents]] = [{}, {}, {}]
    for table in WIDE.tables[1:]:
        columns = tuple(column.name for column in table.columns)
        rows = draw(st.lists(shapes[table.name], max_size=4))
        for each in made:
            more = draw(st.lists(shapes[table.name], max_size=2)) if each is not made[0] or draw(st.booleans()) else []
            kept = [row for row in rows if each is made[0] or draw(st.integers(0, 4))]
            each[table.name] = Contents(columns, tuple(draw(st.permutations([*kept, *more]))))
    return made[0], made[1], draw(st.sampled_from([made[2], made[1]]))


@settings(deadline=None, max_examples=300)
@given(three_states())
def test_cancelling_rows_never_changes_a_verdict(states: tuple[State, State, State]) -> None:
    initial, first, second = states
    quick = equal_states(initial, first, second, WIDE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equality, "remainder", whole)
        full = equal_states(initial, first, second, WIDE)
    assert quick.equal == full.equal
    assert set(quick.renaming) == set(full.renaming)
    assert bool(quick.differences) == bool(full.differences)


def rows_with_ids(initial: State, first: State, second: State, *, cancelling: bool) -> list[Counter[Part]]:
    """The rows of both states that the search for a renaming gets and that hold generated ids."""
    got: list[list[Part]] = []

    def noted(one: list[Part], two: list[Part], accept: Any) -> None:
        got.extend((one, two))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equality, "search", noted)
        if not cancelling:
            patch.setattr(equality, "remainder", whole)
        equal_states(initial, first, second, WIDE)
    return [Counter(part for part in parts if "Id(" in repr(part)) for parts in got]


@settings(deadline=None, max_examples=300)
@given(three_states())
def test_no_row_that_holds_a_generated_id_cancels(states: tuple[State, State, State]) -> None:
    assert rows_with_ids(*states, cancelling=True) == rows_with_ids(*states, cancelling=False)


@pytest.mark.parametrize("cell", [
    "[2]", "[2.0]", "[2e0]", "[20e-1]", "[1.99999999999999]", '{"a": [10, 2]}', "2", 2, 2.0, 1.99999999999999,
    "[true]", "[2.5]", '["zz"]', '["\\u007az"]', '{"zz": 1}', '["see ORD-9 there"]', "no json ORD-9",
])  # fmt: skip
def test_a_shared_row_with_an_id_in_any_spelling_is_kept(cell: Any) -> None:
    """Ids made: lines 1 (in JSON also `true`), 2, 2.5 and `zz`; order `ORD-9`."""
    none = {t.name: Contents(tuple(c.name for c in t.columns), ()) for t in WIDE.tables}
    made = none | {
        "lines": Contents(none["lines"].columns, tuple((id, None, "pen", 1) for id in (1, 2, 2.5, "zz"))),
        "orders": Contents(none["orders"].columns, (("ORD-9", None, 1, "[]", "", "", "", None),)),
    }
    for ids in ([1, 2, 2.5, "zz"], [1, 2, "zz"], ["zz"]):
        lines = tuple(row for row in made["lines"].rows if row[0] in ids)
        mentions = Contents(none["mentions"].columns, ((7, cell), (8, "[3]")))
        states = made | {"lines": Contents(none["lines"].columns, lines), "mentions": mentions}
        initial = none | {"mentions": mentions}
        full = rows_with_ids(initial, states, states, cancelling=False)
        assert rows_with_ids(initial, states, states, cancelling=True) == full
        assert 2.5 not in ids or any(part.table == "mentions" for part in full[0]) or cell == "no json ORD-9"


def test_rows_that_both_states_share_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    quick = remainder

    def counted(first: State, second: State, held: HeldIds) -> tuple[State, State]:
        rest = quick(first, second, held)
        seen.extend(len(contents.rows) for state in rest for contents in state.values())
        return rest

    monkeypatch.setattr(equality, "remainder", counted)
    first = state(order("ORD-2"), "INSERT INTO lines VALUES (2, 'ORD-2', 'ink', 1)")
    assert equal_states(INITIAL, first, state("UPDATE users SET balance = 1 WHERE balance = 10"), MANIFEST).differences
    assert sum(seen) == 4  # the order, its line, and the user before and after


def test_a_thousand_rows_that_differ_are_told_in_a_moment() -> None:
    many = [order(f"ORD-{n}", total=n) for n in range(2, 1002)]
    comparison = equal_states(INITIAL, state(*many), INITIAL, MANIFEST)
    assert len(comparison.differences) == 12
    assert all(words.startswith("orders: only in the first") for words in comparison.differences)
