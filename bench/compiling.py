"""What compiling costs and gives: a folder of documentation, one environment of 25 tools, growth up to 500 tools.

Invariant: everything goes through the command line or through `compile_environment`, as for a user. Not covered: the
server (`server`).
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_least, at_most
from bench.processes import measure
from bench.synthetic import openapi_of

__all__ = ["corpus_figures", "growth_figures", "single_figures", "time_sizes"]

PROGRAM = (sys.executable, "-m", "autoforge.generator.cli")
LINEAR = 1.15
"""Largest exponent of a power law through the times that is still called linear."""


def corpus_figures(docs: Sequence[str], work: Path) -> list[Figure]:
    """Counts and shares over all documentation in some files and folders."""
    command = [*PROGRAM, *docs, "-o", str(work / "corpus"), "--keep-failing", "--json", "--jobs", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    found: list[dict[str, Any]] = json.loads(done.stdout)["environments"]
    tools, parameters = sum(e["tools"] for e in found), sum(e["parameters"] for e in found)
    weak, dead = sum(len(e["weak"]) for e in found), sum(e["dead"] for e in found)
    passed = sum(e["passed"] for e in found)
    seconds = [e["seconds"] for e in found]
    slowest = max(found, key=lambda e: e["seconds"])
    failed = ", ".join(e["name"] for e in found if not e["passed"])
    verdicts = f"{passed} of {len(found)}; failed: {failed or 'none'}"
    longest = f"slowest {slowest['name']}: {slowest['seconds']:.1f} s, {slowest['tools']} tools"
    return [
        at_least("documents that compile and pass", 100 * passed / len(found), "%", 100, verdicts),
        at_most("weak tools", 100 * weak / max(1, tools), "%", 15, f"{weak} of {tools}"),
        at_most("dead parameters", 100 * dead / max(1, parameters), "%", 2, f"{dead} of {parameters}"),
        Figure("seconds per environment, median", statistics.median(seconds), "s", "", True, longest),
    ]


def single_figures(work: Path) -> list[Figure]:
    """One environment of 25 tools by the command, with its proof; it is left in `work`/single/mcp_envs/single."""
    folder = work / "single"
    folder.mkdir()
    (folder / "single.json").write_text(json.dumps(openapi_of(25)), encoding="utf-8")
    measured = measure([*PROGRAM, "single.json", "--keep-failing", "--json"], cwd=folder)
    [outcome] = json.loads(measured.out)["environments"]
    inside = f"{'passed' if outcome['passed'] else 'failed'}; {outcome['seconds']:.1f} s of it after imports"
    most = f"at most {measured.processes} processes at once"
    return [
        at_most("25 tools with proof, whole command", measured.seconds, "s", 10, inside),
        at_most("25 tools, peak memory of all processes", measured.peak_mb, "MB", 300, most),
    ]


def growth_figures(sizes: Sequence[int], work: Path) -> list[Figure]:
    """Exponents of CPU time over tools, without and with the proof; each size in a process of its own."""
    figures = []
    for proof in (False, True):
        times = [_time_in_process(size, proof, work) for size in sizes]
        exponent = _slope([math.log(s) for s in sizes], [math.log(t) for t in times])
        each = ", ".join(f"{size}: {1000 * t / size:.0f}" for size, t in zip(sizes, times, strict=True))
        what = "with" if proof else "without"
        ratio = (times[-1] / sizes[-1]) / (times[0] / sizes[0])
        figures.append(
            at_most(f"growth in tools, {what} proof, exponent", exponent, "", LINEAR, f"CPU ms a tool at {each}")
        )
        figures.append(Figure(f"a tool's CPU time, {sizes[-1]} ÷ {sizes[0]}, {what} proof", ratio, "x", "", True))
    return figures


def _slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    return statistics.linear_regression(xs, ys).slope


def _time_in_process(size: int, proof: bool, work: Path) -> float:
    command = [sys.executable, "-m", "bench.compiling", str(size), "proof" if proof else "code", str(work)]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return float(done.stdout)


def time_sizes(size: int, proof: bool, work: Path) -> float:
    """CPU seconds to compile documentation of `size` tools, imports and reading excluded, ended children included."""
    from autoforge.generator.compile import Settings, code_files, compile_environment
    from autoforge.generator.documents import read_documents
    from autoforge.generator.rules.synthesize import synthesize

    for tools in _warm_up_then(size):
        path = work / f"synthetic_{tools}.json"
        path.write_text(json.dumps(openapi_of(tools)), encoding="utf-8")
        documentation = read_documents([path])
        settings = Settings(name=f"synthetic_{tools}", keep_failing=True)
        started = _cpu_seconds()
        if proof:
            compile_environment(documentation, settings, work / settings.name)
        else:
            code_files(synthesize(documentation, name=settings.name), documentation, settings)
        seconds = _cpu_seconds() - started
    return seconds


def _cpu_seconds() -> float:
    """Of this process and of those it waited for: what a busy machine changes least."""
    return sum(os.times()[:4])


def _warm_up_then(size: int) -> Iterator[int]:
    """A small one first: what is loaded and compiled once is no part of growth."""
    yield 5
    yield size


if __name__ == "__main__":
    print(time_sizes(int(sys.argv[1]), sys.argv[2] == "proof", Path(sys.argv[3])))
