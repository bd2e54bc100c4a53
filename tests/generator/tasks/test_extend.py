"""Look-alike rows: the schema takes them, they differ from what they are like, and the counters are ahead."""

from __future__ import annotations

import random
from typing import Any

import pytest

from autoforge.generator.tasks.builder import Setting
from autoforge.generator.tasks.extend import look_alikes
from autoforge.mcp_envs.containment import Call
from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Provenance, Table
from autoforge.mcp_envs.state import Contents, State

TABLES = ("agents", "tickets", "notes")


def added(setting: Setting, seed: int) -> dict[str, list[dict[str, Any]]]:
    """The rows that the statements of a seed add to the desk, by table."""
    before = setting.stage.start().state
    statements = look_alikes(before, setting.catalogue.manifest, TABLES, random.Random(seed))
    after = setting.stage.start(statements).state
    for table in TABLES:
        assert after[table].rows[: len(before[table].rows)] == before[table].rows
    return {t: after[t].records()[len(before[t].rows) :] for t in TABLES}


@pytest.mark.parametrize("seed", range(5))
def test_each_table_gets_one_to_three_rows_that_differ(setting: Setting, seed: int) -> None:
    before = setting.stage.start().state
    for table, rows in added(setting, seed).items():
        assert 1 <= len(rows) <= 3
        old = before[table].records()
        assert not {row["id"] for row in rows} & {row["id"] for row in old}
        columns = setting.catalogue.tables[table].columns
        kept = [c.name for c in columns if c.references or c.enum or c.kind == "clock"]
        for row in rows:
            assert any(all(row[c] == o[c] for c in kept) for o in old)
            assert all(any(row[c] != o[c] for c in row) for o in old)


@pytest.mark.parametrize("seed", range(3))
def test_generated_ids_go_on_behind_the_new_rows(setting: Setting, seed: int) -> None:
    statements = look_alikes(setting.stage.start().state, setting.catalogue.manifest, TABLES, random.Random(seed))
    start = setting.stage.start(statements)
    ids = {row["id"] for row in start.state["tickets"].records()}
    calls = [
        Call("open_ticket", {"customer_email": "a@mail.example", "subject": "new"}),
        Call("add_note", {"ticket_id": 1, "text": "new"}),
    ]
    opened, noted = setting.stage.run(start, calls).results
    assert opened.ok and opened.value["id"] not in ids
    assert noted.ok and noted.value["note_id"] not in {row["id"] for row in start.state["notes"].records()}


def test_names_by_which_people_tell_rows_apart_stay_unique(setting: Setting) -> None:
    for seed in range(5):
        rows, before = added(setting, seed), setting.stage.start().state
        for table, column in (("agents", "email"), ("agents", "name")):
            named = [row[column] for row in before[table].records()]
            assert not {row[column] for row in rows[table]} & set(named)


def test_chance_alone_decides_and_other_tables_are_left_alone(setting: Setting) -> None:
    state, manifest = setting.stage.start().state, setting.catalogue.manifest
    one, two, *others = (look_alikes(state, manifest, ("tickets",), random.Random(n)) for n in (1, 1, 2, 3, 4))
    assert one == two and len({one, *others}) > 1
    assert all("tickets" in statement for statement in one)
    assert look_alikes(state, manifest, (), random.Random(1)) == ()


def world(*rows: tuple[object, ...], singleton: bool = False) -> tuple[State, Manifest]:
    columns = (
        Column(name="code", type="TEXT", kind=ColumnKind.KEY),
        Column(name="title", type="TEXT", kind=ColumnKind.VALUE),
        Column(name="price", type="REAL", kind=ColumnKind.VALUE),
    )
    table = Table(name="items", entity="item", key=("code",), columns=columns, singleton=singleton)
    manifest = Manifest(name="w", tables=(table,), tools=(), provenance=Provenance(generator="hand", docs_digest=""))
    return {"items": Contents(("code", "title", "price"), rows)}, manifest  # type: ignore[arg-type]


def test_text_keys_count_on_with_their_prefix_and_width() -> None:
    state, manifest = world(("IT-008", "Don't", 10.0), ("IT-009", "Pen", 20.0), ("IT-010", "Ink", 30.0))
    statements = look_alikes(state, manifest, ("items",), random.Random(0))
    assert "'IT-011'" in statements[0] and statements[-1].startswith("UPDATE")


@pytest.mark.parametrize(
    ("rows", "singleton"),
    [((("red", "Red", 1.0), ("blue", "Blue", 2.0)), False), ((("IT-1", "Only", 1.0),), True), ((), False)],
)
def test_tables_that_cannot_have_twins_get_none(rows: tuple[tuple[object, ...], ...], singleton: bool) -> None:
    state, manifest = world(*rows, singleton=singleton)
    assert look_alikes(state, manifest, ("items",), random.Random(0)) == ()
