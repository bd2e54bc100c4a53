"""Rows of tables found in outputs made by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from autoforge.generator.tasks.catalogue import RowSet
from autoforge.generator.tasks.row_sets import RowFinder, fields_of, type_of_value
from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Provenance, Table
from autoforge.mcp_envs.paths import extract
from autoforge.mcp_envs.state import Contents, State


def table(name: str, entity: str, *columns: str, singleton: bool = False, **references: str) -> Table:
    made = [Column(name=c, type="TEXT", kind=ColumnKind.VALUE, references=references.get(c)) for c in columns]
    return Table(name=name, entity=entity, key=(columns[0],), columns=tuple(made), singleton=singleton)


MANIFEST = Manifest(
    name="shop",
    tables=(
        table("customers", "customer", "customer_id", "full_name", "city"),
        table("orders", "order", "order_id", "customer_id", "total", "status", "lines", customer_id="customers"),
        table("settings", "setting", "setting_id", "currency", "opening_hours", singleton=True),
    ),
    tools=(),
    provenance=Provenance(generator="hand", docs_digest=""),
)
STATE: State = {
    "customers": Contents(
        ("customer_id", "full_name", "city"), (("C1", "Ada Brandt", "Bonn"), ("C2", "Luis Prado", "Lima"))
    ),
    "orders": Contents(
        ("order_id", "customer_id", "total", "status", "lines"),
        (
            ("O1", "C1", 40.5, "paid", '["pen"]'),
            ("O2", "C2", 12, "open", '["ink", "pad"]'),
            ("O3", "C1", 7, "open", "[]"),
        ),
    ),
    "settings": Contents(("setting_id", "currency", "opening_hours"), ((1, "EUR", "nine to five"),)),
}


def found(*outputs: Any, given: Mapping[str, Any] | None = None) -> dict[str, RowSet]:
    sets = RowFinder(MANIFEST).row_sets(outputs, [given or {}] * len(outputs), [STATE] * len(outputs))
    assert len({s.path for s in sets}) == len(sets)
    return {s.path: s for s in sets}


def order(place: int) -> dict[str, Any]:
    row = STATE["orders"].records()[place]
    return {**row, "lines": json.loads(str(row["lines"]))}


def test_rows_under_their_keys_are_a_list_of_rows_and_no_fields() -> None:
    output = {"orders": {"O1": order(0), "O2": order(1)}, "count": 2}
    sets = found(output)
    assert set(sets) == {"$.orders[*]"} and sets["$.orders[*]"].many
    assert extract(output, "$.orders[*].total") == [40.5, 12] == extract(output, "$.orders[*]['total']")
    assert [f.path for f in fields_of([output], list(sets.values()))] == ["$.count"]


def test_an_object_whose_names_are_no_data_is_no_list() -> None:
    sets = found({"first": order(0), "second": order(1)})
    assert set(sets) == {"$.first", "$.second"} and not any(s.many for s in sets.values())


def test_a_list_of_rows_is_a_row_set_with_its_columns_and_types() -> None:
    sets = found({"orders": [order(0), order(1)], "count": 2})
    assert set(sets) == {"$.orders[*]"}
    rows = sets["$.orders[*]"]
    assert rows.table == "orders" and rows.many
    assert rows.fields == {name: name for name in ("order_id", "customer_id", "total", "status", "lines")}
    assert rows.types == {
        "order_id": "text",
        "customer_id": "text",
        "total": "number",
        "status": "text",
        "lines": "list",
    }


def test_names_in_another_style_are_the_same_columns() -> None:
    sets = found([{"id": "C1", "fullName": "Ada Brandt", "city": "Bonn"}])
    assert sets["$[*]"].table == "customers"
    assert sets["$[*]"].fields == {"customer_id": "id", "full_name": "fullName", "city": "city"}


def test_a_row_inside_of_a_row_is_one_of_its_own_and_its_values_can_be_reached_from_outside() -> None:
    sets = found(
        {
            "order_id": "O1",
            "total": 40.5,
            "status": "paid",
            "customer": {"customer_id": "C1", "full_name": "Ada Brandt"},
        }
    )
    assert sets["$"].table == "orders"
    assert sets["$.customer"].table == "customers"
    assert not sets["$"].many and sets["$"].types["customer.full_name"] == "text"


def test_a_wrapper_is_no_row() -> None:
    sets = found({"customer": {"customer_id": "C2", "full_name": "Luis Prado", "city": "Lima"}, "ok": True})
    assert set(sets) == {"$.customer"}


def test_an_item_that_has_a_key_of_its_own_only_points_to_a_row() -> None:
    """An order that says its customer's id and name is no customer."""
    sets = found({"orders": [{"order_id": "O1", "customer_id": "C1", "total": 40.5}]})
    assert sets["$.orders[*]"].table == "orders"
    assert found({"customer_id": "C9", "city": "Bonn", "full_name": "Somebody Else"}) == {}


def test_a_list_of_plain_keys_is_a_row_set() -> None:
    sets = found({"ids": ["O1", "O3"]})
    assert sets["$.ids[*]"].table == "orders" and sets["$.ids[*]"].fields == {"order_id": ""}


def test_the_row_of_a_singleton_needs_no_key() -> None:
    sets = found({"currency": "EUR", "openingHours": "nine to five"})
    assert sets["$"].table == "settings"


def test_a_row_whose_key_the_call_gave_is_found_without_it() -> None:
    output = {"fullName": "Ada Brandt", "city": "Bonn"}
    assert found(output) == {}
    assert found(output, given={"who": {"customer": "C1"}})["$"].table == "customers"


def test_values_that_are_no_rows_stay_fields() -> None:
    value = {"total": 2, "page": {"next": None, "ends": "2026-03-02"}, "orders": [order(0)], "done": True}
    rows = RowFinder(MANIFEST).row_sets([value], [{}], [STATE])
    fields = {f.path: f.type for f in fields_of([value], rows)}
    assert fields == {"$.total": "number", "$.page.ends": "date", "$.done": "boolean"}


@pytest.mark.parametrize("value", [{}, [], None, 3, "text", {"orders": []}, [[1]], {"deep": [[{"order_id": "O1"}]]}])
def test_outputs_without_rows_have_none(value: Any) -> None:
    assert found(value) == {}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "boolean"),
        (1, "number"),
        (1.5, "number"),
        ("2026-03-02", "date"),
        ("2026-03-02T09:00:00Z", "date"),
        ("on 2026-03-02", "text"),
        ("", "text"),
        ([], "list"),
        ({}, "object"),
    ],
)
def test_the_type_of_a_value(value: Any, kind: str) -> None:
    assert type_of_value(value) == kind
