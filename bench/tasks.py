"""Tasks by the hundred: how many, how fast, how hard, and how well the gate holds, over environments of some documents.

Invariant: environments are compiled without a model and tasks made by the command line, as for a user; all figures are
sums over what the manifests say, and oracle and other baselines were run on every task. Not covered: scoring
(`scoring`).
"""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autoforge.mcp_envs.task import Task, read_tasks
from bench.compiling import PROGRAM
from bench.figures import Figure, at_least, at_most

__all__ = ["task_figures"]

WANTED = 1_078
"""Tasks of the AutoForge paper, from ten environments."""
ENVIRONMENTS = 10
LEAST_TOOLS = 8
LEAST_TASKS = 60
MINUTES = 10.0


def task_figures(docs: Sequence[str], work: Path) -> list[Figure]:
    """Ten environments with at least eight tools, the first by name, or as many as the documents give."""
    folder = work / "tasks"
    command = [*PROGRAM, *docs, "-o", str(folder), "--json"]
    compiled = json.loads(subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False).stdout)
    names = sorted(e["name"] for e in compiled["environments"] if e["written"] and e["tools"] >= LEAST_TOOLS)
    chosen = names[:ENVIRONMENTS]
    count = math.ceil(WANTED / ENVIRONMENTS * 1.12)
    started = time.perf_counter()
    made = [*PROGRAM, "tasks", *(str(folder / name) for name in chosen), "-n", str(count), "--json"]
    done = subprocess.run(made, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    minutes = (time.perf_counter() - started) / 60
    found: list[dict[str, Any]] = json.loads(done.stdout)["environments"]
    tasks = {name: read_tasks(folder / name) for name in chosen}
    return [*_amounts(found, tasks, minutes), *_soundness(found), *_hardness([t for ts in tasks.values() for t in ts])]


def _amounts(found: Sequence[dict[str, Any]], tasks: dict[str, tuple[Task, ...]], minutes: float) -> list[Figure]:
    total = sum(map(len, tasks.values()))
    wanted = math.ceil(WANTED * len(found) / ENVIRONMENTS)
    proposals = sum((e["admission"] or {}).get("proposals", 0) for e in found)
    reasons: Counter[str] = Counter()
    for environment in found:
        reasons.update((environment["admission"] or {}).get("rejections", {}))
    each = ", ".join(f"{name} {len(listed)}" for name, listed in tasks.items())
    least = min(map(len, tasks.values()), default=0)
    why = ", ".join(f"{reason} {number / max(1, proposals):.1%}" for reason, number in reasons.most_common())
    return [
        at_least(f"tasks admitted, {len(found)} environments", total, "", wanted, each),
        at_most("minutes to make and prove them", minutes, "min", MINUTES),
        at_least("tasks of the environment with the fewest", least, "", LEAST_TASKS),
        Figure("admitted share of proposals", 100 * total / max(1, proposals), "%", "", True, f"not: {why}"),
    ]


def _soundness(found: Sequence[dict[str, Any]]) -> list[Figure]:
    admissions = [e["admission"] for e in found if e["admission"]]
    killed, orders = (_sum(admissions, name) for name in ("mutants_killed", "reorders_accepted"))
    total = sum(a["tasks"] for a in admissions)
    rates = {
        name: sum(a["baselines"][name] * a["tasks"] for a in admissions) / max(1, total)
        for name in (admissions[0]["baselines"] if admissions else ())
    }
    bounds = {"oracle": 100.0, "no-op": 0.0, "random": 1.0, "spam": 0.0}
    baselines = [
        at_least(f"baseline {name}", 100 * rate, "%", 100)
        if name == "oracle"
        else at_most(f"baseline {name}", 100 * rate, "%", bounds.get(name, 1.0))
        for name, rate in rates.items()
    ]
    return [
        at_least("mutants killed", 100 * killed[0] / max(1, killed[1]), "%", 99.5, f"{killed[0]} of {killed[1]}"),
        at_least("reorderings accepted", 100 * orders[0] / max(1, orders[1]), "%", 100, f"{orders[0]} of {orders[1]}"),
        *baselines,
    ]


def _sum(admissions: Sequence[dict[str, Any]], name: str) -> tuple[int, int]:
    pairs = [str(a[name]).split("/") for a in admissions]
    return sum(int(a) for a, _ in pairs), sum(int(b) for _, b in pairs)


def _hardness(tasks: Sequence[Task]) -> list[Figure]:
    difficulty = [task.difficulty for task in tasks]
    share = {
        "with a reasoning node": (70, [d.reasoning > 0 for d in difficulty]),
        "with a branch or a fall-back": (25, [d.branches > 0 for d in difficulty]),
        "merged from two or more walks": (40, [d.walks > 1 for d in difficulty]),
    }
    medians = [("gold calls", 6, [d.calls for d in difficulty]), ("writes", 2, [d.writes for d in difficulty])]
    splits = Counter(task.split for task in tasks)
    signatures = {split: {t.signature for t in tasks if t.split == split} for split in splits}
    shared = sum(len(signatures[a] & signatures[b]) for a in signatures for b in signatures if a < b)
    told = ", ".join(f"{name} {number}" for name, number in sorted(splits.items()))
    return [
        *(at_least(f"{name}, median", statistics.median(v or [0]), "", bound) for name, bound, v in medians),
        *(at_least(f"tasks {n}", 100 * sum(v) / max(1, len(v)), "%", bound) for n, (bound, v) in share.items()),
        at_most("blueprints in two splits", shared, "", 0, told),
    ]


if __name__ == "__main__":
    sys.exit("run it as: python -m bench.run --only tasks DOCS")
