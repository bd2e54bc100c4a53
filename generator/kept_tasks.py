"""What becomes of tasks when their environment is compiled again.

Invariant: tasks stay with the code, data and rules they were proved on; they are never lost without being asked for.
Not covered: proving them again (`autoforge-gen check`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from autoforge.generator.report.task_section import section_of, with_tasks
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest
from autoforge.mcp_envs.task import TASKS_FILE, read_tasks

__all__ = ["GRAPH_FILE", "kept", "meaning_of"]

_PROVED_ON = ("docs.json", "schema.sql", "seed.sql", "tools.py", "policy.md")
GRAPH_FILE = "graph.graphml"


def meaning_of(manifest: Manifest) -> str:
    """What of a manifest decides what a task is worth: kinds of columns, keys, effects, sides."""
    tools = [t.model_dump(include={"name", "function", "arguments", "kind", "side", "effects"}) for t in manifest.tools]
    return json.dumps([[t.model_dump(mode="json") for t in manifest.tables], tools], default=str, sort_keys=True)


def kept(files: Mapping[str, str], manifest: Manifest, target: Path, *, drop: bool) -> tuple[dict[str, str], Manifest]:
    """The new files with the tasks of the environment that is there, and the manifest that tells of them.

    Raises BadInput where those tasks were proved on something else and `drop` was not asked for.
    """
    if drop or not (target / TASKS_FILE).is_file():
        return dict(files), manifest
    old = find_environment(str(target))
    count = len(read_tasks(target))
    changed = [name for name in _PROVED_ON if old.text(name) != files[name]]
    changed += [] if meaning_of(old.manifest) == meaning_of(manifest) else ["environment.json"]
    if count and changed:
        words = f"{target} holds {count} tasks that were proved on another {', '.join(changed)}, so it is kept"
        raise BadInput(f"{words}; give --drop-tasks to lose them, or another place with -o.")
    carried = {name: old.text(name) for name in (TASKS_FILE, GRAPH_FILE) if (target / name).is_file()}
    report = with_tasks(files["report.html"], section_of(old.text("report.html"))) if "report.html" in files else None
    shown = {"report.html": report} if report is not None else {}
    return {**files, **carried, **shown}, manifest.model_copy(update={"admission": old.manifest.admission})
