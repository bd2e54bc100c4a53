"""What the programs have in common at the command line: terminal, options, errors as sentences.

Invariant: importing it brings click and rich and nothing heavier, so `--help` answers at once. Not covered: commands.
"""

from __future__ import annotations

__all__: list[str] = []
