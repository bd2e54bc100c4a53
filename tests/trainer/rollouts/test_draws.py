"""Draws are a function of seed and step: environments first, then tasks that do not come again within an epoch."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Blueprint, Difficulty, Gold, Task
from autoforge.trainer.rollouts.draws import Draws

NAMES = ("bank", "hotel", "shop")


def tasks(environment: str, count: int) -> list[Task]:
    common: dict[str, Any] = {"instruction": "", "known": {}, "blueprint": Blueprint(nodes=())}
    common |= {
        "gold": Gold(calls=(), state="", diff=()),
        "difficulty": Difficulty(calls=0, writes=0, depth=0, reasoning=0),
    }
    return [Task(id=f"{environment}-{n}", environment=environment, **common) for n in range(count)]


def draws(sizes: tuple[int, ...] = (9, 5, 12), *, count: int = 8, each: int = 4, seed: int = 0) -> Draws:
    return Draws({n: tasks(n, s) for n, s in zip(NAMES, sizes, strict=True)}, count=count, each=each, seed=seed)


@given(st.integers(0, 40), st.integers(0, 5), st.integers(1, 20), st.integers(1, 6))
def test_a_step_is_the_same_whatever_was_drawn_before(step: int, seed: int, count: int, each: int) -> None:
    used = draws(count=count, each=each, seed=seed)
    for earlier in range(3):
        used.step(earlier)
    drawn = used.step(step)
    assert drawn == draws(count=count, each=each, seed=seed).step(step)
    assert len(drawn) == count and len({d.number for d in drawn}) == count
    assert all(d.task.environment == d.environment for d in drawn)


@given(st.integers(0, 30), st.integers(4, 24))
def test_an_environment_of_a_step_gives_at_least_four_tasks(step: int, count: int) -> None:
    assert all(share >= 4 for share in Counter(d.environment for d in draws(count=count).step(step)).values())


def test_environments_and_tasks_come_equally_often() -> None:
    drawn = [d for step in range(45) for d in draws().step(step)]
    assert set(Counter(d.environment for d in drawn).values()) == {120}
    for name, size in zip(NAMES, (9, 5, 12), strict=True):
        own = [d.task.id for d in drawn if d.environment == name]
        for epoch in range(len(own) // size):
            assert len(set(own[epoch * size : (epoch + 1) * size])) == size


def test_numbers_rise_and_are_never_used_again() -> None:
    used = draws()
    numbers = []
    for step in range(5):
        first = used.step(step)
        more = used.refill(step, first[0].environment, 3, first)
        numbers += [d.number for d in (*first, *more)]
    assert numbers == sorted(set(numbers))


def test_a_refill_gives_tasks_that_the_step_has_not_had_and_no_more_than_there_are() -> None:
    used = draws()
    first = used.step(0)
    name = first[0].environment
    more = used.refill(0, name, 100, first)
    own = {d.task.id for d in first if d.environment == name} | {d.task.id for d in more}
    assert len(own) == {"bank": 9, "hotel": 5, "shop": 12}[name] and {d.environment for d in more} == {name}
    assert used.refill(0, name, 1, [*first, *more]) == []


def test_another_seed_draws_otherwise() -> None:
    assert draws(seed=1).step(0) != draws(seed=2).step(0)


def test_an_environment_without_tasks_and_none_at_all_are_refused() -> None:
    with pytest.raises(BadInput, match="hotel has no tasks to train on"):
        draws((1, 0, 1))
    with pytest.raises(BadInput, match="no environment to train in"):
        Draws({}, count=1, each=1, seed=0)
