"""Proves the tasks of an environment again, in several processes.

Invariant: nothing that a task stores is believed: gold, verdicts, difficulty, signature, split and the baselines'
scores are made anew and compared. Not covered: proving the environment itself (`conformance`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from autoforge.generator.tasks.difficulty import measure
from autoforge.generator.tasks.gate import prove
from autoforge.generator.tasks.make import baseline_rates, wrong_rate
from autoforge.generator.tasks.pool import Plant, in_order
from autoforge.generator.tasks.signature import signature, split_of
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.workshop import Workshop, explore
from autoforge.mcp_envs.environment import EnvironmentFolder
from autoforge.mcp_envs.errors import AutoForgeError
from autoforge.mcp_envs.task import Task

__all__ = ["TaskProof", "prove_tasks"]

_PIECE = 4
_WALKS_NOT_NEEDED = 1


class TaskProof(NamedTuple):
    """What became of one task."""

    task: str
    holds: bool
    reason: str = ""
    message: str = ""


def prove_tasks(
    folder: EnvironmentFolder, tasks: Sequence[Task], *, jobs: int, progress: Callable[[str, int, int], None]
) -> list[TaskProof]:
    """One proof for each task, in their order. Raises BadInput, ContainmentError."""
    if not tasks:
        return []
    with Stage(folder) as stage:
        knowledge = explore(stage, seed=0, walk_length=_WALKS_NOT_NEEDED)
    plant = Plant(folder.path, 0, _WALKS_NOT_NEEDED, knowledge)
    pieces = [tasks[i : i + _PIECE] for i in range(0, len(tasks), _PIECE)]
    proofs: list[TaskProof] = []
    with in_order(plant, _prove, jobs) as spread:
        for found in spread(pieces):
            proofs += found
            progress("prove tasks", len(proofs), len(tasks))
    return proofs


def _prove(workshop: Workshop, tasks: Sequence[Task]) -> list[TaskProof]:
    return [_tried(workshop, task) for task in tasks]


def _tried(workshop: Workshop, task: Task) -> TaskProof:
    try:
        return _proof(workshop, task)
    except AutoForgeError as error:
        return TaskProof(task.id, False, "cannot be carried out", str(error))


def _proof(workshop: Workshop, task: Task) -> TaskProof:
    unknown = sorted({step.tool for step in task.blueprint.steps} - workshop.catalogue.tools.keys())
    if unknown:
        return TaskProof(task.id, False, "unknown tool", f"the environment has no tool {unknown[0]!r}")
    if task.environment != workshop.catalogue.manifest.name:
        return TaskProof(task.id, False, "another environment", f"it says that it is of {task.environment!r}")
    offered = [t.name for t in workshop.catalogue.tools.values() if t.side == "agent"]
    strange = sorted(set(task.distractors or ()) - set(offered))
    if strange:
        return TaskProof(task.id, False, "unknown tool", f"it offers {strange[0]!r}, which the agent does not have")
    if not task.provenance.get("cues"):
        return TaskProof(task.id, False, "no cues", "it does not say by which words its constraints are known")
    chance = random.Random(task.id)
    proof = prove(workshop.stage, task, catalogue=workshop.catalogue, fresh=workshop.fresh, chance=chance)
    if not proof.holds:
        return TaskProof(task.id, False, proof.reason, proof.message)
    kind = signature(task.blueprint)
    difficulty = measure(task.blueprint, task.gold.calls, workshop.catalogue, task.difficulty.walks)
    for name, stored, found in (
        ("signature", task.signature, kind),
        ("split", task.split, split_of(kind)),
        ("difficulty", task.difficulty, difficulty),
    ):
        if stored != found:
            return TaskProof(task.id, False, f"wrong {name}", f"{name} is {stored} in the file, {found} now")
    rates = baseline_rates(workshop, task)
    wrong = wrong_rate(rates)
    if wrong:
        return TaskProof(task.id, False, "a baseline scores", wrong)
    if rates != task.provenance.get("baselines"):
        return TaskProof(task.id, False, "wrong baselines", "the baselines' scores are not those in the file")
    return TaskProof(task.id, True)
