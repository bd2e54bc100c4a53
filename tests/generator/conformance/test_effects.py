"""What a call may change is what its manifest names, and what foreign keys make of that."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.conformance.effects import Declarations
from autoforge.mcp_envs.manifest import Column, ColumnKind, Effects, Manifest, Provenance, Table, ToolRecord
from autoforge.mcp_envs.state import Contents, State


def table(name: str, *columns: str, key: tuple[str, ...] = ("id",), **references: str) -> Table:
    made = [Column(name=c, type="TEXT", kind=ColumnKind.VALUE, references=references.get(c)) for c in columns]
    return Table(name=name, entity=name, key=key, columns=tuple(made))


MANIFEST = Manifest(
    name="hotel",
    tables=(
        table("guests", "id", "email"),
        table("stays", "id", "guest_id", "room_id", guest_id="guests", room_id="rooms"),
        table("bills", "id", "stay_id", "sum", stay_id="stays"),
        table("rooms", "id"),
        table("visits", "what", key=()),
    ),
    tools=(),
    provenance=Provenance(generator="hand", docs_digest=""),
)
BEFORE: dict[str, list[tuple[Any, ...]]] = {
    "guests": [("g1", "a"), ("g2", "b")],
    "stays": [("s1", "g1", "r1")],
    "bills": [("b1", "s1", 10)],
    "rooms": [("r1",)],
    "visits": [("x",), ("y",)],
}


def state(rows: dict[str, list[tuple[Any, ...]]]) -> State:
    columns = {t.name: tuple(c.name for c in t.columns) for t in MANIFEST.tables}
    return {name: Contents(columns.get(name, ("id",)), tuple(held)) for name, held in rows.items()}


def found(effects: dict[str, Any], kind: str = "update", /, **after: list[tuple[Any, ...]]) -> tuple[str, ...]:
    record = ToolRecord(name="tool", function="tool", kind=kind, effects=Effects(**effects))
    return Declarations(MANIFEST).undeclared(record, state(BEFORE), state(after))


@pytest.mark.parametrize(
    ("effects", "after", "sentences"),
    [
        ({}, {"guests": [("g1", "new"), ("g2", "b")]}, ("changed guests.email",)),
        ({"updates": {"guests": ("email",)}}, {"guests": [("g1", "new"), ("g2", "b")]}, ()),
        ({"updates": {"guests": ("id",)}}, {"guests": [("g1", "new"), ("g2", "b")]}, ("changed guests.email",)),
        ({"deletes": ("guests",)}, {"rooms": [("r1",), ("r2",)]}, ("made rows in rooms",)),
        ({"creates": ("rooms",)}, {"rooms": [("r1",), ("r2",)]}, ()),
        ({"creates": ("guests",)}, {"guests": [("g2", "b")]}, ("deleted rows of guests",)),
        ({}, {"hidden": [("1",)], "autoforge_counters": [("1",)]}, ("changed the table hidden",)),
    ],
)
def test_only_what_the_manifest_names_may_change(
    effects: dict[str, Any], after: dict[str, list[tuple[Any, ...]]], sentences: tuple[str, ...]
) -> None:
    assert found(effects, "update", **after) == sentences


def test_rows_that_point_to_a_deleted_row_may_go_with_it_at_any_distance() -> None:
    after: dict[str, list[tuple[Any, ...]]] = {"guests": [("g2", "b")], "stays": [], "bills": []}
    assert found({"deletes": ("guests",)}, "update", **after) == ()
    assert found({"deletes": ("bills",)}, "update", **after) == ("deleted rows of guests", "deleted rows of stays")


def test_a_deletion_may_empty_a_reference_and_nothing_else() -> None:
    assert found({"deletes": ("rooms",)}, rooms=[], stays=[("s1", "g1", None)]) == ()
    assert found({"deletes": ("rooms",)}, rooms=[], stays=[("s1", None, None)]) == ("changed stays.guest_id",)
    assert found({"deletes": ("rooms",)}, rooms=[], stays=[("s1", "g1", "r9")]) == ("changed stays.room_id",)


def test_a_key_that_may_change_is_carried_to_where_it_is_held() -> None:
    renamed: dict[str, list[tuple[Any, ...]]] = {"guests": [("g9", "a"), ("g2", "b")], "stays": [("s1", "g9", "r1")]}
    assert found({"updates": {"guests": ("id",)}}, "update", **renamed) == ()
    assert found({"updates": {"guests": ("email",)}}, "update", **renamed) == (
        "deleted rows of guests",
        "made rows in guests",
        "changed stays.guest_id",
    )


def test_a_table_without_a_key_is_compared_as_a_bag() -> None:
    assert found({"deletes": ("visits",)}, visits=[("y",)]) == ()
    assert found({"creates": ("visits",)}, visits=[("y",)]) == ("deleted rows of visits",)


def test_a_weak_tool_may_change_nothing_but_the_log() -> None:
    assert found({"creates": ("rooms",)}, "weak", rooms=[("r1",), ("r2",)]) == ("made rows in rooms",)
