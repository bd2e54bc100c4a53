"""Holds an instruction against the facts with `generator.tasks.wording.faults`; cues stand in where none are given.

Invariant: what gold takes from tools or derives is in no instruction, unless the user knows it. Not covered: the check
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeAlias

from pydantic import JsonValue

from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.trial import Trial
from autoforge.generator.tasks.interpreter import resolve
from autoforge.mcp_envs.task import Output, sources_in

__all__ = ["Cues", "Faults", "check_instruction"]

Cues: TypeAlias = Mapping[str, tuple[str, ...]]
"""Reasoning node or known value -> texts of which one must be in the instruction."""
Faults: TypeAlias = Callable[[str, Draft, Collection[JsonValue], Cues, str], list[str]]
"""(instruction, draft, derived values, cues, language) -> one sentence for each thing that is wrong."""

_IN_WORDS = 12
"""Whole numbers up to here are written in words, too."""


def check_instruction(trial: Trial, faults: Faults, cues: Cues | None, language: str) -> None:
    """Raise Rejection for a known value or a constraint that is missing, and for a derived value that is said.

    Without cues, constraints and what is said in other words are taken as said.
    """
    given = _implied(trial) if cues is None else cues
    found = faults(trial.instruction, trial.draft, list(_derived(trial)), given, language)
    if found:
        raise reject("unfaithful instruction", found[0])


def _implied(trial: Trial) -> Cues:
    first = tuple(trial.instruction.split()[:1])
    known = trial.draft.known
    unseen = [n for n, v in known.items() if v is None or (isinstance(v, int) and abs(v) <= _IN_WORDS)]
    return dict.fromkeys([*(node.id for node in trial.draft.blueprint.reasons), *unseen], first)


def _derived(trial: Trial) -> Iterator[JsonValue]:
    """The plain values that gold reads from outputs and derivations, and the answers."""
    execution = trial.execution
    for node in trial.draft.blueprint.nodes:
        if node.id in execution.skipped:
            continue
        for source in node.sources:
            for part in sources_in(source):
                if isinstance(part, Output):
                    value = resolve(part, trial.draft.known, execution.values)
                    if not isinstance(value, list | dict):
                        yield value
    yield from (answer.value for answer in trial.gold.answers)
