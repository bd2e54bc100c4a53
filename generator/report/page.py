"""`report.html`: one page that needs nothing but itself.

Invariant: the same world, manifest and files give the same bytes; every text is escaped, whatever it holds; the page
loads nothing, and its policy header lets no script run but its own. Not covered: tasks beyond their admission summary.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autoforge.generator.ir import World
from autoforge.generator.report.geometry import pixel
from autoforge.generator.report.markdown import prose
from autoforge.generator.report.overview import overview
from autoforge.generator.report.sample import seed_sample
from autoforge.generator.report.schema_picture import KIND_MARKS, schema_picture
from autoforge.generator.report.schema_words import value_words
from autoforge.generator.report.table_view import table_views
from autoforge.generator.report.tool_picture import tool_picture
from autoforge.generator.report.tool_view import tool_views
from autoforge.generator.report.wording import anchors, clean
from autoforge.mcp_envs.manifest import Manifest

__all__ = ["report_html"]


class FileLine(NamedTuple):
    name: str
    size: int
    """Bytes."""
    digest: str


def report_html(world: World, manifest: Manifest, files: Mapping[str, str]) -> str:
    """The page of one environment. `files` are its other files by name; what is not among them is not shown."""
    templates = _templates()
    script, style = (Markup(_part(templates, name)) for name in ("script.js", "style.css"))
    tools = tool_views(world, manifest, files)
    table_anchors = anchors("table-", (table.name for table in manifest.tables))
    sample = seed_sample(files)
    lead, _, more = manifest.description.strip().partition("\n\n")
    return templates.get_template("report.html.j2").render(
        manifest=manifest,
        title=manifest.title or manifest.name,
        lead=lead,
        more=more,
        script=script,
        style=style,
        script_digest=_script_digest(script),
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


def _templates() -> Environment:
    templates = Environment(
        loader=PackageLoader("autoforge.generator.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    templates.filters.update(px=pixel, value=value_words, prose=prose, fragment=_fragment)
    return templates


def _finalize(value: Any) -> Any:
    return value if isinstance(value, Markup) or not isinstance(value, str) else clean(value)


def _fragment(text: str) -> str:
    """A text as part of an address."""
    return quote(clean(text), safe="")


def _part(templates: Environment, name: str) -> str:
    """A file of the page that is no template."""
    assert templates.loader is not None
    return templates.loader.get_source(templates, name)[0].strip()


def _script_digest(script: str) -> str:
    """The source expression by which the page's policy knows its own script (CSP level 2, hash-source)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _file_lines(files: Mapping[str, str]) -> list[FileLine]:
    encoded = {name: text.encode("utf-8", "replace") for name, text in sorted(files.items())}
    return [FileLine(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in encoded.items()]
