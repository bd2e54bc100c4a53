"""A policy that has to find out which ids are worth something: the real sampler, learner and transfer.

`python -m tests.trainer.stages.bandit MODEL OUT [--noisy] [--masked] [--two-updates] [--small]`, alone or under a
launcher's variables.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import anyio

from autoforge.gym.trajectory import Judgement, Trajectory, Turn
from autoforge.gym.turns import SampledTokens
from autoforge.mcp_envs.task import Blueprint, Difficulty, Gold, Task
from autoforge.trainer.algorithm.erpo_settings import ErpoSettings
from autoforge.trainer.crew import Crew, follow
from autoforge.trainer.learner.learner import Learner
from autoforge.trainer.learner.ranks import join, leave
from autoforge.trainer.learner.settings import LearnerSettings
from autoforge.trainer.rollouts.collector import Group
from autoforge.trainer.rollouts.draws import Draw
from autoforge.trainer.samplers.sampler import Sampler
from autoforge.trainer.samplers.torch_sampler import TorchSampler
from autoforge.trainer.samplers.torch_settings import TorchSamplerSettings
from autoforge.trainer.stages.policy_step import StepSettings
from autoforge.trainer.stages.work import work_of
from autoforge.trainer.sync import SyncSettings, probe_batch, synchronise

STEPS, TASKS, ROLLOUTS, WORTH = 12, 4, 16, 12
"""Ids below WORTH, a quarter of all, are worth 1."""


def task(number: int) -> Task:
    return Task(
        id=f"t{number}", environment="bandit", instruction="", known={}, blueprint=Blueprint(nodes=()),
        gold=Gold(calls=(), state="", diff=()), difficulty=Difficulty(calls=0, writes=0, depth=0, reasoning=0),
    )  # fmt: skip


async def rollout(sampler: Sampler, number: int, trial: int, *, noisy: bool, masked: bool) -> Trajectory:
    prompt = (1 + number, 2, 3)
    sampled = await sampler.sample(prompt, max_tokens=1, seed=trial)
    tokens = SampledTokens(prompt_ids=prompt, ids=sampled.ids, logprobs=sampled.logprobs, versions=sampled.versions)
    reward = float(sampled.ids[0] < WORTH)
    wrong = noisy and random.Random(f"error/{trial}").random() < 0.4
    errors = (Judgement(kind="altered", turn=0, quote="x", touches="required", effect="spoiled"),) if wrong else ()
    return Trajectory(
        id=f"bandit/t{number}/p/u/{trial}", environment="bandit", task=f"t{number}", agent="p", user="u", trial=trial,
        end="stop", reward=1.0 - reward if wrong else reward, judgements=errors, masked=wrong and masked,
        turns=(Turn(role="user", content="x"), Turn(role="assistant", content="y", tokens=tokens)),
    )  # fmt: skip


async def lead(crew: Crew, sampler: TorchSampler, *, noisy: bool, masked: bool) -> dict[str, object]:
    """Train, and tell what every step was worth by the ids themselves."""
    probe = probe_batch(crew.learner.vocabulary, 16)
    rewards, differences, notes = [], [], []
    first: dict[str, float] = {}
    async with sampler:
        for step in range(STEPS):
            groups = []
            for number in range(TASKS):
                played: list[Trajectory | None] = [None] * ROLLOUTS

                async def play(place: int, number: int = number, step: int = step, into=played) -> None:  # type: ignore[no-untyped-def]
                    trial = (step * TASKS + number) * ROLLOUTS + place
                    into[place] = await rollout(sampler, number, trial, noisy=noisy, masked=masked)

                async with anyio.create_task_group() as tasks:
                    for place in range(ROLLOUTS):
                        tasks.start_soon(play, place)
                groups.append(Group(Draw(step * TASKS + number, "bandit", task(number)), tuple(t for t in played if t)))
            worth = [t.turns[1].tokens.ids[0] < WORTH for g in groups for t in g.rollouts if t.turns[1].tokens]
            rewards.append(sum(worth) / len(worth))
            done = await crew.step(work_of(step, groups))
            notes.append(done.skipped)
            first = first or done.values
            sent = await crew.send(probe)
            found = await synchronise(
                sampler, sent.weights, sent.logprobs, probe, step + 1, SyncSettings(tolerance=1e-4)
            )
            differences.append(found.largest)
    return {"rewards": rewards, "differences": differences, "notes": notes, "values": done.values, "first": first}


def main() -> None:
    model, out, *flags = sys.argv[1:]
    settings = LearnerSettings(model=Path(model), device="cpu", learning_rate=3e-3, zero_stage=2)
    ranks = join(settings)
    updates = 2 if "--two-updates" in flags else 1
    how = StepSettings(ErpoSettings(), micro_batch_tokens=40 if "--small" in flags else 400, updates=updates)
    if ranks.rank:
        follow(Learner(settings, ranks), how, None)
    else:
        crew = Crew(lambda: Learner(settings, ranks), how)
        sampler = TorchSampler.open(Path(model), TorchSamplerSettings(device="cpu"), stop_ids=())
        try:
            noisy, masked = "--noisy" in flags, "--masked" in flags
            found = anyio.run(lambda: lead(crew, sampler, noisy=noisy, masked=masked))
        finally:
            crew.close()
        Path(out).write_text(json.dumps(found), encoding="utf-8")
    leave()


if __name__ == "__main__":
    main()
