"""Helper for the values that a careless reader would give instead of the right one.

Invariant: an alternative that cannot be made is left out. Not covered: which are plausible (each family says), that
they differ from the right value (`registry.alternatives`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autoforge.generator.tasks.operators.operator import OperatorFault

__all__ = ["tried"]


def tried(*makers: Callable[[], Any]) -> list[Any]:
    """What these give, without those that raise OperatorFault."""
    found = []
    for make in makers:
        try:
            found.append(make())
        except OperatorFault:
            continue
    return found
