"""A task carried out again: its outputs, its refusals, and where it is not what the file says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autoforge.generator.tasks.replay import replay
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.task import Task
from tests.generator.report.desk_tasks import desk, desk_tasks


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage(desk()) as stage:
        yield stage


@pytest.fixture(scope="module")
def task(stage: Stage) -> Task:
    return desk_tasks(stage)[0]


def test_every_node_has_its_value_and_refusals_their_sentence(stage: Stage, task: Task) -> None:
    again = replay(stage, task)
    assert again.outputs["n3"]["id"] == 2 and again.outputs["n9"] == 2 and again.outputs["n11"]["id"] == 9
    assert again.refusals == {"n6": "Chiara Lombardi is not on duty"}
    assert again.skipped == ("n13",) and not {"n6", "n13"} & set(again.outputs)
    assert again.differences == ()
    assert {row[0] for row in again.final["notes"].rows} == {1, 2, 3, 4, 5, 6}


def test_replays_do_not_see_each_other(stage: Stage, task: Task) -> None:
    assert replay(stage, task) == replay(stage, task)


def test_a_gold_that_is_not_what_happens_is_said(stage: Stage, task: Task) -> None:
    gold = task.gold.model_copy(update={"calls": task.gold.calls[:-1], "state": "0" * 64})
    again = replay(stage, task.model_copy(update={"gold": gold}))
    assert len(again.differences) == 2 and "calls" in again.differences[0] and "state" in again.differences[1]


def test_a_task_that_cannot_be_carried_out_names_the_node(stage: Stage, task: Task) -> None:
    with pytest.raises(CheckFailed, match=r"desk-fall-back.* n5.*autoforge-gen check"):
        replay(stage, task.model_copy(update={"known": {**task.known, "first choice": "Nobody"}}))
