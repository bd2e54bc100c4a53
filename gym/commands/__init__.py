"""The commands of `autoforge-gym`, one file each.

Invariant: everything that was given is read before anything is written; what was asked for goes to stdout, everything
else to stderr. Not covered: options (`gym.cli`), what the commands are made of.
"""

from __future__ import annotations

__all__: list[str] = []
