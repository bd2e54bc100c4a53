"""Plays one episode of an agent and keeps what happened.

Invariant: an episode always becomes a trajectory, whatever goes wrong in it: what is not the policy's own fault leaves
it without a reward and with the failure. Not covered: many episodes (`runs`), retries, how a trajectory is made
(`record`).
"""

from __future__ import annotations

import time

from autoforge.gym.agents.agent import Agent, Briefing, Player
from autoforge.gym.deadline import deadline
from autoforge.gym.environment import Environment
from autoforge.gym.failures import EpisodeFailure, Failure
from autoforge.gym.record import Clock, EpisodeRecord, Play, trajectory_id
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.turns import Observation
from autoforge.mcp_envs.errors import BudgetExceeded, ModelFailure

__all__ = ["Play", "play_episode", "trajectory_id"]


async def play_episode(
    environment: Environment, agent: Agent, play: Play, *, clock: Clock = time.monotonic
) -> Trajectory:
    """Play it to its end. Raises BadInput for settings that cannot be kept, BudgetExceeded at the cost limit; whatever
    else goes wrong is in the trajectory."""
    record = EpisodeRecord(environment, agent.name, play, clock)
    try:
        observation, info = await environment.reset(seed=play.dice, options={"task": play.task})
        record.begins(observation, info)
        tools = info["tools"]
        player = agent.begin(Briefing(tools, info["instructions"], play.dice, play.task))
        return await _played(environment, player, record, observation)
    except EpisodeFailure as error:
        return record.failed(error.failure)
    except BudgetExceeded:
        raise
    except ModelFailure as error:
        return record.failed(Failure(blame="infrastructure", where="agent", message=str(error)))
    finally:
        await environment.close()


async def _played(
    environment: Environment, player: Player, record: EpisodeRecord, observation: Observation
) -> Trajectory:
    while True:
        with deadline(environment.limits.agent_seconds, "agent", "the agent did not take its turn"):
            action = await player.act(observation)
        record.acts(action)
        stepped = await environment.step(action)
        record.sees(stepped)
        if stepped.terminated or stepped.truncated:
            return record.ends(stepped)
        observation = stepped.observation
