"""The time of day, in one place.

Invariant: what is measured with it is told, and decides nothing. Not covered: deadlines, which are anyio's.
"""

from __future__ import annotations

import time

__all__ = ["now"]


def now() -> float:
    """Unix seconds."""
    return time.time()
