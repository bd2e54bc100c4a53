"""One HTML page of many episodes that needs nothing but itself.

Invariant: the page loads nothing, and its policy header lets no script run but its own; whatever a trajectory holds is
text in it; the file is the old one or the new one, whole. Episodes are data that the script draws when one is opened,
so thousands of them open at once. Not covered: which episodes there are.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autoforge.gym.runs.outcome import outcome_of
from autoforge.gym.runs.writing import write_whole
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.view.episode_data import Shelf, episode_data, list_entry
from autoforge.gym.view.script_data import clean, data_line
from autoforge.gym.view.summary import Summary

__all__ = ["write_page"]

_SCRIPTS = ("elements.js", "episode.js", "list.js", "page.js")
"""In this order they are one script: what one defines, the next may use."""
_UNSCRIPTED = 500
"""Most episodes in the table that is there without JavaScript."""


class _Lines(NamedTuple):
    entries: list[Markup]
    episodes: list[Markup]
    plain: list[dict[str, Any]]
    """Entries for the table without JavaScript."""
    shared: list[Markup]
    summary: Summary


def write_page(trajectories: Iterable[Trajectory], path: Path, *, title: str = "") -> None:
    """Write the page of these episodes, in their order. Raises AutoForgeError where the file cannot be written."""
    lines = _lines(trajectories)
    environment = _templates()
    script = Markup("\n").join(_part(environment, name) for name in _SCRIPTS)
    page = environment.get_template("page.html.j2").generate(
        title=title or "Episodes",
        style=_part(environment, "page.css"),
        script=script,
        script_digest=_digest(script),
        **lines._asdict(),
    )
    write_whole(path, page)


def _lines(trajectories: Iterable[Trajectory]) -> _Lines:
    """Each episode is let go of once its lines are made."""
    lines, shelf = _Lines([], [], [], [], Summary()), Shelf()
    for trajectory in trajectories:
        entry = list_entry(trajectory)
        lines.entries.append(data_line(entry))
        lines.episodes.append(data_line(episode_data(trajectory, shelf)))
        lines.summary.add(outcome_of(trajectory))
        if len(lines.plain) < _UNSCRIPTED:
            lines.plain.append({**entry, "explanation": _explained(trajectory)})
    lines.shared.extend(map(data_line, shelf.things))
    return lines


def _explained(trajectory: Trajectory) -> str:
    failure = trajectory.failure
    return f"{failure.blame}: {failure.message}" if failure else " ".join((trajectory.why, *trajectory.explanation[:2]))


def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("autoforge.gym.view"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: clean(value) if type(value) is str else value,
    )
    environment.filters["mean"] = lambda value: "–" if value is None else f"{value:.3f}"
    environment.filters["count"] = lambda value: f"{value:,}"
    return environment


def _part(environment: Environment, name: str) -> Markup:
    """A file of the page that is no template."""
    assert environment.loader is not None
    return Markup(environment.loader.get_source(environment, name)[0].strip())


def _digest(script: str) -> str:
    """The source expression by which the policy knows the page's own script (CSP level 2, hash-source)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
