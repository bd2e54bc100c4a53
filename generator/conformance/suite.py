"""The conformance suite: everything that is proved of an environment without a model.

Invariant: it works from the files alone and writes none; generated code runs in contained processes only. `server.py`
is started once, confined, when it is the text that this version writes and its tools have passed the static check; it
is not started at all where a model wrote the tools. The same environment and seed give the same report. Not covered:
whether the tools do what their documentation means.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

from autoforge.generator.conformance.conversation import Conversation, converse
from autoforge.generator.conformance.determinism import check_processes, script_of
from autoforge.generator.conformance.drawing import hypothesis_at_home
from autoforge.generator.conformance.findings import Fault, Findings
from autoforge.generator.conformance.fuzz import fuzz_tool
from autoforge.generator.conformance.laboratory import Laboratory
from autoforge.generator.conformance.negative import check_negative
from autoforge.generator.conformance.parameters import find_dead_parameters
from autoforge.generator.conformance.probe import probe
from autoforge.generator.conformance.report import Report, ToolReport
from autoforge.generator.conformance.server_text import server_text_faults
from autoforge.generator.conformance.subject import Subject, Tool
from autoforge.mcp_envs.containment import Source, SyncWorker
from autoforge.mcp_envs.errors import ContainmentError
from autoforge.mcp_envs.manifest import ToolVerdict

__all__ = ["Progress", "run_suite"]

NOT_STARTED = "server: not started: model-written code runs in the contained worker only"

Progress = Callable[[str, int, int], None]
"""Told the name of a stage, how much of it is done, and how much there is."""


def run_suite(folder: Path, *, seed: int = 0, progress: Progress | None = None) -> Report:
    """Prove an environment. Raises BadInput for a folder that is no environment; code that may not run is a verdict,
    not an error.
    """
    started = time.monotonic()
    subject = Subject.read(Path(folder))
    findings = Findings()
    enforcement = ""
    try:
        source = Source.read(subject.folder)
        with SyncWorker.of(source) as worker, hypothesis_at_home():
            enforcement = worker.enforcement.describe()
            _prove(worker, source, subject, findings, seed, progress or _silent)
    except ContainmentError as error:
        findings.notes.append(f"containment: {error}")
    return _report(subject, findings, enforcement, time.monotonic() - started)


def _silent(stage: str, done: int, total: int) -> None:
    pass


def _prove(
    worker: SyncWorker, source: Source, subject: Subject, findings: Findings, seed: int, progress: Progress
) -> None:
    with _server_beside(subject, findings) as say, closing(Laboratory(worker, subject, findings)) as laboratory:
        progress("find calls that succeed", 0, len(subject.tools))
        evidence = probe(laboratory, subject, findings, seed)
        say(converse(laboratory, _agents(subject), evidence, findings))
        for done, tool in enumerate(subject.tools):
            progress("check tools", done, len(subject.tools))
            find_dead_parameters(laboratory, evidence, findings, tool)
            check_negative(laboratory, subject, evidence, findings, tool)
            fuzz_tool(laboratory, evidence, findings, tool, seed)
        progress("check processes", 0, 1)
        check_processes(source, script_of(subject, evidence, findings), findings)


@contextmanager
def _server_beside(subject: Subject, findings: Findings) -> Iterator[Callable[[Conversation], None]]:
    """Try `server.py` in a thread of its own, which waits to be told of calls to make. What it finds is noted at the
    end. The server of a model's code is only read.
    """
    if subject.manifest.provenance.synthesizer == "llm":
        findings.remarks.append(NOT_STARTED)
        findings.notes.extend(f"server: {fault.sentence}" for fault in server_text_faults(subject.folder))
        yield lambda conversation: None
        return
    told: Future[Conversation] = Future()
    with ThreadPoolExecutor(1, "autoforge-server") as pool:
        faults = pool.submit(_check_server, subject.folder, [tool.name for tool in _agents(subject)], told)
        try:
            yield told.set_result
        finally:
            told.cancel()
        for fault in faults.result():
            if fault.tool is None:
                findings.notes.append(f"server: {fault.sentence}")
            else:
                findings.add(fault.tool, "server", fault.sentence)


def _agents(subject: Subject) -> list[Tool]:
    return [tool for tool in subject.tools if tool.record.side == "agent"]


def _check_server(folder: Path, names: list[str], told: Future[Conversation]) -> list[Fault]:
    if faults := server_text_faults(folder):
        return faults
    from autoforge.generator.conformance.server import (
        check_server,  # brings the MCP client, whose import takes a second
    )

    return check_server(folder, names, told)


def _report(subject: Subject, findings: Findings, enforcement: str, seconds: float) -> Report:
    tools = tuple(ToolReport(t.name, t.record.kind, t.record.weak, _verdict(t, findings)) for t in subject.tools)
    notes, remarks = (tuple(dict.fromkeys(sentences)) for sentences in (findings.notes, findings.remarks))
    return Report(subject.manifest.name, tools, notes, remarks, enforcement, seconds)


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
