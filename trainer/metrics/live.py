"""How far a run is and how it goes, while it runs.

Invariant: where there is a terminal a panel stays in its place, elsewhere each record is one line; what is shown is on
disk. Not covered: curves (`report`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from autoforge.trainer.metrics.record import Stage, StepRecord
from autoforge.trainer.settings.plan.text import duration

__all__ = ["LiveProgress"]

_TITLES: Mapping[Stage, str] = {"cold_start": "cold start", "erpo": "ERPO", "evaluation": "measurement"}
_SPLIT = (("rollouts", "cyan"), ("learner", "magenta"), ("sync", "yellow"), ("save", "green"))
_BAR = 40


class LiveProgress:
    """A context manager that is told of records."""

    def __init__(self, console: Console, totals: Mapping[Stage, int]) -> None:
        """`totals` are the steps of each stage."""
        self._console = console
        self._totals = totals
        self._live: Live | None = None
        self._shown = Group()
        self._rewards: dict[str, float | None] = {}

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, record: StepRecord) -> None:
        """The state after a record."""
        if self._live is None:
            self._console.print(line_of(record, self._totals.get(record.stage)), soft_wrap=True, markup=False)
        else:
            self._shown = self._panel(record)
            self._live.update(self._shown, refresh=True)

    def working(self, what: str, done: int, total: int) -> None:
        """What goes on within a step, below the last record; nothing where there is no terminal."""
        if self._live is not None:
            row = Table.grid(padding=(0, 2))
            row.add_row(
                Text(what), ProgressBar(total=float(total), completed=float(done), width=_BAR), f"{done}/{total}"
            )
            self._live.update(Group(self._shown, row), refresh=True)

    def _panel(self, record: StepRecord) -> Group:
        total = self._totals.get(record.stage)
        head = Table.grid(padding=(0, 2))
        bar = ProgressBar(total=float(total), completed=float(record.step), width=_BAR) if total else Text("")
        head.add_row(_heading(record, total), bar, _left(record, total))
        return Group(head, _environments(record, self._before(record)), _split(record))

    def _before(self, record: StepRecord) -> dict[str, float | None]:
        """Rewards of the record before, in place of which these come."""
        before = dict(self._rewards)
        self._rewards |= {name: values.get("reward") for name, values in record.environments.items()}
        return before


def line_of(record: StepRecord, total: int | None) -> str:
    """A record in one line."""
    parts = [_heading(record, total)]
    shown = (("reward", "reward {:.3f}"), ("loss", "loss {:.4g}"), ("masked_share", "{:.0%} masked"),
             ("effective_batch", "{:.0f} rollouts teach"), ("tokens_per_second", "{:,.0f} tokens/s"))  # fmt: skip
    parts += [words.format(value) for name, words in shown if (value := record.values.get(name)) is not None]
    seconds = record.values.get("seconds")
    parts += [duration(seconds)] if seconds is not None else []
    own = [
        f"{name} {values['reward']:.3f}"
        for name, values in record.environments.items()
        if values.get("reward") is not None
    ]
    parts += [f"({', '.join(own)})"] if own else []
    return ", ".join(parts) + (f"; {record.note}" if record.note else "")


def _heading(record: StepRecord, total: int | None) -> str:
    number = f"{record.step}/{total}" if total else str(record.step)
    return f"{_TITLES[record.stage]} {number}"


def _left(record: StepRecord, total: int | None) -> str:
    seconds = record.values.get("seconds")
    rate = record.values.get("tokens_per_second")
    words = [f"{rate:,.0f} tokens/s"] if rate is not None else []
    if seconds is not None and total:
        words.append(f"{duration(max(0, total - record.step) * seconds)} left")
    return ", ".join(words)


def _environments(record: StepRecord, before: Mapping[str, float | None]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("environment", "reward", "", "masked", "contrast", "std"):
        table.add_column(name, justify="left" if name == "environment" else "right")
    for name, values in record.environments.items():
        reward, earlier = values.get("reward"), before.get(name)
        change = "" if reward is None or earlier is None else f"{reward - earlier:+.3f}"
        shares = (values.get("masked_share"), values.get("contrast_share"))
        cells = ["–" if share is None else f"{share:.0%}" for share in shares]
        table.add_row(Text(name), _number(reward), change, *cells, _number(values.get("reward_std")))
    return table


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _split(record: StepRecord) -> Text:
    """Where the step's time went, as a bar."""
    parts = {name: record.values.get(f"seconds_{name}") or 0.0 for name, _ in _SPLIT}
    whole = sum(parts.values())
    text = Text()
    for name, colour in _SPLIT:
        if whole and parts[name]:
            text.append("█" * round(_BAR * parts[name] / whole), style=colour)
    for name, colour in _SPLIT:
        if whole and parts[name]:
            text.append(f"  {name} {duration(parts[name])}", style=colour)
    return text
