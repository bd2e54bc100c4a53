"""Looking columns up once for all tools finds what scoring every column for each tool would."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from autoforge.generator.conformance.columns import ColumnSearch, Match, _asked, _scores, touched_tables
from autoforge.mcp_envs.manifest import Column, ColumnKind, Effects, Table, ToolRecord

WORDS = ("user", "id", "name", "account", "order", "status", "email", "订单")
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("_".join)


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, Table]:
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    return {name: draw(tables(name, names)) for name in names}


@st.composite
def tables(draw: st.DrawFn, name: str, names: Sequence[str]) -> Table:
    columns = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    points = st.none() | st.sampled_from(names)
    made = tuple(Column(name=c, type="TEXT", kind=ColumnKind.VALUE, references=draw(points)) for c in columns)
    return Table(name=name, entity=draw(NAMES), key=(columns[0],), columns=made)


def of_every_column(name: str, record: ToolRecord, known: dict[str, Table]) -> list[Match]:
    near, best = touched_tables(record, known), dict[tuple[str, str], int]()
    for table in known.values():
        bonus = 20 if near and table.name == near[0] else 10 if table.name in near else 0
        for column, score in _scores(_asked(name), table, table.name == (near[0] if near else None), known):
            if score + bonus > best.get(column, 0):
                best[column] = score + bonus
    return sorted((Match(score, *column) for column, score in best.items()), key=lambda match: -match.score)


@given(worlds(), st.lists(st.tuples(NAMES, st.integers(0, 9)), min_size=1, max_size=6))
def test_the_columns_are_the_likeliest_of_all(known: dict[str, Table], asked: list[tuple[str, int]]) -> None:
    search = ColumnSearch(known)
    for name, number in asked:
        table = list(known.values())[number % len(known)]
        read = tuple(list(known)[: number % 2])
        record = ToolRecord(name="t", function="t", kind="get", entity=table.entity, effects=Effects(reads=read))
        assert search.columns_for(name, record) == of_every_column(name, record, known)
