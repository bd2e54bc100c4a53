"""Settings of a training run: their schema, presets, and the plan that --dry-run prints.

`load_settings` reads a TOML file or a preset. Invariant: nothing here imports torch. Not covered: the run.
"""

from __future__ import annotations

from autoforge.trainer.settings.load import Loaded, load_settings
from autoforge.trainer.settings.schema import TrainerSettings

__all__ = ["Loaded", "TrainerSettings", "load_settings"]
