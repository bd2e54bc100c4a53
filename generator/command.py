"""What `autoforge-gen`'s commands do: read everything first, compile (several at once), report.

Invariant: all inputs are read before anything is written, so bad input leaves nothing behind. Not covered: options (`cli`).
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import click
from pydantic import JsonValue
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from autoforge.generator.compile import Settings, compile_environment
from autoforge.generator.conformance import render_table, run_suite
from autoforge.generator.data import DataSample, read_data
from autoforge.generator.documents import Documentation, read_documents, read_server
from autoforge.generator.rules.words import snake
from autoforge.mcp_envs.environment import find_environment
from autoforge.mcp_envs.errors import BadInput

__all__ = ["run_check", "run_compile", "run_show"]

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml")


class Job(NamedTuple):
    """One environment to compile."""

    documentation: Documentation
    settings: Settings
    target: Path


class Outcome(NamedTuple):
    """What became of one, without what is too large to send between processes."""

    name: str
    formats: tuple[str, ...]
    tools: int
    entities: int
    weak: tuple[str, ...]
    parameters: int
    dead: int
    failures: tuple[str, ...]
    passed: bool
    seconds: float
    written: str | None
    notes: tuple[str, ...]


def run_compile(
    docs: Sequence[str], output: Path, name: str | None, from_server: str | None, data: Sequence[Path], policy: Path | None, llm: str | None,
    base_url: str | None, max_cost: float | None, cache: Path | None, seed: int, seed_rows: int, jobs: int, keep_failing: bool, as_json: bool,
) -> int:  # fmt: skip
    """Compile all documentation; exit code 0 when every environment passed and was written, 1 otherwise."""
    console = Console(stderr=True)
    plan = _plan(docs, output, name, from_server, data, policy, seed, seed_rows, keep_failing)
    if llm is not None:
        plan = _with_model(plan, llm, base_url, max_cost, cache or output / ".cache", console)
    outcomes = _compile_all(plan, min(jobs, len(plan)), console)
    if as_json:
        click.echo(json.dumps({"environments": [o._asdict() for o in outcomes]}, ensure_ascii=False, indent=1))
    _summarise(outcomes, console)
    return 0 if all(o.passed and o.written for o in outcomes) else 1


# --- what to compile -------------------------------------------------------------------------------------------------------------


def _plan(
    docs: Sequence[str], output: Path, name: str | None, from_server: str | None, data: Sequence[Path], policy: Path | None, seed: int,
    seed_rows: int, keep_failing: bool,
) -> list[Job]:  # fmt: skip
    if bool(docs) == bool(from_server):
        raise BadInput("Give documentation to compile, as files or folders, - for stdin, or a server with --from-server; one of them.")
    if name is not None and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", name):
        raise BadInput(f"--name {name!r}: use 1 to 64 letters, digits, '_', '-' and '.', beginning with a letter or digit.")
    groups = _groups(docs, name, from_server)
    if len(groups) > 1 and (data or policy):
        raise BadInput(f"--data and --policy go with one environment, but the documentation makes {len(groups)}; join it with --name, or give one file.")
    rules = _policy_text(policy)
    plan = []
    for group, documentation in groups:
        sample = _sample(data, documentation)
        settings = Settings(name=group, seed=seed, seed_rows=seed_rows, policy=rules, data=sample, keep_failing=keep_failing)
        plan.append(Job(documentation, settings, output / group))
    return plan


def _groups(docs: Sequence[str], name: str | None, from_server: str | None) -> list[tuple[str, Documentation]]:
    if from_server is not None:
        documentation = anyio.run(read_server, from_server)
        return [(name or _name_of(documentation.title or "server"), documentation)]
    sources: list[Path | str] = [d if d == "-" else Path(d) for d in docs]
    if name is not None:
        return [(name, read_documents(sources, stdin=sys.stdin.buffer))]
    groups = [(_name_of("stdin" if f == "-" else Path(f).name), read_documents([f], stdin=sys.stdin.buffer)) for f in _files(sources)]
    seen: dict[str, str] = {}
    for (group, _), file in zip(groups, _files(sources), strict=True):
        if group in seen:
            raise BadInput(f"{file} and {seen[group]} would both become the environment {group!r}; compile them one by one with --name, or join them with it.")
        seen[group] = str(file)
    return groups


def _files(sources: Sequence[Path | str]) -> list[Path | str]:
    """The files of folders, one by one; a folder without any is left for the reader to refuse."""
    files: list[Path | str] = []
    for source in sources:
        inside = sorted(p for p in source.iterdir() if p.suffix.lower() in _SUFFIXES and p.is_file()) if isinstance(source, Path) and source.is_dir() else []
        files.extend(inside or [source])
    return files


def _name_of(file: str) -> str:
    """`hotel.openapi.yaml` → hotel."""
    stem = re.sub(r"\.(?:json|jsonl|ndjson|ya?ml)$", "", file, flags=re.IGNORECASE)
    stem = re.sub(r"[._-](?:openapi|swagger|tools|mcp|docs)$", "", stem, flags=re.IGNORECASE)
    return snake(stem)[:64]


def _policy_text(policy: Path | None) -> str:
    if policy is None:
        return ""
    try:
        return policy.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{policy}: {error.strerror or error}; give a readable text file with --policy.") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{policy}: not UTF-8 at byte {error.start}; save it as UTF-8.") from None


def _sample(data: Sequence[Path], documentation: Documentation) -> DataSample | None:
    if not data:
        return None
    hints = {n for t in documentation.tools for n in t.input_schema.get("properties", {})}
    return read_data(list(data), hints)


def _with_model(plan: list[Job], llm: str, base_url: str | None, max_cost: float | None, cache: Path, console: Console) -> list[Job]:
    from autoforge.generator.llm_synthesis import synthesize_with_model

    return [job._replace(settings=synthesize_with_model(job.documentation, job.settings, llm, base_url, max_cost, cache, console)) for job in plan]


# --- compiling -------------------------------------------------------------------------------------------------------------------


def _compile_all(plan: list[Job], jobs: int, console: Console) -> list[Outcome]:
    """Compile the jobs, in processes of their own when there are several; outcomes in the order of the plan."""
    if jobs == 1:
        outcomes = []
        with _progress(console, len(plan)) as advance:
            for job in plan:
                outcomes.append(_compile_one(job))
                advance(job.settings.name)
        return outcomes
    found: dict[str, Outcome] = {}
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool, _progress(console, len(plan)) as advance:
        futures = {pool.submit(_compile_one, job): job for job in plan}
        for future in as_completed(futures):
            outcome = future.result()
            found[outcome.name] = outcome
            advance(outcome.name)
    return [found[job.settings.name] for job in plan]


def _compile_one(job: Job) -> Outcome:
    started = time.perf_counter()
    compiled = compile_environment(job.documentation, job.settings, job.target)
    summary = compiled.report.as_conformance()
    return Outcome(
        name=compiled.name, formats=tuple(dict.fromkeys(f.format for f in job.documentation.formats)), tools=len(compiled.manifest.tools),
        entities=len(compiled.manifest.tables), weak=tuple(t.name for t in compiled.manifest.tools if t.weak), parameters=summary.parameters,
        dead=summary.dead_parameters, failures=_failures(compiled.report), passed=compiled.report.passed, seconds=round(time.perf_counter() - started, 2),
        written=str(compiled.written) if compiled.written else None, notes=compiled.manifest.provenance.notes,
    )  # fmt: skip


def _failures(report: Any) -> tuple[str, ...]:
    own = [f"{name}: {failure}" for name, verdict in report.verdicts.items() for failure in verdict.failures]
    return (*report.as_conformance().failures, *own)


@contextmanager
def _progress(console: Console, total: int) -> Iterator[Any]:
    columns = (SpinnerColumn(), TextColumn("compiling"), BarColumn(), TextColumn("{task.completed}/{task.total} {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda name: progress.update(task, advance=1, description=name)


def _summarise(outcomes: Sequence[Outcome], console: Console) -> None:
    table = Table(title=None, header_style="bold")
    for column, justify in (("environment", "left"), ("format", "left"), ("tools", "right"), ("tables", "right"), ("weak", "right"), ("dead parameters", "right"), ("seconds", "right"), ("proof", "left")):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for o in outcomes:
        verdict = "[green]passed[/]" if o.passed else f"[red]failed ({len(o.failures)})[/]"
        table.add_row(o.name, ", ".join(o.formats), str(o.tools), str(o.entities), str(len(o.weak)), f"{o.dead}/{o.parameters}", f"{o.seconds:.1f}", verdict)
    console.print(table)
    tools, weak = sum(o.tools for o in outcomes), sum(len(o.weak) for o in outcomes)
    parameters, dead = sum(o.parameters for o in outcomes), sum(o.dead for o in outcomes)
    if tools and len(outcomes) > 1:
        console.print(f"{tools} tools, weak {weak} ({100 * weak / tools:.1f} %); {parameters} parameters, dead {dead} ({100 * dead / max(1, parameters):.1f} %)")
    for o in outcomes:
        for failure in o.failures[:5]:
            console.print(f"[red]{o.name}[/]: {failure}", highlight=False, markup=True)
        if not o.written:
            console.print(f"{o.name} was not written; --keep-failing writes it all the same.", highlight=False)
    first = next((o for o in outcomes if o.written), None)
    if first is not None:
        console.print(f"Next: python {first.written}/server.py, or look with: autoforge-gen show {first.written}", highlight=False)


# --- check and show --------------------------------------------------------------------------------------------------------------


def run_check(environments: Sequence[str], *, seed: int, as_json: bool) -> int:
    """Prove each environment again from its files; 0 when all hold."""
    console = Console(stderr=True)
    folders = [find_environment(e) for e in environments]
    reports = {}
    for folder in folders:
        report = reports[folder.name] = run_suite(folder.path, seed=seed)
        console.print(f"[bold]{folder.name}[/]: {'[green]passed[/]' if report.passed else '[red]failed[/]'}")
        console.print(render_table(report))
        for failure in _failures(report):
            console.print(f"[red]{failure}[/]", highlight=False)
    if as_json:
        listing: dict[str, JsonValue] = {
            n: {"passed": r.passed, "conformance": r.as_conformance().model_dump(mode="json"), "tools": {t: v.model_dump(mode="json") for t, v in r.verdicts.items()}}
            for n, r in reports.items()
        }
        click.echo(json.dumps(listing, ensure_ascii=False, indent=1))
    return 0 if all(r.passed for r in reports.values()) else 1


def run_show(environment: str, tool: str | None, *, as_json: bool) -> int:
    """Print an environment's tables and tools, or one tool."""
    from autoforge.generator.show import show_environment, show_tool

    folder = find_environment(environment)
    if as_json:
        records = [t for t in folder.manifest.tools if tool in (None, t.name)]
        if not records:
            raise BadInput(f"{environment} has no tool {tool!r}; autoforge-gen show {environment} lists them.")
        click.echo(folder.manifest.model_dump_json(indent=1) if tool is None else records[0].model_dump_json(indent=1))
        return 0
    console = Console()
    if tool is None:
        show_environment(folder, console)
    else:
        show_tool(folder, tool, console)
    return 0
