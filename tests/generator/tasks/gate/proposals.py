"""Good proposals on the desk, of different shapes, and short ways to write sources."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.gate.orders import dependencies
from autoforge.mcp_envs.task import Answer, Blueprint

ON_DUTY = "only to an agent who is on duty"


class Proposal(NamedTuple):
    draft: Draft
    instruction: str


def user(name: str) -> dict[str, str]:
    return {"user": name}


def output(node: str, path: str = "$") -> dict[str, str]:
    return {"from": node, "path": path}


def fixed(value: Any, why: str = "") -> dict[str, Any]:
    return {"literal": value, "why": why}


def step(id: str, tool: str, **rest: Any) -> dict[str, Any]:
    arguments = {name: rest.pop(name) for name in list(rest) if name not in ("when", "attempt", "actor")}
    return {"id": id, "tool": tool, "arguments": arguments, **rest}


def reason(id: str, operator: str, over: Any, **rest: Any) -> dict[str, Any]:
    return {"id": id, "reason": operator, "over": over, **rest}


def named(id: str, over: Any, name: str) -> dict[str, Any]:
    """The item of that name, as the user says it."""
    return reason(id, "only_where", over, by="name", compare="equal", inputs={"value": user(name)})


def answer(name: str, type: str, value: Any, source: Any, *others: Any) -> Answer:
    return Answer.model_validate({"name": name, "type": type, "value": value, "source": source, "others": others})


def proposal(
    instruction: str, known: dict[str, Any], *nodes: dict[str, Any], answers: tuple[Answer, ...] = (), **rest: Any
) -> Proposal:
    edges = rest.pop("edges", ())
    blueprint = Blueprint.model_validate({"nodes": nodes})
    blueprint = blueprint.model_copy(update={"edges": tuple(sorted({*dependencies(blueprint), *edges}))})
    return Proposal(Draft(blueprint, known, answers, **rest), instruction)


def changed(one: Proposal, **fields: Any) -> Proposal:
    """The proposal with other fields of its draft, or another instruction."""
    instruction = fields.pop("instruction", one.instruction)
    return Proposal(replace(one.draft, **fields), instruction)


def with_node(one: Proposal, node: dict[str, Any]) -> Proposal:
    """The proposal in which a node of that id is another one."""
    raw = one.draft.blueprint.model_dump(mode="json", by_alias=True)
    nodes = [node if other["id"] == node["id"] else other for other in raw["nodes"]]
    return proposal(one.instruction, one.draft.known, *nodes, answers=one.draft.answers, initial=one.draft.initial)


CHOICE = proposal(
    "Of the open tickets with the tag login, give the oldest to Eun-ji Park and tell me its subject.",
    {"tag": "login", "name": "Eun-ji Park"},
    step("tickets", "search_tickets", tag=user("tag"), status=fixed("open")),
    reason("oldest", "argmin", output("tickets", "$.tickets"), by="opened_at"),
    step("agents", "list_agents", on_duty=fixed(True, ON_DUTY)),
    named("agent", output("agents", "$.agents"), "name"),
    step("assign", "assign_ticket", ticket_id=output("oldest", "$.id"), agent_id=output("agent", "$.id")),
    answers=(answer("subject", "text", "Cannot sign in", output("oldest", "$.subject"), "Login loop on the phone"),),
)

BRANCH = proposal(
    "If more than 3 tickets are open, open one for sam.roth@mail.example with the subject Backlog. Otherwise write the "
    "note All quiet on the ticket Dark mode.",
    {"limit": 3, "email": "sam.roth@mail.example", "subject": "Backlog", "title": "Dark mode", "text": "All quiet"},
    step("tickets", "search_tickets", status=fixed("open")),
    reason("number", "count", output("tickets", "$.tickets")),
    reason("many", "compare", output("number"), compare="greater", inputs={"value": user("limit")}),
    step(
        "open", "open_ticket", customer_email=user("email"), subject=user("subject"), when={"from": "many", "is": True}
    ),
    step("found", "search_tickets", text=user("title"), when={"from": "many", "is": False}),
    reason("one", "only", output("found", "$.tickets"), when={"from": "many", "is": False}),
    step("note", "add_note", ticket_id=output("one", "$.id"), text=user("text"), when={"from": "many", "is": False}),
    edges=(("tickets", "open"),),
)

FALL_BACK = proposal(
    "Give the ticket Dark mode to Chiara Lombardi; if that is refused, to Bruno Keller.",
    {"title": "Dark mode", "first": "Chiara Lombardi", "second": "Bruno Keller"},
    step("found", "search_tickets", text=user("title")),
    reason("ticket", "only", output("found", "$.tickets")),
    step("agents", "list_agents"),
    named("one", output("agents", "$.agents"), "first"),
    named("two", output("agents", "$.agents"), "second"),
    step("wish", "assign_ticket", ticket_id=output("ticket", "$.id"), agent_id=output("one", "$.id"), attempt=True),
    step(
        "instead",
        "assign_ticket",
        ticket_id=output("ticket", "$.id"),
        agent_id=output("two", "$.id"),
        when={"from": "wish", "refused": True},
    ),
)  # fmt: skip

CREATED = proposal(
    "Open two tickets for sam.roth@mail.example, Printer jams with high priority and Screen flickers, give the first "
    "to Amara Okafor and tell me the number of the second.",
    {
        "email": "sam.roth@mail.example",
        "one": "Printer jams",
        "priority": "high",
        "two": "Screen flickers",
        "name": "Amara Okafor",
    },
    step("first", "open_ticket", customer_email=user("email"), subject=user("one"), priority=user("priority")),
    step("second", "open_ticket", customer_email=user("email"), subject=user("two")),
    step("agents", "list_agents"),
    named("agent", output("agents", "$.agents"), "name"),
    step("assign", "assign_ticket", ticket_id=output("first", "$.id"), agent_id=output("agent", "$.id")),
    answers=(answer("number of the second ticket", "number", 10, output("second", "$.id"), 9),),
)

DATES = proposal(
    "How many days were there between the day on which the ticket Slow dashboard was opened and the day on which it "
    "was resolved?",
    {"title": "Slow dashboard"},
    step("found", "search_tickets", text=user("title")),
    reason("ticket", "only", output("found", "$.tickets")),
    step("whole", "get_ticket", ticket_id=output("ticket", "$.id")),
    reason("opened", "date_of", output("whole", "$.opened_at")),
    reason("resolved", "date_of", output("whole", "$.resolved_at")),
    reason("days", "days_between", output("opened"), inputs={"value": output("resolved")}),
    answers=(answer("days", "number", 4, output("days"), 5, 3),),
)

MERGED = proposal(
    "Resolve the ticket Charged twice in February with the resolution Refunded. Then give the most "
    "recent of the open tickets to Dmitri Volkov.",
    {"title": "Charged twice in February", "resolution": "Refunded", "name": "Dmitri Volkov"},
    step("found", "search_tickets", text=user("title")),
    reason("ticket", "only", output("found", "$.tickets")),
    step("resolve", "resolve_ticket", ticket_id=output("ticket", "$.id"), resolution=user("resolution")),
    step("tickets", "search_tickets", status=fixed("open")),
    reason("latest", "argmax", output("tickets", "$.tickets"), by="opened_at"),
    step("agents", "list_agents"),
    named("agent", output("agents", "$.agents"), "name"),
    step("assign", "assign_ticket", ticket_id=output("latest", "$.id"), agent_id=output("agent", "$.id")),
)

BOTH_SIDES = proposal(
    "Give the ticket Dark mode to Bruno Keller; then I write the note Please hurry on it myself.",
    {"title": "Dark mode", "name": "Bruno Keller", "text": "Please hurry"},
    step("found", "search_tickets", text=user("title")),
    reason("ticket", "only", output("found", "$.tickets")),
    step("agents", "list_agents"),
    named("agent", output("agents", "$.agents"), "name"),
    step("assign", "assign_ticket", ticket_id=output("ticket", "$.id"), agent_id=output("agent", "$.id")),
    step("note", "add_note", ticket_id=output("ticket", "$.id"), text=user("text"), actor="user"),
)

GOOD = {
    "choice": CHOICE,
    "branch": BRANCH,
    "fall-back": FALL_BACK,
    "created": CREATED,
    "dates": DATES,
    "merged": MERGED,
}
"""On the desk as it is; `BOTH_SIDES` needs a desk on which notes are the user's."""
