"""Tasks on the desk fixture, written by hand; their gold comes from running the calls in a contained worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from autoforge.gym.baselines import Episodes
from autoforge.mcp_envs.environment import EnvironmentFolder, find_environment
from autoforge.mcp_envs.state import State, changes, digest, without_log
from autoforge.mcp_envs.task import (
    Answer,
    AnswerType,
    Blueprint,
    Difficulty,
    Gold,
    GoldCall,
    Literally,
    Output,
    RowChange,
    Task,
)

DESK = Path(__file__).parents[2] / "fixtures" / "desk"
NOWHERE = Literally(literal=None)

Step = tuple[str, dict[str, Any]]


def desk() -> EnvironmentFolder:
    return find_environment(str(DESK))


def answer(type: AnswerType, value: Any, *others: Any, name: str = "total price", path: str | None = None) -> Answer:
    source = NOWHERE if path is None else Output.model_validate({"from": "n1", "path": path})
    return Answer(name=name, type=type, value=value, others=others, source=source)


class Solved(NamedTuple):
    """A task, with the states from which its gold was made."""

    task: Task
    initial: State
    final: State


def solved(episodes: Episodes, id: str, steps: list[Step], answers: tuple[Answer, ...] = (), **more: Any) -> Solved:
    """A task whose gold is what these calls leave."""
    calls = tuple(GoldCall(node=f"n{n}", tool=tool, arguments=given) for n, (tool, given) in enumerate(steps, 1))
    empty = Gold(calls=calls, state="", diff=(), answers=answers)
    task = Task(
        id=id, environment="desk", instruction="…", known=more.pop("known", {}), blueprint=Blueprint(nodes=()),
        gold=empty, difficulty=Difficulty(calls=len(calls), writes=1, depth=1, reasoning=0), **more,
    )  # fmt: skip
    episode = episodes.of(task)
    for call in calls:
        result = episode.call(call.tool, call.arguments)
        assert result.ok, result
    final, manifest = episode.state(), episodes.folder.manifest
    diff = tuple(RowChange(**change._asdict()) for change in changes(episode.initial, final, manifest))
    gold = Gold(calls=calls, state=digest(without_log(final, manifest)), diff=diff, answers=answers)
    return Solved(task.model_copy(update={"gold": gold}), episode.initial, final)


RENT: Step = ("open_ticket", {"customer_email": "ada@x.example", "subject": "Rent question", "priority": "high"})
BILL: Step = ("open_ticket", {"customer_email": "ada@x.example", "subject": "Bill question", "tags": ["refund"]})


def all_solved(episodes: Episodes) -> dict[str, Solved]:
    """Tasks of every kind: state only, answers only, both, with set-up, with statements on top of the seed."""
    numbers = answer("number", 9, 10, name="number of the rent ticket", path="$.id")
    opened = answer("number", 4, 8, name="number of open tickets", path="$.total")
    emails = answer("list", ["eunji.park@desk.example", "bruno.keller@desk.example"], "chiara.lombardi@desk.example",
                    name="addresses")  # fmt: skip
    due = answer("date", "2026-03-04", "2026-03-02", name="due date")
    duty = answer("boolean", False, True, name="Chiara on duty")
    chiara = answer("text", "Chiara Lombardi", "Bruno Keller", "Eun-ji Park", name="agent off duty")
    tasks = [
        solved(episodes, "open-two", [RENT, BILL], (numbers,), known={"email": "ada@x.example"}),
        solved(episodes, "assign", [("search_tickets", {"status": "open"}),
                                    ("assign_ticket", {"ticket_id": 6, "agent_id": 5}),
                                    ("add_note", {"ticket_id": 6, "text": "On it."})], (due,)),
        solved(episodes, "count", [("search_tickets", {"status": "open"})], (opened,)),
        solved(episodes, "off-duty", [("list_agents", {"team": "technical"})], (chiara, duty, emails)),
        solved(episodes, "resolve", [("resolve_ticket", {"ticket_id": 9, "resolution": "done"})],
               setup=(GoldCall(node="s1", tool=RENT[0], arguments=RENT[1]),
                      GoldCall(node="s2", tool="assign_ticket", arguments={"ticket_id": 9, "agent_id": 1}))),
        solved(episodes, "reassign", [("assign_ticket", {"ticket_id": 2, "agent_id": 3})],
               initial=("UPDATE agents SET on_duty = 1 WHERE id = 3",)),
    ]  # fmt: skip
    return {one.task.id: one for one in tasks}
