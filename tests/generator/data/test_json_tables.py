"""How JSON documents become tables."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autoforge.generator.data import DataSample, read_data, restore
from autoforge.generator.ir import ColumnKind, ColumnType
from autoforge.mcp_envs.errors import BadInput

Sampler = Callable[..., DataSample]


def columns(sample: DataSample, entity: str) -> list[str]:
    return [a.name for a in sample.entity(entity).attributes]


def test_a_map_by_id_stores_the_repeated_id_once(sample_of: Sampler) -> None:
    sample = sample_of({"tasks": {"task_1": {"task_id": "task_1", "title": "Test", "status": "pending"}}})
    (task,) = sample.entities
    assert (task.name, task.table, task.key, task.id_template) == ("task", "tasks", ("task_id",), "task_{}")
    assert columns(sample, "task") == ["task_id", "title", "status"]
    assert sample.rows == {"task": [{"task_id": "task_1", "title": "Test", "status": "pending"}]}


def test_integer_ids_inside_a_map_of_texts_stay_integers(sample_of: Sampler) -> None:
    sample = sample_of({"orders": {"7": {"id": 7, "total": 1.5}, "8": {"id": 8, "total": 2.5}}})
    assert sample.rows["order"][0] == {"id": 7, "total": 1.5}
    assert restore(sample, sample.rows)["data.json"] == {
        "orders": {"7": {"id": 7, "total": 1.5}, "8": {"id": 8, "total": 2.5}}
    }


STOCKS = {"stocks": {"AAPL": {"price": 227.16, "MA(5)": 227.11}, "GOOG": {"price": 2840.34, "MA(5)": 2835.67}}}


@pytest.mark.parametrize(("hints", "name"), [((), "symbol"), (("ticker",), "ticker"), (("stock_id",), "stock_id")])
def test_a_map_by_ticker_names_its_key_as_the_tools_do(sample_of: Sampler, hints: tuple[str, ...], name: str) -> None:
    assert sample_of(STOCKS, hints=hints).entity("stock").key == (name,)


def test_a_key_without_a_name_is_called_as_the_columns_that_hold_it(sample_of: Sampler) -> None:
    document = {"parts": {"AAX1": {"w": 1, "h": 2}, "BBX2": {"w": 3, "h": 4}}, "moves": [{"id": 1, "sku": "BBX2"}]}
    sample = sample_of(document)
    assert sample.entity("part").key == ("sku",)
    assert sample.entity("move").attributes[1].references == "part"


def test_names_that_are_no_identifiers_are_mended_and_kept(sample_of: Sampler) -> None:
    sample = sample_of([{"id": 1, "MA(5)": 1, "% full": 2, "from": 3, "Name": "a", "name": "b"}])
    assert sample.names["data"] == {
        "id": "id",
        "ma_5": "MA(5)",
        "percent_full": "% full",
        "from_": "from",
        "name": "Name",
        "name_2": "name",
    }


def test_loose_scalars_are_one_row_of_settings_and_objects_singletons_of_their_own(sample_of: Sampler) -> None:
    sample = sample_of(
        {"authenticated": True, "order_counter": 5, "account_info": {"account_id": 12345, "balance": 10.0}}
    )
    assert [(e.name, e.singleton) for e in sample.entities] == [("settings", True), ("account_info", True)]
    assert sample.rows["settings"] == [{"id": 1, "authenticated": True, "order_counter": 5}]
    assert sample.rows["account_info"] == [{"id": 1, "account_id": 12345, "balance": 10.0}]
    assert sample.hidden["settings"] == {"id"}


def test_a_list_of_scalars_is_a_table_that_refers_to_what_it_lists(sample_of: Sampler) -> None:
    sample = sample_of({**STOCKS, "watch_list": ["GOOG", "AAPL"]})
    watched = sample.entity("watch_list")
    assert sample.rows["watch_list"] == [{"position": 1, "symbol": "GOOG"}, {"position": 2, "symbol": "AAPL"}]
    assert [a.references for a in watched.attributes if a.name == "symbol"] == ["stock"]


def test_a_map_of_scalars_is_a_table_of_names_and_ids(sample_of: Sampler) -> None:
    sample = sample_of({"user_map": {"John": "USR001", "Jane": "USR002"}, "current_user": "USR001"})
    user = sample.entity("user")
    assert (user.table, user.key, user.label, user.id_template) == ("user_map", ("user_id",), "name", "USR{:03d}")
    assert sample.rows["user"][0] == {"name": "John", "user_id": "USR001"}
    assert [a.references for a in sample.entity("settings").attributes if a.name == "current_user"] == ["user"]


def test_nested_records_are_child_tables_with_the_key_of_their_parent(sample_of: Sampler) -> None:
    document = {
        "orders": [{"order_id": 1, "items": [{"sku": "a", "n": 2}, {"sku": "a", "n": 1}]}, {"order_id": 2, "items": []}]
    }
    sample = sample_of(document)
    item = sample.entity("order_item")
    assert (item.table, item.key) == ("order_items", ("order_id", "position"))
    assert [a.references for a in item.attributes if a.name == "order_id"] == ["order"]
    assert sample.rows["order_item"][1] == {"position": 2, "order_id": 1, "sku": "a", "n": 1}
    assert list(sample.rows) == ["order", "order_item"]


def test_a_child_that_names_another_row_is_keyed_by_it_where_that_tells_rows_apart(sample_of: Sampler) -> None:
    stock = [{"location_id": "LOC-1", "quantity": 3}, {"location_id": "LOC-2", "quantity": 4}]
    document = {
        "locations": {f"LOC-{i}": {"location_id": f"LOC-{i}", "city": "Ghent"} for i in (1, 2)},
        "products": {f"P{i}": {"product_id": f"P{i}", "name": "x", "stock": stock} for i in (1, 2)},
    }
    sample = sample_of(document)
    assert sample.entity("product_stock").key == ("product_id", "location_id")
    assert "position" not in columns(sample, "product_stock")


def test_a_small_uniform_object_is_columns_and_a_ragged_one_is_json(sample_of: Sampler) -> None:
    rows = [{"id": i, "address": {"city": "Rome", "zip": "1"}, "options": {f"o{chr(96 + i)}": i}} for i in range(1, 9)]
    sample = sample_of({"users": rows})
    types = {a.name: a.type for a in sample.entity("user").attributes}
    text, json_type = ColumnType.TEXT, ColumnType.JSON
    assert types == {"id": ColumnType.INTEGER, "address_city": text, "address_zip": text, "options": json_type}
    assert sample.names["user"]["address_city"] == "address.city"


def test_dates_are_keys_even_where_every_row_has_the_same_ones(sample_of: Sampler) -> None:
    days = {f"2024-05-0{d}": {"status": "available", "seats": {"economy": d, "business": 1}} for d in (1, 2, 3)}
    sample = sample_of({"flights": {f"HAT00{i}": {"flight_number": f"HAT00{i}", "dates": days} for i in range(4)}})
    day = sample.entity("flight_date")
    assert day.key == ("flight_number", "date")
    assert columns(sample, "flight_date") == ["flight_number", "date", "status", "seats_economy", "seats_business"]


def test_lists_of_ids_stay_lists_and_are_noted_as_links(sample_of: Sampler) -> None:
    document = {
        "tasks": {"task_1": {"task_id": "task_1", "title": "T"}},
        "users": {"user_1": {"user_id": "user_1", "tasks": ["task_1"]}},
    }
    sample = sample_of(document)
    assert [(link.entity, link.column, link.target) for link in sample.links] == [("user", "tasks", "task")]
    assert sample.rows["user"][0]["tasks"] == ["task_1"]


def test_lists_of_single_key_maps_become_tables_of_paths(sample_of: Sampler) -> None:
    document = {
        "user_map": {"John": "USR001", "Jane": "USR002", "Al": "USR003"},
        "inbox": [
            {"USR002": {"USR001": ["My name is John. Call me."], "USR003": ["I am busy today."]}},
            {"USR003": {}},
        ],
    }
    sample = sample_of(document, hints=("message",))
    assert sample.rows["inbox"] == [{"user_id": "USR002"}, {"user_id": "USR003"}]
    entry = sample.entity("inbox_entry")
    assert entry.key == ("inbox_user_id", "user_id", "position")
    assert {a.name: a.references for a in entry.attributes if a.references} == {
        "inbox_user_id": "inbox",
        "user_id": "user",
    }
    assert sample.rows["inbox_entry"][0]["message"] == "My name is John. Call me."
    assert restore(sample, sample.rows)["data.json"] == document


def test_missing_and_null_are_told_apart(sample_of: Sampler) -> None:
    document = {
        "people": [
            {"id": 1, "a": None, "b": {"c": None}},
            {"id": 2},
            {"id": 3, "a": "x", "b": None},
            {"id": 4, "b": {}},
        ]
    }
    sample = sample_of(document)
    assert restore(sample, sample.rows)["data.json"] == document


def test_empty_collections_are_noted_and_make_no_table(sample_of: Sampler) -> None:
    sample = sample_of({"orders": [], "index": {}, "version": 3})
    assert sample.empty == ("orders", "index")
    assert [e.name for e in sample.entities] == ["settings"]
    assert any("orders is empty" in note for note in sample.notes)


def test_generated_positions_are_surrogates_and_keys_of_the_data_are_keys(sample_of: Sampler) -> None:
    sample = sample_of({"notes": [{"text": "a b"}, {"text": "a b"}], "users": [{"id": 4, "name": "x"}]})
    kinds = {(e.name, a.name): a.kind for e in sample.entities for a in e.attributes}
    assert kinds["note", "position"] is ColumnKind.SURROGATE
    assert kinds["user", "id"] is ColumnKind.KEY


def test_json_lines_are_a_list_and_report_the_line_of_a_fault(sample_of: Sampler) -> None:
    sample = sample_of('{"id": 1, "a": "x"}\n\n{"id": 2, "a": "y"}\n', name="events.jsonl")
    assert sample.rows["event"] == [{"id": 1, "a": "x"}, {"id": 2, "a": "y"}]
    with pytest.raises(BadInput, match=r"events\.jsonl, line 2, column 2"):
        sample_of('{"id": 1}\n{,}\n', name="events.jsonl")


def test_several_files_are_one_state_with_references_between_them(tmp_path: Path) -> None:
    (tmp_path / "users.json").write_text(
        '{"u1": {"name": "Ann", "age": 3}, "u2": {"name": "Bo", "age": 4}}', encoding="utf-8"
    )
    (tmp_path / "orders.csv").write_text("order_id,user_id\n1,u2\n2,u2\n", encoding="utf-8")
    sample = read_data([tmp_path / "orders.csv", tmp_path / "users.json"])
    assert list(sample.rows) == ["user", "order"]
    assert [a.references for a in sample.entity("order").attributes] == [None, "user"]
    assert set(restore(sample, sample.rows)) == {"users.json", "orders.csv"}


def test_the_same_files_give_the_same_sample(sample_of: Sampler) -> None:
    first, second = sample_of({**STOCKS, "watch_list": ["GOOG"]}), sample_of({**STOCKS, "watch_list": ["GOOG"]})
    assert first == second
    assert first.digest != sample_of(STOCKS).digest


def test_two_megabytes_of_nested_json_load_in_five_seconds(tmp_path: Path) -> None:
    draw = random.Random(7)
    users = {
        f"USR{i:05d}": {
            "user_id": f"USR{i:05d}", "email": f"u{i}@x.example", 
            "address": {"city": "Oslo", "zip": f"{i:05d}"}, "tags": ["a", "b"],
            "orders": [
                {"order_id": f"O{i}-{j}", "placed": f"2024-01-1{i % 10} 10:0{j}:00",
                 "items": [{"sku": f"S{draw.randrange(200)}", "price": draw.random()} for _ in range(4)]}
                for j in range(4)
            ],
        } for i in range(2400)
    }  # fmt: skip
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"users": users}), encoding="utf-8")
    assert path.stat().st_size > 2_000_000
    began = time.process_time()
    sample = read_data([path])
    assert time.process_time() - began < 5
    assert {e.name: len(sample.rows[e.name]) for e in sample.entities} == {
        "user": 2400,
        "order": 9600,
        "order_item": 38400,
    }
