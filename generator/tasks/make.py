"""From a number to a task or a reason: propose, word, prove.

Invariant: what comes out depends on the number, the settings and the files only. Not covered: choosing among tasks
(`selection`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.generator.tasks.difficulty import measure
from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.gate import Admitted, admit, with_needed_order
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.propose import propose
from autoforge.generator.tasks.signature import signature, split_of
from autoforge.generator.tasks.slim import pruned, slimmed
from autoforge.generator.tasks.wording import Wording, word
from autoforge.generator.tasks.workshop import Workshop
from autoforge.gym.baselines import Oracle, play_all
from autoforge.mcp_envs.task import Task

__all__ = ["Attempt", "baseline_rates", "make_task", "wrong_rate"]

_ORACLE = Oracle().name
_REPAIRS = 4
"""Superfluous values that are taken out of a draft before it is given up."""


class Attempt(NamedTuple):
    """What became of a proposal."""

    number: int
    task: Task | None
    reason: str = ""
    message: str = ""


def make_task(workshop: Workshop, number: int, *, seed: int, policy: TaskPolicy, language: str) -> Attempt:
    """The task of a number, or why there is none."""
    try:
        draft = propose(workshop.setting, workshop.knowledge.walks, number, seed=seed, policy=policy)
        draft, wording, admitted = _proved(workshop, draft, number, seed, language)
    except Rejection as rejection:
        return Attempt(number, None, rejection.reason, str(rejection)[:400])
    task = _task(workshop, draft, wording, admitted, number, seed)
    rates = baseline_rates(workshop, task)
    wrong = wrong_rate(rates)
    if wrong:
        return Attempt(number, None, "a baseline scores", wrong)
    return Attempt(number, task.model_copy(update={"provenance": {**task.provenance, "baselines": rates}}))


def baseline_rates(workshop: Workshop, task: Task) -> dict[str, JsonValue]:
    """What each baseline gets for the task."""
    return {played.baseline: played.reward.value for played in play_all([task], workshop.episodes)}


def wrong_rate(rates: Mapping[str, JsonValue]) -> str:
    """Which baseline does not score as it should, in words; empty where all do: the oracle 1, the others 0."""
    wrong = (f"{name} scores {rate}" for name, rate in rates.items() if rate != (1.0 if name == _ORACLE else 0.0))
    return next(wrong, "")


def _proved(workshop: Workshop, draft: Draft, number: int, seed: int, language: str) -> tuple[Draft, Wording, Admitted]:
    """Word and admit; where the gate finds a value superfluous, take it out and try again."""
    draft = with_needed_order(workshop.stage, pruned(workshop.setting, draft), workshop.catalogue)
    for _ in range(_REPAIRS):
        try:
            return (draft, *_worded(workshop, draft, number, seed, language))
        except Rejection as rejection:
            less = slimmed(workshop.setting, draft, rejection)
            if less is None:
                raise
            draft = less
    return (draft, *_worded(workshop, draft, number, seed, language))


def _worded(workshop: Workshop, draft: Draft, number: int, seed: int, language: str) -> tuple[Wording, Admitted]:
    chance = random.Random(f"make {seed} {number}")
    wording = word(draft, workshop.catalogue, language=language, chance=chance)
    return wording, _admitted(workshop, draft, wording, chance)


def _admitted(workshop: Workshop, draft: Draft, wording: Wording, chance: random.Random) -> Admitted:
    return admit(
        workshop.stage,
        draft,
        wording.instruction,
        catalogue=workshop.catalogue,
        fresh=workshop.fresh,
        chance=chance,
        cues=wording.cues,
        language=wording.language,
    )


def _task(workshop: Workshop, draft: Draft, wording: Wording, admitted: Admitted, number: int, seed: int) -> Task:
    kind = signature(draft.blueprint)
    environment = workshop.catalogue.manifest.name
    cues: dict[str, JsonValue] = {name: list(texts) for name, texts in wording.cues.items()}
    return Task(
        id=f"{environment}-{seed}-{number:05d}",
        environment=environment,
        instruction=wording.instruction,
        persona=wording.persona,
        language=wording.language,
        known=draft.known,
        initial=draft.initial,
        setup=draft.setup,
        blueprint=draft.blueprint,
        gold=admitted.gold,
        difficulty=measure(draft.blueprint, admitted.gold.calls, workshop.catalogue, draft.walks),
        split=split_of(kind),
        signature=kind,
        provenance={**draft.provenance, "cues": cues},
        verdicts=admitted.verdicts,
    )
