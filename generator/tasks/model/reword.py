"""Instructions and personas by a model, for tasks that are already proved.

Invariant: a task comes back reworded only where the wording has no fault, asks for the same, is no near-duplicate and
the whole task was proved again with it; else it comes back as it was. Not covered: asking for one wording and
repairing it (`wording.model`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

import anyio
from pydantic import JsonValue

from autoforge.generator.llm_synthesis.desk import Unanswered
from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.examine import TaskProof
from autoforge.generator.tasks.finish import node_sources
from autoforge.generator.tasks.interpreter import resolve
from autoforge.generator.tasks.model.adviser import Adviser
from autoforge.generator.tasks.model.drift import drifted
from autoforge.generator.tasks.replay import replay
from autoforge.generator.tasks.selection import Selection
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.wording import Wording, faults
from autoforge.generator.tasks.wording.model import Tally, word_with_model
from autoforge.mcp_envs.errors import BudgetExceeded
from autoforge.mcp_envs.task import Output, Task

__all__ = ["Fate", "Prover", "Reworded", "derived_values", "reword_tasks"]

Fate: TypeAlias = Literal[
    "reworded",
    "repaired",
    "faulty",
    "asks for something else",
    "near-duplicate",
    "not proved",
    "no money",
    "unanswered",
]
"""`reworded` at once, `repaired` after answers with faults; all others keep their template."""
Prover: TypeAlias = Callable[[Sequence[Task]], Sequence[TaskProof]]
_TOLERATED = 0.1
"""Share of the requests that may stay unanswered; with more, the service is at fault, and the command ends."""


class Reworded(NamedTuple):
    """The tasks in their order, and what became of them."""

    tasks: list[Task]
    fates: Counter[str]
    reasons: dict[str, str]
    """Fate -> one case, where there is something to say."""


class _Worded(NamedTuple):
    task: Task
    fate: Fate
    reason: str = ""


def reword_tasks(
    stage: Stage, tasks: Sequence[Task], adviser: Adviser, prove: Prover, *, policy: str = "", have: Sequence[Task] = ()
) -> Reworded:
    """Give each task the model's words where they hold; each keeps its own language.

    `prove` proves finished tasks again (`examine.prove_tasks`); `have` are other tasks of the environment. Raises
    Unanswered where the service does not answer more than a tenth of the requests; what it answered is kept.
    """
    derived = [derived_values(stage, task) for task in tasks]
    worded: list[_Worded] = adviser.portal.call(_all, adviser, tasks, derived, policy)
    silent = [w for w in worded if w.fate == "unanswered"]
    if len(silent) > max(1, _TOLERATED * len(tasks)) or len(silent) == len(tasks) > 0:
        raise Unanswered(silent[0].reason)
    checked = list(_proved([*_distinct(tasks, worded, have)], prove, tasks))
    fates: Counter[str] = Counter(w.fate for w in checked)
    reasons: dict[str, str] = {w.fate: w.reason for w in reversed(checked) if w.reason}
    return Reworded([w.task for w in checked], fates, reasons)


def derived_values(stage: Stage, task: Task) -> list[JsonValue]:
    """The plain values that gold takes from outputs and derivations, and the answers: none may be told."""
    done = replay(stage, task)
    found: list[JsonValue] = []
    for node in task.blueprint.nodes:
        for source in [] if node.id in done.skipped else node_sources(node):
            value = resolve(source, task.known, done.outputs) if isinstance(source, Output) else None
            if value is not None and not isinstance(value, list | dict):
                found.append(value)
    return [*found, *(answer.value for answer in task.gold.answers)]


async def _all(
    adviser: Adviser, tasks: Sequence[Task], derived: Sequence[list[JsonValue]], policy: str
) -> list[_Worded]:
    found: dict[int, _Worded] = {}

    async def one(place: int) -> None:
        found[place] = await _one(adviser, tasks[place], derived[place], policy)

    async with anyio.create_task_group() as group:
        for place in range(len(tasks)):
            group.start_soon(one, place)
    return [found[place] for place in range(len(tasks))]


async def _one(adviser: Adviser, task: Task, derived: list[JsonValue], policy: str) -> _Worded:
    draft = Draft(task.blueprint, dict(task.known), task.gold.answers, task.initial, task.setup)
    template = Wording(task.instruction, task.persona, _cues(task), task.language)
    tally = Tally()
    try:
        wording = await word_with_model(adviser.client, template, draft, derived=derived, policy=policy, tally=tally)
    except BudgetExceeded as error:
        return _Worded(task, "no money", str(error))
    except Unanswered as error:
        return _Worded(task, "unanswered", str(error))
    if not tally.accepted:
        return _Worded(task, "faulty")
    drift = drifted(task, wording.instruction)
    if drift:
        return _Worded(task, "asks for something else", f"{task.id}: {drift}")
    persona = wording.persona if _is_discreet(wording.persona, template, draft, derived) else task.persona
    note: dict[str, JsonValue] = {
        "model": adviser.model,
        "repaired": bool(tally.repaired),
        "template": task.instruction,
    }
    changed = {
        "instruction": wording.instruction,
        "persona": persona,
        "provenance": {**task.provenance, "wording": note},
    }
    return _Worded(task.model_copy(update=changed), "repaired" if tally.repaired else "reworded")


def _cues(task: Task) -> dict[str, tuple[str, ...]]:
    stored = task.provenance.get("cues")
    items = stored.items() if isinstance(stored, dict) else ()
    return {name: tuple(map(str, texts)) for name, texts in items if isinstance(texts, list)}


def _is_discreet(persona: str, template: Wording, draft: Draft, derived: list[JsonValue]) -> bool:
    """Whether a persona tells nothing that must be found out, and no figure that nobody gave."""
    found, without = (faults(text, draft, derived, template.cues, template.language) for text in (persona, ""))
    return set(found) <= set(without)


def _distinct(tasks: Sequence[Task], worded: Sequence[_Worded], have: Sequence[Task]) -> Iterator[_Worded]:
    """Those that became near-duplicates of others keep their template."""
    selection = Selection(len(tasks) + 1, None, have)
    for before, one in zip(tasks, worded, strict=True):
        if one.fate in ("reworded", "repaired") and selection.offer(one.task) == "near-duplicate":
            yield _Worded(before, "near-duplicate", before.id)
        else:
            yield one


def _proved(worded: Sequence[_Worded], prove: Prover, before: Sequence[Task]) -> Iterator[_Worded]:
    """Those that do not hold with the new words keep their template."""
    changed = [one.task for one in worded if one.fate in ("reworded", "repaired")]
    proofs = {proof.task: proof for proof in (prove(changed) if changed else ())}
    for old, one in zip(before, worded, strict=True):
        proof = proofs.get(one.task.id)
        if one.fate in ("reworded", "repaired") and (proof is None or not proof.holds):
            reason = f"{old.id}: {proof.reason}: {proof.message}" if proof is not None else f"{old.id}: no proof"
            yield _Worded(old, "not proved", reason)
        else:
            yield one
