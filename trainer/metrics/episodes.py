"""What the episodes of a step come to, for each environment and as a whole.

Invariant: masked episodes and those without a reward are in no mean of rewards; times are of all episodes. Where the
time of an episode goes is read off its turns: the policy's are the sampler's, results are the environment's (the
paper's Table 3). Not covered: groups and advantages (`trainer.algorithm.advantages`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from autoforge.gym.runs.outcome import outcome_of
from autoforge.gym.trajectory import Trajectory

__all__ = ["EpisodeFigures", "episode_figures"]

_SOURCES = {"assistant": "sampler_seconds", "user": "user_seconds", "tool": "environment_seconds"}


class EpisodeFigures(NamedTuple):
    """Fields of a `StepRecord`."""

    values: dict[str, float | None]
    environments: dict[str, dict[str, float | None]]
    masked: dict[str, dict[str, int]]
    unscored: dict[str, dict[str, int]]


def episode_figures(trajectories: Sequence[Trajectory]) -> EpisodeFigures:
    """Of the episodes that ended in a step, in any order."""
    names = sorted({trajectory.environment for trajectory in trajectories})
    own = {name: [t for t in trajectories if t.environment == name] for name in names}
    masked = {name: dict(sorted(_masked(found).items())) for name, found in own.items()}
    unscored = {name: dict(sorted(_unscored(found).items())) for name, found in own.items()}
    return EpisodeFigures(
        _values(trajectories), {name: _values(found) for name, found in own.items()},
        {name: counts for name, counts in masked.items() if counts},
        {name: counts for name, counts in unscored.items() if counts},
    )  # fmt: skip


def _values(episodes: Sequence[Trajectory]) -> dict[str, float | None]:
    outcomes = [outcome_of(trajectory) for trajectory in episodes]
    rewards = [outcome.reward for outcome in outcomes if outcome.counts and outcome.reward is not None]
    scored = [outcome for outcome in outcomes if outcome.reward is not None]
    found = {
        "reward": _mean(rewards),
        "episodes": float(len(episodes)),
        "masked_share": _mean([outcome.masked for outcome in scored]),
        "unscored_share": _mean([outcome.reward is None for outcome in outcomes]),
        "truncated_share": _mean([trajectory.end == "truncated" for trajectory in episodes]),
        "turns": _mean([outcome.turns for outcome in outcomes]),
        "sampled_tokens": float(sum(_sampled(trajectory) for trajectory in episodes)),
    }
    times = [_times(trajectory) for trajectory in episodes]
    return found | {name: _mean([time[name] for time in times]) for name in _SOURCES.values()}


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _sampled(trajectory: Trajectory) -> int:
    return sum(len(turn.tokens.ids) for turn in trajectory.turns if turn.tokens is not None)


def _times(trajectory: Trajectory) -> dict[str, float]:
    found = dict.fromkeys(_SOURCES.values(), 0.0)
    for turn in trajectory.turns:
        found[_SOURCES[turn.role]] += turn.seconds
    return found


def _masked(episodes: Sequence[Trajectory]) -> Counter[str]:
    """Episodes by the kinds of error that mask them."""
    found: Counter[str] = Counter()
    for trajectory in episodes:
        if trajectory.masked:
            kinds = {judgement.kind for judgement in trajectory.judgements or () if judgement.touches != "nothing"}
            found.update(kinds or {"unknown"})
    return found


def _unscored(episodes: Sequence[Trajectory]) -> Counter[str]:
    blames = (outcome_of(trajectory).unscored for trajectory in episodes)
    return Counter(blame for blame in blames if blame is not None)
