"""Effects are measured, and nothing that a function can write escapes."""

from __future__ import annotations

import ast

import pytest

from autoforge.generator.documents import read_documents
from autoforge.generator.emit import tools_py
from autoforge.generator.emit.code import function_names
from autoforge.generator.ir import World, effects_of
from autoforge.generator.llm_synthesis.answers import StructureAnswer
from autoforge.generator.llm_synthesis.effects import Measured, effect_steps, measure
from autoforge.generator.llm_synthesis.structure import world_of
from autoforge.generator.rules.synthesize import synthesize
from tests.generator.llm_synthesis.conftest import HERE

EMPTY = World(name="empty", entities=(), operations=())


def _rooms() -> World:
    text = (HERE / "recordings" / "meeting_rooms" / "structure.json").read_text(encoding="utf-8")
    return world_of(EMPTY, StructureAnswer.model_validate_json(text))


def _measured(*lines: str) -> Measured:
    return measure(_rooms(), "def tool(db, *, a=None):\n" + "".join(f"    {line}\n" for line in lines), "tool")


def test_sql_that_is_spelled_out_is_measured_exactly() -> None:
    found = _measured('db.run("UPDATE bookings SET ends = ? WHERE room IN (SELECT code FROM rooms)", a)')
    assert found == Measured(
        frozenset({"bookings", "rooms"}), frozenset(), frozenset({("bookings", "ends")}), frozenset(), ()
    )


@pytest.mark.parametrize(
    "lines",
    [
        ['sql = "UPDATE bookings SET "', 'sql += "status = ?, title = ?" if a else "title = ?"', "db.run(sql, a)"],
        ['table = "bookings"', 'db.run("UPDATE " + table + " SET status = ?, title = ? WHERE number = 1", a, a)'],
        ['db.run(f"UPDATE {\'bookings\'} SET status = ?, title = ?", a, a)'],
    ],
)  # fmt: skip
def test_sql_in_pieces_counts_whatever_the_pieces_mention(lines: list[str]) -> None:
    assert {("bookings", "status"), ("bookings", "title")} <= _measured(*lines).updates


def test_an_upsert_creates_and_updates() -> None:
    found = _measured(
        'db.run("INSERT INTO employees VALUES (?, ?) ON CONFLICT (email) DO UPDATE SET name = ?", a, a, a)'
    )
    assert found.creates == {"employees"}
    assert found.updates == {("employees", "name")}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('db.all("SELECT price FROM rooms")', "no such column: price"),
        ('db.all("SELECT code FROM rooms WHERE code = ?")', "it has 1 `?`, but 0 values are given"),
        ('db.run("DELETE FROM rooms; DELETE FROM bookings")', "one statement at a time"),
        ('db.run("SELEC 1")', "syntax error"),
    ],
)
def test_sql_that_does_not_fit_the_tables_is_a_fault(line: str, fault: str) -> None:
    assert fault in _measured(line).faults[0]


def test_measuring_runs_nothing() -> None:
    assert not _measured('db.run("INSERT INTO employees VALUES (1/0, abs(-9223372036854775808))")').faults


@pytest.mark.parametrize("name", ["plant_nursery", "meeting_rooms"])
def test_what_is_measured_of_the_rules_code_is_what_their_steps_say(name: str) -> None:
    world = synthesize(read_documents([HERE / "documents" / f"{name}.json"]), name=name)
    module, names = tools_py(world), function_names(world)
    tables = {e.name: e.table for e in world.entities}
    assert ast.parse(module)
    for operation in world.operations:
        told, found = effects_of(operation), measure(world, module, names[operation.tool])
        assert found.creates == {tables[e] for e in told.creates}, operation.tool
        assert found.updates == {(tables[e], c) for e, c in told.updates}, operation.tool
        assert found.deletes == {tables[e] for e in told.deletes}, operation.tool


def test_steps_carry_the_measured_effects() -> None:
    world = _rooms()
    found = measure(
        world, 'def tool(db):\n    db.run("UPDATE rooms SET seats = 1")\n    db.run("DELETE FROM defects")\n', "tool"
    )
    operation = synthesize(read_documents([HERE / "documents" / "meeting_rooms.json"]), name="m").operations[0]
    told = effects_of(operation.model_copy(update={"steps": effect_steps(world, found)}))
    assert told.updates == {("room", "seats")}
    assert told.deletes == {"defect"}
    assert not told.creates
