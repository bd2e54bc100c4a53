"""Which pairs of steps need an edge, and that a forecast of calls changes nothing."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from autoforge.generator.tasks.gate import conflicts
from autoforge.generator.tasks.gate.performing import perform
from autoforge.mcp_envs.containment import Call
from autoforge.mcp_envs.task import GoldCall
from tests.generator.tasks.gate.conftest import Desk
from tests.generator.tasks.gate.proposals import (
    CREATED,
    GOOD,
    MERGED,
    Proposal,
    changed,
    output,
    proposal,
    reason,
    step,
    user,
)

UNORDERED = proposal(
    "Give the ticket Dark mode to Bruno Keller and resolve it with the words Done.",
    {"title": "Dark mode", "words": "Done."},
    step("found", "search_tickets", text=user("title")),
    reason("ticket", "only", output("found", "$.tickets")),
    step("agents", "list_agents"),
    step("assign", "assign_ticket", ticket_id=output("ticket", "$.id"), agent_id=output("agents", "$.agents[0].id")),
    step("resolve", "resolve_ticket", ticket_id=output("ticket", "$.id"), resolution=user("words")),
)
COUNTED = proposal(
    "",
    {"email": "sam.roth@mail.example", "subject": "Backlog"},
    step("tickets", "search_tickets"),
    reason("number", "count", output("tickets", "$.tickets")),
    step("open", "open_ticket", customer_email=user("email"), subject=user("subject")),
    step("note", "add_note", ticket_id=output("number"), text=user("subject")),
)


def pairs(desk: Desk, one: Proposal) -> list[tuple[str, str]]:
    return [(found.first, found.second) for found in conflicts(desk.stage, one.draft, desk.catalogue)]


def test_a_write_that_needs_another_first_conflicts_with_it(desk: Desk) -> None:
    assert pairs(desk, UNORDERED) == [("assign", "resolve")]


def test_a_write_that_changes_what_a_read_shows_conflicts_with_it(desk: Desk) -> None:
    assert ("tickets", "open") in pairs(desk, COUNTED)


def test_an_edge_settles_a_conflict(desk: Desk) -> None:
    edges = (*UNORDERED.draft.blueprint.edges, ("assign", "resolve"))
    ordered = changed(UNORDERED, blueprint=UNORDERED.draft.blueprint.model_copy(update={"edges": edges}))
    assert pairs(desk, ordered) == []


def test_writes_on_different_rows_do_not_conflict(desk: Desk) -> None:
    assert pairs(desk, MERGED) == [] and pairs(desk, CREATED) == []


CALLS = [
    Call("open_ticket", {"customer_email": "a@b.example", "subject": "One"}),
    Call("open_ticket", {"customer_email": "a@b.example", "subject": "Two"}),
    Call("assign_ticket", {"ticket_id": 9, "agent_id": 1}),
    Call("assign_ticket", {"ticket_id": 2, "agent_id": 1}),
    Call("add_note", {"ticket_id": 9, "text": "x"}),
    Call("add_note", {"ticket_id": 2, "text": "y"}),
]
calls = st.lists(st.sampled_from(CALLS), max_size=5)


@settings(max_examples=40, deadline=None)
@given(shape=st.sampled_from(sorted(GOOD)), seed=st.integers(0, 99), wrong=calls)
def test_a_wrong_forecast_of_calls_changes_nothing(desk: Desk, shape: str, seed: int, wrong: list[Call]) -> None:
    draft, start = GOOD[shape].draft, desk.stage.start()
    plain = perform(desk.stage, start, draft.blueprint, draft.known)
    steps = [s.id for s in draft.blueprint.steps]
    names = random.Random(seed).sample(steps, min(len(steps), len(wrong)))
    foretold = {
        n: GoldCall(node=n, tool=c.tool, arguments=dict(c.arguments)) for n, c in zip(names, wrong, strict=False)
    }
    other = perform(desk.stage, start, draft.blueprint, draft.known, foretold=foretold)
    assert (other.execution, other.calls, other.state) == (plain.execution, plain.calls, plain.state)
