"""Where a chart is drawn: axes, ticks, paths.

Invariant: every point lies inside the frame; a line goes from point to point over steps that have none (a step draws
some of the environments only); a long line is drawn by the means of at most `_MOST` stretches of steps, and a smoothed
one, a running mean over a twentieth of its points, lies over it. Not covered: markup, colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from autoforge.trainer.metrics.report.charts import Chart, Line, Point

__all__ = ["HEIGHT", "WIDTH", "Curve", "Picture", "Tick", "picture_of", "shown"]

WIDTH, HEIGHT = 520.0, 210.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 50.0, 10.0, 10.0, 24.0
_MOST = 400
_LEAST_SMOOTHED = 20
_LEAST_LINE = 8
"""Fewer points have dots."""
_TICKS = 5


class Tick(NamedTuple):
    place: float
    words: str


class Curve(NamedTuple):
    """One line, drawn."""

    label: str
    environment: int | None
    colour: int
    path: str
    smooth: str
    """Empty where there are few points."""
    band: str
    """Outline of the intervals; empty where there are none."""
    dots: tuple[tuple[float, float], ...]
    """The points, where there are few."""


class Picture(NamedTuple):
    """A chart, drawn in a frame of WIDTH × HEIGHT."""

    chart: Chart
    curves: tuple[Curve, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    left: float
    right: float
    top: float
    bottom: float


_FLAT = 1e-12
"""Values whose spread is smaller, beside their size, are one value: there are no round numbers between them."""


class _Frame(NamedTuple):
    first: float
    last: float
    low: float
    high: float

    def x(self, step: float) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * (step - self.first) / (self.last - self.first), 1)

    def y(self, value: float) -> float:
        return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (self.high - value) / (self.high - self.low), 1)


def picture_of(chart: Chart) -> Picture:
    """Of a chart with one point at least."""
    frame = _frame(chart)
    own = (line for line in chart.lines if line.environment is None)
    colours = {line.label: place for place, line in enumerate(own)}
    curves = tuple(_curve(line, frame, colours) for line in chart.lines)
    across = tuple(Tick(frame.x(step), f"{step:,.0f}") for step in _ticks(frame.first, frame.last) if step == int(step))
    up = tuple(Tick(frame.y(value), shown(value)) for value in _ticks(frame.low, frame.high))
    return Picture(chart, curves, across, up, _LEFT, WIDTH - _RIGHT, _TOP, HEIGHT - _BOTTOM)


def shown(value: float) -> str:
    """A number as an axis has it."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):.4g}{letter}"
    return f"{value:.4g}"


def _frame(chart: Chart) -> _Frame:
    points = [p for line in chart.lines for p in (*line.points, *line.low, *line.high) if p.value is not None]
    steps, values = [p.step for p in points], [float(p.value or 0.0) for p in points]
    first, last = min(steps), max(steps)
    low, high = _range(min(values), max(values), chart.unit)
    return _Frame(first, last if last > first else first + 1, low, high)


def _range(low: float, high: float, unit: str) -> tuple[float, float]:
    """From 0 where that is near; a share that goes high has its whole range."""
    if unit == "share" and low >= 0 and high <= 1:
        return 0.0, 1.0 if high > 0.5 else max(high * 1.1, 0.05)
    if low >= 0 and low <= high / 2:
        low = 0.0
    largest = max(abs(low), abs(high))
    if high - low <= _FLAT * max(largest, 1e-3):
        margin = 0.1 * largest if largest > _FLAT else 0.1
        return low - margin, high + margin
    return low, high + (high - low) * 0.05


def _ticks(low: float, high: float) -> Iterator[float]:
    rough = (high - low) / _TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    width = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    for place in range(math.ceil(low / width), math.floor(high / width + 1e-9) + 1):
        yield place * width


def _curve(line: Line, frame: _Frame, colours: dict[str, int]) -> Curve:
    there = _there(line.points)
    points = _thinned(there)
    dots = tuple((frame.x(step), frame.y(value)) for step, value in points) if len(points) < _LEAST_LINE else ()
    smooth = _thinned(_smoothed(there)) if len(there) >= _LEAST_SMOOTHED else []
    colour = line.environment if line.environment is not None else colours[line.label]
    paths = (_path(points, frame), _path(smooth, frame), _band(line, frame))
    return Curve(line.label, line.environment, colour, *paths, dots)


_Stretch: TypeAlias = list[tuple[float, float]]


def _there(points: Sequence[Point]) -> _Stretch:
    return [(float(point.step), point.value) for point in points if point.value is not None]


def _thinned(stretch: _Stretch) -> _Stretch:
    width = -(-len(stretch) // _MOST)
    return [_mean(stretch[place : place + width]) for place in range(0, len(stretch), width)]


def _smoothed(stretch: _Stretch) -> _Stretch:
    reach = max(1, len(stretch) // 40)
    around = (stretch[max(0, place - reach) : place + reach + 1] for place in range(len(stretch)))
    return [(step, _mean(near)[1]) for (step, _), near in zip(stretch, around, strict=True)]


def _mean(points: _Stretch) -> tuple[float, float]:
    number = len(points)
    return sum(x for x, _ in points) / number, sum(y for _, y in points) / number


def _path(points: _Stretch, frame: _Frame) -> str:
    return "M" + "L".join(f"{frame.x(x):g} {frame.y(y):g}" for x, y in points) if len(points) > 1 else ""


def _band(line: Line, frame: _Frame) -> str:
    both = [(low, high) for low, high in zip(line.low, line.high, strict=True) if None not in (low.value, high.value)]
    if len(both) < 2:
        return ""
    return _path([*_there([high for _, high in both]), *_there([low for low, _ in both])[::-1]], frame) + "Z"
