"""Simulated users.

Invariant: a user speaks first and alone ends the conversation. Not covered: judging them.
"""

from __future__ import annotations

from autoforge.gym.users.user import MARKERS, Ending, Numbered, Speaker, User, UserBriefing, UserCall, UserTurn

__all__ = ["MARKERS", "Ending", "Numbered", "Speaker", "User", "UserBriefing", "UserCall", "UserTurn"]
