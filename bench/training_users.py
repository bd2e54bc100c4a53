"""Rollouts with users that take a second for each turn, against the same with users that answer at once.

Real episodes of the policy in committed environments: the tiny model, the embedded sampler, the collector and the
episodes of a run, the same tasks and seeds on both sides, many more episodes in flight than rows are sampled. By turns,
several times. Invariant: nine in ten episodes of both sides are the same, id by id, or there is no figure. Not covered:
learning; `max_staleness` lets rollouts of the next step overlap with it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import anyio
from transformers import AutoTokenizer

from autoforge.gym.agents.policy import PolicyAgent
from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.runs.trajectory_file import TrajectoryFile
from autoforge.gym.trajectory import Trajectory
from autoforge.gym.users.user import Speaker, User, UserBriefing, UserTurn
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.trainer.rollouts.collector import Collector
from autoforge.trainer.rollouts.draws import Draws
from autoforge.trainer.rollouts.episodes import Episodes, EpisodeSettings, Place
from autoforge.trainer.samplers.torch_sampler import TorchSampler
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.stages.world import World, open_world
from autoforge.trainer.tokens import TemplateRenderer

__all__ = ["SECONDS", "Overlap", "SlowUser", "overlap"]

SECONDS = 1.0
"""For one turn of the user."""


class Overlap(NamedTuple):
    """Samples a second of both, by rounds."""

    instant: list[float]
    slow: list[float]
    episodes: int
    turns: int
    """Of the user, in all episodes of a round."""
    in_flight: int
    sequences: int

    @property
    def ratios(self) -> list[float]:
        return [slow / instant for slow, instant in zip(self.slow, self.instant, strict=True)]

    @property
    def ratio(self) -> float:
        """Median over the rounds."""
        return statistics.median(self.ratios)


class SlowUser:
    """Another user that takes its time."""

    def __init__(self, user: User, seconds: float) -> None:
        self._user = user
        self._seconds = seconds
        self.name = user.name

    def begin(self, briefing: UserBriefing) -> Speaker:
        return _SlowSpeaker(self._user.begin(briefing), self._seconds)


class _SlowSpeaker:
    def __init__(self, speaker: Speaker, seconds: float) -> None:
        self._speaker = speaker
        self._seconds = seconds

    async def speak(self, heard: str | None) -> UserTurn:
        if self._seconds:
            await anyio.sleep(self._seconds)
        return await self._speaker.speak(heard)


def overlap(settings: TrainerSettings, model: Path, work: Path, rounds: int) -> Overlap:
    """Raises CheckFailed where the episodes differ."""
    return run_async(partial(_overlap, settings, model, work, rounds))


async def _overlap(settings: TrainerSettings, model: Path, work: Path, rounds: int) -> Overlap:
    renderer = TemplateRenderer.of(AutoTokenizer.from_pretrained(model))
    made = TorchSamplerSettings(
        device="cpu", sequences=settings.sampler.sequences, context=settings.rollouts.policy.context
    )  # fmt: skip
    found: list[tuple[float, float]] = []
    played: Sequence[Trajectory] = ()
    async with (
        open_world(settings) as world,
        TorchSampler.open(model, made, stop_ids=renderer.stop_ids) as sampler,
    ):
        agent = PolicyAgent(renderer, sampler, settings.rollouts.policy)
        await _round(settings, world, agent, 0.0, work / "warm.jsonl")
        for number in range(rounds):
            instant, one = await _round(settings, world, agent, 0.0, work / f"instant-{number}.jsonl")
            slow, other = await _round(settings, world, agent, SECONDS, work / f"slow-{number}.jsonl")
            _check(one, other)
            found.append((instant, slow))
            played = one
    turns = sum(turn.role == "user" for trajectory in played for turn in trajectory.turns)
    return Overlap(
        [one for one, _ in found], [other for _, other in found], len(played), turns, settings.rollouts.in_flight,
        settings.sampler.sequences,
    )  # fmt: skip


async def _round(
    settings: TrainerSettings, world: World, agent: PolicyAgent, seconds: float, path: Path
) -> tuple[float, list[Trajectory]]:  # fmt: skip
    """Samples a second, and the samples."""
    places = {name: Place(p.server, SlowUser(p.user, seconds)) for name, p in world.places.items()}
    own = settings.erpo.selection
    draws = Draws(world.training, count=own.tasks, each=own.tasks_per_environment, seed=0).step(0)
    with TrajectoryFile(path) as file:
        how = EpisodeSettings(seconds=settings.rollouts.seconds, limits=settings.rollouts.limits)
        episodes = Episodes(places, agent, file, how)
        collector = Collector(
            episodes.play, rollouts=settings.rollouts.group, in_flight=settings.rollouts.in_flight
        )  # fmt: skip
        began = time.perf_counter()
        groups = await collector.groups(draws)
        took = time.perf_counter() - began
    found = [trajectory for group in groups for trajectory in group.rollouts]
    return len(found) / took, found


def _check(one: Sequence[Trajectory], other: Sequence[Trajectory]) -> None:
    """Ids may differ where a batch of other rows rounds differently; almost all are the same."""
    if len(one) != len(other):
        raise CheckFailed(f"{len(one)} episodes with slow users, {len(other)} with quick ones; no figure.")
    ids = [[[turn.tokens.ids for turn in t.turns if turn.tokens] for t in side] for side in (one, other)]
    same = sum(a == b for a, b in zip(*ids, strict=True))
    if same < 0.9 * len(one):
        raise CheckFailed(f"only {same} of {len(one)} episodes are the same with slow users; no figure.")
