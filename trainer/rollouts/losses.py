"""Episodes that were given up, on disk: a step that was learned without them is played without them after a kill, too.

Invariant: a line is there before it counts; a torn last line is passed over and overwritten by nothing. Not covered:
why they were given up (metrics).
"""

from __future__ import annotations

import os
from pathlib import Path

from autoforge.mcp_envs.errors import AutoForgeError

__all__ = ["Losses"]


class Losses:
    """Their ids, a line each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, id: str) -> None:
        """Raises AutoForgeError where it cannot be written."""
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"\n{id}\n")  # the line before may be torn
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            words = f"{self._path} cannot be written further: {error.strerror or error}"
            raise AutoForgeError(f"{words}; make room, and go on with --resume.") from None

    def read(self) -> frozenset[str]:
        """Those of before."""
        if not self._path.exists():
            return frozenset()
        return frozenset(filter(None, self._path.read_text(encoding="utf-8").split("\n")))
