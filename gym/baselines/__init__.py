"""Agents that should win always, or never: what they get is the proof that a set of tasks measures something.

Invariant: a baseline is deterministic, and sees what an agent sees (the oracle alone sees gold). Not covered: agents
with a model.
"""

from __future__ import annotations

from autoforge.gym.baselines.baseline import Asked, Baseline, Caller, Playing, ToolDocument, agent_tools, played
from autoforge.gym.baselines.episodes import Episodes, TaskEpisode
from autoforge.gym.baselines.hasty import Hasty
from autoforge.gym.baselines.no_op import NoOp
from autoforge.gym.baselines.oracle import Oracle
from autoforge.gym.baselines.random_caller import RandomCaller
from autoforge.gym.baselines.rates import BASELINES, Played, play_all, run_baselines
from autoforge.gym.baselines.write_spammer import WriteSpammer

__all__ = [
    "BASELINES", "Asked", "Baseline", "Caller", "Episodes", "Hasty", "NoOp", "Oracle", "Played", "Playing",
    "RandomCaller", "TaskEpisode", "ToolDocument", "WriteSpammer", "agent_tools", "play_all", "played", "run_baselines",
]  # fmt: skip
