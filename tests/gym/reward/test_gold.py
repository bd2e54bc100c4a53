"""The gold state is the initial state with the diff applied."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.gym.baselines import Episodes
from autoforge.gym.reward import gold_state
from autoforge.mcp_envs.equality import equal_states
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.manifest import Column, ColumnKind, Manifest, Provenance, Table
from autoforge.mcp_envs.state import Contents, State, changes
from autoforge.mcp_envs.task import RowChange, Task
from tests.gym.reward.desk_tasks import Solved, desk


def with_diff(task: Task, *diff: RowChange) -> Task:
    return task.model_copy(update={"gold": task.gold.model_copy(update={"diff": diff})})


def test_gold_of_every_task_equals_the_state_its_calls_leave(tasks: dict[str, Solved]) -> None:
    manifest = desk().manifest
    for one in tasks.values():
        gold = gold_state(one.initial, one.task, manifest)
        assert equal_states(one.initial, gold, one.final, manifest).equal
        assert not changes(gold, one.final, manifest)


def change(
    table: str, key: tuple[int, ...], before: dict[str, object] | None, after: dict[str, object] | None
) -> RowChange:
    return RowChange.model_validate({"table": table, "key": key, "before": before, "after": after})


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (change("tickets", (99,), {"status": "open"}, {"status": "assigned"}), "tickets 99: is not there before"),
        (change("tickets", (2,), {"status": "resolved"}, {"status": "open"}), "status is 'open' before the task, not"),
        (change("tickets", (2,), None, {"id": 2}), "tickets 2: is there before the task"),
        (change("tickets", (99,), {"id": 99}, None), "is not there before"),
        (change("tickets", (2,), {}, {"colour": "red"}), "no column 'colour'"),
        (change("parcels", (1,), None, {"id": 1}), "no such table"),
    ],
)
def test_a_diff_that_does_not_fit_is_refused(tasks: dict[str, Solved], wrong: RowChange, words: str) -> None:
    one = tasks["assign"]
    with pytest.raises(CheckFailed, match=words):
        gold_state(one.initial, with_diff(one.task, wrong), desk().manifest)


def test_a_row_is_made_changed_and_removed(episodes: Episodes, tasks: dict[str, Solved]) -> None:
    one = tasks["count"]
    diff = (change("notes", (1,), {"id": 1}, None), change("agents", (3,), {"on_duty": 0}, {"on_duty": True}),
            change("notes", (7,), None, {"id": 7, "ticket_id": 2, "text": "x"}))  # fmt: skip
    gold = gold_state(one.initial, with_diff(one.task, *diff), desk().manifest)
    assert [record["id"] for record in gold["notes"].records()] == [2, 3, 4, 7]
    assert gold["notes"].records()[-1]["written_at"] is None
    assert gold["agents"].records()[2]["on_duty"] == 1
    assert gold["tickets"] is one.initial["tickets"]


KEYED = Table(name="keyed", entity="k", key=("a",), columns=(
    Column(name="a", type="TEXT", kind=ColumnKind.KEY), Column(name="b", type="REAL", kind=ColumnKind.VALUE),
    Column(name="c", type="TEXT", kind=ColumnKind.LOG)))  # fmt: skip
KEYLESS = Table(name="keyless", entity="l", key=(), columns=(Column(name="a", type="TEXT", kind=ColumnKind.VALUE),))
MANIFEST = Manifest(
    name="m", tables=(KEYED, KEYLESS), tools=(), provenance=Provenance(generator="hand", docs_digest="")
)
CELL = st.none() | st.integers(-3, 3) | st.sampled_from("xyz")


@st.composite
def states(draw: st.DrawFn) -> State:
    rows = draw(st.lists(st.tuples(CELL, CELL, CELL), max_size=6))
    loose = draw(st.lists(st.tuples(CELL), max_size=4))
    return {"keyed": Contents(("a", "b", "c"), tuple(rows)), "keyless": Contents(("a",), tuple(loose))}


@settings(deadline=None)
@given(states(), states())
def test_applying_the_changes_between_two_states_gives_the_second(before: State, after: State) -> None:
    diff = [RowChange.model_validate(change._asdict()) for change in changes(before, after, MANIFEST)]
    task = Task.model_construct(id="t", environment="m", gold=None)
    task = task.model_copy(update={"gold": type("Diff", (), {"diff": tuple(diff)})()})
    gold = gold_state(before, task, MANIFEST)
    assert equal_states(before, gold, after, MANIFEST).equal
