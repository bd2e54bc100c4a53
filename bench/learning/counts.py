"""What a run came to, counted from its own files.

Invariant: differences are paired by task, over all episodes with a reward; one that came to nothing afterwards counts
as lost. Users of measurements do not err on purpose, and what a judge takes for an error must not make arms differ in
what they are measured on. Intervals are 95 %, by bootstrap over tasks. Not covered: drawing (`plots`).
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from autoforge.gym.runs.estimates import difference
from autoforge.gym.runs.reading import latest
from autoforge.trainer.metrics.metrics_file import read_records
from bench.learning.runs import Run

__all__ = ["Gain", "curve", "gain"]


class Gain(NamedTuple):
    """Of a run, over some environments."""

    before: float
    """Share of held-out episodes that were won after the cold start."""
    after: float
    """After the last step."""
    gain: float
    low: float | None
    high: float | None
    tasks: int


def gain(run: Run, environments: Collection[str]) -> Gain:
    """Raises ValueError where nothing was measured."""
    steps = _measured(run.folder / "evaluation.jsonl", environments)
    if len(steps) < 2:
        raise ValueError(f"{run.folder} was measured at {len(steps)} steps; the first and the last are needed")
    first, last = steps[min(steps)], steps[max(steps)]
    pairs = [(first[task], last.get(task, 0.0)) for task in sorted(first)]
    found = difference(pairs)
    assert found is not None
    before, after = (fmean(values) for values in zip(*pairs, strict=True))
    return Gain(before, after, found.value, found.low, found.high, found.tasks)


def _measured(path: Path, environments: Collection[str]) -> dict[int, dict[tuple[str, str], float]]:
    """Rewards by step and task."""
    found: dict[int, dict[tuple[str, str], float]] = {}
    for episode in latest(path):
        if episode.environment in environments and episode.reward is not None:
            found.setdefault(episode.trial, {})[episode.environment, episode.task] = episode.reward
    return found


def curve(run: Run) -> list[dict[str, Any]]:
    """Reward of the training episodes of each step, over all environments, and the share that was masked."""
    records = [record for record in read_records(run.folder / "metrics.jsonl") if record.stage == "erpo"]
    return [
        {"step": record.step, "reward": record.values.get("reward"), "masked": record.values.get("masked_share")}
        for record in records
    ]
