"""The tasks of a page as lines of JSON that a script reads: one for the list and one for the whole of each.

Invariant: no text can end the element that holds it or act in the page; the lines together keep to their room, by
cutting values shorter and then by holding an even sample of the tasks. Not covered: what a line says (`task_view`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from autoforge.generator.report.task_steps import writing_tools
from autoforge.generator.report.task_view import TaskView, task_entry, task_picture_json, task_told, task_view
from autoforge.generator.report.wording import clean
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.task import Task

__all__ = ["ROOM", "TaskLines", "TaskOutputs", "data_line", "task_lines"]

ROOM = 12_500_000
"""Bytes that the tasks of one page may take."""
_WIDTHS = (900, 300, 100, 40)
"""Columns of a value, from the first try to the last."""

TaskOutputs = Mapping[str, Mapping[str, Any]]
"""Task id -> node id -> output."""


class TaskLines(NamedTuple):
    """The tasks as JSON, a line each."""

    entries: tuple[str, ...]
    details: tuple[str, ...]
    total: int
    """Tasks there are, also those that did not fit."""


def task_lines(
    tasks: Sequence[Task], manifest: Manifest, outputs: TaskOutputs, refusals: TaskOutputs, room: int = ROOM
) -> TaskLines:
    """The lines of all tasks, or of as many as fit, chosen evenly."""
    writing = writing_tools(manifest)
    views = [task_view(n, t, writing, outputs.get(t.id, {}), refusals.get(t.id, {})) for n, t in enumerate(tasks, 1)]
    entries = [data_line(task_entry(view)) for view in views]
    pictures = [data_line(task_picture_json(view)) for view in views]
    fixed = sum(len(line.encode()) for line in (*entries, *pictures))
    details: list[str] = []
    size = 0
    for width in _WIDTHS if fixed <= room else _WIDTHS[-1:]:
        details = [_joined(view, picture, width) for view, picture in zip(views, pictures, strict=True)]
        size = sum(len(line.encode()) for line in (*entries, *details))
        if size <= room:
            break
    kept = min(len(tasks), len(tasks) * room // size) if size else 0
    places = [place * len(tasks) // kept for place in range(kept)]
    return TaskLines(tuple(entries[p] for p in places), tuple(details[p] for p in places), len(tasks))


def _joined(view: TaskView, picture: str, width: int) -> str:
    return f'{data_line(task_told(view, width))[:-1]},"picture":{picture}}}'


def data_line(value: Any) -> str:
    """JSON that may stand in a `script` element, whatever it holds."""
    text = json.dumps(_cleaned(value), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(str(name)): _cleaned(inner) for name, inner in value.items()}
    return [_cleaned(inner) for inner in value] if isinstance(value, list | tuple) else value
