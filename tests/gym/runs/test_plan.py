"""Which episodes a run has."""

from __future__ import annotations

import pytest

from autoforge.gym.runs.plan import Selection, plan_parts, task_digests
from autoforge.gym.servers.folder import FolderServer
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from tests.gym.conftest import ENVIRONMENTS


def server(name: str) -> FolderServer:
    return FolderServer(find_environment(str(ENVIRONMENTS / name)))


def test_ids_say_environment_task_agent_user_and_trial_and_are_never_twice() -> None:
    [hotel, telecom] = plan_parts([server("hotel"), server("telecom")], Selection(limit=3))
    ids = hotel.ids("a", "u", 2) + telecom.ids("a", "u", 2)
    assert len(set(ids)) == len(ids) == 12
    assert ids[0] == f"hotel/{hotel.tasks[0].id}/a/u/0" and ids[5] == f"hotel/{hotel.tasks[2].id}/a/u/1"
    assert set(task_digests([hotel])) == {f"hotel/{task.id}" for task in hotel.tasks}


def test_tasks_are_chosen_by_split_id_and_number() -> None:
    every = server("hotel").tasks
    train = [task.id for task in every if task.split == "train"]
    assert 0 < len(train) < len(every)
    assert [t.id for t in plan_parts([server("hotel")], Selection("train"))[0].tasks] == train
    chosen = (every[5].id, every[2].id)
    assert [t.id for t in plan_parts([server("hotel")], Selection(ids=chosen))[0].tasks] == [every[2].id, every[5].id]


def test_environments_without_a_chosen_task_are_left_out() -> None:
    hotel = server("hotel")
    parts = plan_parts([server("telecom"), hotel], Selection(ids=(hotel.tasks[0].id,)))
    assert [part.name for part in parts] == ["hotel"]


def test_what_cannot_be_chosen_is_refused() -> None:
    with pytest.raises(BadInput, match="two environments are named 'hotel'"):
        plan_parts([server("hotel"), server("hotel")], Selection())
    with pytest.raises(BadInput, match="--tasks 'nowhere'"):
        plan_parts([server("hotel")], Selection(ids=("nowhere",)))
    with pytest.raises(BadInput, match="has no tasks"):
        plan_parts([server("bank")], Selection())
    bare = server("hotel")
    bare.tasks = [task for task in bare.tasks if task.split == "train"]
    with pytest.raises(BadInput, match="--split test: hotel has no such tasks"):
        plan_parts([bare], Selection("test"))
