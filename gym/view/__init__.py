"""Trajectories as a page to look at.

Invariant: one file that loads nothing. Not covered: running anything.
"""

from __future__ import annotations

__all__: list[str] = []
