"""Tasks of the support desk, written by hand, whose gold comes out of its own tools."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autoforge.generator.report.task_lines import TaskOutputs
from autoforge.generator.tasks.interpreter import execute, resolve
from autoforge.generator.tasks.replay import replay
from autoforge.generator.tasks.stage import Stage, state_digest
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.state import changes
from autoforge.mcp_envs.task import Answer, Blueprint, Difficulty, Gold, GoldCall, RowChange, Task

DESK = Path(__file__).parents[2] / "fixtures" / "desk"

FALL_BACK: dict[str, Any] = {
    "nodes": [
        {"id": "n1", "tool": "search_tickets", "arguments": {"text": {"user": "email"}, "limit": {"literal": 50,
         "why": "all"}}},
        {"id": "n2", "reason": "filter", "over": {"from": "n1", "path": "$.tickets[*]"}, "by": "status",
         "compare": "equal",
         "inputs": {"value": {"literal": "open"}}},
        {"id": "n3", "reason": "argmin", "over": {"from": "n2", "path": "$"}, "by": "due_on"},
        {"id": "n4", "tool": "list_agents", "arguments": {"team": {"user": "team"}}},
        {"id": "n5", "reason": "only_where", "over": {"from": "n4", "path": "$.agents[*]"}, "by": "name",
         "compare": "equal",
         "inputs": {"value": {"user": "first choice"}}},
        {"id": "n6", "tool": "assign_ticket", "attempt": True,
         "arguments": {"ticket_id": {"from": "n3", "path": "$.id"}, "agent_id": {"from": "n5", "path": "$.id"}}},
        {"id": "n7", "reason": "only_where", "over": {"from": "n4", "path": "$.agents[*]"}, "by": "name",
         "compare": "equal",
         "inputs": {"value": {"user": "second choice"}}},
        {"id": "n8", "tool": "assign_ticket", "when": {"from": "n6", "refused": True},
         "arguments": {"ticket_id": {"from": "n3", "path": "$.id"}, "agent_id": {"from": "n7", "path": "$.id"}}},
        {"id": "n9", "reason": "count", "over": {"from": "n1", "path": "$.tickets[*]"}},
        {"id": "n10", "reason": "compare", "over": {"from": "n9", "path": "$"}, "compare": "greater",
         "inputs": {"value": {"user": "most tickets"}}},
        {"id": "n11", "tool": "open_ticket", "when": {"from": "n10", "is": True},
         "arguments": {"customer_email": {"user": "email"}, "subject": {"user": "subject"},
                       "tags": {"list": [{"literal": "escalation"}, {"user": "tag"}]}}},
        {"id": "n12", "tool": "add_note", "when": {"from": "n10", "is": True},
         "arguments": {"ticket_id": {"from": "n11", "path": "$.id"}, "text": {"user": "note"}}},
        {"id": "n13", "tool": "resolve_ticket", "when": {"from": "n10", "is": False},
         "arguments": {"ticket_id": {"from": "n8", "path": "$.id"}, "resolution": {"user": "note"}}},
    ],
    "edges": [["n1", "n2"], ["n2", "n3"], ["n4", "n5"], ["n3", "n6"], ["n5", "n6"], ["n4", "n7"], ["n6", "n8"],
    ["n3", "n8"],
              ["n7", "n8"], ["n1", "n9"], ["n9", "n10"], ["n10", "n11"], ["n10", "n12"], ["n11", "n12"], ["n10",
               "n13"],
              ["n8", "n13"], ["n8", "n11"]],
}  # fmt: skip
"""A first wish that is refused, a branch of which one side is skipped, an id that is made on the way."""

USER_ACTS: dict[str, Any] = {
    "nodes": [
        {"id": "n1", "tool": "search_tickets", "arguments": {"status": {"literal": "assigned"}}},
        {"id": "n2", "reason": "argmax", "over": {"from": "n1", "path": "$.tickets[*]"}, "by": "opened_at"},
        {"id": "n3", "actor": "user", "tool": "add_note",
         "arguments": {"ticket_id": {"from": "n2", "path": "$.id"}, "text": {"user": "confirmation"}}},
        {"id": "n4", "tool": "resolve_ticket",
         "arguments": {"ticket_id": {"from": "n2", "path": "$.id"}, "resolution": {"user": "resolution"}}},
    ],
    "edges": [["n1", "n2"], ["n2", "n3"], ["n2", "n4"], ["n3", "n4"]],
}  # fmt: skip

ONLY_READS: dict[str, Any] = {
    "nodes": [
        {"id": "n1", "tool": "search_tickets", "arguments": {"tag": {"user": "tag"}}},
        {"id": "n2", "reason": "count", "over": {"from": "n1", "path": "$.tickets[*]"}},
    ],
    "edges": [["n1", "n2"]],
}


def desk() -> EnvironmentFolder:
    return find_environment(str(DESK))


def made(
    stage: Stage, id: str, blueprint: Mapping[str, Any], known: dict[str, Any], told: list[dict[str, Any]], **more: Any
) -> Task:
    """A task with its gold, from a blueprint and the answers without their values."""
    plan = Blueprint.model_validate(blueprint)
    initial, setup = more.get("initial", ()), more.get("setup", ())
    start = stage.start(initial, setup)
    session = stage.session(start)
    done = execute(plan, known, session.call)
    final = session.state()
    session.close()
    diff = [RowChange(**change._asdict()) for change in changes(start.state, final, stage.manifest)]
    drafts = [Answer.model_validate({**answer, "value": None}) for answer in told]
    answers = tuple(a.model_copy(update={"value": resolve(a.source, known, done.values)}) for a in drafts)
    gold = Gold(calls=tuple(done.calls), state=state_digest(final, stage.manifest), diff=tuple(diff), answers=answers)
    writes = sum(call.tool not in ("search_tickets", "list_agents", "get_ticket") for call in done.calls)
    difficulty = Difficulty(
        calls=len(done.calls), writes=writes, depth=len(plan.nodes) // 2, reasoning=len(plan.reasons),
        branches=sum(node.when is not None for node in plan.nodes), level=more.pop("level", "medium"),
    )  # fmt: skip
    return Task(id=id, environment="desk", known=known, blueprint=plan, gold=gold, difficulty=difficulty, **more)


_VERDICTS = {
    "gold": 1, "no_op": 0, "mutants_killed": "9/9", "reorders_accepted": "4/4", "realisable": True, "minimal": True,
}  # fmt: skip


def desk_tasks(stage: Stage) -> tuple[Task, ...]:
    return _fall_back(stage), _user_acts(stage), _only_reads(stage)


def _fall_back(stage: Stage) -> Task:
    known = {
        "email": "tom.baker@mail.example", "team": "technical", "first choice": "Chiara Lombardi",
        "second choice": "Eun-ji Park", "most tickets": 1, "subject": "Two problems at once", "tag": "login",
        "note": "He needs it before Friday & asks twice.",
    }  # fmt: skip
    told: list[dict[str, Any]] = [
        {"name": "number of tickets", "type": "number", "source": {"from": "n9"}, "others": [1, 3]},
        {"name": "number of the new ticket", "type": "number", "source": {"from": "n11", "path": "$.id"}},
    ]
    return made(
        stage, "desk-fall-back", FALL_BACK, known, told,
        instruction="Tom Baker (tom.baker@mail.example) is upset. Please give his open ticket that is due first to "
                    "Chiara Lombardi of the technical team; if she cannot take it, to Eun-ji Park. If he has more than "
                    "one ticket in all, open a new one called \"Two problems at once\" with the tags escalation and "
                    "login, and note on it that he needs it before Friday & asks twice; otherwise resolve the one you "
                    "gave away. Tell me how many tickets he has and the number of the new one.",
        persona="You are a team lead, short of time and polite.", level="hard", verdicts=_VERDICTS,
        provenance={"seed": 7, "proposal": 12}, initial=("UPDATE tickets SET priority = 'urgent' WHERE id = 6;",),
        setup=(GoldCall(node="s1", tool="add_note", arguments={"ticket_id": 2, "text": "Called."}),),
    )  # fmt: skip


def _user_acts(stage: Stage) -> Task:
    known = {"confirmation": "It works again.", "resolution": "Limit lifted."}
    words = 'Close the newest assigned ticket with "Limit lifted." I will write on it myself that it works again.'
    verdicts = {**_VERDICTS, "mutants_killed": "8/9", "minimal": False}
    more = {"split": "test", "level": "easy", "verdicts": verdicts}
    return made(stage, "desk-user-acts", USER_ACTS, known, [], instruction=words, **more)


def _only_reads(stage: Stage) -> Task:
    told = [{"name": "number of tickets", "type": "number", "source": {"from": "n2"}}]
    more = {"instruction": "How many tickets carry the tag invoice?", "split": "validation", "level": "easy"}
    return made(stage, "desk-only-reads", ONLY_READS, {"tag": "invoice"}, told, **more)


def replayed(stage: Stage, tasks: tuple[Task, ...]) -> tuple[TaskOutputs, TaskOutputs]:
    """Outputs and refusals by task."""
    found = {task.id: replay(stage, task) for task in tasks}
    return {i: r.outputs for i, r in found.items()}, {i: r.refusals for i, r in found.items()}
