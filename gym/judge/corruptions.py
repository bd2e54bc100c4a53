"""Known ways to make a user err, all of them.

Where the error changes what the agent is told, the agent does as told: later words and calls hold the altered value,
and a wish that was never told is not done. Invariant: the order is fixed, since dice choose by it. Not covered:
finding errors (`rules`).
"""

from __future__ import annotations

from autoforge.gym.judge import corrupted_values, inventions, omissions, wrong_ends, wrong_steps
from autoforge.gym.judge.corruption import Operator

__all__ = ["OPERATORS"]

OPERATORS: tuple[Operator, ...] = (
    *corrupted_values.OPERATORS,
    *omissions.OPERATORS,
    *inventions.OPERATORS,
    *wrong_ends.OPERATORS,
    *wrong_steps.OPERATORS,
)
