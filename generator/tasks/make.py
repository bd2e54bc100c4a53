"""From a number to a task or a reason: propose, word, prove.

Invariant: what comes out depends on the number, the settings and the files only. Not covered: choosing among tasks
(`selection`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from pydantic import JsonValue

from autoforge.generator.tasks.difficulty import measure
from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.gate import Admitted, admit
from autoforge.generator.tasks.gate.wording import Faults
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.generator.tasks.propose import propose
from autoforge.generator.tasks.signature import signature, split_of
from autoforge.generator.tasks.slim import pruned, slimmed
from autoforge.generator.tasks.wording import Wording, faults, word
from autoforge.generator.tasks.workshop import Workshop
from autoforge.gym.baselines import Oracle, play_all
from autoforge.mcp_envs.task import Task

__all__ = ["Attempt", "Reworder", "make_task", "solved_by_baselines"]

_ORACLE = Oracle().name
_REPAIRS = 4
"""Superfluous values that are taken out of a draft before it is given up."""
Reworder = Callable[[Draft, Wording], Wording]
"""Gives a better wording, by a model."""


class Attempt(NamedTuple):
    """What became of a proposal."""

    number: int
    task: Task | None
    reason: str = ""
    message: str = ""


def make_task(
    workshop: Workshop,
    number: int,
    *,
    seed: int,
    policy: TaskPolicy,
    language: str,
    reword: Reworder | None = None,
) -> Attempt:
    """The task of a number, or why there is none."""
    try:
        draft = propose(workshop.setting, workshop.knowledge.walks, number, seed=seed, policy=policy)
        draft, wording, admitted = _proved(workshop, draft, number, seed, language, policy, reword)
    except Rejection as rejection:
        return Attempt(number, None, rejection.reason, str(rejection)[:400])
    task = _task(workshop, draft, wording, admitted, number, seed)
    wrong = solved_by_baselines(workshop, task)
    if wrong:
        return Attempt(number, None, "a baseline scores", wrong)
    return Attempt(number, task)


def solved_by_baselines(workshop: Workshop, task: Task) -> str:
    """Which baseline does not score as it should, in words; empty where all do: the oracle 1, the others 0."""
    for played in play_all([task], workshop.episodes):
        if played.reward.value != (1.0 if played.baseline == _ORACLE else 0.0):
            return f"{played.baseline} scores {played.reward.value:g}"
    return ""


def _proved(
    workshop: Workshop,
    draft: Draft,
    number: int,
    seed: int,
    language: str,
    policy: TaskPolicy,
    reword: Reworder | None,
) -> tuple[Draft, Wording, Admitted]:
    """Word and admit; where the gate finds a value superfluous, take it out and try again."""
    draft = pruned(workshop.setting, draft)
    for repair in range(_REPAIRS + 1):
        chance = random.Random(f"make {seed} {number}")
        wording = word(draft, workshop.catalogue, language=language, chance=chance)
        try:
            admitted = _admitted(workshop, draft, wording, chance)
            break
        except Rejection as rejection:
            less = slimmed(workshop.setting, draft, rejection) if repair < _REPAIRS else None
            if less is None:
                raise
            draft = less
    if reword is None:
        return draft, wording, admitted
    better = reword(draft, wording)
    return (
        (draft, wording, admitted) if better is wording else (draft, better, _admitted(workshop, draft, better, chance))
    )


def _admitted(workshop: Workshop, draft: Draft, wording: Wording, chance: random.Random) -> Admitted:
    judge: Faults = faults
    return admit(
        workshop.stage,
        draft,
        wording.instruction,
        catalogue=workshop.catalogue,
        fresh=workshop.fresh,
        chance=chance,
        cues=wording.cues,
        language=wording.language,
        faults=judge,
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
