"""Contents for new rows: of the schema, agreeing with each other, the same for the same seed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from autoforge.generator.conformance.subject import Tool
from autoforge.generator.tasks.builder import Setting
from autoforge.generator.tasks.catalogue import Catalogue, ColumnName, Slot, ToolModel
from autoforge.generator.tasks.fresh_values import FreshValues
from autoforge.generator.tasks.interpreter import resolve
from autoforge.generator.tasks.slots import compose, places
from autoforge.mcp_envs.manifest import Manifest, Provenance, ToolRecord
from autoforge.mcp_envs.state import Contents
from autoforge.mcp_envs.task import Literally

DRAWS = 40
WIDE = {
    "type": "object",
    "properties": {
        "email": {"type": "string", "format": "email"},
        "first_name": {"type": "string", "maxLength": 12},
        "age": {"type": "integer", "minimum": 18, "maximum": 65},
        "price": {"type": "number", "minimum": 0},
        "size": {"type": "string", "enum": ["S", "M", "L"]},
        "active": {"type": "boolean"},
        "start_date": {"type": "string", "format": "date"},
        "end_date": {"type": "string", "format": "date"},
        "code": {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"},
    },
    "required": ["email", "first_name", "age", "price", "size", "active", "start_date", "end_date", "code"],
    "additionalProperties": False,
}


def accepted(tool: Tool, row: dict[tuple[str | int, ...], Any]) -> bool:
    arguments = {n: resolve(s, {}, {}) for n, s in compose({p: Literally(literal=v) for p, v in row.items()}).items()}
    return tool.accepts(arguments) and tool.input_validator.is_valid(arguments)


@pytest.fixture(scope="module")
def wide() -> tuple[Tool, FreshValues]:
    """A tool with every kind of parameter, over no table."""
    record = ToolRecord(name="make", function="make", kind="create", entity="customer")
    document = {"name": "make", "inputSchema": WIDE}
    tool = Tool(document, record, ())
    slots = tuple(Slot(p.path, p.schema, p.required, "value") for p in places(tool))
    model = ToolModel("make", record, document, slots, (), ())
    manifest = Manifest(
        name="none", tables=(), tools=(record,), provenance=Provenance(generator="hand", docs_digest="")
    )
    clock = {"autoforge_clock": Contents(("now",), (("2026-03-02T09:00:00",),))}
    return tool, FreshValues(Catalogue(manifest, {"make": model}), clock, 0)


def test_values_are_of_the_schema(wide: tuple[Tool, FreshValues]) -> None:
    tool, values = wide
    rows = [values.row("make", random.Random(n)) for n in range(DRAWS)]
    assert all(accepted(tool, row) for row in rows)
    assert len({str(row) for row in rows}) > DRAWS / 4


def test_values_of_a_row_agree(wide: tuple[Tool, FreshValues]) -> None:
    _, values = wide
    for n in range(DRAWS):
        row = values.row("make", random.Random(n))
        assert row[("start_date",)] <= row[("end_date",)]


def test_the_desks_values_are_taken_by_its_server(setting: Setting) -> None:
    for name in ("open_ticket", "add_note", "resolve_ticket"):
        tool = setting.tools[name]
        for n in range(DRAWS):
            row = setting.fresh.row(name, random.Random(n))
            assert set(row) == {s.path for s in setting.catalogue.tools[name].slots if s.role in ("value", "filter")}
            rest: dict[tuple[str | int, ...], Any] = {("ticket_id",): 1} if name != "open_ticket" else {}
            assert accepted(tool, {**rest, **row}), row


def test_the_same_seed_and_chance_give_the_same_row_and_another_seed_others(setting: Setting) -> None:
    state = setting.stage.start().state
    one, two, other = (FreshValues(setting.catalogue, state, seed) for seed in (0, 0, 1))
    drawn = [[v.row("open_ticket", random.Random(n)) for n in range(10)] for v in (one, two, other)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_stored_values_are_those_of_the_column_once_each(setting: Setting) -> None:
    stored = setting.fresh.stored(ColumnName("tickets", "agent_id"))
    assert sorted(stored) == [1, 2, 4, 5]
    assert setting.fresh.stored(None) == setting.fresh.stored(ColumnName("nowhere", "x")) == []
