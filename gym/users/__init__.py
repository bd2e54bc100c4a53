"""Simulated users.

- `user`: what a user is; it speaks first, and alone ends the conversation
- `scripted`: without a model. `script` takes the instruction apart (`withheld` keeps details back), `hearing` with
  `cues` tells what the agent's message is, `known` and `corrections` what to answer, `own_side` does the user's own
  steps (`results` reads out what came of them), `phrases` and `words` are its language
- `llm`: a chat model, told by `prompt`
- `human`: a person at the terminal

Invariant: a user is told a task and its own tools, and hears the agent's messages; nothing else. Not covered: judging
them.
"""

from __future__ import annotations

from autoforge.gym.users.human import HumanUser
from autoforge.gym.users.llm import ModelUser, ModelUserSettings
from autoforge.gym.users.scripted import ScriptedUser
from autoforge.gym.users.user import MARKERS, Ending, Numbered, Speaker, User, UserBriefing, UserCall, UserTurn

__all__ = [
    "MARKERS", "Ending", "HumanUser", "ModelUser", "ModelUserSettings", "Numbered", "ScriptedUser", "Speaker", "User",
    "UserBriefing", "UserCall", "UserTurn",
]  # fmt: skip
