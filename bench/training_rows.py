"""The work of one training step, for the benchmark: rows that real episodes have, and what they were worth.

The tiny model and its tokenizer are the project's own; rows are the oracle's episodes in the committed environments, as
the cold start would learn from them, so that lengths and the share of trainable ids are those of multi-turn episodes.
Invariant: the same seed gives the same rows, rewards and weights. Not covered: sampling; the logprobs of the sampler
are made up, and no setting of the benchmark heeds them.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import NamedTuple

from transformers import AutoTokenizer

from autoforge.gym.commandline.asynchronous import run_async
from autoforge.gym.environment import EpisodeLimits
from autoforge.gym.trajectory import Trajectory
from autoforge.trainer.settings.load import load_settings
from autoforge.trainer.settings.schema import TrainerSettings
from autoforge.trainer.stages.demonstrations import demonstrations
from autoforge.trainer.stages.work import StepWork, WorkItem
from autoforge.trainer.stages.world import open_world
from autoforge.trainer.tiny import tiny_model
from autoforge.trainer.tokens import TemplateRenderer
from autoforge.trainer.tokens.sequence import Rollout, TokenRow, TurnSpan
from autoforge.trainer.tokens.supervised import supervised_rollout

__all__ = ["GROUP", "Load", "equal_rows", "real_rows", "tiny_settings"]

GROUP = 4
"""Rollouts of a task."""
_CONTEXT = 4096
_LONG = (
    'environments.train=["hotel", "telecom"]', "environments.unseen=[]", 'cold_start.source="gold"',
    "cold_start.reward=1.0", f"rollouts.policy.context={_CONTEXT}",
)  # fmt: skip


class Load(NamedTuple):
    """What both sides learn from."""

    name: str
    work: StepWork
    ids: int
    trainable: int

    @classmethod
    def of(cls, name: str, rows: list[TokenRow]) -> Load:
        """Groups of four, in which one rollout in two is right."""
        items = tuple(
            WorkItem("bench", f"t{place // GROUP}", float(place % 2), False, _rollout(place, row), ())
            for place, row in enumerate(rows)
        )
        return cls(name, StepWork(0, items), sum(len(r.ids) for r in rows), sum(r.policy_tokens for r in rows))


def tiny_settings(folder: Path, *more: str) -> TrainerSettings:
    """The preset `tiny` in a folder, with environments whose episodes are as long as those of real ones."""
    return load_settings("tiny", [f'run.folder="{folder}"', *_LONG, *more]).settings


def real_rows(settings: TrainerSettings, model: Path, number: int) -> Load:
    """The oracle's episodes; the tiny model comes into the folder."""
    episodes = run_async(partial(_episodes, settings))
    tiny_model(model)
    renderer = TemplateRenderer.of(AutoTokenizer.from_pretrained(model))
    rows = [supervised_rollout(episode, renderer).rows[0] for episode in episodes]
    fitting = [row for row in rows if len(row.ids) <= _CONTEXT]
    random.Random(0).shuffle(fitting)
    return Load.of("episodes", [_sampled(row, place) for place, row in enumerate(fitting[:number])])


def equal_rows(number: int, vocabulary: int) -> Load:
    """Rows that nothing has to be padded for, all but the prompt trainable: what is the worst for us."""
    dice = random.Random(1)
    prompt, turn = 128, 384
    rows = []
    for place in range(number):
        ids = tuple(dice.randrange(3, vocabulary) for _ in range(prompt + turn))
        trainable = (False,) * prompt + (True,) * turn
        row = TokenRow(ids, trainable, (0.0,) * len(ids), (), (TurnSpan(1, prompt, prompt + turn, False),))
        rows.append(_sampled(row, place))
    return Load.of("equal rows", rows)


def _sampled(row: TokenRow, seed: int) -> TokenRow:
    """With logprobs where something is trained on."""
    dice = random.Random(seed)
    logprobs = [-3 - dice.random() if trained else float("nan") for trained in row.trainable]
    return row._replace(logprobs=tuple(logprobs))


def _rollout(place: int, row: TokenRow) -> Rollout:
    return Rollout(f"r{place}", (row,), terminated=True, truncated=False)


async def _episodes(settings: TrainerSettings) -> list[Trajectory]:
    async with open_world(settings) as world:
        return await demonstrations(settings.cold_start, world, EpisodeLimits(), seed=0)
