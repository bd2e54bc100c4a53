"""The same calls in other processes, in other episodes, beside other sessions: the same answers and the same states.

Invariant: what is compared was run in fresh contained processes whose string hashing differs, from the same seed. Not
covered: calls that the script does not hold; it is made of what was seen to succeed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from autoforge.generator.conformance.findings import Findings, shown
from autoforge.generator.conformance.laboratory import Step
from autoforge.generator.conformance.probe import Evidence
from autoforge.generator.conformance.subject import Subject
from autoforge.mcp_envs.containment import Call, CallResult, Source, SyncWorker
from autoforge.mcp_envs.state import State, read_state

__all__ = ["check_processes", "check_sessions", "script_of"]

HASH_SEEDS = (1, 2, 3)
"""PYTHONHASHSEED of the processes; the order of a set of texts differs between them. The worker's own is 0."""
_STEPS_EACH = 3
"""Calls of one tool in the script."""
_LONGEST_SCRIPT = 600
_INTERLEAVED = 80
"""Steps of the script that two sessions make in turn."""


class Run(NamedTuple):
    """What a script answered, and the state it left."""

    results: list[CallResult]
    state: State


def script_of(subject: Subject, evidence: Evidence, findings: Findings) -> list[Step]:
    """Calls that were seen to succeed, with those that led there, each tool in turn."""
    script: list[Step] = []
    rounds = [tool for _ in range(_STEPS_EACH) for tool in subject.tools]
    taken: dict[str, int] = {}
    for tool in rounds:
        number = taken.get(tool.name, 0)
        taken[tool.name] = number + 1
        if number < len(evidence.witnesses[tool.name]) and not findings.hangs(tool.name):
            witness = evidence.witnesses[tool.name][number]
            script += [*(witness.place.path if number == 0 else ()), Step(tool.name, witness.arguments)]
    return [step for step in script if not findings.hangs(step.tool)][:_LONGEST_SCRIPT]


def check_processes(source: Source, script: Sequence[Step], findings: Findings) -> None:
    """Run the script in fresh processes and compare them."""
    runs: list[Run] = []
    for hash_seed in HASH_SEEDS:
        with SyncWorker.of(source, hash_seed=hash_seed) as worker:
            worker.open("bystander")
            before = read_state(worker.state_path("bystander"))
            runs.append(_run(worker, "first", script))
            if hash_seed == HASH_SEEDS[0]:
                check_sessions(worker, script, runs[0], findings)
            if read_state(worker.state_path("bystander")) != before:
                findings.notes.append("isolation: an episode that nobody called has changed")
    for run in runs[1:]:
        _compare(script, runs[0], run, findings, "in processes with different PYTHONHASHSEED")


def check_sessions(worker: SyncWorker, script: Sequence[Step], first: Run, findings: Findings) -> None:
    """Run the script in a second episode of the same process, then in two more at once."""
    _compare(
        script,
        first,
        _run(worker, "second", script),
        findings,
        "in a second episode of the same process",
        isolation=True,
    )
    left = script[:_INTERLEAVED]
    right = left[::-1]
    alone = [_run(worker, f"{name}-alone", part) for name, part in (("left", left), ("right", right))]
    beside = _interleaved(worker, left, right)
    for part, one, two in zip((left, right), alone, beside, strict=True):
        _compare(part, one, two, findings, "beside another session", isolation=True)


def _interleaved(worker: SyncWorker, left: Sequence[Step], right: Sequence[Step]) -> tuple[Run, Run]:
    """Two scripts of one length, a call of each in turn."""
    for episode in ("left", "right"):
        worker.open(episode)
    answers: tuple[list[CallResult], list[CallResult]] = ([], [])
    for step, other in zip(left, right, strict=True):
        answers[0].append(worker.call("left", step.tool, step.arguments))
        answers[1].append(worker.call("right", other.tool, other.arguments))
    return (
        Run(answers[0], read_state(worker.state_path("left"))),
        Run(answers[1], read_state(worker.state_path("right"))),
    )


def _run(worker: SyncWorker, episode: str, script: Sequence[Step]) -> Run:
    worker.open(episode)
    results = worker.calls(episode, [Call(step.tool, step.arguments) for step in script])
    return Run(results, read_state(worker.state_path(episode)))


def _compare(
    script: Sequence[Step], one: Run, two: Run, findings: Findings, where: str, *, isolation: bool = False
) -> None:
    blamed = False
    for step, first, second in zip(script, one.results, two.results, strict=True):
        if _text(first) != _text(second):
            findings.add(
                step.tool,
                "isolation" if isolation else "determinism",
                f"it answers differently {where}: {shown(step.arguments)}",
            )
            blamed = True
            if isolation:
                return
    if not blamed and one.state != two.state:
        tables = ", ".join(name for name in one.state if one.state[name] != two.state.get(name))
        findings.notes.append(
            f"{'isolation' if isolation else 'determinism'}: the same calls leave different rows {where}, in {tables}"
        )


def _text(result: CallResult) -> str:
    return json.dumps([result.kind, result.value, result.message])
