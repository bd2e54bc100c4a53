"""What a model thinks of the calls of merged tasks: which of them look redundant.

Invariant: an opinion is kept in the task's provenance and changes nothing else; whether a call is needed is decided by
execution. Not covered: dropping redundant calls (`slim`, `finish`), proof (`gate`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from autoforge.generator.tasks.model.adviser import Adviser, Question
from autoforge.generator.tasks.model.words import OPINIONS
from autoforge.mcp_envs.task import Task

__all__ = ["OpinionsAnswer", "with_opinions"]

_TASKS_PER_REQUEST = 6
_LONGEST = 200


class _Opinion(BaseModel):
    model_config = ConfigDict(extra="ignore")

    task: int
    redundant: list[int] = Field(max_length=40)
    why: str = ""


class OpinionsAnswer(BaseModel):
    """The tasks that have calls which look redundant."""

    model_config = ConfigDict(extra="ignore")

    tasks: list[_Opinion]


def with_opinions(tasks: Sequence[Task], adviser: Adviser) -> list[Task]:
    """The tasks, those of several walks with the model's opinion in their provenance. Raises Unanswered."""
    merged = [task for task in tasks if task.difficulty.walks > 1]
    batches = [merged[i : i + _TASKS_PER_REQUEST] for i in range(0, len(merged), _TASKS_PER_REQUEST)]
    answers = adviser.ask("opinions", [_question(batch) for batch in batches], OpinionsAnswer)
    opinions: dict[str, JsonValue] = {}
    for batch, answer in zip(batches, answers, strict=True):
        if answer is not None:
            opinions |= {task.id: _opinion(number, task, answer, adviser.model) for number, task in enumerate(batch, 1)}
    doubted = sum(1 for o in opinions.values() if isinstance(o, dict) and o["redundant"])
    adviser.tell(f"opinions: calls of {doubted} of {len(opinions)} merged tasks look redundant to the model")
    return [_with(task, opinions.get(task.id)) for task in tasks]


def _with(task: Task, opinion: JsonValue) -> Task:
    return task if opinion is None else task.model_copy(update={"provenance": {**task.provenance, "opinion": opinion}})


def _opinion(number: int, task: Task, answer: OpinionsAnswer, model: str) -> JsonValue:
    about = [one for one in answer.tasks if one.task == number]
    calls = dict.fromkeys(n for one in about for n in one.redundant if 1 <= n <= len(task.gold.calls))
    nodes: list[JsonValue] = [task.gold.calls[n - 1].node for n in calls]
    why = " ".join(one.why for one in about if nodes)[:_LONGEST]
    return {"model": model, "redundant": nodes, "why": why}


def _question(batch: Sequence[Task]) -> Question:
    return Question(OPINIONS, tuple((f"Task {number}", _shown(task)) for number, task in enumerate(batch, 1)))


def _shown(task: Task) -> str:
    calls = [f"{number}. {call.tool} {json.dumps(call.arguments, ensure_ascii=False, sort_keys=True)[:300]}"
             for number, call in enumerate(task.gold.calls, 1)]  # fmt: skip
    return "\n".join([task.instruction, "", *calls])
