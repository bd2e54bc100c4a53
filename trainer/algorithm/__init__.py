"""ERPO and its baselines as pure functions of tensors: `erpo` is what the rest calls, the others are its parts.

Invariant: nothing here samples, trains, reads or writes; ranks meet in `trainer.ranks` alone. Not covered: which
rollouts there are (`trainer.rollouts`). Nothing is imported here, since the settings are wanted without torch.
"""

from __future__ import annotations

__all__: list[str] = []
