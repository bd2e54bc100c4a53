"""What is said in vain is taken out of a draft, and what is needed stays."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.tasks.builder import Setting
from autoforge.generator.tasks.cells import plain_rows
from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.interpreter import execute
from autoforge.generator.tasks.slim import pruned, slimmed, without
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import Answer, Blueprint, Output

NODES: list[dict[str, Any]] = [
    {"id": "n1", "tool": "list_agents", "arguments": {"team": {"user": "team"}}},
    {"id": "n2", "reason": "only_where", "over": {"from": "n1", "path": "$.agents[*]"}, "by": "name",
     "compare": "equal", "inputs": {"value": {"user": "name"}}},
    {"id": "n3", "tool": "search_tickets", "arguments": {"status": {"user": "status"}}},
    {"id": "n4", "reason": "filter", "over": {"from": "n3", "path": "$.tickets[*]"}, "by": "priority",
     "compare": "equal", "inputs": {"value": {"user": "priority"}}},
    {"id": "n5", "reason": "argmin", "over": {"from": "n4"}, "by": "due_on"},
    {"id": "n6", "tool": "assign_ticket", "arguments": {"ticket_id": {"from": "n5", "path": "$.id"},
     "agent_id": {"from": "n2", "path": "$.id"}}},
    {"id": "n7", "tool": "open_ticket", "arguments": {"customer_email": {"user": "email"},
     "subject": {"user": "subject"}, "priority": {"user": "new priority"}}},
]  # fmt: skip
KNOWN = {
    "team": "technical",  # the agent is named: superfluous
    "name": "Eun-ji Park",
    "status": "open",  # the least due date of all tickets is that of an open one: superfluous
    "priority": "urgent",  # there is but one urgent ticket, and it is due first: superfluous
    "email": "a@mail.example",
    "subject": "New",
    "new priority": "high",  # optional, and it shows in the row: needed
}


def draft(**known: Any) -> Draft:
    blueprint = Blueprint.model_validate({"nodes": NODES})
    edges = tuple(
        (a, b)
        for a, b in [("n1", "n2"), ("n3", "n4"), ("n4", "n5"), ("n5", "n6"), ("n2", "n6"), ("n3", "n6"), ("n6", "n7")]
    )
    wishes = (("n1", "n2", "n3", "n4", "n5", "n6"), ("n7",))
    return Draft(blueprint.model_copy(update={"edges": edges}), {**KNOWN, **known}, wishes=wishes)


def outcome(setting: Setting, draft: Draft) -> State:
    session = setting.stage.session(setting.stage.start(draft.initial))
    try:
        execute(draft.blueprint, draft.known, session.call)
        return session.state()
    finally:
        session.close()


def test_superfluous_arguments_and_filters_are_taken_out_and_the_rest_stays(setting: Setting) -> None:
    less = pruned(setting, draft())
    assert set(less.known) == {"name", "email", "subject", "new priority"}
    assert [n.id for n in less.blueprint.nodes] == ["n1", "n2", "n3", "n5", "n6", "n7"]
    assert less.blueprint.steps[0].arguments == {} == less.blueprint.steps[1].arguments
    assert plain_rows(outcome(setting, less)) == plain_rows(outcome(setting, draft()))
    assert less.wishes == (("n1", "n2", "n3", "n5", "n6"), ("n7",))


def test_the_edges_go_on_past_a_filter_that_is_gone(setting: Setting) -> None:
    less = pruned(setting, draft())
    names = {n.id for n in less.blueprint.nodes}
    assert all(a in names and b in names for a, b in less.blueprint.edges)
    assert ("n3", "n5") in less.blueprint.edges and ("n6", "n7") in less.blueprint.edges


def test_a_filter_that_decides_stays(setting: Setting) -> None:
    needed = draft(priority="high", status="open")
    less = pruned(setting, needed)
    assert "priority" in less.known and "n4" in {n.id for n in less.blueprint.nodes}
    assert plain_rows(outcome(setting, less)) == plain_rows(outcome(setting, needed))


def test_pruning_what_was_pruned_changes_nothing(setting: Setting) -> None:
    less = pruned(setting, draft())
    assert pruned(setting, less) == less


def test_a_draft_that_cannot_be_carried_out_is_rejected(setting: Setting) -> None:
    with pytest.raises(Rejection, match="cannot be carried out"):
        pruned(setting, draft(name="Nobody"))


def test_the_value_that_the_gate_names_is_taken_out(setting: Setting) -> None:
    less = slimmed(setting, draft(), Rejection("superfluous value", "gold is the same whatever 'new priority' is"))
    assert less is not None and "new priority" not in less.known and "team" in less.known


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("superfluous value", "gold is the same whatever 'name' is"),
        ("superfluous value", "gold is the same whatever 'email' is"),
        ("superfluous value", "no name at all"),
        ("two solutions", "whatever 'team' is"),
    ],
)
def test_what_must_be_said_is_not_taken_out(setting: Setting, reason: str, message: str) -> None:
    assert slimmed(setting, draft(), Rejection(reason, message)) is None


def test_a_filter_that_an_answer_comes_from_stays(setting: Setting) -> None:
    asked = draft()
    answer = Answer(name="subject", type="text", value="Cannot sign in", source=Output(node="n5", path="$.subject"))
    told = Draft(asked.blueprint, asked.known, (answer,), wishes=asked.wishes)
    assert without(told, "priority", setting.catalogue) is None
    assert without(told, "team", setting.catalogue) is not None
