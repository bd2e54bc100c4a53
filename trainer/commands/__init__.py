"""What the commands of autoforge-train do, one module each.

Invariant: nothing here imports torch before a run begins. Not covered: options (`cli`).
"""

from __future__ import annotations

__all__: list[str] = []
