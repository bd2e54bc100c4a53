"""The same world and seed give the same rows: in every process, and for the old columns when a new one comes."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import time
from typing import Any

import pytest

from autoforge.generator.ir import Entity, World
from autoforge.generator.seed import seed_rows, seed_sql

from .worlds import DATE, INTEGER, REAL, bank, column, entity, helpdesk, hotel, key, shop, tienda, world

_PROGRAM = """
import hashlib, sys
from autoforge.generator.ir import Entity, World
from autoforge.generator.seed import seed_rows, seed_sql
world = World.model_validate_json(sys.stdin.read())
print(hashlib.sha256(seed_sql(world, seed_rows(world, seed=3, rows=9)).encode()).hexdigest())
"""


@pytest.mark.parametrize("make", [shop, helpdesk, tienda])
def test_every_process_gives_the_same_bytes(make: Any) -> None:
    made: World = make()
    here = hashlib.sha256(seed_sql(made, seed_rows(made, seed=3, rows=9)).encode()).hexdigest()
    for hash_seed in ("1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": "Pacific/Auckland"}
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            input=made.model_dump_json(),
            capture_output=True,
            text=True,
            env=environment,
            check=True,
            timeout=60,
        )
        assert done.stdout.strip() == here


def test_seeds_give_different_rows_and_leave_global_chance_alone() -> None:
    before = random.getstate()
    assert seed_rows(shop(), seed=1) != seed_rows(shop(), seed=2)
    assert random.getstate() == before


@pytest.mark.parametrize(
    "new",
    [column("email"), column("price", REAL), column("nickname"), column("starts_on", DATE), column("latitude", REAL)],
)
def test_a_new_column_leaves_the_others_alone(new: Any) -> None:
    old = entity(
        "member",
        key("id", INTEGER),
        column("name"),
        column("city"),
        column("amount", REAL),
        column("note"),
        column("created_on", DATE),
    )
    more = old.model_copy(update={"attributes": (*old.attributes[:2], new, *old.attributes[2:])})
    before, after = (seed_rows(world("w", e), seed=1)["member"] for e in (old, more))
    assert before == [{k: v for k, v in row.items() if k != new.name} for row in after]


def test_a_new_entity_leaves_the_others_alone() -> None:
    alone = world("w", entity("member", key("id", INTEGER), column("name"), column("city")))
    more = world("w", *alone.entities, entity("song", key("id", INTEGER), column("title")))
    assert seed_rows(more, seed=1)["member"] == seed_rows(alone, seed=1)["member"]


def test_columns_come_in_the_order_of_the_attributes() -> None:
    for each in bank().entities:
        assert all(list(row) == [a.name for a in each.attributes] for row in seed_rows(bank(), seed=1)[each.name])


def _numbered(each: Entity, number: int) -> Entity:
    """The entity again under another name, with twenty rows."""
    attributes = tuple(
        a.model_copy(update={"references": f"{a.references}_{number}"}) if a.references else a for a in each.attributes
    )
    changed = {"name": f"{each.name}_{number}", "table": f"{each.table}_{number}", "seed_rows": 20}
    return each.model_copy(update={**changed, "attributes": attributes})


def test_thirty_entities_take_little_work() -> None:
    parts = (*hotel().entities, helpdesk().entities[0])
    big = World(name="big", entities=tuple(_numbered(e, i) for i in range(6) for e in parts), operations=())
    seed_rows(big, seed=1)
    begin = time.process_time()
    rows = seed_rows(big, seed=2)
    assert sum(map(len, rows.values())) > 500
    assert time.process_time() - begin < 2
