"""Trajectories as a page to look at.

Invariant: one file that loads nothing, and nothing that a trajectory holds can act in it. Not covered: playing
episodes.
"""

from __future__ import annotations

from autoforge.gym.view.page import write_page

__all__ = ["write_page"]
