"""What the page holds of one task: an entry of the list, its picture, and all that is told beside it, as JSON values.

Invariant: what does not depend on how much of the outputs is shown is made once. Not covered: how much fits on a page
(`task_lines`), drawing (`tasks.js`, which knows the order of the lists made here).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from autoforge.generator.report.schema_words import value_words
from autoforge.generator.report.task_picture import Box, outline, task_picture
from autoforge.generator.report.task_steps import Step, steps
from autoforge.generator.report.task_words import short, source_words
from autoforge.generator.report.wording import truncated
from autoforge.mcp_envs.task import Answer, RowChange, Task

__all__ = ["TaskView", "task_entry", "task_picture_json", "task_told", "task_view", "verdict_tone"]

_MOST_STATEMENTS = 12
_EXPECTED = {"gold": 1, "no_op": 0}


class TaskView(NamedTuple):
    """A task with its steps."""

    number: int
    task: Task
    steps: tuple[Step, ...]
    outputs: Mapping[str, Any]
    refusals: Mapping[str, Any]


def task_view(
    number: int, task: Task, writing: frozenset[str], outputs: Mapping[str, Any], refusals: Mapping[str, Any]
) -> TaskView:
    """`writing` are the tools that write; `outputs` and `refusals` go by node and may be empty."""
    return TaskView(number, task, steps(task, writing, outputs), outputs, refusals)


def task_entry(view: TaskView) -> dict[str, Any]:
    """What the list shows and is filtered by."""
    task, difficulty, blueprint = view.task, view.task.difficulty, view.task.blueprint
    words = dict.fromkeys((*(step.tool for step in blueprint.steps), *(node.reason for node in blueprint.reasons)))
    return {
        "n": view.number, "id": task.id, "text": task.instruction, "level": difficulty.level, "split": task.split,
        "branches": difficulty.branches, "reasoning": difficulty.reasoning,
        "user": any(step.actor == "user" for step in blueprint.steps), "words": " ".join(words),
    }  # fmt: skip


def task_picture_json(view: TaskView) -> dict[str, Any]:
    """The picture as lists, every shape once, texts only where the box does not show them whole: the most of a page."""
    picture = task_picture(view.steps, view.task.blueprint.edges)
    shapes: dict[str, int] = {}
    places = {box.step.id: place for place, box in enumerate(picture.boxes)}
    return {
        "size": [_half(picture.width), _half(picture.height)],
        "boxes": [_box(box, shapes) for box in picture.boxes],
        "lines": [[places[n.origin], places[n.end], n.row, n.flow, n.path] for n in picture.lines],
        "shapes": list(shapes),
    }


def _box(box: Box, shapes: dict[str, int]) -> list[Any]:
    step = box.step
    shape = shapes.setdefault(outline(step.kind, box.width, box.height), len(shapes))
    texts = [text if text != shown else 0 for shown, text in ((box.title, step.title), (box.detail, step.detail))]
    rows = [[row.name, row.words, row.full, row.flow, _half(row.y)] for row in box.rows]
    marks = " ".join((step.kind, step.fate, *(["attempt"] if step.attempt else [])))
    return [step.id, marks, _half(box.x), _half(box.y), _half(box.width), shape, box.title, box.detail, *texts, rows]


def _half(value: float) -> float:
    """To half a pixel, whole numbers without a fraction."""
    rounded = round(value * 2) / 2
    return int(rounded) if rounded == int(rounded) else rounded


def task_told(view: TaskView, width: int) -> dict[str, Any]:
    """All but the picture, with values in at most `width` columns."""
    task = view.task
    return {
        "persona": task.persona, "language": task.language, "signature": task.signature[:12], "state": task.gold.state,
        "known": [[name, short(value, width)] for name, value in task.known.items()],
        "initial": _statements(task.initial, width),
        "setup": [[call.tool, short(call.arguments, width)] for call in task.setup],
        "steps": _gave(view, width), "diff": [_change(change, width) for change in task.gold.diff],
        "answers": [_answer(answer, width) for answer in task.gold.answers],
        "difficulty": task.difficulty.model_dump(mode="json"), "distractors": list(task.distractors or ()),
        "verdicts": [_verdict(name, value) for name, value in task.verdicts.items()],
        "provenance": {name: value_words(value, 120) for name, value in task.provenance.items()},
    }  # fmt: skip


def _statements(initial: tuple[str, ...], width: int) -> list[str]:
    rest = len(initial) - _MOST_STATEMENTS
    shown = [truncated(sql, width) for sql in initial[:_MOST_STATEMENTS]]
    return [*shown, f"-- and {rest} more"] if rest > 0 else shown


def _gave(view: TaskView, width: int) -> list[list[Any]]:
    """Of each node its box, the arguments of its gold call (0: it made none), what it gave, and why it was refused."""
    made = {call.node: call.arguments for call in view.task.gold.calls}
    return [
        [
            place,
            [[name, short(value, width)] for name, value in made[step.id].items()] if step.id in made else 0,
            short(view.outputs[step.id], width) if step.id in view.outputs else "",
            str(view.refusals.get(step.id, "")),
        ]
        for place, step in enumerate(view.steps)
        if step.kind not in ("known", "answer")
    ]


def _answer(answer: Answer, width: int) -> dict[str, Any]:
    return {
        "name": answer.name, "type": answer.type, "value": short(answer.value, width),
        "from": source_words(answer.source), "others": [short(other, 60) for other in answer.others[:8]],
    }  # fmt: skip


def _change(change: RowChange, width: int) -> dict[str, Any]:
    before, after = change.before, change.after
    fate = "new" if before is None else "gone" if after is None else "changed"
    cells = [
        [name, *(short(row[name], width) if row and name in row else "" for row in (before, after))]
        for name in dict.fromkeys((*(before or {}), *(after or {})))
    ]
    key = ", ".join(short(part, 80) for part in change.key)
    return {"table": change.table, "key": key, "fate": fate, "cells": cells}


def _verdict(name: str, value: Any) -> list[str]:
    return [name.replace("_", " "), value_words(value, 200), verdict_tone(name, value)]


def verdict_tone(name: str, value: Any) -> str:
    """`good`, `bad`, or nothing where a number alone does not say."""
    if isinstance(value, bool):
        return "good" if value else "bad"
    if name in _EXPECTED and isinstance(value, int | float):
        return "good" if value == _EXPECTED[name] else "bad"
    parts = value.split("/") if isinstance(value, str) else []
    if len(parts) == 2 and all(part.strip().isdigit() for part in parts):
        return "good" if parts[0].strip() == parts[1].strip() else "bad"
    return ""
