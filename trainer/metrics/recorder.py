"""What a run tells its records to: file, TensorBoard, terminal, page.

Invariant: a record is on disk before it is shown; the page is written when the run ends, however it ends. Only the
first rank makes one. Not covered: what is measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console

from autoforge.trainer.metrics.live import LiveProgress
from autoforge.trainer.metrics.metrics_file import MetricsFile, read_records
from autoforge.trainer.metrics.record import Stage, StepRecord
from autoforge.trainer.metrics.report.page import write_report
from autoforge.trainer.metrics.tensorboard import TensorBoard

__all__ = ["METRICS_FILE", "REPORT_FILE", "Recorder"]

METRICS_FILE = "metrics.jsonl"
REPORT_FILE = "report.html"


class Recorder:
    """A context manager."""

    def __init__(
        self, folder: Path, console: Console, totals: Mapping[Stage, int], *, tensorboard: bool = False,
        records: int | None = None,
    ) -> None:  # fmt: skip
        """`totals` are the steps of each stage; `records` is how many a checkpoint knew of, for a run that goes on
        from it. Raises BadInput as `MetricsFile` and `TensorBoard` do."""
        self._folder = folder
        self._open = ExitStack()
        with ExitStack() as unusable:
            unusable.callback(self._open.close)
            self._file = self._open.enter_context(MetricsFile(folder / METRICS_FILE, records=records))
            self._board = TensorBoard(folder / "tensorboard", read_records(self._file.path)) if tensorboard else None
            if self._board is not None:
                self._open.callback(self._board.close)
            self._live = LiveProgress(console, totals)
            unusable.pop_all()

    @property
    def count(self) -> int:
        """Records on disk, for the checkpoint."""
        return self._file.count

    def __enter__(self) -> Self:
        self._open.callback(self.report)
        self._open.enter_context(self._live)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def record(self, record: StepRecord) -> None:
        """One more. Raises AutoForgeError where the file cannot be written."""
        self._file.append(record)
        if self._board is not None:
            self._board.add(record)
        self._live.show(record)

    def working(self, what: str, done: int, total: int) -> None:
        """Show how far a part of the step is, as `episodes`; on a terminal only."""
        self._live.working(what, done, total)

    def report(self) -> None:
        """Write the page of what there is so far. Raises as `write_report`."""
        write_report(list(read_records(self._file.path)), self._folder / REPORT_FILE, title=self._folder.name)
