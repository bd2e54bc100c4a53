"""`report.html`: one page that needs nothing but itself.

Invariant: the same world, manifest and files give the same bytes; every text is escaped, whatever it holds; the page
loads nothing, and its policy header lets no script run but its own. Not covered: tasks, for which it keeps a marked
place (`task_section`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from autoforge.generator.ir import World
from autoforge.generator.report.overview import overview
from autoforge.generator.report.sample import seed_sample
from autoforge.generator.report.schema_picture import KIND_MARKS, schema_picture
from autoforge.generator.report.table_view import table_views
from autoforge.generator.report.task_section import tasks_section, with_tasks
from autoforge.generator.report.templating import part, script_digest, templates
from autoforge.generator.report.tool_picture import tool_picture
from autoforge.generator.report.tool_view import tool_views
from autoforge.generator.report.wording import anchors
from autoforge.mcp_envs.manifest import Manifest

__all__ = ["report_html"]


class FileLine(NamedTuple):
    name: str
    size: int
    """Bytes."""
    digest: str


def report_html(world: World, manifest: Manifest, files: Mapping[str, str]) -> str:
    """The page of one environment. `files` are its other files by name; what is not among them is not shown."""
    environment = templates()
    script, style = (part(environment, name) for name in ("script.js", "style.css"))
    tools = tool_views(world, manifest, files)
    table_anchors = anchors("table-", (table.name for table in manifest.tables))
    sample = seed_sample(files)
    lead, _, more = manifest.description.strip().partition("\n\n")
    page = environment.get_template("report.html.j2").render(
        manifest=manifest,
        title=manifest.title or manifest.name,
        lead=lead,
        more=more,
        script=script,
        style=style,
        script_digest=script_digest(script),
        overview=overview(manifest, tools),
        tools=tools,
        tables=table_views(manifest, sample, table_anchors),
        problem=sample.problem,
        tool_anchors={tool.record.name: tool.anchor for tool in tools},
        table_anchors=table_anchors,
        schema=schema_picture(manifest.tables),
        flows=tool_picture(manifest.tables, manifest.tools),
        kind_marks={kind.value: mark for kind, mark in KIND_MARKS.items()},
        policy=world.policy,
        files=_file_lines(files),
    )
    return with_tasks(page, tasks_section((), manifest, {}, None)) if manifest.admission else page


def _file_lines(files: Mapping[str, str]) -> list[FileLine]:
    encoded = {name: text.encode("utf-8", "replace") for name, text in sorted(files.items())}
    return [FileLine(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in encoded.items()]
