"""What the run comes to, in figures and tables above and below the curves.

Invariant: means over the last steps are over a tenth of the ERPO steps, five at least. Not covered: curves (`charts`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from autoforge.trainer.metrics.record import StepRecord
from autoforge.trainer.metrics.report.charts import environments_of
from autoforge.trainer.settings.plan.text import duration

__all__ = ["EnvironmentRow", "Part", "Summary", "Tile", "summary_of"]

_TIMES = ("rollouts", "learner", "sync", "save")
_SOURCES = ("sampler", "user", "environment")


_MEANS = (
    ("masked_share", "masked", "{:.1%}"),
    ("effective_batch", "rollouts that teach", "{:.0f}"),
    ("tokens_per_second", "tokens/s", "{:,.0f}"),
    ("cost", "dollars", "{:.2f}"),
)


class Tile(NamedTuple):
    words: str
    value: str
    more: str = ""


class EnvironmentRow(NamedTuple):
    place: int
    name: str
    first: float | None
    """Mean reward of the first steps."""
    last: float | None
    measured: float | None
    """Of the last measurement."""
    interval: tuple[float, float] | None
    masked: float | None
    """Share, over the last steps."""
    reasons: tuple[tuple[str, int], ...]
    """Of all steps, the most frequent first."""
    unscored: tuple[tuple[str, int], ...]


class Part(NamedTuple):
    """A share of a whole of time."""

    name: str
    seconds: float
    share: float


class Summary(NamedTuple):
    tiles: tuple[Tile, ...]
    environments: tuple[EnvironmentRow, ...]
    step: tuple[Part, ...]
    """Of a mean step."""
    episode: tuple[Part, ...]
    """Of a mean episode."""
    notes: tuple[tuple[int, str], ...]
    """Steps that were skipped, and why."""


def summary_of(records: Sequence[StepRecord]) -> Summary:
    steps = [record for record in records if record.stage == "erpo"]
    return Summary(
        tuple(_tiles(records, steps)),
        tuple(_row(records, steps, place, name) for place, name in enumerate(environments_of(records))),
        _parts(steps, _TIMES, "seconds_{}"), _parts(steps, _SOURCES, "{}_seconds"),
        tuple((record.step, record.note) for record in steps if record.note),
    )  # fmt: skip


def _ends(steps: Sequence[StepRecord]) -> tuple[Sequence[StepRecord], Sequence[StepRecord]]:
    number = max(5, len(steps) // 10)
    return steps[:number], steps[-number:]


def _tiles(records: Sequence[StepRecord], steps: Sequence[StepRecord]) -> list[Tile]:
    first, last = _ends(steps)
    stages = Counter(record.stage for record in records)
    more = f"{stages['cold_start']:,} of the cold start before" if stages["cold_start"] else ""
    found = [Tile("ERPO steps", f"{len(steps):,}", more)]
    before, after = _metric(first, "reward"), _metric(last, "reward")
    if before is not None and after is not None:
        found.append(Tile("reward", f"{after:.3f}", f"{before:.3f} in the first steps"))
    for name, words, form in _MEANS:
        value = _metric(last, name)
        found += [Tile(words, form.format(value))] if value is not None else []
    seconds = _metric(steps, "seconds")
    return found + ([Tile("a step", duration(seconds))] if seconds is not None else [])


def _row(records: Sequence[StepRecord], steps: Sequence[StepRecord], place: int, name: str) -> EnvironmentRow:
    first, last = _ends(steps)

    def own(metric: str, within: Sequence[StepRecord]) -> float | None:
        return _mean(record.environments.get(name, {}).get(metric) for record in within)

    measured = [r.environments[name] for r in records if r.stage == "evaluation" and name in r.environments][-1:]
    ends = [values.get(end) for values in measured for end in ("reward_low", "reward_high")]
    interval = (ends[0], ends[1]) if len(ends) == 2 and ends[0] is not None and ends[1] is not None else None
    return EnvironmentRow(
        place, name, own("reward", first), own("reward", last),
        measured[0].get("reward") if measured else None, interval, own("masked_share", last),
        _counts(record.masked.get(name, {}) for record in steps), _counts(r.unscored.get(name, {}) for r in steps),
    )  # fmt: skip


def _counts(found: Iterable[Mapping[str, int]]) -> tuple[tuple[str, int], ...]:
    whole: Counter[str] = Counter()
    for counts in found:
        whole.update(counts)
    return tuple(sorted(whole.items(), key=lambda item: (-item[1], item[0])))


def _mean(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if found else None


def _metric(records: Sequence[StepRecord], name: str) -> float | None:
    """Its mean over records of the whole step."""
    return _mean(record.values.get(name) for record in records)


def _parts(steps: Sequence[StepRecord], names: Sequence[str], form: str) -> tuple[Part, ...]:
    means = {name: _metric(steps, form.format(name)) or 0.0 for name in names}
    whole = sum(means.values())
    return tuple(Part(name, value, value / whole) for name, value in means.items() if value) if whole else ()
