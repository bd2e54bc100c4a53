"""The conformance suite: everything that is proved of an environment without a model.

Invariant: it works from the files alone and writes none; generated code runs in contained processes only, and `server.py` only once all else
has been called; the same environment and seed give the same report. Not covered: whether the tools do what their documentation means.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from autoforge.generator.conformance.determinism import check_processes, script_of
from autoforge.generator.conformance.findings import Findings
from autoforge.generator.conformance.fuzz import fuzz_tool, hypothesis_at_home
from autoforge.generator.conformance.laboratory import Laboratory
from autoforge.generator.conformance.negative import check_negative
from autoforge.generator.conformance.parameters import find_dead_parameters
from autoforge.generator.conformance.probe import Evidence, probe
from autoforge.generator.conformance.report import Report, ToolReport
from autoforge.generator.conformance.subject import Subject, Tool
from autoforge.mcp_envs.containment import SyncWorker
from autoforge.mcp_envs.errors import ContainmentError
from autoforge.mcp_envs.manifest import ToolVerdict

__all__ = ["Progress", "run_suite"]

Progress = Callable[[str, int, int], None]
"""Told the name of a stage, how much of it is done, and how much there is."""


def run_suite(folder: Path, *, seed: int = 0, progress: Progress | None = None) -> Report:
    """Prove an environment. Raises BadInput for a folder that is no environment; code that may not run is a verdict, not an error."""
    started = time.monotonic()
    subject = Subject.read(Path(folder))
    findings = Findings()
    enforcement = ""
    try:
        with SyncWorker(subject.folder) as worker:
            enforcement = worker.enforcement.describe()
            evidence = _prove(worker, subject, findings, seed, progress or _silent)
        check_processes(subject.folder, script_of(subject, evidence, findings), findings)
        _check_server(subject, evidence, findings)
    except ContainmentError as error:
        findings.notes.append(f"containment: {error}")
    return _report(subject, findings, enforcement, time.monotonic() - started)


def _silent(stage: str, done: int, total: int) -> None:
    pass


def _prove(worker: SyncWorker, subject: Subject, findings: Findings, seed: int, progress: Progress) -> Evidence:
    with closing(Laboratory(worker, subject, findings)) as laboratory, hypothesis_at_home():
        progress("find calls that succeed", 0, len(subject.tools))
        evidence = probe(laboratory, subject, findings, seed)
        for done, tool in enumerate(subject.tools):
            progress("check tools", done, len(subject.tools))
            find_dead_parameters(laboratory, evidence, findings, tool)
            check_negative(laboratory, subject, evidence, findings, tool)
            fuzz_tool(laboratory, evidence, findings, tool, seed)
        progress("check tools", len(subject.tools), len(subject.tools))
    return evidence


def _check_server(subject: Subject, evidence: Evidence, findings: Findings) -> None:
    from autoforge.generator.conformance.server import check_server  # brings the MCP client, which takes a second to import

    check_server(subject, evidence, findings)


def _report(subject: Subject, findings: Findings, enforcement: str, seconds: float) -> Report:
    tools = tuple(ToolReport(t.name, t.record.kind, t.record.weak, _verdict(t, findings)) for t in subject.tools)
    return Report(subject.manifest.name, tools, tuple(dict.fromkeys(findings.notes)), enforcement, seconds)


def _verdict(tool: Tool, findings: Findings) -> ToolVerdict:
    calls = findings.calls[tool.name]
    return ToolVerdict(
        calls=sum(calls[kind] for kind in ("ok", "refused", "failed", "deadline", "invalid", "traced")),
        succeeded=calls["ok"],
        refused=calls["refused"] + calls["invalid"],
        parameters=len(tool.parameters),
        dead_parameters=tuple(findings.dead[tool.name]),
        failures=findings.of(tool.name),
    )
