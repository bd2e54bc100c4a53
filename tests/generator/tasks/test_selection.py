"""Which proved tasks are kept: no near-duplicates, a few of each kind, the wanted mix."""

from __future__ import annotations

from typing import Any, Literal

from autoforge.generator.tasks.selection import Selection
from autoforge.mcp_envs.task import Blueprint, Difficulty, Gold, Task

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()


def task(instruction: str, kind: str = "k", level: Literal["easy", "medium", "hard"] = "medium") -> Task:
    difficulty = Difficulty(calls=1, writes=1, depth=1, reasoning=0, level=level)
    gold = Gold(calls=(), state="", diff=())
    return Task(
        id="t", environment="e", instruction=instruction, known={}, blueprint=Blueprint(nodes=()), gold=gold,
        difficulty=difficulty, signature=kind,
    )  # fmt: skip


def different(number: int, **rest: Any) -> Task:
    """No two share a word."""
    return task(" ".join(f"{word}{number}" for word in WORDS), **rest)


def test_tasks_are_kept_until_there_are_enough() -> None:
    selection = Selection(3)
    offered = [different(n, kind=str(n)) for n in range(3)]
    assert not selection.full
    assert [selection.offer(t) for t in offered] == ["", "", ""]
    assert selection.full and selection.tasks == offered


def test_nearly_the_same_words_for_the_same_work_are_kept_once() -> None:
    selection = Selection(9)
    long = [f"word{n}" for n in range(20)]
    assert selection.offer(task(" ".join(long))) == ""
    assert selection.offer(task(" ".join([*long[:-1], "OTHER"]))) == "near-duplicate"
    assert selection.offer(task(" ".join(reversed(long)).upper())) == "near-duplicate"
    assert selection.offer(task(" ".join([*long[:-4], "four", "other", "words", "here"]))) == ""
    assert selection.offer(task(" ".join(long), kind="other work")) == ""
    assert len(selection.tasks) == 3


def test_a_few_of_one_signature_are_enough() -> None:
    selection = Selection(20)
    said = [selection.offer(different(n)) for n in range(8)]
    assert said == [""] * 6 + ["enough tasks of this blueprint"] * 2
    assert selection.offer(different(9, kind="other")) == ""


def test_tasks_that_are_there_count_as_kin_but_not_as_new_ones() -> None:
    there = [different(n) for n in range(5)]
    selection = Selection(4, have=there)
    assert selection.tasks == [] and not selection.full
    assert selection.offer(different(2)) == "near-duplicate"
    assert selection.offer(different(7)) == ""
    assert selection.offer(different(8)) == "enough tasks of this blueprint"


def test_each_level_has_its_share() -> None:
    selection = Selection(10, {"easy": 0.2, "medium": 0.5, "hard": 0.3})
    kept = {"easy": 0, "medium": 0, "hard": 0}
    for number in range(12):
        for level in ("easy", "medium", "hard"):
            said = selection.offer(different(number, kind=f"{level} {number}", level=level))
            kept[level] += not said
            assert said in ("", f"enough {level} tasks")
    assert kept == {"easy": 2, "medium": 5, "hard": 3} and selection.full


def test_a_level_that_is_not_in_the_mix_is_not_wanted() -> None:
    selection = Selection(2, {"hard": 1.0})
    assert selection.offer(different(1, level="easy")) == "enough easy tasks"
    assert selection.offer(different(2, level="hard")) == ""


def test_a_task_that_is_not_kept_takes_nobodys_place() -> None:
    selection = Selection(10, {"easy": 0.1, "hard": 0.9})
    assert selection.offer(different(1, level="easy")) == ""
    assert selection.offer(different(2, level="easy")) == "enough easy tasks"
    assert selection.offer(different(2, level="hard")) == ""
