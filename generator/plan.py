"""What a command line asks to be compiled: documentation, data, rules and targets, read before anything is written.

Invariant: whatever can be refused without compiling is refused here, so bad input leaves nothing behind. Not covered:
options (`cli`), compiling (`jobs`).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import anyio

from autoforge.generator.compile import Settings
from autoforge.generator.data import DataSample, read_data
from autoforge.generator.documents import Documentation, read_documents, read_server
from autoforge.generator.documents.read import files_in
from autoforge.generator.rules.words import snake
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.mcp_envs.errors import BadInput

__all__ = ["CompileOptions", "Job", "plan_jobs"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True)
class CompileOptions:
    """The options of `autoforge-gen compile`, which documents each."""

    docs: Sequence[str] = ()
    output: Path = Path("mcp_envs")
    name: str | None = None
    from_server: str | None = None
    data: Sequence[Path] = ()
    policy: Path | None = None
    llm: str | None = None
    base_url: str | None = None
    max_cost: float | None = None
    cache: Path | None = None
    seed: int = 0
    seed_rows: int = 12
    jobs: int = 1
    keep_failing: bool = False
    drop_tasks: bool = False
    tasks: int = 0
    task_policy: TaskPolicy = field(default_factory=TaskPolicy)
    as_json: bool = False


class Job(NamedTuple):
    """One environment to compile."""

    documentation: Documentation
    settings: Settings
    target: Path


class _Source(NamedTuple):
    """The documentation of one environment and where it came from."""

    name: str
    documentation: Documentation
    origin: str


def plan_jobs(options: CompileOptions) -> list[Job]:
    """Read everything that the options name. Raises BadInput for the first thing that cannot be used."""
    _check_options(options)
    sources = _sources(options)
    if len(sources) > 1 and (options.data or options.policy):
        words = f"the documentation makes {len(sources)}; join it with --name, or give one file"
        raise BadInput(f"--data and --policy go with one environment, but {words}.")
    policy = _policy_text(options.policy)
    jobs = []
    for source in sources:
        sample = _sample(options.data, source.documentation)
        settings = Settings(
            name=source.name, seed=options.seed, seed_rows=options.seed_rows, policy=policy, data=sample,
            keep_failing=options.keep_failing, drop_tasks=options.drop_tasks,
        )  # fmt: skip
        jobs.append(Job(source.documentation, settings, options.output / source.name))
    for job in jobs:
        _check_target(job.target)
    return jobs


def _check_options(options: CompileOptions) -> None:
    if bool(options.docs) == (options.from_server is not None):
        words = "files or folders, - for stdin, or a running server with --from-server"
        raise BadInput(f"Give documentation to compile: {words}; one of them.")
    if "" in options.docs:
        raise BadInput("DOCS holds an empty argument; give the path of a file or folder, or - for stdin.")
    if options.name is not None and not _NAME.fullmatch(options.name):
        words = "use 1 to 64 letters, digits, '_', '-' and '.', beginning with a letter or digit"
        raise BadInput(f"--name {options.name!r}: {words}.")
    for flag in ("base_url", "max_cost", "cache"):
        if options.llm is None and getattr(options, flag) is not None:
            raise BadInput(f"--{flag.replace('_', '-')} goes with --llm; give a model, or leave it out.")


# Documentation -------------------------------------------------------------------------------------------------------


def _sources(options: CompileOptions) -> list[_Source]:
    if options.from_server is not None:
        documentation = anyio.run(read_server, options.from_server)
        return [_Source(options.name or _name_of(documentation.title or "server"), documentation, "--from-server")]
    files = _files([d if d == "-" else Path(d) for d in options.docs])
    if options.name is not None:
        return [_Source(options.name, read_documents(files, stdin=sys.stdin.buffer), options.name)]
    names = _distinct_names(files)
    return [_Source(n, read_documents([f], stdin=sys.stdin.buffer), str(f)) for n, f in zip(names, files, strict=True)]


def _files(sources: Sequence[Path | str]) -> list[Path | str]:
    """The files of folders, one by one; a folder without any is left for the reader to refuse."""
    files: list[Path | str] = []
    for source in sources:
        files.extend((files_in(source) or [source]) if isinstance(source, Path) else [source])
    return files


def _distinct_names(files: Sequence[Path | str]) -> list[str]:
    names: dict[str, Path | str] = {}
    for file in files:
        name = _name_of("stdin" if file == "-" else Path(file).name)
        if name in names:
            words = "compile them one by one with --name, or join them with it"
            raise BadInput(f"{names[name]} and {file} would both become the environment {name!r}; {words}.")
        names[name] = file
    return list(names)


def _name_of(file: str) -> str:
    """`hotel.openapi.yaml` → hotel."""
    stem = re.sub(r"\.(?:json|jsonl|ndjson|ya?ml)$", "", file, flags=re.IGNORECASE)
    stem = re.sub(r"[._-](?:openapi|swagger|tools|mcp|docs)$", "", stem, flags=re.IGNORECASE)
    return snake(stem)[:64]


# What goes with it ---------------------------------------------------------------------------------------------------


_MOST_POLICY_BYTES = 500_000


def _policy_text(policy: Path | None) -> str:
    if policy is None:
        return ""
    try:
        if policy.stat().st_size > _MOST_POLICY_BYTES:
            raise BadInput(f"{policy} has more than {_MOST_POLICY_BYTES:,} bytes; give the rules of the domain alone.")
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


def _check_target(target: Path) -> None:
    """An environment may be replaced, and an empty folder filled; nothing else is touched."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise BadInput(f"{target} is there and is no folder; choose another place with -o, or another --name.")
    if target.is_dir() and not (target / "environment.json").is_file() and any(target.iterdir()):
        raise BadInput(f"{target} is there, without an environment.json, so it is kept; choose another -o or --name.")
    above = next(p for p in (target, *target.parents) if p.exists())
    if not above.is_dir():
        raise BadInput(f"{above} is no folder, so nothing can be written below it; choose another place with -o.")
    if not os.access(above, os.W_OK | os.X_OK):
        raise BadInput(f"{above} may not be written; choose another place with -o, or change its permissions.")
