"""The time of day, in one place: what is measured with it is told, and decides nothing."""

from __future__ import annotations

import time

__all__ = ["now"]


def now() -> float:
    """Unix seconds."""
    return time.time()
