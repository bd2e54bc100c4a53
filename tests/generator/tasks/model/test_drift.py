"""A rewording that has every value and every cue, and still asks for something else."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.tasks.model.drift import drifted
from autoforge.mcp_envs.task import Blueprint, Difficulty, Gold, Task

TEXT = (
    "Note 'called back' on the ticket with the earliest due date. If its status is open, give it to Bruno Keller; "
    "otherwise note 'left as it is' on the ticket with the earliest opening date."
)
NODES: list[dict[str, Any]] = [
    {"id": "n1", "tool": "search_tickets"},
    {"id": "n2", "reason": "argmin", "over": {"from": "n1"}, "by": "due_on"},
    {"id": "n3", "reason": "argmin", "over": {"from": "n1"}, "by": "opened_at"},
    {"id": "n4", "tool": "add_note", "arguments": {"text": {"user": "text"}}},
    {"id": "n5", "reason": "compare", "over": {"from": "n2"}, "compare": "equal", "inputs": {"value": {"literal": 1}}},
    {"id": "n6", "tool": "assign", "arguments": {"name": {"user": "name"}}, "when": {"from": "n5", "is": True}},
    {"id": "n7", "tool": "add_note", "arguments": {"text": {"user": "text_2"}}, "when": {"from": "n5", "is": False}},
]  # fmt: skip
CUES: dict[str, Any] = {"n2": ["earliest"], "n3": ["earliest"], "n5": ["is", "if"]}


def _task(instruction: str = TEXT, language: str = "en", **more: Any) -> Task:
    return Task(
        id="t",
        environment="desk",
        instruction=instruction,
        language=language,
        known={"text": "called back", "name": "Bruno Keller", "text_2": "left as it is"},
        blueprint=Blueprint.model_validate({"nodes": NODES}),
        gold=Gold(calls=(), state="", diff=()),
        difficulty=Difficulty(calls=0, writes=0, depth=0, reasoning=0),
        provenance={"cues": CUES, **more},
    )


@pytest.mark.parametrize("instruction", [
    TEXT,
    f"Hello! {TEXT} Thanks.",
    "Please put 'called back' on the earliest due ticket. Should it be open, Bruno Keller gets it; if not, write "
    "'left as it is' on the one that was opened earliest.",
])  # fmt: skip
def test_the_same_in_other_words_has_not_drifted(instruction: str) -> None:
    assert drifted(_task(), instruction) == ""


def test_a_branch_that_became_two_wishes_has() -> None:
    flat = TEXT.replace("If its status is open,", "Its status is open, so").replace("otherwise", "also")
    assert drifted(_task(), flat) == "it has words for 0 of 2 conditions"


def test_a_branch_without_its_other_side_has() -> None:
    assert drifted(_task(), TEXT.replace("otherwise", "then")) == "it has words for 1 of 2 conditions"


def test_a_choice_that_is_said_once_instead_of_twice_has() -> None:
    one = TEXT.replace("the ticket with the earliest opening date", "any ticket")
    assert drifted(_task(), one) == "it says 'earliest' 1 times instead of 2"


def test_values_that_changed_places_have() -> None:
    swapped = TEXT.replace("called back", "#").replace("left as it is", "called back").replace("#", "left as it is")
    assert drifted(_task(), swapped) == "the values of its steps come in another order"


def test_conditions_are_found_in_the_language_of_the_task() -> None:
    spanish = "Si está abierto, que lo tenga Bruno Keller; de lo contrario, anota 'left as it is'."
    assert drifted(_task(spanish, "es"), spanish) == ""
    assert drifted(_task(spanish, "es"), spanish.replace("Si está", "Está")) != ""


def test_no_task_has_drifted_from_itself(tasks: list[Task]) -> None:
    assert [drifted(task, task.instruction) for task in tasks] == [""] * len(tasks)
