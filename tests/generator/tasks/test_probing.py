"""What calls on the seed tell of the desk's tools."""

from __future__ import annotations

import pytest

from autoforge.generator.tasks.builder import Setting
from autoforge.generator.tasks.catalogue import Catalogue, ColumnName
from autoforge.generator.tasks.probing import probe
from autoforge.generator.tasks.slots import replaced
from autoforge.mcp_envs.containment import Call

TICKET, AGENT = ColumnName("tickets", "id"), ColumnName("agents", "id")


@pytest.mark.parametrize(
    ("tool", "path", "role", "column"),
    [
        ("get_ticket", ("ticket_id",), "reference", TICKET),
        ("assign_ticket", ("ticket_id",), "reference", TICKET),
        ("assign_ticket", ("agent_id",), "reference", AGENT),
        ("add_note", ("ticket_id",), "reference", TICKET),
        ("add_note", ("text",), "value", ColumnName("notes", "text")),
        ("resolve_ticket", ("resolution",), "value", ColumnName("tickets", "resolution")),
        ("open_ticket", ("customer_email",), "value", ColumnName("tickets", "customer_email")),
        ("open_ticket", ("subject",), "value", ColumnName("tickets", "subject")),
        ("open_ticket", ("priority",), "value", ColumnName("tickets", "priority")),
        ("open_ticket", ("tags", 0), "value", ColumnName("tickets", "tags")),
        ("search_tickets", ("status",), "filter", ColumnName("tickets", "status")),
        pytest.param("search_tickets", ("tag",), "filter", ColumnName("tickets", "tags")),
        ("search_tickets", ("limit",), "control", None),
        ("search_tickets", ("sort_by",), "control", None),
        ("list_agents", ("team",), "filter", ColumnName("agents", "team")),
        ("list_agents", ("on_duty",), "filter", ColumnName("agents", "on_duty")),
    ],
)
def test_a_slot_has_the_role_and_the_column_that_it_was_seen_in(
    catalogue: Catalogue, tool: str, path: tuple[str | int, ...], role: str, column: ColumnName | None
) -> None:
    slot = catalogue.tools[tool].slot(path)
    assert slot is not None and (slot.role, slot.column) == (role, column)


def test_every_documented_parameter_has_a_slot_and_required_is_what_the_documentation_says(
    catalogue: Catalogue,
) -> None:
    for tool in catalogue.tools.values():
        schema = tool.document["inputSchema"]
        assert {slot.parameter for slot in tool.slots} == set(schema["properties"])
        assert {slot.parameter for slot in tool.slots if slot.required} == set(schema["required"])


def test_rows_that_outputs_show_are_known_by_table(catalogue: Catalogue) -> None:
    rows = {name: {r.path: r.table for r in tool.rows} for name, tool in catalogue.tools.items()}
    assert rows["list_agents"] == {"$.agents[*]": "agents"}
    assert rows["search_tickets"] == {"$.tickets[*]": "tickets"}
    assert rows["get_ticket"] == {"$": "tickets", "$.notes[*]": "notes"}
    assert rows["add_note"] == {"$": "notes"}
    [note] = catalogue.tools["add_note"].rows
    assert note.fields == {"id": "note_id", "ticket_id": "ticket_id"}
    assert [f.path for f in catalogue.tools["search_tickets"].fields] == ["$.total"]


def test_samples_are_calls_that_succeed_with_just_that_output(setting: Setting, catalogue: Catalogue) -> None:
    stage = setting.stage
    for tool in catalogue.tools.values():
        assert tool.samples
        for sample in tool.samples[:2]:
            [result] = stage.run(stage.start(), [Call(tool.name, sample.arguments)]).results
            assert result.ok and result.value == sample.value


def test_what_a_column_holds_comes_from_the_end_of_its_foreign_keys(catalogue: Catalogue) -> None:
    assert catalogue.domain(ColumnName("notes", "ticket_id")) == TICKET
    assert catalogue.domain(ColumnName("tickets", "agent_id")) == AGENT
    assert catalogue.domain(ColumnName("tickets", "subject")) == ColumnName("tickets", "subject")


def test_probing_again_finds_the_same(setting: Setting, catalogue: Catalogue) -> None:
    assert probe(setting.stage, seed=0) == catalogue


def test_a_value_is_put_in_the_place_of_another_and_nothing_else_changes() -> None:
    arguments = {"a": {"list": [{"x": 1}, {"x": 2}]}, "b": 3}
    assert replaced(arguments, ("a", "list", 0, "x"), 9) == {"a": {"list": [{"x": 9}, {"x": 2}]}, "b": 3}
    assert arguments == {"a": {"list": [{"x": 1}, {"x": 2}]}, "b": 3}
