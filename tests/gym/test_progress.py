"""The progress signal: 0 at the start, 1 on gold, between them everywhere."""

from __future__ import annotations

import random

import pytest

from autoforge.gym.progress import Progress
from autoforge.gym.reward import gold_state
from autoforge.gym.servers.folder import FolderServer
from autoforge.mcp_envs.state import Contents, State

pytestmark = pytest.mark.anyio


def without_rows(state: State, table: str, keep: int) -> State:
    contents = state[table]
    return {**state, table: Contents(contents.columns, contents.rows[:keep])}


async def test_the_start_is_zero_and_gold_is_one(hotel: FolderServer) -> None:
    for task in hotel.tasks:
        session = await hotel.open(task, "start")
        initial = await session.state()
        gold = gold_state(initial, task, hotel.manifest)
        progress = Progress(initial, gold, hotel.manifest)
        assert progress.share(gold) == 1.0
        assert progress.share(initial) == (0.0 if task.gold.diff else 1.0)


async def test_damage_beside_gold_takes_away_and_never_below_zero(hotel: FolderServer) -> None:
    task = next(task for task in hotel.tasks if task.gold.diff)
    session = await hotel.open(task, "start")
    initial = await session.state()
    gold = gold_state(initial, task, hotel.manifest)
    progress = Progress(initial, gold, hotel.manifest)
    touched = {change.table for change in task.gold.diff}
    table = next(t.name for t in hotel.manifest.tables if t.name not in touched and len(gold[t.name].rows) > 1)
    one_less = without_rows(gold, table, len(gold[table].rows) - 1)
    assert 0.0 <= progress.share(one_less) < 1.0
    chance = random.Random(1)
    for _ in range(20):
        names = chance.sample([t.name for t in hotel.manifest.tables], 3)
        state: State = initial
        for name in names:
            state = without_rows(state, name, chance.randrange(len(state[name].rows) + 1))
        assert 0.0 <= progress.share(state) <= 1.0
