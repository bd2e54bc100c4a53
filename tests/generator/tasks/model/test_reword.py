"""Instructions by a model: kept where they hold, refused where they leak, lose or invent something, cost or fail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from autoforge.generator.llm_synthesis.desk import Unanswered
from autoforge.generator.tasks.examine import TaskProof
from autoforge.generator.tasks.model.reword import Prover, derived_values, reword_tasks
from autoforge.generator.tasks.workshop import Workshop
from autoforge.mcp_envs.task import Task
from tests.generator.tasks.model.conftest import Connect, Decide, attempt, livelier, template, wording
from tests.gym.replay_server import Answer, ReplayServer, Status, Step

Serve = Callable[[Decide], ReplayServer]


class Leaky(NamedTuple):
    task: Task
    secret: str
    """Something that must be found out, and that the user does not know."""


@pytest.fixture(scope="module")
def leaky(workshop: Workshop, tasks: list[Task]) -> Leaky:
    for task in tasks:
        known = {str(value) for value in task.known.values()}
        for value in derived_values(workshop.stage, task):
            text = str(value)
            if text not in known and re.fullmatch(r"[3-9]|\d{2,}|\S+@\S+|\d{4}-\d{2}-\d{2}.*", text):
                return Leaky(task, text)
    raise AssertionError("no task derives anything that could be told")


def believes(changed: Sequence[Task]) -> list[TaskProof]:
    """A gate that lets everything through, where the gate is not what is tried."""
    return [TaskProof(task.id, True) for task in changed]


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_good_wording_is_taken_and_proved_again(
    provider: str, workshop: Workshop, tasks: list[Task], proves: Prover, connect: Connect, serve: Serve
) -> None:
    def decide(body: dict[str, Any]) -> Step:
        if provider == "anthropic":
            body = {**body, "messages": [{**m, "content": m["content"][0]["text"]} for m in body["messages"]]}
        return wording(livelier(body))

    with connect(serve(decide), provider) as adviser:
        done = reword_tasks(workshop.stage, tasks[:2], adviser, proves)
    assert dict(done.fates) == {"reworded": 2}
    for before, after in zip(tasks[:2], done.tasks, strict=True):
        assert after.instruction == f"Good morning from the kitchen! {before.instruction} Many thanks in advance."
        assert after.persona == "You are a cook with little time."
        assert (after.gold, after.verdicts, after.id) == (before.gold, before.verdicts, before.id)
        assert after.provenance["wording"] == {
            "model": f"{provider}:relay", "repaired": False, "template": before.instruction,
        }  # fmt: skip


def test_a_model_that_tells_what_must_be_found_out_keeps_its_template(
    workshop: Workshop, leaky: Leaky, connect: Connect, serve: Serve
) -> None:
    task, secret = leaky
    server = serve(lambda body: wording(f"{template(body)} I think it is {secret}."))
    with connect(server) as adviser:
        done = reword_tasks(workshop.stage, [task], adviser, believes)
    assert done.tasks == [task]
    assert dict(done.fates) == {"faulty": 1}
    assert len(server.requests) == 3
    assert "which must be found out, is told" in str(server.requests[-1].body["messages"][-1])


def test_a_leak_that_the_model_takes_back_is_a_repair(
    workshop: Workshop, leaky: Leaky, connect: Connect, serve: Serve
) -> None:
    task, secret = leaky

    def decide(body: dict[str, Any]) -> Step:
        return wording(livelier(body) + (f" It is {secret}." if attempt(body) == 1 else ""))

    with connect(serve(decide)) as adviser:
        done = reword_tasks(workshop.stage, [task], adviser, believes)
    assert dict(done.fates) == {"repaired": 1}
    assert done.tasks[0].provenance["wording"]["repaired"] is True  # type: ignore[index,call-overload]


def test_a_model_that_drops_a_value_keeps_its_template(
    workshop: Workshop, tasks: list[Task], connect: Connect, serve: Serve
) -> None:
    value, task = next(
        (value, task)
        for task in tasks
        for value in task.known.values()
        if isinstance(value, str) and " " in value and value in task.instruction
    )
    server = serve(lambda body: wording(livelier(body).replace(value, "the usual")))
    with connect(server) as adviser:
        done = reword_tasks(workshop.stage, [task], adviser, believes)
    assert (done.tasks, dict(done.fates)) == ([task], {"faulty": 1})


def test_a_model_that_answers_garbage_keeps_its_templates(
    workshop: Workshop, tasks: list[Task], connect: Connect, serve: Serve
) -> None:
    with connect(serve(lambda body: Answer("I would rather write a poem."))) as adviser:
        done = reword_tasks(workshop.stage, tasks, adviser, believes)
    assert (done.tasks, dict(done.fates)) == (tasks, {"faulty": len(tasks)})


def test_a_persona_that_gives_something_away_is_not_taken(
    workshop: Workshop, leaky: Leaky, connect: Connect, serve: Serve
) -> None:
    task, secret = leaky
    server = serve(lambda body: wording(livelier(body), f"You know that it is {secret}."))
    with connect(server) as adviser:
        done = reword_tasks(workshop.stage, [task], adviser, believes)
    assert dict(done.fates) == {"reworded": 1}
    assert done.tasks[0].persona == task.persona


def test_a_wording_with_which_the_task_is_not_proved_is_not_taken(
    workshop: Workshop, tasks: list[Task], connect: Connect, serve: Serve
) -> None:
    def refuses(changed: Sequence[Task]) -> list[TaskProof]:
        return [TaskProof(t.id, n > 0, "unfaithful instruction", "no") for n, t in enumerate(changed)]

    with connect(serve(lambda body: wording(livelier(body)))) as adviser:
        done = reword_tasks(workshop.stage, tasks, adviser, refuses)
    assert dict(done.fates) == {"not proved": 1, "reworded": len(tasks) - 1}
    assert done.tasks[0] == tasks[0]
    assert done.reasons["not proved"] == f"{tasks[0].id}: unfaithful instruction: no"


def test_wordings_that_become_alike_are_not_taken(
    workshop: Workshop, tasks: list[Task], connect: Connect, serve: Serve
) -> None:
    twins = [tasks[0], tasks[0].model_copy(update={"id": "twin", "instruction": f"Hi. {tasks[0].instruction}"})]
    with connect(serve(lambda body: wording(livelier(body)))) as adviser:
        done = reword_tasks(workshop.stage, twins, adviser, believes)
    assert dict(done.fates) == {"reworded": 1, "near-duplicate": 1}
    assert done.tasks[1] == twins[1]


def test_the_cost_limit_leaves_templates_and_a_higher_one_goes_on(
    workshop: Workshop, tasks: list[Task], connect: Connect, serve: Serve, prices: None
) -> None:
    server = serve(lambda body: Answer(wording(livelier(body)).content, usage=(100_000, 0)))
    with connect(server, max_cost=0.015) as adviser:
        done = reword_tasks(workshop.stage, tasks, adviser, believes)
    by_model = done.fates["reworded"]
    assert 1 <= by_model < len(tasks)
    assert done.fates["no money"] == len(tasks) - by_model == len(tasks) - len(server.requests)
    assert "raise --max-cost to go on" in done.reasons["no money"]
    with connect(server, max_cost=5) as adviser:
        again = reword_tasks(workshop.stage, tasks, adviser, believes)
    assert again.fates["reworded"] == len(server.requests) == len(tasks), "no answer was paid twice"


def test_a_service_that_does_not_answer_ends_it(
    workshop: Workshop, tasks: list[Task], connect: Connect, serve: Serve
) -> None:
    with connect(serve(lambda body: Status(401, message="who are you"))) as adviser, pytest.raises(Unanswered):
        reword_tasks(workshop.stage, tasks, adviser, believes)


def test_one_request_that_is_refused_costs_only_its_own_task_the_wording(
    workshop: Workshop, tasks: list[Task], connect: Connect, serve: Serve
) -> None:
    def decide(body: dict[str, Any]) -> Step:
        odd = template(body) == tasks[0].instruction
        return Status(400, message="content policy") if odd else wording(livelier(body))

    with connect(serve(decide)) as adviser:
        done = reword_tasks(workshop.stage, tasks, adviser, believes)
    assert dict(done.fates) == {"unanswered": 1, "reworded": len(tasks) - 1}
    assert "content policy" in done.reasons["unanswered"]


def test_a_second_run_asks_nothing_and_tells_the_same(
    workshop: Workshop, tasks: list[Task], connect: Connect, serve: Serve, tmp_path: Path
) -> None:
    server = serve(lambda body: wording(livelier(body)))
    found = []
    for _ in range(2):
        with connect(server) as adviser:
            done = reword_tasks(workshop.stage, tasks, adviser, believes)
            found.append((done.tasks, done.fates, adviser.record()))
    assert found[0] == found[1]
    assert len(server.requests) == len(tasks)
    record = found[0][2]
    assert record["stages"] == {
        "wording": {"answers": len(tasks), "input_tokens": 100 * len(tasks), "output_tokens": 10 * len(tasks)}
    }
    assert "sk-canary" not in "".join(p.read_text() for p in (tmp_path / "cache").rglob("*") if p.is_file())
