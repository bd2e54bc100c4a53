"""Some parents have no children at all."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import World

from .worlds import BOOLEAN, INTEGER, column, entity, hotel, key, seeded, shop, tienda, world

SEEDS = pytest.mark.parametrize("seed", range(6))


def _referred(made: World, rows: dict[str, list[dict[str, Any]]], parent: str) -> set[Any]:
    columns = [(e.name, a.name) for e in made.entities for a in e.attributes if a.references == parent]
    return {row[column] for name, column in columns for row in rows[name]}


@SEEDS
@pytest.mark.parametrize(
    ("make", "parent"),
    [
        (shop, "customer"),
        (shop, "product"),
        (shop, "order"),
        (hotel, "guest"),
        (hotel, "room"),
        (hotel, "reservation"),
        (tienda, "cliente"),
    ],
)
def test_a_sixth_of_the_parents_is_referred_to_by_nothing(make: Any, parent: str, seed: int) -> None:
    made = make()
    rows = seeded(made, seed=seed)
    holder = next(e for e in made.entities if e.name == parent)
    free = [r for r in rows[parent] if r[holder.key[0]] not in _referred(made, rows, parent)]
    assert len(free) >= max(1, len(rows[parent]) // 6)
    assert len(free) < len(rows[parent]) - 1


@SEEDS
def test_one_of_them_is_in_the_first_state(seed: int) -> None:
    shelf = entity("shelf", key("id", INTEGER), column("status", enum=("usable", "full", "gone"), nullable=False))
    box = entity("box", key("id", INTEGER), column("shelf_id", INTEGER, references="shelf", nullable=False))
    label = entity("label", key("id", INTEGER), column("shelf_id", INTEGER, references="shelf"))
    made = world("w", shelf, box, label)
    rows = seeded(made, seed=seed)
    referred = _referred(made, rows, "shelf")
    assert any(s["status"] == "usable" and s["id"] not in referred for s in rows["shelf"])


@SEEDS
def test_documented_parents_keep_their_children(seed: int) -> None:
    parent = entity("plan", key("id", INTEGER))
    child = entity(
        "line", key("id", INTEGER), column("plan_id", INTEGER, references="plan", nullable=False, examples=(3, 4))
    )
    rows = seeded(world("w", parent, child), seed=seed)
    assert {3, 4} <= {line["plan_id"] for line in rows["line"]}


def test_whoever_may_log_in_owns_something() -> None:
    user = entity("user", key("id", INTEGER))
    note = entity(
        "note", key("id", INTEGER), column("user_id", INTEGER, references="user", nullable=False), owner="user_id"
    )
    session = entity(
        "session",
        key("id", INTEGER),
        column("user_id", INTEGER, references="user"),
        column("logged_in", BOOLEAN, default=True),
        singleton=True,
    )
    rows = seeded(world("w", user, note, session), seed=1)
    assert {n["user_id"] for n in rows["note"]} == {u["id"] for u in rows["user"]}
