"""Each kind of defect, planted in a proposal that is good without it, is caught for the right reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from autoforge.generator.tasks.draft import Rejection
from autoforge.generator.tasks.gate import REASONS, scoring
from autoforge.gym.reward import telling
from autoforge.mcp_envs.state import State
from autoforge.mcp_envs.task import GoldCall
from tests.generator.tasks.gate.conftest import Desk
from tests.generator.tasks.gate.proposals import (
    BOTH_SIDES,
    BRANCH,
    CHOICE,
    CREATED,
    DATES,
    MERGED,
    ON_DUTY,
    Proposal,
    answer,
    changed,
    fixed,
    named,
    output,
    proposal,
    reason,
    step,
    user,
    with_node,
)

Variant = Callable[..., Desk]

SUBJECT = output("oldest", "$.subject")
OTHERS = ("Login loop on the phone",)


def caught(desk: Desk, one: Proposal, **rest: Any) -> tuple[str, str]:
    with pytest.raises(Rejection) as raised:
        desk.admit(one, **rest)
    assert raised.value.reason in REASONS
    return raised.value.reason, str(raised.value)


def assigned(ticket: dict[str, Any], agent: dict[str, Any]) -> dict[str, Any]:
    return step("assign", "assign_ticket", ticket_id=ticket, agent_id=agent)


RESOLVED = proposal(
    "Give the ticket Dark mode to Bruno Keller and resolve it with the words Done.",
    {"title": "Dark mode", "name": "Bruno Keller", "words": "Done."},
    step("found", "search_tickets", text=user("title")),
    reason("ticket", "only", output("found", "$.tickets")),
    step("agents", "list_agents"),
    named("agent", output("agents", "$.agents"), "name"),
    step("assign", "assign_ticket", ticket_id=output("ticket", "$.id"), agent_id=output("agent", "$.id")),
    step("resolve", "resolve_ticket", ticket_id=output("ticket", "$.id"), resolution=user("words")),
    edges=(("assign", "resolve"),),
)  # fmt: skip
PREDICTED = proposal(
    "Open a ticket for sam.roth@mail.example, Printer jams, and give ticket 9 to Amara Okafor.",
    {"email": "sam.roth@mail.example", "one": "Printer jams", "number": 9, "name": "Amara Okafor"},
    step("first", "open_ticket", customer_email=user("email"), subject=user("one")),
    step("agents", "list_agents"),
    named("agent", output("agents", "$.agents"), "name"),
    step("assign", "assign_ticket", ticket_id=user("number"), agent_id=output("agent", "$.id")),
    edges=(("first", "assign"),),
)  # fmt: skip
URGENT = proposal(
    "Open a ticket for sam.roth@mail.example, Printer jams, with the priority normal.",
    {"email": "sam.roth@mail.example", "one": "Printer jams", "priority": "normal"},
    step("first", "open_ticket", customer_email=user("email"), subject=user("one"), priority=user("priority")),
)

IN_PROPOSALS: dict[str, tuple[str, Proposal]] = {
    "wrong gold": (
        "wrong answer",
        changed(CHOICE, answers=(answer("subject", "text", OTHERS[0], SUBJECT, "Cannot sign in"),)),
    ),
    "a call that is refused": ("gold refused", with_node(RESOLVED, step("assign", "list_agents"))),
    "a write of what is so already": (
        "write without effect",
        changed(RESOLVED, initial=("UPDATE tickets SET agent_id = 2, status = 'assigned' WHERE id = 7",)),
    ),
    "two solutions": (
        "two solutions",
        changed(CHOICE, initial=("UPDATE tickets SET opened_at = '2026-03-01T18:40:00'",)),
    ),
    "leaked value": (
        "unfaithful instruction",
        changed(CHOICE, instruction=CHOICE.instruction + " I think it is Cannot sign in."),
    ),
    "missing value": (
        "unfaithful instruction",
        changed(CHOICE, instruction=CHOICE.instruction.replace("with the tag login", "")),
    ),
    "unreachable value": (
        "unreachable value",
        with_node(CHOICE, assigned(output("oldest", "$.number"), output("agent", "$.id"))),
    ),
    "order-dependent ids": ("ids matter", PREDICTED),
    "order": (
        "order matters",
        changed(RESOLVED, blueprint=RESOLVED.draft.blueprint.model_copy(
            update={"edges": tuple(e for e in RESOLVED.draft.blueprint.edges if e != ("assign", "resolve"))}
        )),
    ),
    "substring answer": (
        "untyped answer",
        changed(CREATED, answers=(answer("priority", "text", "9", fixed("9")),)),
    ),
    "unrealisable argument": (
        "unrealisable argument",
        with_node(CHOICE, assigned(output("oldest", "$.id"), fixed(5, "she is the best"))),
    ),
    "superfluous value": (
        "superfluous value",
        with_node(
            changed(
                CHOICE,
                known={**CHOICE.draft.known, "team": "technical"},
                instruction=CHOICE.instruction.replace("Eun-ji Park", "Eun-ji Park of the technical team"),
            ),
            step("agents", "list_agents", on_duty=fixed(True, ON_DUTY), team=user("team")),
        ),
    ),
    "a value that nothing uses": (
        "superfluous value",
        changed(CHOICE, known={**CHOICE.draft.known, "city": "Lisbon"}),
    ),
    "answer that an echo tells": (
        "echo passes",
        changed(CHOICE, answers=(answer("subject", "text", "Cannot sign in", SUBJECT),)),
    ),
    "user knows what is derived": (
        "derived value known",
        changed(
            CHOICE,
            known={**CHOICE.draft.known, "subject": "Cannot sign in"},
            instruction=CHOICE.instruction + " Is it Cannot sign in?",
        ),
    ),
    "missing edge": (
        "malformed blueprint",
        changed(CHOICE, blueprint=CHOICE.draft.blueprint.model_copy(update={"edges": ()})),
    ),
    "a tool of the other side": ("malformed blueprint", BOTH_SIDES),
    "branch without consequence": (
        "branch does not matter",
        with_node(
            BRANCH,
            step("note", "open_ticket", customer_email=user("email"), subject=user("subject"),
                 when={"from": "many", "is": False}),
        ),
    ),
    "nothing to do": ("nothing to do", changed(DATES, answers=())),
}  # fmt: skip


@pytest.mark.parametrize("defect", IN_PROPOSALS)
def test_a_defect_of_a_proposal_is_caught(desk: Desk, defect: str) -> None:
    expected, one = IN_PROPOSALS[defect]
    found = caught(desk, one)
    assert found[0] == expected, found


def test_the_proposal_with_two_writes_is_good_without_a_defect(desk: Desk) -> None:
    assert desk.admit(RESOLVED).verdicts["gold"] == 1


def test_a_constraint_that_the_instruction_lost_is_caught(desk: Desk) -> None:
    cues = {"oldest": ("the oldest",), "agent": ("Eun-ji Park",)}
    assert desk.admit(CHOICE, cues=cues).verdicts["gold"] == 1
    lost = changed(CHOICE, instruction=CHOICE.instruction.replace("the oldest", "one"))
    assert caught(desk, lost, cues=cues)[0] == "unfaithful instruction"


def test_a_state_that_is_as_wished_from_the_start_is_caught(desk: Desk) -> None:
    done = GoldCall(node="s", tool="assign_ticket", arguments={"ticket_id": 2, "agent_id": 5})
    satisfied = changed(CHOICE, setup=(done,))
    satisfied = with_node(satisfied, step("tickets", "search_tickets", tag=user("tag")))
    assert caught(desk, changed(satisfied, setup=(done,)))[0] == "already satisfied"


NOTE = """db.run(
        "INSERT INTO notes (id, ticket_id, text, written_at) VALUES (?, 1, 'seen', ?)", db.next_id("notes"), db.now()
    )"""
LATER = """
    days = days and days + db.value("SELECT value FROM autoforge_counters WHERE name = 'tickets'")
    due_on = None if days"""
TWO_KINDS = """
    priority = "urgent" if priority == "urgent" else "normal"
    days = _DAYS.get(priority)"""


def test_reads_that_write_into_the_compared_state_are_caught(variant: Variant) -> None:
    desk = variant(("tools.py", '    """List the agents of the desk."""', f'    """List them."""\n    {NOTE}'))
    assert caught(desk, CHOICE)[0] == "reading matters"


def test_a_state_that_depends_on_how_many_calls_were_made_is_caught(variant: Variant) -> None:
    desk = variant(
        ("tools.py", '    """List the agents of the desk."""', '    """List them."""\n    db.log("list_agents", {})'),
        ("tools.py", "timedelta(days=days)", 'timedelta(days=days + db.value("SELECT count(*) FROM autoforge_log"))'),
    )
    before = changed(CREATED, blueprint=CREATED.draft.blueprint.model_copy(
        update={"edges": (*CREATED.draft.blueprint.edges, ("agents", "first"), ("agents", "second")),
                "nodes": tuple(sorted(CREATED.draft.blueprint.nodes, key=lambda n: n.id not in ("agents", "agent")))}
    ))  # fmt: skip
    assert caught(desk, before)[0] == "reading matters"


def test_a_state_that_depends_on_a_generated_id_is_caught(variant: Variant) -> None:
    desk = variant(("tools.py", "\n    due_on = None if days", LATER))
    known = {name: value for name, value in PREDICTED.draft.known.items() if name != "number"}
    one = changed(PREDICTED, known=known, instruction=PREDICTED.instruction.replace("ticket 9", "it"))
    assert caught(desk, with_node(one, assigned(output("first", "$.id"), output("agent", "$.id"))))[0] == "ids matter"


def test_a_tool_without_its_effect_is_caught(variant: Variant) -> None:
    resolve = "UPDATE tickets SET status = 'resolved', resolved_at = ?, resolution = ? WHERE id = ?"
    desk = variant(("tools.py", resolve, "UPDATE tickets SET status = status || substr(?1 || ?2, 1, 0) WHERE id = ?3"))
    assert caught(desk, RESOLVED)[0] == "write without effect"


def test_a_target_that_makes_no_difference_is_caught(variant: Variant) -> None:
    desk = variant(("tools.py", "SET agent_id = ?, status", "SET agent_id = 5 + 0 * ?, status"))
    assert caught(desk, CHOICE)[0] == "choice does not matter"


def test_a_tool_that_remembers_outside_the_state_is_caught(variant: Variant) -> None:
    desk = variant(
        ("tools.py", "_DAYS = {", "_SEEN = []\n_DAYS = {"),
        ("tools.py", "    days = _DAYS.get(priority)", "    _SEEN.append(1)\n    days = len(_SEEN)"),
    )
    assert caught(desk, URGENT)[0] == "not reproducible"


def test_values_that_a_tool_treats_alike_are_caught(variant: Variant) -> None:
    desk = variant(("tools.py", "\n    days = _DAYS.get(priority)", TWO_KINDS))
    assert caught(desk, URGENT)[0] == "value does not matter"


def test_a_verifier_that_overlooks_a_table_is_caught(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    right = scoring.Scorer.score

    def blind(self: scoring.Scorer, final: State, messages: Sequence[str]) -> int:
        return right(self, {**final, "notes": self._gold["notes"]}, messages)

    monkeypatch.setattr(scoring.Scorer, "score", blind)
    assert {caught(desk, one)[0] for one in (CREATED, MERGED, RESOLVED)} == {"extra write unnoticed"}


def test_a_verifier_that_reads_parts_of_words_is_caught(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    right = scoring.Scorer.score

    def careless(self: scoring.Scorer, final: State, messages: Sequence[str]) -> int:
        said = " ".join(messages)
        told = [telling(a) for a in self._task.gold.answers if str(a.value) in said]
        return right(self, final, told)

    monkeypatch.setattr(scoring.Scorer, "score", careless)
    assert caught(desk, CREATED)[0] == "ids matter"  # its answer is an id, which such a verifier does not rename
    assert caught(desk, DATES)[0] in ("echo passes", "answer not told apart")
