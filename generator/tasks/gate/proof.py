"""Proves a finished task again from the files: the same checks, and the stored gold and verdicts must come out.

Invariant: nothing that the task stores of outcomes is believed. Not covered: difficulty, split, signature.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.draft import Draft, Rejection
from autoforge.generator.tasks.gate.admission import Admitted, Check, examined
from autoforge.generator.tasks.gate.wording import Cues, Faults
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.wording import faults as wording_faults
from autoforge.mcp_envs.errors import CheckFailed
from autoforge.mcp_envs.task import Gold, Task

__all__ = ["Proof", "prove"]


class Proof(NamedTuple):
    """What became of proving a task again."""

    holds: bool
    reason: str = ""
    """One of `REASONS`, or one of "set-up fails", "wrong calls", "wrong digest", "wrong diff", "wrong answers", "wrong
    verdicts"; empty when it holds."""
    message: str = ""
    admitted: Admitted | None = None


def prove(
    stage: Stage,
    task: Task,
    *,
    catalogue: Catalogue,
    fresh: Stage | None,
    chance: random.Random,
    faults: Faults = wording_faults,
) -> Proof:
    """Prove the task again, drawing the same samples as when it was admitted, or new ones by `chance` where it does not
    say which. Cues for the wording are those that its provenance keeps."""
    stored = task.verdicts.get("sampling")
    sampling = stored if isinstance(stored, int) else chance.getrandbits(32)
    draft = Draft(task.blueprint, dict(task.known), task.gold.answers, task.initial, task.setup)
    wording = Check(faults, _cues(task), task.language)
    try:
        admitted = examined(
            stage, draft, task.instruction, wording, catalogue=catalogue, fresh=fresh, sampling=sampling
        )
    except Rejection as rejection:
        return Proof(False, rejection.reason, str(rejection))
    except CheckFailed as error:
        return Proof(False, "set-up fails", str(error))
    found = next(_differences(task, admitted), None)
    return Proof(True, admitted=admitted) if found is None else Proof(False, *found, admitted)


def _cues(task: Task) -> Cues | None:
    stored = task.provenance.get("cues")
    if not isinstance(stored, dict):
        return None
    return {name: tuple(map(str, texts)) for name, texts in stored.items() if isinstance(texts, list)}


def _differences(task: Task, admitted: Admitted) -> Iterator[tuple[str, str]]:
    stored, found = _plain(task.gold), _plain(admitted.gold)
    for name, words in (("calls", "calls"), ("diff", "diff"), ("state", "digest"), ("answers", "answers")):
        if stored[name] != found[name]:
            yield f"wrong {words}", f"gold's {name} in the file are not those that come out"
    verdicts = json.loads(json.dumps(admitted.verdicts))
    for name in sorted(verdicts.keys() | task.verdicts.keys()):
        if verdicts.get(name) != task.verdicts.get(name):
            yield "wrong verdicts", f"{name} is {task.verdicts.get(name)!r} in the file, {verdicts.get(name)!r} now"


def _plain(gold: Gold) -> dict[str, Any]:
    return gold.model_dump(mode="json", by_alias=True)
