"""Agents that can be run on tasks.

Invariant: an agent makes turns and touches nothing else. Not covered: training them.
"""

from __future__ import annotations

from autoforge.gym.agents.agent import Agent, Briefing, Player

__all__ = ["Agent", "Briefing", "Player"]
