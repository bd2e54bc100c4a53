"""Recording gold on a server that is not ours, and episodes that are scored by it."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from autoforge.gym.environment import Environment
from autoforge.gym.episode import Play, play_episode
from autoforge.gym.servers.command import CommandServer
from autoforge.gym.servers.recording import record_gold
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.manifest import ColumnKind
from autoforge.mcp_envs.task import Answer, Gold, GoldCall, Literally, Probe, Task, task_line
from tests.gym.conftest import Plain, Scripted, calls, gold_actions
from tests.gym.servers.notes import ADD, NOTES, notes_task
from tests.gym.servers.processes import FAKE

pytestmark = pytest.mark.anyio


def fake() -> CommandServer:
    return CommandServer([sys.executable, str(FAKE)])


async def reward_of(server: CommandServer, task: Task, *actions: Any) -> float | None:
    trajectory = await play_episode(Environment(server, Plain()), Scripted(*actions), Play(task))
    assert trajectory.failure is None, trajectory.failure
    return trajectory.reward


async def test_an_episode_with_the_gold_calls_scores_1_and_one_with_others_0() -> None:
    async with fake() as server:
        task = Task.model_validate_json(task_line(await record_gold(server, notes_task())))
        (change,) = task.gold.diff
        assert change.after == {"id": 1, "text": "buy milk", "tags": '["home"]'} and change.before is None
        assert await reward_of(server, task, *gold_actions(task)) == 1
        assert await reward_of(server, task) == 0
        assert await reward_of(server, task, calls(("add_note", {"text": "buy milk"}))) == 0
        more = calls(("add_note", {"text": "buy milk", "tags": ["home"]}), ("add_note", {"text": "buy bread"}))
        assert await reward_of(server, task, more) == 0
        mended = calls(("add_note", {"text": "buy bread"}), ("drop_note", {"id": 1}), (ADD.tool, dict(ADD.arguments)))
        assert await reward_of(server, task, mended) == 1


async def test_a_trajectory_says_what_each_step_changed() -> None:
    async with fake() as server:
        task = await record_gold(server, notes_task())
        actions = [calls(("list_notes", {})), *gold_actions(task)]
        trajectory = await play_episode(Environment(server, Plain(), progress=True), Scripted(*actions), Play(task))
    told = [(turn.progress, len(turn.diff)) for turn in trajectory.turns if turn.role == "tool"]
    assert told == [(0.0, 0), (1.0, 1)]


async def test_what_changes_nothing_is_no_gold_unless_something_is_to_be_told() -> None:
    looks = Gold(calls=(GoldCall(node="n", tool="list_notes"),), state="", diff=())
    answer = Answer(name="number of notes", type="number", value=0, source=Literally(literal=0))
    async with fake() as server:
        with pytest.raises(CheckFailed, match="change nothing that its probes show"):
            await record_gold(server, notes_task(gold=looks))
        asked = await record_gold(server, notes_task(gold=looks.model_copy(update={"answers": (answer,)})))
        assert await reward_of(server, asked, *gold_actions(asked)) == 1
        assert await reward_of(server, asked) == 0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"probe": ()}, "add probes to it"),
        ({"gold": Gold(calls=(GoldCall(node="n", tool="nothing"),), state="", diff=())}, "was refused: Unknown tool"),
        ({"probe": (NOTES, Probe(tool="clock"))}, "do not show the same twice in a row"),
        ({"probe": (NOTES, Probe(tool="clock", kind=ColumnKind.CLOCK))}, "do not show the same twice in a row"),
    ],
)
async def test_what_cannot_be_reached_again_is_no_gold(more: dict[str, Any], words: str) -> None:
    async with fake() as server:
        with pytest.raises(CheckFailed, match=words):
            await record_gold(server, notes_task(**more))


async def test_a_column_that_is_left_out_as_a_log_may_change_by_itself() -> None:
    async with fake() as server:
        task = await record_gold(server, notes_task(probe=(NOTES, Probe(tool="clock", kind=ColumnKind.LOG))))
        assert await reward_of(server, task, *gold_actions(task)) == 1


async def test_what_differs_between_sessions_but_not_within_one_is_no_part_of_gold() -> None:
    async with fake() as server:
        task = await record_gold(server, notes_task(probe=(NOTES, Probe(tool="where", path="$.folder"))))
        assert [change.table for change in task.gold.diff] == ["list_notes.notes"]
        assert await reward_of(server, task, *gold_actions(task)) == 1
