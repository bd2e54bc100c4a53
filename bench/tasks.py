"""Tasks by the hundred: how many, how fast, how hard, and how well the gate holds, over environments of some documents.

Invariant: environments are compiled without a model and tasks made by the command line, as for a user; all figures are
sums over what the manifests say, and oracle and other baselines were run on every task. Not covered: scoring
(`scoring`).
"""

from __future__ import annotations

import json
import math
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from autoforge.generator.tasks.gate import prove
from autoforge.generator.tasks.workshop import open_workshop
from autoforge.gym.baselines import RandomCaller, play_all
from autoforge.mcp_envs.environment import find_environment
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
JOBS = 2
EVERY = 10
"""Of so many tasks one is proved again with other samples."""


def task_figures(docs: Sequence[str], work: Path) -> list[Figure]:
    """Ten environments with at least eight tools, the first by name, or as many as the documents give."""
    folder = work / "tasks"
    command = [*PROGRAM, *docs, "-o", str(folder), "--json"]
    compiled = json.loads(subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False).stdout)
    names = sorted(e["name"] for e in compiled["environments"] if e["written"] and e["tools"] >= LEAST_TOOLS)
    chosen, others = names[:ENVIRONMENTS], names[ENVIRONMENTS:]
    started = time.perf_counter()
    found = _made([folder / name for name in chosen], math.ceil(WANTED / ENVIRONMENTS))
    minutes = (time.perf_counter() - started) / 60
    if others:
        _made([folder / name for name in others], LEAST_TASKS)
    tasks = {name: read_tasks(folder / name) for name in chosen}
    least = {name: len(read_tasks(folder / name)) for name in names}
    again = [_tried_again(folder / name, listed) for name, listed in tasks.items() if listed]
    all_tasks = [t for ts in tasks.values() for t in ts]
    return [
        *_amounts(found, tasks, minutes),
        _least(least),
        *_soundness(found),
        *_other_dice(again),
        *_hardness(all_tasks),
    ]


def _made(folders: Sequence[Path], count: int) -> list[dict[str, Any]]:
    """What the command says that adds tasks to each."""
    command = [*PROGRAM, "tasks", *map(str, folders), "-n", str(count), "--jobs", str(JOBS), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    environments: list[dict[str, Any]] = json.loads(done.stdout)["environments"]
    return environments


def _least(tasks: dict[str, int]) -> Figure:
    """Of all environments with enough tools; those beyond the first ten are asked for no more than the bound."""
    told = ", ".join(f"{name} {number}" for name, number in tasks.items())
    return at_least("tasks of the environment with the fewest", min(tasks.values(), default=0), "", LEAST_TASKS, told)


class Again(NamedTuple):
    """What other dice than those of the gate show."""

    proved: int
    """Tasks that were proved again with other samples."""
    failed: tuple[str, ...]
    """Those in which a mutant scored, an order did not, or any other check failed, with the reason."""
    killed: int
    orders: int
    random: int
    """Tasks that the random caller solved in any of its other trials."""
    tasks: int


def _tried_again(path: Path, tasks: Sequence[Task]) -> Again:
    """Prove every tenth task with samples of its own, and let the random caller try all of them twice more."""
    folder = find_environment(str(path))
    proofs = []
    with open_workshop(folder, seed=0, walk_length=1) as workshop:
        for task in tasks[::EVERY]:
            blank = task.model_copy(update={"verdicts": {k: v for k, v in task.verdicts.items() if k != "sampling"}})
            chance = random.Random(f"again {task.id}")
            proofs.append(
                prove(workshop.stage, blank, catalogue=workshop.catalogue, fresh=workshop.fresh, chance=chance)
            )
        callers = [RandomCaller(name=f"random {n}", trial=n) for n in (1, 2)]
        solved = {p.task for p in play_all(tasks, workshop.episodes, callers) if p.reward.value}
    admitted = [p.admitted.verdicts for p in proofs if p.admitted is not None]
    killed = sum(int(str(v["mutants_killed"]).split("/")[0]) for v in admitted)
    orders = sum(int(str(v["reorders_accepted"]).split("/")[0]) for v in admitted)
    failed = [
        f"{task.id}: {p.reason}: {p.message}" for task, p in zip(tasks[::EVERY], proofs, strict=True) if not p.admitted
    ]
    return Again(len(proofs), tuple(failed), killed, orders, len(solved), len(tasks))


def _other_dice(again: Sequence[Again]) -> list[Figure]:
    proved, names = sum(a.proved for a in again), [name for a in again for name in a.failed]
    failed = len(names)
    killed, total = sum(a.killed for a in again), sum(a.tasks for a in again)
    told = f"{killed} of {killed + failed} in {proved} tasks, {failed} with a survivor or another failure"
    solved = sum(a.random for a in again)
    return [
        at_least("mutants killed, other samples", 100 * killed / max(1, killed + failed), "%", 99.5, told),
        at_least("orders accepted there", 100 * (1 - failed / max(1, proved)), "%", 100,
                 "; ".join([f"{sum(a.orders for a in again)} orders", *names])),
        at_most("tasks the random caller solves, two more trials", 100 * solved / max(1, total), "%", 1, f"{solved}"),
    ]  # fmt: skip


def _amounts(found: Sequence[dict[str, Any]], tasks: dict[str, tuple[Task, ...]], minutes: float) -> list[Figure]:
    total = sum(map(len, tasks.values()))
    wanted = math.ceil(WANTED * len(found) / ENVIRONMENTS)
    proposals = sum((e["admission"] or {}).get("proposals", 0) for e in found)
    reasons: Counter[str] = Counter()
    for environment in found:
        reasons.update((environment["admission"] or {}).get("rejections", {}))
    each = ", ".join(f"{name} {len(listed)}" for name, listed in tasks.items())
    why = ", ".join(f"{reason} {number / max(1, proposals):.1%}" for reason, number in reasons.most_common())
    return [
        at_least(f"tasks admitted, {len(found)} environments", total, "", wanted, each),
        at_most("minutes to make and prove them", minutes, "min", MINUTES),
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
