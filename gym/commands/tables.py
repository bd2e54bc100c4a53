"""Figures as tables for people.

Invariant: every number of a table is in the JSON document, too. Not covered: computing them (`runs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.markup import escape
from rich.table import Table

from autoforge.gym.runs.comparison import Comparison
from autoforge.gym.runs.estimates import Estimate
from autoforge.gym.runs.summary import Figures

__all__ = ["comparison_table", "figures_table", "percent", "unscored_words"]


def figures_table(rows: Mapping[str, Figures]) -> Table:
    """One row for each name."""
    shown = _shown(figures.pass_hat for figures in rows.values())
    table = Table(header_style="bold")
    for name in ("environment", "tasks", "episodes", "pass@1", *(f"pass^{k}" for k in shown), "turns", "calls"):
        table.add_column(name, justify="left" if name == "environment" else "right")
    for name in ("unscored", "masked", "cost"):
        table.add_column(name, justify="right")
    for name, figures in rows.items():
        table.add_row(
            escape(name), str(figures.pass_at_1.tasks if figures.pass_at_1 else 0), str(figures.episodes),
            percent(figures.pass_at_1), *(percent(figures.pass_hat.get(k)) for k in shown), _number(figures.turns),
            _number(figures.calls), unscored_words(figures), str(figures.masked), _dollars(figures.cost),
        )  # fmt: skip
    return table


def comparison_table(comparison: Comparison) -> Table:
    """One row for each agent and user."""
    table = Table(title=escape(comparison.title), title_justify="left", header_style="bold")
    for name in ("agent", "user"):
        table.add_column(name)
    for name in ("tasks", "episodes", "pass@1", "difference", "paired", "turns", "unscored", "masked", "cost"):
        table.add_column(name, justify="right")
    for row in comparison.rows:
        figures, apart = row.figures, row.difference
        table.add_row(
            escape(row.agent), escape(row.user), str(figures.pass_at_1.tasks if figures.pass_at_1 else 0),
            str(figures.episodes), percent(figures.pass_at_1), percent(apart, signed=True),
            str(apart.tasks) if apart else "-", _number(figures.turns), unscored_words(figures), str(figures.masked),
            _dollars(figures.cost),
        )  # fmt: skip
    return table


def percent(estimate: Estimate | None, *, signed: bool = False) -> str:
    """`83.3 % (70.1 to 92.0)`."""
    if estimate is None:
        return "-"
    sign = "+" if signed else ""
    words = f"{100 * estimate.value:{sign}.1f} %"
    if estimate.low is None or estimate.high is None:
        return words
    return f"{words} ({100 * estimate.low:{sign}.1f} to {100 * estimate.high:{sign}.1f})"


def unscored_words(figures: Figures) -> str:
    """`3: 2 infrastructure, 1 user`."""
    parts = [f"{count} {blame}" for blame, count in figures.unscored.items()]
    return f"{sum(figures.unscored.values())}: {', '.join(parts)}" if parts else "0"


def _shown(hats: Iterable[Mapping[int, Estimate]]) -> list[int]:
    """The k that get a column: 2, 4 and the most."""
    most = max((k for hat in hats for k in hat), default=1)
    return sorted({k for k in (2, 4, most) if 1 < k <= most})


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _dollars(cost: float) -> str:
    return f"${cost:.2f}" if cost else "-"
