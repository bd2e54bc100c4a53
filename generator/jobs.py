"""Compiling what was planned: one environment here, several in processes of their own.

Invariant: what goes wrong with one environment is told in its outcome and does not stop the others; an interruption, or
the end of this process, unwinds every worker (temporary folders and contained processes go) before it is passed on. Not
covered: printing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from multiprocessing import active_children, get_context
from typing import NamedTuple

from autoforge.generator.compile import Compiled, compile_environment
from autoforge.generator.plan import Job
from autoforge.generator.worker import ENDED, obey_parent
from autoforge.gym.commandline.terminal import Meter
from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["Outcome", "compile_all"]


class Outcome(NamedTuple):
    """What became of one environment, without what is too large to send between processes."""

    name: str
    renamed: dict[str, str]
    """Name in the environment -> documented name."""
    formats: tuple[str, ...] = ()
    tools: int = 0
    tables: int = 0
    weak: tuple[str, ...] = ()
    parameters: int = 0
    dead: int = 0
    failures: tuple[str, ...] = ()
    """One sentence for each reason why it did not pass."""
    passed: bool = False
    seconds: float = 0.0
    written: str | None = None
    notes: tuple[str, ...] = ()
    exit_code: int = 0


def compile_all(plan: Sequence[Job], processes: int, tell: Meter) -> list[Outcome]:
    """Compile the jobs; outcomes in the order of the plan. Raises what a single job raises that is not its verdict."""
    if len(plan) == 1:
        return [compile_one(plan[0], tell)]
    found: dict[str, Outcome] = {}
    pool = ProcessPoolExecutor(min(processes, len(plan)), mp_context=get_context("spawn"), initializer=obey_parent)
    try:
        with ExitStack() as interrupted:
            interrupted.callback(_terminate_children)
            futures = {pool.submit(_in_worker, job): job.settings.name for job in plan}
            for future in as_completed(futures):
                name = futures[future]
                found[name] = _outcome(name, future)
                tell(name, len(found), len(plan))
            interrupted.pop_all()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return [found[job.settings.name] for job in plan]


def _terminate_children() -> None:
    for child in active_children():
        child.terminate()


def compile_one(job: Job, tell: Meter = lambda what, done, total: None) -> Outcome:
    """Compile one environment here. Input that turns out to be unusable is its outcome."""
    started = time.perf_counter()
    try:
        compiled = compile_environment(job.documentation, job.settings, job.target, tell)
    except AutoForgeError as error:
        return Outcome(job.settings.name, {}, failures=(str(error),), exit_code=error.exit_code)
    return _told(job, compiled, round(time.perf_counter() - started, 2))


def _told(job: Job, compiled: Compiled, seconds: float) -> Outcome:
    report, provenance = compiled.report, compiled.manifest.provenance
    summary = report.as_conformance()
    return Outcome(
        name=compiled.name,
        formats=tuple(dict.fromkeys(f.format for f in job.documentation.formats)),
        tools=summary.tools,
        tables=len(compiled.manifest.tables),
        weak=tuple(t.name for t in compiled.manifest.tools if t.weak),
        parameters=summary.parameters,
        dead=summary.dead_parameters,
        failures=report.evidence,
        passed=report.passed,
        seconds=seconds,
        written=str(compiled.written) if compiled.written else None,
        notes=provenance.notes,
        renamed=dict(provenance.renamed),
        exit_code=0 if report.passed else 1,
    )


def _outcome(name: str, future: Future[Outcome]) -> Outcome:
    error = future.exception()
    if error is None:
        return future.result()
    words = f"a fault of AutoForge, not of the documentation: {type(error).__name__}: {error}"
    return Outcome(name, {}, failures=(f"{words}; compile it alone to see more, and report it.",), exit_code=1)


# In a worker ---------------------------------------------------------------------------------------------------------


def _in_worker(job: Job) -> Outcome:
    try:
        return compile_one(job)
    except SystemExit:
        sys.stderr.flush()
        os._exit(ENDED)  # unwound; the pool would only hand it the next job
