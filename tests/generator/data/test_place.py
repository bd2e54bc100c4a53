"""Tools' properties mapped onto the data, and the report of what has no counterpart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autoforge.generator.data import DataSample, Placement, place
from autoforge.generator.documents.model import Documentation, ToolDocument

Sampler = Callable[..., DataSample]
TEXT, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
DESK = {
    "ticket_queue": [
        {
            "id": 7,
            "title": "Printer",
            "status": "Open",
            "priority": "High",
            "user_id": "USR001",
            "opened_on": "2026-01-02",
        },
        {"id": 9, "title": "Screen", "status": "In Progress", "priority": "Low", "user_id": "USR002"},
    ],
    "user_map": {"John": "USR001", "Jane": "USR002"},
    "stocks": {"AAPL": {"price": 1.5, "volume": 2.5}, "GOOG": {"price": 3.5, "volume": 4.5}},
    "colours": {"RED1": {"hex": "f00", "pigment": "iron"}, "RED2": {"hex": "e00", "pigment": "lead"}},
}


def tool(name: str, parameters: dict[str, Any], outputs: dict[str, Any] | None = None) -> ToolDocument:
    closed = {"type": "object", "properties": parameters, "required": [], "additionalProperties": False}
    output = None if outputs is None else {"type": "object", "properties": outputs}
    return ToolDocument(
        name=name, original_name=name, input_schema=closed, output_schema=output, format="test", source="test"
    )


@pytest.fixture
def placement(sample_of: Sampler) -> Placement:
    tools = (
        tool("get_ticket", {"ticket_id": INTEGER}, {"id": INTEGER, "title": TEXT, "status": TEXT}),
        tool("update_ticket", {"ticket": INTEGER, "new_status": {**TEXT, "enum": ["Open", "Closed"]}, "remark": TEXT}),
        tool("send", {"receiver_id": TEXT, "user_name": TEXT}),
        tool("get_user_id", {"user": {**TEXT, "description": "User name of the user."}}, {"user_id": TEXT}),
        tool(
            "filter_stocks",
            {"min_price": NUMBER, "max_price": NUMBER, "stocks": {"type": "array", "items": TEXT}},
            {"status": TEXT},
        ),
        tool("list_ticket_queue", {"opened_from": TEXT, "page": INTEGER, "urgency": {**TEXT, "enum": ["High", "Low"]}}),
        tool(
            "list_tickets",
            {},
            {"tickets": {"type": "array", "items": {"type": "object", "properties": {"title": TEXT, "owner": TEXT}}}},
        ),
    )
    return place(sample_of(DESK), Documentation(tools=tools))


@pytest.mark.parametrize(
    ("name", "path", "entity", "column"),
    [
        ("get_ticket", "ticket_id", "ticket", "id"),
        ("update_ticket", "ticket", "ticket", "id"),
        ("update_ticket", "new_status", "ticket", "status"),
        ("send", "receiver_id", "user", "user_id"),
        ("send", "user_name", "user", "name"),
        ("get_user_id", "user", "user", "name"),
        ("list_ticket_queue", "opened_from", "ticket", "opened_on"),
        ("list_ticket_queue", "urgency", "ticket", "priority"),
        ("filter_stocks", "min_price", "stock", "price"),
        ("filter_stocks", "stocks", "stock", "symbol"),
    ],
)
def test_a_parameter_finds_its_column(placement: Placement, name: str, path: str, entity: str, column: str) -> None:
    match = placement.of(name, path)
    assert match is not None
    assert (match.best.entity, match.best.column) == (entity, column)
    assert match.best.reason


def test_outputs_are_matched_down_to_the_items_of_their_lists(placement: Placement) -> None:
    rows, title = (
        placement.of("list_tickets", "tickets", "output"),
        placement.of("list_tickets", "tickets[].title", "output"),
    )
    assert rows is not None and (rows.best.entity, rows.best.column) == ("ticket", None)
    assert title is not None and (title.best.entity, title.best.column) == ("ticket", "title")


def test_a_vague_name_means_a_column_only_where_the_tool_speaks_of_its_table(placement: Placement) -> None:
    assert placement.of("get_ticket", "status", "output") is not None
    assert placement.of("filter_stocks", "status", "output") is None


def test_the_report_names_tables_columns_and_properties_without_counterpart(placement: Placement) -> None:
    told = {u.where: (u.kind, u.sentence) for u in placement.unplaced}
    assert told["colours"] == ("table", "Table colours (2 rows): no tool names it or a column of it.")
    assert told["stocks"] == ("column", "Table stocks: no tool takes or returns volume.")
    assert told["list_tickets.tickets[].owner"][0] == "output"
    assert told["update_ticket.remark"][0] == "parameter"
    assert "get_ticket.ticket_id" not in told
    assert "list_ticket_queue.page" not in told


def test_values_that_the_documentation_does_not_allow_are_reported(placement: Placement) -> None:
    (contradiction,) = [u for u in placement.unplaced if u.kind == "value"]
    assert contradiction.where == "ticket_queue.status"
    assert (
        "'In Progress', which update_ticket.new_status does not document ('Open', 'Closed')" in contradiction.sentence
    )


def test_a_text_key_documented_as_a_number_is_reported(sample_of: Sampler) -> None:
    sample = sample_of({"orders": [{"order_id": "ORD-1", "total": 3}]})
    report = place(sample, Documentation(tools=(tool("get_order", {"order_id": INTEGER}),)))
    assert [u.sentence for u in report.unplaced if u.kind == "value"] == [
        "orders.order_id holds texts such as 'ORD-1', but get_order.order_id is documented as integer."
    ]
