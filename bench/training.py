"""Figures of the trainer: a training step against TRL's, and rollouts with slow users against instant ones.

    python -m bench.run --only training

TRL is a dependency of the first comparison alone; where it is missing that is said, and the bound is missed.
Invariant: what is compared is proved equal first (gradients; episodes). Not covered: GPUs (`bench.gpu_check`).
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import torch

from bench.figures import Figure, at_least
from bench.training_rows import equal_rows, real_rows, tiny_settings
from bench.training_step import Compared, compared
from bench.training_trl import HOW_TO_INSTALL, installed
from bench.training_users import Overlap, overlap

__all__ = ["training_figures"]

ROOT = Path(__file__).resolve().parents[1]
DETAILS = ROOT / "bench" / "results" / "training.json"
STEP, USERS = 1.2, 0.85
"""Bounds of the two ratios."""
_ROWS, _ROUNDS = 16, 5
_TURNS = 2
"""Rounds of rollouts."""
_EPISODES = (
    "sampler.sequences=32", "rollouts.in_flight=192", "rollouts.group=8", "erpo.selection.tasks=24",
    "rollouts.limits.turns=6", "rollouts.seconds=1800.0", "rollouts.policy.sample_seconds=1800.0",
    "rollouts.policy.max_tokens=48",
)  # fmt: skip


def training_figures(work: Path) -> list[Figure]:
    """Both comparisons; their details go to a file beside the other results."""
    settings, model = tiny_settings(work / "run"), work / "model"
    load = real_rows(settings, model, _ROWS)
    figures, details = [], {}
    if installed():
        for one in (load, equal_rows(_ROWS, 1024)):
            found = compared(one, model, work, _ROUNDS)
            details[found.load] = {**found._asdict(), "ratios": found.ratios}
            figures.append(_step_figure(found))
    else:
        figures.append(Figure("training step / TRL's", 0.0, "x", f">= {STEP:g}", False, HOW_TO_INSTALL))
    (work / "episodes").mkdir()
    users = overlap(tiny_settings(work / "users", *_EPISODES), model, work / "episodes", _TURNS)
    details["users"] = {**users._asdict(), "ratios": users.ratios}
    DETAILS.parent.mkdir(exist_ok=True)
    DETAILS.write_text(json.dumps(details, indent=1) + "\n", encoding="utf-8")
    return [*figures, _users_figure(users)]


def _step_figure(found: Compared) -> Figure:
    """The bound is on the rows that episodes have; rows that need no padding are told beside it."""
    ours, theirs = (found.rows / statistics.median(seconds) for seconds in (found.ours, found.theirs))
    words = (
        f"{ours:.2f} against {theirs:.2f} samples/s; ratios {_range(found.ratios)}; {found.processor:.2f} x by"
        f" processor time; {found.rows} rows, {found.ids} ids, {found.trainable} trained,"
        f" {found.padded} with TRL's padding;"
        f" gradients within {found.difference:.0e}; {torch.get_num_threads()} threads"
    )
    name = f"training step / TRL's, {found.load}"
    if found.bound:
        return at_least(name, found.ratio, "x", STEP, words)
    return Figure(name, found.ratio, "x", "", True, words)


def _users_figure(found: Overlap) -> Figure:
    instant, slow = statistics.median(found.instant), statistics.median(found.slow)
    words = (
        f"{slow:.2f} against {instant:.2f} samples/s; ratios {_range(found.ratios)}; {found.episodes} episodes,"
        f" {found.turns} turns of the user, {found.in_flight} in flight, {found.sequences} sampled at a time"
    )
    return at_least("users of 1 s / instant users", found.ratio, "x", USERS, words)


def _range(values: list[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}"
