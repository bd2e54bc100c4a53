"""Settings of the model: where it is, in which precision, how conversations become ids.

Invariant: sampler and learner hold the model in one precision. Not covered: loading it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from autoforge.trainer.settings.section import Section
from autoforge.trainer.tokens.training import TemplateSettings

__all__ = ["ModelSettings"]


class ModelSettings(Section):
    """The policy."""

    path: str
    """A Hugging Face folder, or the name of a model that transformers can load; `tiny` is the model of about a million
    parameters that the project makes."""
    config: Path | None = None
    """The model's config.json, from which --dry-run counts parameters where `path` is a name that it does not know."""
    precision: Literal["bf16", "fp32"] = "bf16"
    """Of weights and activations; with bf16 the optimizer keeps an fp32 copy of the weights."""
    template: TemplateSettings = TemplateSettings()
    """How conversations become ids."""
