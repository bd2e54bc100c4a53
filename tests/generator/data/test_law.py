"""The law of `--data`: whatever goes in comes out of the database equal."""

from __future__ import annotations

import json
import math
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autoforge.generator.data import read_data, restore
from autoforge.generator.data.restore import rows_of
from autoforge.generator.data.sample import Row
from autoforge.generator.emit.schema import schema_sql
from autoforge.generator.ir import World
from autoforge.generator.seed.sql import seed_sql
from autoforge.mcp_envs.errors import BadInput

_TELLING = [
    "U1",
    "U2",
    "U3",
    "A",
    "open",
    "closed",
    "2024-01-01",
    "2024-01-01 10:00:00",
    "2024-01-01T10:00:00Z",
    "10:30",
]
_NAMES = [
    "id",
    "name",
    "user_id",
    "users",
    "orders",
    "items",
    "status",
    "value",
    "position",
    "entry",
    "MA(5)",
    "x y",
    "Id",
]

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(0, 4),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(0, 4).map(float),
    text,
    st.sampled_from(_TELLING),
)
keys = st.one_of(st.sampled_from(_NAMES + _TELLING), text)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=25,
)
lines = st.lists(
    st.fixed_dictionaries(
        {"sku": st.sampled_from("ab")},
        optional={"n": st.integers(0, 3), "parts": st.lists(st.dictionaries(keys, scalars, max_size=2), max_size=2)},
    ),
    max_size=3,
)
records = st.fixed_dictionaries(
    {"id": st.integers(1, 9)},
    optional={
        "name": scalars,
        "parent_id": st.integers(1, 9),
        "user_id": st.sampled_from(["U1", "U2", 1, 2]),
        "tags": st.lists(scalars, max_size=2),
        "address": st.one_of(st.none(), st.dictionaries(keys, scalars, max_size=3)),
        "lines": st.one_of(st.none(), lines),
        "by_user": st.dictionaries(st.sampled_from(["U1", "U2", "A"]), anything, max_size=3),
    },
)
tables = st.one_of(st.lists(records, max_size=4), st.dictionaries(keys, records, max_size=4), scalars)
documents = st.one_of(
    anything.filter(lambda v: isinstance(v, dict | list)),
    st.lists(records, min_size=1, max_size=5),
    st.dictionaries(keys, tables, min_size=1, max_size=5),
    st.dictionaries(
        keys, st.dictionaries(keys, st.lists(anything, min_size=1, max_size=3), max_size=3), min_size=1, max_size=3
    ),
)


def canonical(value: Any) -> str:
    """Equal only for equal JSON: 1, 1.0, true and -0.0 differ, the order of keys does not matter."""
    return json.dumps(value, sort_keys=True)


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(document=documents)
@example(document={"a": [-0.0, 1, 2.5, None]})
@example(document={"a": [{"x": 2**63}, {"x": "\0"}, {"x": 1.0}, {}]})
@example(document=[{"id": 1, "parent_id": 2}, {"id": 2, "parent_id": 1}])
@example(document={"users": {"U1": {"friend": "U2"}, "U2": {"friend": "U1"}}})
@example(document=[{"v": 5e-324}, {"v": -6.5899675253221426e-307}, {"v": 1.7976931348623157e308}])
def test_any_json_document_comes_out_of_the_database_as_it_went_in(
    document: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("law") / "users.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    try:
        sample = read_data([path])
    except BadInput as error:
        assert "nothing that could be a table" in str(error)
        return
    world = World(name="law", entities=sample.entities, operations=())
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        connection.executescript(schema_sql(world))
        connection.executescript(seed_sql(world, sample.rows))
        restored = restore(sample, connection)
    assert canonical(restored) == canonical({"users.json": document})
    assert canonical(restore(sample, sample.rows)) == canonical({"users.json": document})


decimals = st.builds(lambda n, p: f"{n / 10**p:.{p}f}", st.integers(-(10**8), 10**8), st.integers(0, 4))
cells = st.one_of(
    st.just(""),
    text.filter(lambda t: "\0" not in t),
    st.sampled_from([*_TELLING, "true", "false", "007", "1e5", "-0", "-0.0"]),
    decimals,
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(rows=st.lists(st.tuples(cells, decimals, st.sampled_from(["true", "false", ""])), min_size=1, max_size=6))
def test_any_csv_cell_comes_out_as_the_text_it_was(
    rows: list[tuple[str, ...]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("law") / "sales.csv"
    written = [
        ",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in [("what", "price", "paid"), *rows]
    ]
    path.write_text("\r\n".join(written), encoding="utf-8", newline="")
    sample = read_data([path])
    world = World(name="law", entities=sample.entities, operations=())
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema_sql(world) + seed_sql(world, sample.rows))
        assert restore(sample, connection) == {
            "sales.csv": [dict(zip(("what", "price", "paid"), row, strict=True)) for row in rows]
        }


def test_values_come_from_the_database_and_not_from_the_recipe(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text('{"tasks": {"task_1": {"task_id": "task_1", "title": "old", "hours": 1}}}', encoding="utf-8")
    sample = read_data([path])
    rows: dict[str, list[Row]] = {"task": [{"task_id": "task_2", "title": "new", "hours": 7}]}
    assert restore(sample, rows) == {
        "data.json": {"tasks": {"task_2": {"task_id": "task_2", "title": "new", "hours": 7}}}
    }


def test_rows_that_a_tool_adds_come_last_in_a_restored_list(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text('[{"id": 9, "name": "a"}, {"id": 3, "name": "b"}]', encoding="utf-8")
    sample = read_data([path])
    (entity,) = sample.entities
    added: Row = {"id": 4, "name": "c", "position": None}
    restored = restore(sample, {entity.name: [added, *sample.rows[entity.name]]})
    assert restored == {"data.json": [{"id": 9, "name": "a"}, {"id": 3, "name": "b"}, {"id": 4, "name": "c"}]}


def test_a_connection_with_converters_and_row_factory_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    document = {"flags": [{"id": 1, "on": True, "tags": ["a"], "day": "2024-01-01"}], "ratio": 1.0}
    path.write_text(json.dumps(document), encoding="utf-8")
    sample = read_data([path])
    world = World(name="law", entities=sample.entities, operations=())
    with closing(sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES)) as connection:
        connection.row_factory = sqlite3.Row
        connection.executescript(schema_sql(world) + seed_sql(world, sample.rows))
        assert rows_of(sample, connection)["flag"] == [{"id": 1, "on": True, "tags": ["a"], "day": "2024-01-01"}]
        assert canonical(restore(sample, connection)) == canonical({"data.json": document})


def test_negative_zero_keeps_its_sign(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text('{"shift": -0.0}', encoding="utf-8")
    sample = read_data([path])
    (value,) = [d["shift"] for d in restore(sample, sample.rows).values() if isinstance(d, dict)]
    assert isinstance(value, float) and math.copysign(1, value) == -1
