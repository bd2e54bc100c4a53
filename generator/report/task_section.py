"""The part of `report.html` that shows tasks and the tool dependency graph, made without the world, and put into a page
that is there already.

Invariant: a section brings its own style and script, and the page's policy lets that very script run, so that a section
fits a page of an older version; putting one in twice is putting it in once. The tasks are data that the script draws
when one is chosen: a thousand pictures would weigh more than the page may. Not covered: which tasks there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import get_args

from markupsafe import Markup

from autoforge.generator.report.dependency_picture import ToolGraph, dependency_picture
from autoforge.generator.report.task_counts import admission_groups, difficulty_groups
from autoforge.generator.report.task_lines import TaskOutputs, data_line, task_lines
from autoforge.generator.report.task_picture import outline
from autoforge.generator.report.task_steps import Kind
from autoforge.generator.report.templating import part, script_digest, templates
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.task import Task

__all__ = ["section_of", "tasks_section", "with_tasks"]

_PLACES = {name: re.compile(f"<!-- {name} -->.*?<!-- /{name} -->", re.DOTALL) for name in ("tasks", "tasks:links")}
"""Nothing between the marks can hold one: texts of the page are escaped, data has no `<`."""
_POLICY = re.compile(r"(script-src 'sha256-[^']+')(?: 'sha256-[^']+')*")
_LINKS = {"dependencies": "Dependencies", "tasks": "Tasks"}
_LEGEND: dict[Kind, str] = {
    "known": "value the user knows", "read": "tool that reads", "write": "tool that writes",
    "user": "the user's own call", "reason": "reasoning", "answer": "told to the user",
}  # fmt: skip
assert set(_LEGEND) == set(get_args(Kind))


def tasks_section(
    tasks: Sequence[Task],
    manifest: Manifest,
    outputs: TaskOutputs,
    graph: ToolGraph | None,
    refusals: TaskOutputs | None = None,
) -> str:
    """HTML that shows the tasks, the figures of `manifest.admission`, and the dependency graph where there is one.

    `outputs` are values by task and node (`tasks.replay`), `refusals` the sentences with which attempts were refused;
    what is missing is not shown. `graph` has tools as nodes (`kind`, `side`) and edges with `output`, `parameter`,
    `evidence`.
    """
    environment = templates()
    lines = task_lines(tasks, manifest, outputs, refusals or {})
    picture = None if graph is None else dependency_picture(graph)
    return environment.get_template("tasks.html.j2").render(
        manifest=manifest,
        style=part(environment, "tasks.css"),
        script=part(environment, "tasks.js"),
        lines=lines,
        index=Markup(",\n".join(lines.entries)),
        details=Markup("\n".join(lines.details)),
        groups=(*admission_groups(manifest.admission), *difficulty_groups(tasks)),
        legend=[(kind, words, outline(kind, 34, 16)) for kind, words in _LEGEND.items()],
        dependencies=picture,
        dependency_data=Markup(data_line([[p.giver, p.taker, p.edges] for p in picture.pairs] if picture else [])),
    )


def section_of(report: str) -> str:
    """The section that a page holds; empty where it holds none."""
    found = _PLACES["tasks"].search(report)
    inner = found.group().removeprefix("<!-- tasks -->").removesuffix("<!-- /tasks -->") if found else ""
    return inner.removeprefix("\n").removesuffix("\n")


def with_tasks(report: str, section: str) -> str:
    """The page with this section in the place of the one it has; an empty section leaves an empty place.

    Raises BadInput for a page that keeps no place for it.
    """
    if not all(place.search(report) for place in _PLACES.values()) or not _POLICY.search(report):
        raise BadInput("report.html keeps no place for tasks; compile the environment again with autoforge-gen.")
    links = "".join(
        f'<li><a href="#{name}">{words}</a></li>'
        for name, words in _LINKS.items()
        if f'<section id="{name}"' in section
    )
    parts: Mapping[str, str] = {"tasks": f"\n{section}\n" if section else "", "tasks:links": links}
    for name, place in _PLACES.items():
        filled = f"<!-- {name} -->{parts[name]}<!-- /{name} -->"
        report = place.sub(lambda _, filled=filled: filled, report, count=1)  # type: ignore[misc]
    own = f" '{script_digest(part(templates(), 'tasks.js'))}'" if "<script>" in section else ""
    return _POLICY.sub(lambda found: found.group(1) + own, report, count=1)
