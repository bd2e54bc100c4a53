"""The hasty clerk: the oracle but for its haste."""

from __future__ import annotations

from collections.abc import Iterable

from autoforge.gym.baselines import Hasty, Oracle, played
from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.task import Task
from tests.gym.baselines.test_baselines import TOOLS, Recorder, just_tasks
from tests.gym.reward.desk_tasks import Solved


def calls_of(task: Task, player: Hasty | Oracle) -> list[str]:
    recorder = Recorder({})
    played(player.play(task, TOOLS), recorder)
    return [name for name, _ in recorder.calls]


def test_in_haste_it_leaves_out_the_last_call_and_else_none(tasks: dict[str, Solved]) -> None:
    for task in just_tasks(tasks):
        whole = calls_of(task, Oracle())
        assert calls_of(task, Hasty(haste=0.0)) == whole
        assert calls_of(task, Hasty(haste=1.0)) == whole[:-1]


def test_how_often_it_is_in_haste_is_as_wanted_and_the_same_each_time(tasks: dict[str, Solved]) -> None:
    some = just_tasks(tasks)
    found = [[calls_of(task, Hasty(0.5, trial=n)) for task in some] for n in range(40) for _ in range(2)]
    assert found[::2] == found[1::2]
    whole = [calls_of(task, Oracle()) for task in some]
    assert 0.35 < _share(one != two for row in found for one, two in zip(row, whole, strict=True)) < 0.65


def test_what_it_tells_in_haste_is_no_answer(tasks: dict[str, Solved]) -> None:
    task = just_tasks(tasks)[0]
    assert played(Hasty(haste=1.0).play(task, TOOLS), lambda name, arguments: CallResult("ok", {})) == ["That is done."]


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found)
