"""The paper's ablations on the tiny model: one baseline, and an arm with one thing changed each, three seeds.

The baseline normalises by environment, masks what users spoil (one in five errs on purpose) and keeps thoughts, which
note the calls made so far. Invariant: all arms of a seed begin with the same cold start and meet the same users. Not
covered: models that think for themselves.
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
    runs = [_run(arm, seed, folder.resolve(), made) for arm in ARMS for seed in SEEDS]
    failed = play(runs, at_once)
    document = {"steps": STEPS, "tasks": TASKS, "runs": [_counted(run, made) for run in runs if run.done]}
    _tell(document)
    if failed:
        log = failed[0].folder / "log.txt"
        raise click.ClickException(
            f"{len(failed)} runs failed, and nothing was written; see {log}, and go on with this"
        )
    RESULT.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    ablations_plot(document, RESULT.with_suffix(".svg"))


def _run(arm: str, seed: int, folder: Path, made: Worlds) -> Run:
    settings = {
        "run.steps": str(STEPS),
        "environments.train": json.dumps([str(path) for path in made.train]),
        "environments.unseen": json.dumps([str(path) for path in made.held_out]),
        "environments.evaluate_tasks": str(TASKS),
        "user.errors": "0.2",
        "cold_start.thoughts": "true",
        "cold_start.steps": "120",  # the base knows no thoughts; after less, ERPO unlearns how to write calls
        "learner.learning_rate": "1e-4",  # at twice as much one seed in three lost more than it won
        **ARMS[arm],
    }
    own = folder / "ablations"
    return Run(arm, seed, own / f"{arm.replace(' ', '-')}-{seed}", settings, own / f"baseline-{seed}")


def _counted(run: Run, made: Worlds) -> dict[str, Any]:
    found = gain(run, names(made.held_out))
    return {"arm": run.arm, "seed": run.seed, "held_out": found._asdict(), "training": curve(run)}


def _tell(document: dict[str, Any]) -> None:
    for arm in ARMS:
        found = [Gain(**run["held_out"]) for run in document["runs"] if run["arm"] == arm]
        if found:
            each = ", ".join(f"{one.before:.3f} -> {one.after:.3f}" for one in found)
            after, won = fmean(one.after for one in found), fmean(one.gain for one in found)
            masked = fmean(p["masked"] or 0.0 for r in document["runs"] if r["arm"] == arm for p in r["training"])
            means = f"mean after {after:.3f}, mean gain {won:+.3f}, {masked:.0%} of training episodes masked"
            click.echo(f"{arm:16} {len(found)} seeds: {each}; {means}")
