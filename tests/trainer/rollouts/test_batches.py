"""Groups in flight, groups without contrast replaced, and steps that are played ahead."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest

from autoforge.gym.trajectory import Trajectory
from autoforge.mcp_envs.errors import AutoForgeError, BudgetExceeded
from autoforge.mcp_envs.task import Task
from autoforge.trainer.rollouts.batches import Batch, Batches
from autoforge.trainer.rollouts.collector import Collector, Group
from autoforge.trainer.rollouts.draws import Draw, Draws
from tests.trainer.rollouts.test_draws import tasks

pytestmark = pytest.mark.anyio
SIZES = {"bank": 9, "hotel": 12}


def trajectory(task: Task, trial: int, reward: float | None, *, masked: bool = False) -> Trajectory:
    return Trajectory(
        id=f"{task.environment}/{task.id}/p/u/{trial}", environment=task.environment, task=task.id, agent="p", user="u",
        trial=trial, end="stop", reward=reward, masked=masked,
    )  # fmt: skip


class Stage:
    """Plays episodes whose rewards a function of task and place says; None comes to nothing."""

    def __init__(self, reward: Callable[[Task, int], float | None] = lambda task, place: float(place % 2)) -> None:
        self.reward = reward
        self.played: list[int] = []
        self.now = self.most = 0

    async def __call__(self, environment: str, task: Task, trial: int) -> Trajectory | None:
        assert task.environment == environment
        self.now += 1
        self.most = max(self.most, self.now)
        await anyio.lowlevel.checkpoint()
        self.now -= 1
        self.played.append(trial)
        reward = self.reward(task, trial % 4)
        return None if reward is None else trajectory(task, trial, reward)


def batches(stage: Stage, *, ahead: int = 0, refills: int = 3, last: int = 9, in_flight: int = 64) -> Batches:
    draws = Draws({n: tasks(n, s) for n, s in SIZES.items()}, count=8, each=4, seed=0)
    collector = Collector(stage, rollouts=4, in_flight=in_flight)
    return Batches(draws, collector, first=0, last=last, refills=refills, ahead=ahead)


async def first_of(made: Batches) -> Batch:
    async with anyio.create_task_group() as group:
        batch = await made.next(group)
        group.cancel_scope.cancel()
    return batch


async def test_a_batch_has_its_groups_in_order_with_all_their_rollouts() -> None:
    stage = Stage()
    batch = await first_of(batches(stage))
    assert [g.draw.number for g in batch.groups] == list(range(8)) and batch.rounds == 0
    assert all([t.trial for t in g.rollouts] == [g.draw.number * 4 + n for n in range(4)] for g in batch.groups)
    assert batch.contrasting == batch.groups and sorted(stage.played) == list(range(32))


@pytest.mark.parametrize("in_flight", [1, 5, 64])
async def test_no_more_episodes_are_in_flight_than_are_allowed(in_flight: int) -> None:
    stage = Stage()
    await first_of(batches(stage, ahead=2, in_flight=in_flight))
    assert stage.most == min(in_flight, 96)


async def test_groups_without_contrast_are_replaced_within_their_environment() -> None:
    stage = Stage(lambda task, place: 1.0 if task.id.endswith("0") else float(place % 2))
    flat = {f"{name}-{n}" for name in SIZES for n in range(12) if str(n).endswith("0")}
    batch = await first_of(batches(stage))
    for name in SIZES:
        own = [g for g in batch.groups if g.draw.environment == name]
        assert len([g for g in own if g.contrasts]) >= 4
        assert {g.draw.task.id for g in own if not g.contrasts} <= flat
    assert len({g.draw.task.id for g in batch.groups}) == len(batch.groups)


async def test_refills_end_after_so_many_rounds_and_where_there_are_no_other_tasks() -> None:
    never = Stage(lambda task, place: 0.0)
    batch = await first_of(batches(never, refills=1))
    assert batch.contrasting == () and batch.rounds == 1 and len(batch.groups) == 16
    batch = await first_of(batches(Stage(lambda task, place: 0.0), refills=50))
    assert len(batch.groups) == sum(SIZES.values())


async def test_what_comes_to_nothing_or_is_masked_does_not_count_for_contrast() -> None:
    task = tasks("bank", 1)[0]
    draw = Draw(0, "bank", task)
    hidden = trajectory(task, 0, 1.0, masked=True)
    assert not Group(draw, (hidden, trajectory(task, 1, 0.0), trajectory(task, 2, 0.0))).contrasts
    assert Group(draw, (hidden, trajectory(task, 1, 0.0), trajectory(task, 2, 1.0))).contrasts
    batch = await first_of(batches(Stage(lambda task, place: None if place == 3 else float(place % 2))))
    assert all(len(g.rollouts) == 3 for g in batch.groups)


async def test_the_groups_of_a_step_do_not_depend_on_how_far_ahead_is_played() -> None:
    def reward(task: Task, place: int) -> float:
        return float(place % 2) if int(task.id.rpartition("-")[2]) % 3 else 1.0

    async def all_of(ahead: int) -> list[list[int]]:
        made, found = batches(Stage(reward), ahead=ahead, last=5), []
        async with anyio.create_task_group() as group:
            for _ in range(5):
                found.append([g.draw.number for g in (await made.next(group)).groups])
        return found

    assert await all_of(0) == await all_of(1) == await all_of(4)


async def test_without_looking_ahead_nothing_of_the_next_step_is_played() -> None:
    stage = Stage()
    made = batches(stage)
    async with anyio.create_task_group() as group:
        await made.next(group)
        await anyio.wait_all_tasks_blocked()
        assert max(stage.played) < 8 * 4
        await made.next(group)
        assert max(stage.played) >= 10_000 * 4


async def test_what_ends_the_run_is_raised_once_and_as_it_is() -> None:
    class Poor(Stage):
        async def __call__(self, environment: str, task: Task, trial: int) -> Trajectory | None:
            raise BudgetExceeded("raise max_cost")

    made = batches(Poor(), ahead=1)
    async with anyio.create_task_group() as group:
        with pytest.raises(AutoForgeError, match="raise max_cost"):
            await made.next(group)
