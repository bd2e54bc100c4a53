"""Many episodes: which are played, how far it is, what came of them.

Invariant: a finished episode is on disk before it counts. Not covered: one episode (`gym.episode`).
"""

from __future__ import annotations

__all__: list[str] = []
