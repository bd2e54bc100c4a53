"""Which curves the page has, and their points.

Invariant: a chart without a point is left out, and so is a line. Not covered: where they are drawn (`picture`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from autoforge.trainer.metrics.catalogue import ENVIRONMENT_METRICS, STEP_METRICS
from autoforge.trainer.metrics.record import Stage, StepRecord

__all__ = ["Chart", "Line", "Point", "Section", "environments_of", "sections_of"]


class Point(NamedTuple):
    step: int
    value: float | None


class Line(NamedTuple):
    """One curve."""

    label: str
    environment: int | None
    """Place of its environment among all; None where it is of the whole step."""
    points: tuple[Point, ...]
    low: tuple[Point, ...] = ()
    """Lower ends of intervals, one for each point, or none."""
    high: tuple[Point, ...] = ()

    @property
    def there(self) -> bool:
        return any(point.value is not None for point in self.points)


class Chart(NamedTuple):
    """Curves over the same steps."""

    id: str
    title: str
    unit: str
    meaning: str
    lines: tuple[Line, ...]


class Section(NamedTuple):
    title: str
    charts: tuple[Chart, ...]


class _Wanted(NamedTuple):
    """A chart: of each environment where there is `environment`, and of these metrics of the whole step."""

    title: str
    metrics: tuple[str, ...]
    environment: str = ""
    stage: Stage = "erpo"


_SECTIONS: tuple[tuple[str, tuple[_Wanted, ...]], ...] = (
    ("Reward", (
        _Wanted("Reward in training", ("reward",), "reward"),
        _Wanted("Reward on tasks not trained on", (), "reward", "evaluation"),
        _Wanted("Standard deviation of rewards", (), "reward_std"),
        _Wanted("Size of advantages", (), "advantage_rms"),
    )),
    ("Batch", (
        _Wanted("Rollouts that teach", ("effective_batch",)),
        _Wanted("Groups with contrast", ("contrast_share",), "contrast_share"),
        _Wanted("Masked episodes", ("masked_share",), "masked_share"),
        _Wanted("Episodes without a reward", ("unscored_share",), "unscored_share"),
        _Wanted("Episodes cut off", ("truncated_share",), "truncated_share"),
        _Wanted("Turns", ("turns",), "turns"),
    )),
    ("Policy", (
        _Wanted("Entropy", ("entropy",)),
        _Wanted("KL", ("kl",)),
        _Wanted("Clipped tokens", ("clipped_low_share", "clipped_high_share")),
        _Wanted("Ratio to the old policy", ("ratio_low", "ratio_mean", "ratio_high")),
        _Wanted("Norm of the gradient", ("gradient_norm",)),
        _Wanted("Loss", ("loss",)),
        _Wanted("Learning rate", ("learning_rate",)),
    )),
    ("Sampler against learner", (
        _Wanted("Difference of log-probabilities", ("mismatch", "probe_difference")),
        _Wanted("KL of learner and sampler", ("mismatch_kl",)),
        _Wanted("Corrected tokens", ("mismatch_cut_share",)),
        _Wanted("Staleness", ("staleness_mean", "staleness_max")),
    )),
    ("Time", (
        _Wanted("Step in seconds", ("seconds", "seconds_rollouts", "seconds_learner", "seconds_sync")),
        _Wanted("Episode in seconds", ("sampler_seconds", "user_seconds", "environment_seconds")),
        _Wanted("Tokens per second", ("tokens_per_second", "sampled_per_second")),
        _Wanted("Memory", ("memory",)),
        _Wanted("Cost", ("cost",)),
    )),
    ("Cold start", (
        _Wanted("Loss of the cold start", ("loss",), "", "cold_start"),
        _Wanted("Norm of its gradient", ("gradient_norm",), "", "cold_start"),
        _Wanted("Its learning rate", ("learning_rate",), "", "cold_start"),
    )),
)  # fmt: skip


def environments_of(records: Iterable[StepRecord]) -> list[str]:
    """All that a record names, in order of appearance."""
    return list(dict.fromkeys(name for record in records for name in record.environments))


def sections_of(records: Sequence[StepRecord]) -> list[Section]:
    """All sections that have a chart."""
    found = []
    for title, wanted in _SECTIONS:
        charts = tuple(chart for one in wanted if (chart := _chart(records, one)).lines)
        found += [Section(title, charts)] if charts else []
    return found


def _chart(records: Sequence[StepRecord], wanted: _Wanted) -> Chart:
    own = [record for record in records if record.stage == wanted.stage]
    lines = tuple(line for line in (*_steps(own, wanted), *_environments(records, own, wanted)) if line.there)
    name = (*wanted.metrics, wanted.environment)[0] or wanted.environment
    metric = STEP_METRICS.get(name) or ENVIRONMENT_METRICS[name]
    there = [name for name in wanted.metrics if any(line.label == _label(name) for line in lines)]
    words = [f"{_label(name)}: {STEP_METRICS[name].meaning}" for name in there] if len(there) > 1 else [metric.meaning]
    id = "-".join((wanted.stage, *wanted.metrics, *([wanted.environment] if wanted.environment else []), "chart"))
    return Chart(id.replace("_", "-"), wanted.title, metric.unit, " ".join(words), lines)


def _steps(records: Sequence[StepRecord], wanted: _Wanted) -> Iterator[Line]:
    for name in wanted.metrics:
        label = "all" if wanted.environment and len(wanted.metrics) == 1 else _label(name)
        yield Line(label, None, tuple(Point(record.step, record.values.get(name)) for record in records))


def _label(name: str) -> str:
    return name.replace("_", " ")


def _environments(all_: Sequence[StepRecord], records: Sequence[StepRecord], wanted: _Wanted) -> Iterator[Line]:
    if not wanted.environment:
        return
    for place, environment in enumerate(environments_of(all_)):
        here = [(record.step, record.environments.get(environment, {})) for record in records]

        def points(name: str, here: list[tuple[int, dict[str, float | None]]] = here) -> tuple[Point, ...]:
            return tuple(Point(step, values.get(name)) for step, values in here)

        ends = [points(name) for name in ("reward_low", "reward_high")] if wanted.environment == "reward" else [(), ()]
        yield Line(environment, place, points(wanted.environment), *ends)
