"""The same records in TensorBoard, where the package tensorboard is installed.

Invariant: tags are STAGE/METRIC and STAGE/METRIC/ENVIRONMENT; what is null is left out; a step is there once, since the
event files are made again of the file of record (`metrics_file`) when a run goes on. Not covered: that file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autoforge.mcp_envs.errors import BadInput
from autoforge.trainer.metrics.record import StepRecord

__all__ = ["TensorBoard"]


class TensorBoard:
    """A writer of event files."""

    def __init__(self, folder: Path, records: Iterable[StepRecord] = ()) -> None:
        """`records` are those that there are already. Raises BadInput where torch or tensorboard is missing."""
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            words = "run.tensorboard = true needs torch and tensorboard, and one of them is not installed"
            raise BadInput(f"{words}: pip install tensorboard, or leave the setting out.") from None
        for old in folder.glob("events.out.tfevents.*"):
            old.unlink()
        self._writer: Any = SummaryWriter(str(folder))
        for record in records:
            self._write(record)
        self._writer.flush()

    def add(self, record: StepRecord) -> None:
        """All numbers of a record, on disk when this returns."""
        self._write(record)
        self._writer.flush()

    def _write(self, record: StepRecord) -> None:
        for tag, value in _scalars(record):
            self._writer.add_scalar(tag, value, record.step, walltime=record.time)

    def close(self) -> None:
        """Nothing can be added after it."""
        self._writer.close()


def _scalars(record: StepRecord) -> Iterator[tuple[str, float]]:
    for name, value in record.values.items():
        if value is not None:
            yield f"{record.stage}/{name}", value
    for environment, values in record.environments.items():
        for name, value in values.items():
            if value is not None:
                yield f"{record.stage}/{name}/{environment}", value
