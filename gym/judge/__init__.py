"""Judges of user errors: what a simulated user said that it should not have, with the words that show it.

Invariant: a verdict quotes the turn it is about; where a judge fails, there is no verdict. Not covered: what a trainer
makes of it.
"""

from __future__ import annotations

__all__: list[str] = []
