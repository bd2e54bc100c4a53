"""Tasks proved again from their lines: honest ones hold, and each way of tampering is found and named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autoforge.generator.tasks.examine import TaskProof, prove_tasks
from autoforge.mcp_envs.task import Task
from tests.generator.tasks.conftest import Made, quiet

Tamper = Callable[[dict[str, Any]], object]


def other_level(document: dict[str, Any]) -> None:
    level = document["difficulty"]["level"]
    document["difficulty"]["level"] = next(name for name in ("easy", "hard") if name != level)


def leak(document: dict[str, Any]) -> None:
    """Tell the number of a ticket that a tool gave."""
    given = [n["arguments"] for n in document["blueprint"]["nodes"] if "tool" in n]
    derived = next(i for i, a in enumerate(given) if "from" in a.get("ticket_id", {}))
    node = [n for n in document["blueprint"]["nodes"] if "tool" in n][derived]["id"]
    number = next(c for c in document["gold"]["calls"] if c["node"] == node)["arguments"]["ticket_id"]
    document["instruction"] += f" It is ticket {number}."


def forget_a_value(document: dict[str, Any]) -> None:
    value = max((v for v in document["known"].values() if isinstance(v, str)), key=len)
    assert value in document["instruction"]
    document["instruction"] = document["instruction"].replace(value, "something")


def rename_a_tool(document: dict[str, Any]) -> None:
    next(n for n in document["blueprint"]["nodes"] if "tool" in n)["tool"] = "no_such_tool"


def change_a_row(document: dict[str, Any]) -> None:
    next(row for row in document["gold"]["diff"] if row["after"])["after"]["id"] = 999


def drop_a_call(document: dict[str, Any]) -> None:
    document["gold"]["calls"].pop()


def know_the_rest(document: dict[str, Any]) -> None:
    document["known"]["spare"] = "nobody asks"
    document["instruction"] += " nobody asks."


TAMPERED: list[tuple[Tamper, str]] = [
    (change_a_row, "wrong diff"),
    (drop_a_call, "wrong calls"),
    (lambda d: d["gold"].update(state="0" * 64), "wrong digest"),
    (other_level, "wrong difficulty"),
    (lambda d: d.update(split="validation" if d["split"] == "train" else "train"), "wrong split"),
    (lambda d: d.update(signature="f" * 64), "wrong signature"),
    (lambda d: d["verdicts"].update(mutants_killed="999/999"), "wrong verdicts"),
    (leak, "unfaithful instruction"),
    (forget_a_value, "unfaithful instruction"),
    (rename_a_tool, "unknown tool"),
    (lambda d: d["blueprint"].update(edges=[]), "malformed blueprint"),
    (know_the_rest, "superfluous value"),
]


def tampered(task: Task, tamper: Tamper) -> Task:
    document = task.model_dump(mode="json", by_alias=True)
    tamper(document)
    return Task.model_validate(document)


@pytest.fixture(scope="module")
def victim(made: Made) -> Task:
    """A task in which a ticket is found out, and text is said."""
    for task in sorted(made.campaign.tasks, key=lambda t: t.difficulty.calls):
        found = [s.arguments.get("ticket_id") for s in task.blueprint.steps]
        texts = [v for v in task.known.values() if isinstance(v, str) and len(v) > 12 and v in task.instruction]
        if texts and any(found) and task.blueprint.edges:
            return task
    raise AssertionError("no task of the campaign finds a ticket out")


@pytest.fixture(scope="module")
def proofs(made: Made, victim: Task) -> list[TaskProof]:
    """All in one go: the environment has to be explored once."""
    tasks = [*made.campaign.tasks, *(tampered(victim, tamper) for tamper, _ in TAMPERED)]
    return prove_tasks(made.folder, tasks, jobs=1, progress=quiet)


def test_every_task_of_a_campaign_holds_again(made: Made, proofs: list[TaskProof]) -> None:
    honest = proofs[: len(made.campaign.tasks)]
    assert [p.task for p in honest] == [t.id for t in made.campaign.tasks]
    assert all(p == TaskProof(p.task, True) for p in honest)


@pytest.mark.parametrize("number", range(len(TAMPERED)), ids=[reason.replace(" ", "-") for _, reason in TAMPERED])
def test_a_task_that_was_tampered_with_fails_for_its_reason(
    made: Made, proofs: list[TaskProof], victim: Task, number: int
) -> None:
    proof = proofs[len(made.campaign.tasks) + number]
    assert (proof.task, proof.holds) == (victim.id, False)
    assert proof.reason == TAMPERED[number][1] and proof.message


def test_no_tasks_need_no_proof(made: Made) -> None:
    assert prove_tasks(made.folder, (), jobs=1, progress=quiet) == []
