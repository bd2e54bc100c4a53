"""The paper's ablations on the tiny model: one baseline, and an arm with one thing changed each, three seeds.

The baseline normalises by environment, masks what users spoil (one in five errs on purpose) and keeps thoughts, which
note the calls made so far. Invariant: all arms of a seed begin with the same cold start, which is a run of its own, and
meet the same users. Not covered: models that think for themselves.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import click

from bench.learning.counts import Gain, curve, gain
from bench.learning.plots import ablations_plot
from bench.learning.runs import Run, play
from bench.learning.worlds import ROOT, Worlds, names, worlds

__all__ = ["ablations"]

RESULT = ROOT / "bench" / "results" / "ablations.json"
SEEDS = (0, 1, 2)
ARMS: dict[str, dict[str, str]] = {
    "baseline": {},
    "group advantage": {"erpo.advantage.scale": '"group"'},
    "no masking": {"judge.model": '"none"'},
    "thoughts dropped": {"rollouts.policy.thoughts": '"dropped"'},
}
STEPS = 10
TASKS = 30


def ablations(folder: Path, at_once: int) -> None:
    """Train each arm in three seeds, and count."""
    made = worlds(folder.resolve() / "worlds", 60)
    beginnings = {seed: _beginning(seed, folder.resolve(), made) for seed in SEEDS}
    runs = [_run(arm, beginnings[seed], made) for arm in ARMS for seed in SEEDS]
    failed = play([*beginnings.values(), *runs], at_once)
    document = {
        "steps": STEPS, "tasks": TASKS, "at_once": at_once,
        "cold_starts": [{"seed": run.seed, "seconds": run.seconds} for run in beginnings.values() if run.done],
        "runs": [_counted(run, made) for run in runs if run.done],
    }  # fmt: skip
    _tell(document)
    if failed:
        log = failed[0].folder / "log.txt"
        raise click.ClickException(
            f"{len(failed)} runs failed, and nothing was written; see {log}, and go on with this"
        )
    RESULT.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    ablations_plot(document, RESULT.with_suffix(".svg"))


def _beginning(seed: int, folder: Path, made: Worlds) -> Run:
    """The cold start alone; nothing is measured in it."""
    settings = {**_shared(made), "run.steps": "0", "environments.evaluate_tasks": "0"}
    del settings["environments.unseen"]  # only measured
    return Run("cold start", seed, folder / "ablations" / f"cold-start-{seed}", settings)


def _run(arm: str, beginning: Run, made: Worlds) -> Run:
    folder = beginning.folder.with_name(f"{arm.replace(' ', '-')}-{beginning.seed}")
    return Run(arm, beginning.seed, folder, {**_shared(made), **ARMS[arm]}, beginning.folder)


def _shared(made: Worlds) -> dict[str, str]:
    return {
        "run.steps": str(STEPS),
        "environments.train": json.dumps([str(path) for path in made.train]),
        "environments.unseen": json.dumps([str(path) for path in made.held_out]),
        "environments.evaluate_tasks": str(TASKS),
        "user.errors": "0.2",
        "cold_start.thoughts": "true",
        "cold_start.steps": "120",  # the base knows no thoughts; after less, ERPO unlearns how to write calls
        "learner.learning_rate": "1e-4",  # at twice as much one seed in three lost more than it won
    }


def _counted(run: Run, made: Worlds) -> dict[str, Any]:
    found = gain(run, names(made.held_out))
    return {
        "arm": run.arm, "seed": run.seed, "seconds": run.seconds, "held_out": found._asdict(), "training": curve(run),
    }  # fmt: skip


def _tell(document: dict[str, Any]) -> None:
    for arm in ARMS:
        seconds = [run["seconds"] for run in document["runs"] if run["arm"] == arm and run["seconds"] is not None]
        found = [Gain(**run["held_out"]) for run in document["runs"] if run["arm"] == arm]
        if found:
            each = ", ".join(f"{one.before:.3f} -> {one.after:.3f}" for one in found)
            after, won = fmean(one.after for one in found), fmean(one.gain for one in found)
            masked = fmean(p["masked"] or 0.0 for r in document["runs"] if r["arm"] == arm for p in r["training"])
            means = f"mean after {after:.3f}, mean gain {won:+.3f}, {masked:.0%} of training episodes masked"
            means += f", the longest run {max(seconds):.0f} s" if seconds else ""
            click.echo(f"{arm:16} {len(found)} seeds: {each}; {means}")
