"""What an episode is worth: the final state against the gold state, and the answers that were told.

Invariant: a reward depends on a task, two states and the messages to the user, and on nothing else. Not covered:
running episodes, judging users.
"""

from __future__ import annotations

from autoforge.gym.reward.answers import AnswerVerdict, telling, told
from autoforge.gym.reward.gold import gold_state, row_change
from autoforge.gym.reward.reward import Reward, score

__all__ = ["AnswerVerdict", "Reward", "gold_state", "row_change", "score", "telling", "told"]
