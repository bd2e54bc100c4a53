"""Laws of the seed that hold for every world."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoforge.generator.ir import World
from autoforge.generator.seed import seed_rows

from .worlds import JSON, bank, column, entity, helpdesk, hotel, json_schemas, key, loaded, shop, tienda, world, worlds

EXAMPLES = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def _broken_references(world: World, rows: dict[str, list[dict[str, Any]]]) -> list[Any]:
    connection = loaded(world, rows)
    found = connection.execute("PRAGMA foreign_key_check").fetchall()
    connection.close()
    return found


@EXAMPLES
@given(world=worlds(), seed=st.integers(0, 5), rows=st.integers(1, 14))
def test_rows_of_any_world_satisfy_its_schema(world: World, seed: int, rows: int) -> None:
    assert _broken_references(world, seed_rows(world, seed=seed, rows=rows)) == []


def test_entities_that_bound_each_other_end_with_rows_for_both() -> None:
    """Found by the laws of this module: the bounds were not followed to their end."""
    keys = world("keys", entity("left", key("id", references="right")), entity("right", key("id", references="left")))
    unique = world(
        "unique",
        entity("desk", key("id"), column("badge", references="badge", unique=True, nullable=False)),
        entity("badge", key("id", references="desk")),
    )
    for made in (keys, unique):
        for rows in range(1, 40):
            found = seed_rows(made, seed=0, rows=rows)
            assert _broken_references(made, found) == [] and all(found.values())
    badges = [row["badge"] for row in seed_rows(unique, seed=0, rows=30)["desk"]]
    assert len(set(badges)) == len(badges)


@pytest.mark.parametrize("make", [shop, hotel, bank, helpdesk, tienda])
@pytest.mark.parametrize("rows", [1, 3, 12, 40])
def test_rows_of_known_worlds_satisfy_their_schema(make: Any, rows: int) -> None:
    found = seed_rows(make(), seed=7, rows=rows)
    assert _broken_references(make(), found) == []
    assert all(found.values())


@EXAMPLES
@given(schema=json_schemas(depth=3), seed=st.integers(0, 3))
def test_json_values_are_valid_by_their_schema(schema: dict[str, Any], seed: int) -> None:
    any_world = world("json", entity("thing", key("id"), column("value", JSON, item_schema=schema)))
    for row in seed_rows(any_world, seed=seed, rows=4)["thing"]:
        jsonschema.validate(json.loads(json.dumps(row["value"])), schema)


@EXAMPLES
@given(world=worlds(), seed=st.integers(0, 3))
def test_unique_columns_and_keys_hold_no_value_twice(world: World, seed: int) -> None:
    found = seed_rows(world, seed=seed, rows=9)
    for each in world.entities:
        keys = [tuple(repr(row[k]) for k in each.key) for row in found[each.name]]
        assert len(set(keys)) == len(keys)
        for attribute in each.attributes:
            values = [repr(row[attribute.name]) for row in found[each.name] if row[attribute.name] is not None]
            assert not attribute.unique or len(set(values)) == len(values)
