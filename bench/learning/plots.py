"""Pictures of what the runs came to.

Invariant: only numbers of the document are drawn. Not covered: counting (`counts`).
"""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.ticker import MaxNLocator

__all__ = ["ablations_plot", "proof_plot"]

_COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b")


def proof_plot(document: dict[str, Any], path: Path) -> None:
    """Training curves of every run, and held-out episodes before and after with their gain's interval."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), width_ratios=(3, 2))
    arms = list(dict.fromkeys(run["arm"] for run in document["runs"]))
    for run in document["runs"]:
        color = _COLORS[arms.index(run["arm"])]
        left.plot(*_curve(run), color=color, alpha=0.7, label=run["arm"] if run["seed"] == 0 else None)
    left.set(title="training episodes", xlabel="step", ylabel="share won", ylim=(0, 1))
    left.xaxis.set_major_locator(MaxNLocator(integer=True))
    left.legend()
    for place, run in enumerate(document["runs"]):
        _bar(right, place, run["held_out"], _COLORS[arms.index(run["arm"])])
    right.set_xticks(range(len(document["runs"])), [f"{r['arm']}\n{r['seed']}" for r in document["runs"]], fontsize=7)
    right.set(title="gain on held-out tasks, 95 % interval", ylabel="share won, after less before")
    right.axhline(0, color="black", linewidth=0.8)
    _save(figure, path)


def ablations_plot(document: dict[str, Any], path: Path) -> None:
    """Mean training curve of each arm over its seeds, and each seed's held-out share before and after."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), width_ratios=(3, 2))
    arms = list(dict.fromkeys(run["arm"] for run in document["runs"]))
    for color, arm in zip(_COLORS, arms, strict=False):
        own = [run for run in document["runs"] if run["arm"] == arm]
        curves = [_curve(run)[1] for run in own]
        means = [fmean(values) for values in zip(*curves, strict=False)]
        left.plot(range(1, len(means) + 1), means, color=color, label=f"{arm} ({len(own)} seeds)")
        place = arms.index(arm)
        for shift, run in enumerate(own):
            ends = [run["held_out"]["before"], run["held_out"]["after"]]
            right.plot([place + 0.15 * shift] * 2, ends, "-", color=color, alpha=0.7)
            right.plot(place + 0.15 * shift, ends[1], "o", color=color)
    left.set(title="training episodes, mean over seeds", xlabel="step", ylabel="share won", ylim=(0, 1))
    left.xaxis.set_major_locator(MaxNLocator(integer=True))
    left.legend()
    right.set_xticks(range(len(arms)), arms, fontsize=7)
    right.set(title="held-out tasks, each seed: before, and after (dot)", ylabel="share won", ylim=(0, 1))
    _save(figure, path)


def _curve(run: dict[str, Any]) -> tuple[list[int], list[float]]:
    points = [point for point in run["training"] if point["reward"] is not None]
    return [point["step"] for point in points], [point["reward"] for point in points]


def _bar(axes: Any, place: int, found: dict[str, Any], color: str) -> None:
    axes.bar(place, found["gain"], color=color, alpha=0.7)
    if found["low"] is not None:
        axes.vlines(place, found["low"], found["high"], color="black")


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
