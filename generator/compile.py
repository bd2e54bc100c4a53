"""Documentation → the files of one environment, proved before they are written.

Invariant: nothing reaches the target folder before the conformance suite has run on exactly the files that are written,
except the parts that hold its verdicts. The same documentation, data, policy and settings give the same bytes. Not
covered: tasks.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.generator.conformance import Report, run_suite
from autoforge.generator.data import DataSample, place
from autoforge.generator.documents import Documentation
from autoforge.generator.emit import manifest_tables, manifest_tools, schema_sql, tools_py
from autoforge.generator.emit.folder import write_environment
from autoforge.generator.emit.readme import readme_md
from autoforge.generator.emit.server import server_py
from autoforge.generator.ir import World
from autoforge.generator.kept_tasks import kept
from autoforge.generator.report import report_html
from autoforge.generator.rules.synthesize import synthesize
from autoforge.generator.seed import seed_rows, seed_sql
from autoforge.mcp_envs.containment import ScratchFolder
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.manifest import Manifest, Provenance, ToolRecord
from autoforge.mcp_envs.version import GENERATOR

__all__ = ["Compiled", "Settings", "compile_environment"]

Progress = Callable[[str, int, int], None]
"""Stage, steps done, steps in all."""


@dataclass(frozen=True)
class Settings:
    """How one environment is compiled."""

    name: str
    """Folder name; also the name of the MCP server."""
    seed: int = 0
    """Seed of the initial state and of the fuzzer."""
    seed_rows: int = 12
    """Rows wanted per table."""
    policy: str = ""
    """Domain rules in prose."""
    data: DataSample | None = None
    """The initial state, where a sample of it was given."""
    drop_tasks: bool = False
    """Lose the tasks of an environment that is replaced, where they do not fit the new one."""
    keep_failing: bool = False
    """Write the environment even when it does not pass; it is never called passing."""
    world: World | None = field(default=None, compare=False)
    """What a model made of the documentation; None: the rules decide."""
    rows: Mapping[str, Sequence[dict[str, JsonValue]]] = field(default_factory=dict, compare=False)
    """Initial rows that a model wrote, by entity name; the other entities are filled by the seed generator."""
    provenance: dict[str, JsonValue] = field(default_factory=dict)
    """Model, prompt digests, tokens and cost, where a model took part."""


class Compiled(NamedTuple):
    """One compiled environment."""

    name: str
    world: World
    manifest: Manifest
    report: Report
    files: dict[str, str]
    written: Path | None
    """Where it lies; None when it did not pass and was not kept."""


def _silent(stage: str, done: int, total: int) -> None:
    pass


def compile_environment(
    documentation: Documentation, settings: Settings, target: Path, progress: Progress = _silent
) -> Compiled:
    """Compile, prove and write one environment into `target`.

    Raises BadInput where the target is no environment; a failed proof is no error but a `Compiled` with `written` None.
    """
    progress("read tools", 0, 1)
    world = settings.world or synthesize(documentation, name=settings.name, policy=settings.policy, data=settings.data)
    progress("write code", 0, 1)
    files = unproved_files(world, documentation, settings)
    manifest = _manifest(world, documentation, settings)
    report = prove(files, settings.seed, progress)
    for draw in range(1, _DRAWS):
        if not _lacks_rows(report):
            break
        again = unproved_files(world, documentation, settings, draw)
        other = prove(again, settings.seed, progress)
        if len(other.evidence) < len(report.evidence):
            files, report = again, other
    manifest = _with_verdicts(manifest, report)
    files["environment.json"] = _json(manifest)
    files["README.md"] = readme_md(manifest)
    files["report.html"] = report_html(world, manifest, files)
    written = None
    if report.passed or settings.keep_failing:
        progress("write files", 0, 1)
        files, manifest = kept(files, manifest, target, drop=settings.drop_tasks)
        files["environment.json"] = _json(manifest)
        _write(files, target)
        written = target
    return Compiled(settings.name, world, manifest, report, files, written)


_DRAWS = 3
"""Initial states that are tried where all that is wrong is that a tool has no row to succeed on."""
_DRAW_STEP = 1_000_003


def _lacks_rows(report: Report) -> bool:
    return bool(report.evidence) and all(": positive: no call succeeded" in sentence for sentence in report.evidence)


def unproved_files(world: World, documentation: Documentation, settings: Settings, draw: int = 0) -> dict[str, str]:
    """What the conformance suite reads: the code, and a manifest without verdicts.

    `draw` is the number of the initial state among those of the seed. Raises BadInput for a world that cannot be
    written.
    """
    manifest = _manifest(world, documentation, settings)
    return {**code_files(world, documentation, settings, draw), "environment.json": _json(manifest)}


def code_files(world: World, documentation: Documentation, settings: Settings, draw: int = 0) -> dict[str, str]:
    """Everything but the manifest and what shows it."""
    given = {**settings.rows, **world_rows(world, settings.data)}
    rows = seed_rows(world, seed=settings.seed + draw * _DRAW_STEP, rows=settings.seed_rows, given=given)
    return {
        "docs.json": json.dumps(_documents(world, documentation), ensure_ascii=False, indent=1) + "\n",
        "schema.sql": schema_sql(world),
        "seed.sql": seed_sql(world, rows),
        "tools.py": tools_py(world),
        "server.py": server_py(),
        "policy.md": _policy(world),
    }


def world_rows(world: World, data: DataSample | None) -> dict[str, list[dict[str, JsonValue]]]:
    """The sample's rows by the world's names of its entities, which keep the sample's tables."""
    if data is None:
        return {}
    names = {e.table: e.name for e in world.entities}
    return {names[e.table]: data.rows[e.name] for e in data.entities}


def _documents(world: World, documentation: Documentation) -> list[dict[str, JsonValue]]:
    """The tools as read; where the compiler corrected an output schema, the corrected one."""
    outputs = {o.tool: o.output_schema for o in world.operations}
    tools = documentation.to_mcp()
    for tool in tools:
        if outputs.get(tool["name"]) is not None:
            tool["outputSchema"] = outputs[tool["name"]]
    return tools


def _policy(world: World) -> str:
    lines = list(world.policy) or ["No rules beyond what the tools' documentation says."]
    return f"# {world.title}\n\n" + "\n\n".join(lines) + "\n"


def _manifest(world: World, documentation: Documentation, settings: Settings) -> Manifest:
    provenance = Provenance.model_validate(
        {
            "generator": GENERATOR,
            "docs_digest": documentation.digest,
            "formats": tuple(dict.fromkeys(f.format for f in documentation.formats)),
            "seed": settings.seed,
            "seed_rows": settings.seed_rows,
            "data_digests": (settings.data.digest,) if settings.data is not None else (),
            "policy_digest": hashlib.sha256(settings.policy.encode()).hexdigest() if settings.policy else None,
            "renamed": documentation.renamed,
            "notes": tuple(
                _without_places(note, documentation)
                for note in (*documentation.notes, *_data_notes(documentation, settings.data), *world.notes)
            ),
            **settings.provenance,
        }
    )
    return Manifest(
        name=settings.name, title=world.title, description=world.description, tables=manifest_tables(world),
        tools=manifest_tools(world), provenance=provenance,
    )  # fmt: skip


def _without_places(note: str, documentation: Documentation) -> str:
    """A note with the names of its files, not with where they lay on this machine."""
    for source in sorted({f.source for f in documentation.formats}, key=len, reverse=True):
        note = note.replace(source, Path(source).name)
    return note


def _data_notes(documentation: Documentation, data: DataSample | None) -> tuple[str, ...]:
    """What of the sample was read in a way worth saying, and what of it or of the documentation has no counterpart."""
    if data is None:
        return ()
    return (*data.notes, *(lost.sentence for lost in place(data, documentation).unplaced))


def _write(files: dict[str, str], target: Path) -> None:
    try:
        write_environment(files, target)
    except OSError as error:
        words = f"{target} cannot be written ({error.strerror or error}); choose another place with -o, or make room."
        raise BadInput(words) from None


def _json(manifest: Manifest) -> str:
    return manifest.model_dump_json(indent=1, exclude_defaults=False) + "\n"


def prove(files: dict[str, str], seed: int, progress: Progress) -> Report:
    """Run the conformance suite on the files, in a folder of their own."""
    with ScratchFolder("proof") as folder:
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return run_suite(folder, seed=seed, progress=progress)


def _with_verdicts(manifest: Manifest, report: Report) -> Manifest:
    tools: list[ToolRecord] = [t.model_copy(update={"verdict": report.verdicts.get(t.name)}) for t in manifest.tools]
    return manifest.model_copy(update={"tools": tuple(tools), "conformance": report.as_conformance()})
