"""What a run says of itself: one record a step, on disk, at the terminal, in TensorBoard, as a page.

`recorder.Recorder` is what a run uses. Invariant: nothing here but `tensorboard` imports torch. Not covered: measuring.
"""

from __future__ import annotations

from autoforge.trainer.metrics.record import Stage, StepRecord
from autoforge.trainer.metrics.recorder import Recorder

__all__ = ["Recorder", "Stage", "StepRecord"]
