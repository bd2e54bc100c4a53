"""Rows that two states share cancel without changing any verdict: the quick way against the full one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.mcp_envs import equality
from autoforge.mcp_envs.equality import equal_states
from autoforge.mcp_envs.manifest import ColumnKind, Table
from autoforge.mcp_envs.remainder import HeldIds, remainder
from autoforge.mcp_envs.renaming import Part
from autoforge.mcp_envs.state import Contents, State
from tests.mcp_envs.test_equality import INITIAL, MANIFEST, column, order, state


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
