"""What the gate admits, what it says of it, and that it says the same again."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from autoforge.generator.tasks.gate import Admitted, prove
from autoforge.mcp_envs.task import Difficulty, GoldCall, Task, task_line
from tests.generator.tasks.gate.conftest import Desk
from tests.generator.tasks.gate.proposals import (
    BOTH_SIDES,
    GOOD,
    ON_DUTY,
    Proposal,
    fixed,
    named,
    output,
    proposal,
    reason,
    step,
    user,
)


def task_of(one: Proposal, admitted: Admitted) -> Task:
    """The task as it comes back from its line of the file."""
    task = Task(
        id="t1",
        environment="desk",
        instruction=one.instruction,
        known=one.draft.known,
        initial=one.draft.initial,
        setup=one.draft.setup,
        blueprint=one.draft.blueprint,
        gold=admitted.gold,
        difficulty=Difficulty(calls=len(admitted.gold.calls), writes=len(admitted.writes), depth=1, reasoning=0),
        verdicts=admitted.verdicts,
    )
    return Task.model_validate_json(task_line(task))


@pytest.fixture(scope="module")
def admitted(desk: Desk) -> dict[str, Admitted]:
    return {shape: desk.admit(one) for shape, one in GOOD.items()}


def test_good_proposals_of_every_shape_are_admitted(admitted: dict[str, Admitted]) -> None:
    for found in admitted.values():
        verdicts = found.verdicts
        assert (verdicts["gold"], verdicts["no_op"], verdicts["fresh_process"]) == (1, 0, True)
        assert verdicts["realisable"] and verdicts["minimal"]


def test_every_mutant_that_was_run_is_counted_and_killed(admitted: dict[str, Admitted]) -> None:
    kinds: dict[str, int] = {}
    for found in admitted.values():
        for kind, number in found.verdicts["mutants"].items():
            kinds[kind] = kinds.get(kind, 0) + number
        total = sum(found.verdicts["mutants"].values())
        assert found.verdicts["mutants_killed"] == f"{total}/{total}"
        assert total <= found.runs + found.verdicts["mutants"]["answers_falsified"]
    assert all(kinds.values()), f"a kind of mutant was never made: {kinds}"
    assert sum(kinds.values()) > 100


def test_writes_and_refusals_are_told_apart(admitted: dict[str, Admitted]) -> None:
    tools = {shape: [found.gold.calls[i].tool for i in found.writes] for shape, found in admitted.items()}
    assert tools["dates"] == []
    assert tools["created"] == ["open_ticket", "open_ticket", "assign_ticket"]
    assert [call.tool for call in admitted["fall-back"].refused.values()] == ["assign_ticket"]
    assert admitted["fall-back"].verdicts["refusals_without_trace"] == "1/1"


def test_orders_and_renamings_are_carried_out(admitted: dict[str, Admitted]) -> None:
    assert admitted["created"].verdicts["renamings_accepted"] == "2/2"
    assert int(admitted["created"].verdicts["reorders_accepted"].split("/")[0]) > 3
    assert admitted["choice"].verdicts["renamings_accepted"] == "0/0"


def test_the_same_chance_gives_the_same_verdicts(desk: Desk, admitted: dict[str, Admitted]) -> None:
    again = desk.admit(GOOD["merged"])
    assert again.verdicts == admitted["merged"].verdicts and again.gold == admitted["merged"].gold
    assert desk.admit(GOOD["merged"], seed=5).verdicts["sampling"] != again.verdicts["sampling"]


def test_steps_of_the_user_are_proved_by_the_same_gate(variant: Callable[..., Desk]) -> None:
    def side(tool: str) -> tuple[str, str, str]:
        return ("environment.json", f'"function": "{tool}",', f'"function": "{tool}", "side": "user",')

    desk = variant(("environment.json", '"side": "agent",', ""), side("add_note"))
    found = desk.admit(BOTH_SIDES)
    assert [call.actor for call in found.gold.calls] == ["agent", "agent", "agent", "user"]


UNTAKEN = proposal(
    "Give the latest ticket with the tag invoice to Eun-ji Park. If there are more than 100 of them, write the day on "
    "which it is due on it as a note.",
    {"tag": "invoice", "limit": 100, "name": "Eun-ji Park"},
    step("tickets", "search_tickets", tag=user("tag")),
    reason("latest", "argmax", output("tickets", "$.tickets"), by="opened_at"),
    step("agents", "list_agents", on_duty=fixed(True, ON_DUTY)),
    named("agent", output("agents", "$.agents"), "name"),
    step("assign", "assign_ticket", ticket_id=output("latest", "$.id"), agent_id=output("agent", "$.id")),
    reason("number", "count", output("tickets", "$.tickets")),
    reason("many", "compare", output("number"), compare="greater", inputs={"value": user("limit")}),
    step("note", "add_note", ticket_id=output("latest", "$.id"), text=output("latest", "$.due_on"),
         when={"from": "many", "is": True}),
)  # fmt: skip


def test_a_near_miss_may_lack_what_only_a_branch_that_is_not_taken_reads(variant: Callable[..., Desk]) -> None:
    whole = '"opened_at", "due_on")}'
    desk = variant(("tools.py", whole, '"opened_at", "due_on") if ticket[name] is not None}'))
    assert desk.admit(UNTAKEN).verdicts["gold"] == 1


@pytest.mark.parametrize("shape", GOOD)
def test_a_task_is_proved_again_from_its_line(desk: Desk, admitted: dict[str, Admitted], shape: str) -> None:
    task = task_of(GOOD[shape], admitted[shape])
    proof = prove(desk.stage, task, catalogue=desk.catalogue, fresh=desk.fresh, chance=random.Random(1))
    assert proof.holds, proof


TAMPERED: dict[str, tuple[str, Callable[[Task], Task]]] = {
    "digest": ("wrong digest", lambda t: _gold(t, state="0" * 64)),
    "diff": ("wrong diff", lambda t: _gold(t, diff=t.gold.diff[:-1])),
    "calls": ("wrong calls", lambda t: _gold(t, calls=t.gold.calls[:-1])),
    "answer": ("wrong answer", lambda t: _gold(t, answers=(t.gold.answers[0].model_copy(update={"value": 11}),))),
    "verdicts": (
        "wrong verdicts",
        lambda t: t.model_copy(update={"verdicts": {**t.verdicts, "mutants_killed": "9/9"}}),
    ),
    "set-up": (
        "set-up fails",
        lambda t: _with(t, setup=(GoldCall(node="s", tool="get_ticket", arguments={"ticket_id": 77}),)),
    ),
}


def _with(task: Task, **fields: object) -> Task:
    return task.model_copy(update=fields)


def _gold(task: Task, **fields: object) -> Task:
    return _with(task, gold=task.gold.model_copy(update=fields))


@pytest.mark.parametrize("part", TAMPERED)
def test_a_task_that_was_tampered_with_is_not_proved(desk: Desk, admitted: dict[str, Admitted], part: str) -> None:
    reason, tamper = TAMPERED[part]
    task = tamper(task_of(GOOD["created"], admitted["created"]))
    proof = prove(desk.stage, task, catalogue=desk.catalogue, fresh=desk.fresh, chance=random.Random(1))
    assert (proof.holds, proof.reason) == (False, reason), proof.message
