"""The model of about a million parameters that the project makes, so that everything runs on a laptop in minutes.

Random weights, a byte-level vocabulary trained on the demonstrations, and a chat template that shows tools by name and
parameters only. Invariant: the same texts and seed give the same model. Not covered: doing anything well; see `make`.
"""

from __future__ import annotations

from autoforge.trainer.tiny.make import make_tiny_model

__all__ = ["make_tiny_model"]
