"""One HTML page with the curves of a run that needs nothing but itself.

Invariant: the page loads nothing, and its policy header lets no script run but its own; names from records are text in
it; without JavaScript all curves are there; the file is the old one or the new one, whole. Not covered: which curves
there are (`charts`), where their points lie (`picture`).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autoforge.gym.runs.writing import write_whole
from autoforge.gym.view.script_data import clean, data_line
from autoforge.trainer.metrics.record import StepRecord
from autoforge.trainer.metrics.report.charts import Chart, Line, environments_of, sections_of
from autoforge.trainer.metrics.report.picture import HEIGHT, WIDTH, picture_of
from autoforge.trainer.metrics.report.summary import summary_of
from autoforge.trainer.settings.plan.text import duration

__all__ = ["write_report"]


def write_report(records: Sequence[StepRecord], path: Path, *, title: str = "") -> None:
    """Write the page of these records, in their order. Raises BadInput or AutoForgeError where it cannot be."""
    environment, sections = _templates(), sections_of(records)
    script = _part(environment, "page.js")
    page = environment.get_template("page.html.j2").generate(
        title=title or "A run",
        style=_part(environment, "page.css"),
        script=script,
        script_digest=_digest(script),
        environments=environments_of(records),
        summary=summary_of(records),
        sections=[(section.title, [picture_of(chart) for chart in section.charts]) for section in sections],
        data=[data_line(_data(chart)) for section in sections for chart in section.charts],
        width=WIDTH,
        height=HEIGHT,
    )
    write_whole(path, page)


def _data(chart: Chart) -> dict[str, Any]:
    """What the page's script shows under the pointer."""
    lines = [{"label": clean(line.label), "environment": line.environment, **_points(line)} for line in chart.lines]
    return {"id": chart.id, "lines": lines}


def _points(line: Line) -> dict[str, Any]:
    there = [point for point in line.points if point.value is not None]
    return {"steps": [p.step for p in there], "values": [float(f"{p.value:.6g}") for p in there]}


def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("autoforge.trainer.metrics.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: clean(value) if type(value) is str else value,
    )
    environment.filters["reward"] = lambda value: "–" if value is None else f"{value:.3f}"
    environment.filters["share"] = lambda value: "–" if value is None else f"{value:.1%}"
    environment.filters["duration"] = duration
    return environment


def _part(environment: Environment, name: str) -> Markup:
    """A file of the page that is no template."""
    assert environment.loader is not None
    return Markup(environment.loader.get_source(environment, name)[0].strip())


def _digest(script: str) -> str:
    """The source expression by which the policy knows the page's own script (CSP level 2, hash-source)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
