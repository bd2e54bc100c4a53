"""References that are seen in names and values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autoforge.generator.data import DataSample

Sampler = Callable[..., DataSample]
USERS = {"USR001": {"user_id": "USR001", "name": "Ann"}, "USR002": {"user_id": "USR002", "name": "Bo"}}


def reference(sample: DataSample, entity: str, column: str) -> str | None:
    return next(a.references for a in sample.entity(entity).attributes if a.name == column)


@pytest.mark.parametrize("column", ["user_id", "user", "assigned_user_id", "currentUser", "approver"])
def test_a_column_whose_values_are_all_keys_refers(sample_of: Sampler, column: str) -> None:
    tickets = [{"id": 1, column: "USR001"}, {"id": 2, column: "USR002"}, {"id": 3, column: None}]
    sample = sample_of({"users": USERS, "tickets": tickets})
    mended = "current_user" if column == "currentUser" else column
    assert reference(sample, "ticket", mended) == "user"


def test_small_integers_refer_only_where_the_name_says_so(sample_of: Sampler) -> None:
    document = {
        "rooms": [{"id": 1, "floor": 1}, {"id": 2, "floor": 1}],
        "stays": [{"id": 5, "room_id": 2, "nights": 1}],
    }
    sample = sample_of(document)
    assert reference(sample, "stay", "room_id") == "room"
    assert reference(sample, "stay", "nights") is None


def test_a_value_outside_the_keys_makes_no_reference_and_is_noted(sample_of: Sampler) -> None:
    sample = sample_of({"users": USERS, "tickets": [{"id": 1, "user_id": "USR001"}, {"id": 2, "user_id": "USR009"}]})
    assert reference(sample, "ticket", "user_id") is None
    assert any("tickets.user_id looks like a reference to users, but 1 of 2" in note for note in sample.notes)


def test_a_table_may_refer_to_itself_and_its_rows_come_in_order(sample_of: Sampler) -> None:
    rows = [{"id": 1, "manager_id": 3}, {"id": 2, "manager_id": 1}, {"id": 3, "manager_id": None}]
    sample = sample_of({"employees": rows})
    assert reference(sample, "employee", "manager_id") == "employee"
    assert [r["id"] for r in sample.rows["employee"]] == [3, 1, 2]


def test_rows_in_a_circle_make_no_foreign_key(sample_of: Sampler) -> None:
    sample = sample_of({"employees": [{"id": 1, "manager_id": 2}, {"id": 2, "manager_id": 1}]})
    assert reference(sample, "employee", "manager_id") is None


def test_tables_never_refer_to_each_other_in_a_circle(sample_of: Sampler) -> None:
    document = {
        "users": [{"user_id": "U1", "last_order_id": "O2"}, {"user_id": "U2", "last_order_id": "O1"}],
        "orders": [{"order_id": "O1", "user_id": "U2"}, {"order_id": "O2", "user_id": "U1"}],
    }
    sample = sample_of(document)
    found = [reference(sample, "user", "last_order_id"), reference(sample, "order", "user_id")]
    assert sorted(found, key=str) in ([None, "order"], [None, "user"])
    assert any("it is no foreign key" in note for note in sample.notes)


def test_of_two_tables_with_the_same_keys_the_barer_one_refers(sample_of: Sampler) -> None:
    sample = sample_of({"inbox": {"USR001": 3, "USR002": 1}, "users": USERS})
    assert reference(sample, "inbox", "user_id") == "user"
    assert reference(sample, "user", "user_id") is None
