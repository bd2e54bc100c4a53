"""The progress signal: 0 at the start, 1 on gold, between them everywhere."""

from __future__ import annotations

import random

import pytest

from autoforge.gym.progress import Progress
from autoforge.gym.reward import gold_state
from autoforge.gym.servers.folder import FolderServer
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Provenance, Table
from autoforge.mcp_envs.state import Contents, State
from tests.gym.conftest import ENVIRONMENTS

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


async def test_every_task_of_every_environment_begins_at_zero_and_ends_at_one() -> None:
    for path in sorted(ENVIRONMENTS.glob("*/environment.json")):
        async with FolderServer(find_environment(str(path.parent))) as server:
            for task in server.tasks:
                session = await server.open(task, task.id)
                initial = await session.state()
                gold = gold_state(initial, task, server.manifest)
                progress = Progress(initial, gold, server.manifest)
                wanted = (0.0 if task.gold.diff else 1.0), 1.0
                assert (progress.share(initial), progress.share(gold)) == wanted, task.id


NOTES = Table(
    name="notes",
    entity="note",
    key=("id",),
    columns=(
        Column(name="id", type="TEXT", kind=ColumnKind.SURROGATE),
        Column(name="parent", type="TEXT", kind=ColumnKind.VALUE, references="notes"),
        Column(name="words", type="TEXT", kind=ColumnKind.FREE_TEXT),
    ),
)
MANIFEST = Manifest(name="x", tables=(NOTES,), tools=(), provenance=Provenance(generator="", docs_digest=""))


def notes(*rows: tuple[str, str | None, str]) -> State:
    return {"notes": Contents(("id", "parent", "words"), rows)}


@pytest.mark.parametrize(
    ("now", "share"),
    [
        (notes(("1", None, "a"), ("2", "1", "b"), ("7", "2", "new"), ("8", "7", "below")), 1.0),
        (notes(("1", None, "a"), ("2", "1", "b"), ("8", "2", "other words"), ("9", "8", "of it")), 1.0),
        (notes(("1", None, "other"), ("2", "1", "words"), ("8", "2", "x"), ("9", "8", "y")), 1.0),
        (notes(("1", None, "a"), ("2", "1", "b"), ("8", "2", "new")), 0.5),
        (notes(("1", None, "a"), ("2", "1", "b"), ("8", "1", "new"), ("9", "8", "below")), 0.5),
        (notes(("1", None, "a"), ("2", "1", ""), ("8", "2", "x"), ("9", "8", "y")), 0.75),
        (notes(("1", None, "a"), ("2", "1", "b")), 0.0),
    ],
)
def test_what_rows_refer_to_counts_and_generated_ids_and_words_may_be_others(now: State, share: float) -> None:
    initial = notes(("1", None, "a"), ("2", "1", "b"))
    gold = notes(("1", None, "a"), ("2", "1", "b"), ("3", "2", "new"), ("4", "3", "below"))
    assert Progress(initial, gold, MANIFEST).share(now) == share


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
