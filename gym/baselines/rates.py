"""All baselines over all tasks: what each of them gets.

Invariant: every baseline plays every task from the same state, and is scored as any agent is. Not covered: which rates
are good (`generator.tasks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.gym.baselines.baseline import Baseline, played
from autoforge.gym.baselines.episodes import Episodes
from autoforge.gym.baselines.no_op import NoOp
from autoforge.gym.baselines.oracle import Oracle
from autoforge.gym.baselines.random_caller import RandomCaller
from autoforge.gym.baselines.write_spammer import WriteSpammer
from autoforge.gym.reward import Reward, gold_state, score
from autoforge.mcp_envs.errors import BadInput
from autoforge.mcp_envs.task import Task

__all__ = ["BASELINES", "Played", "play_all", "run_baselines"]

BASELINES: tuple[Baseline, ...] = (Oracle(), NoOp(), RandomCaller(), WriteSpammer())


class Played(NamedTuple):
    """One episode of a baseline."""

    task: str
    baseline: str
    reward: Reward


def play_all(tasks: Sequence[Task], episodes: Episodes, baselines: Sequence[Baseline] = BASELINES) -> Iterator[Played]:
    """Every baseline on every task. Raises CheckFailed for a task that does not fit its environment."""
    tools, manifest = episodes.folder.documents(), episodes.folder.manifest
    for task in tasks:
        episode = episodes.of(task)
        gold = gold_state(episode.initial, task, manifest)
        for baseline in baselines:
            episode.begin()
            messages = played(baseline.play(task, tools), episode.call)
            reward = score(task, episode.initial, episode.state(), manifest, messages, gold=gold)
            yield Played(task.id, baseline.name, reward)


def run_baselines(
    tasks: Sequence[Task], episodes: Episodes, baselines: Sequence[Baseline] = BASELINES
) -> dict[str, JsonValue]:
    """`{"baselines": {"oracle": 1.0, …}}`: the share of the tasks that each baseline solves, for the manifest's
    `admission`. Raises BadInput where there are no tasks, CheckFailed as `play_all`.
    """
    if not tasks:
        raise BadInput(
            f"{episodes.folder.path} has no tasks; make some with autoforge-gen tasks {episodes.folder.path}."
        )
    won = {baseline.name: 0.0 for baseline in baselines}
    for one in play_all(tasks, episodes, baselines):
        won[one.baseline] += one.reward.value
    return {"baselines": {name: total / len(tasks) for name, total in won.items()}}
