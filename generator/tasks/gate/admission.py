"""Admits a draft as a task, or says by which of the fixed reasons it is not one (`reasons.REASONS`).

Invariant: every verdict is the count or the value of checks that ran on this draft; checks run from cheap to dear and
the first that does not hold ends it. Not covered: duplicates among tasks, difficulty.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from autoforge.generator.tasks.catalogue import Catalogue
from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.gate.answering import check_answers, check_typed
from autoforge.generator.tasks.gate.decisions import check_branches, check_near_misses
from autoforge.generator.tasks.gate.effects import (
    check_dropped_writes,
    check_fresh,
    check_gold,
    check_idle,
    check_reads,
    check_refusals,
)
from autoforge.generator.tasks.gate.minimality import check_minimal
from autoforge.generator.tasks.gate.mutants import check_arguments, check_extra_writes, check_targets
from autoforge.generator.tasks.gate.orders import check_edges, check_orders
from autoforge.generator.tasks.gate.realisability import check_known, check_realisable, opaque_values
from autoforge.generator.tasks.gate.renamings import check_renamings
from autoforge.generator.tasks.gate.trial import Trial, prepare
from autoforge.generator.tasks.gate.wording import Cues, Faults, check_instruction
from autoforge.generator.tasks.stage import Stage
from autoforge.generator.tasks.wording import faults as wording_faults
from autoforge.mcp_envs.task import Gold, GoldCall

__all__ = ["Admitted", "Check", "admit", "examined"]

T = TypeVar("T")
Verdicts: TypeAlias = dict[str, Any]


class Check(NamedTuple):
    """How a wording is judged."""

    faults: Faults
    cues: Cues | None
    language: str


class Admitted(NamedTuple):
    """A draft that is a task."""

    gold: Gold
    verdicts: Verdicts
    outputs: tuple[Any, ...]
    """Of the gold calls, in their order."""
    refused: dict[str, GoldCall]
    """Attempts that gold makes and that are refused, by node."""
    writes: tuple[int, ...]
    """Positions of the gold calls that write."""
    runs: int
    """Batches of calls that the proof took."""
    seconds: dict[str, float]
    """Wall time of each check; no part of the task."""


def admit(
    stage: Stage,
    draft: Draft,
    instruction: str,
    *,
    catalogue: Catalogue,
    fresh: Stage | None,
    chance: random.Random,
    cues: Cues | None = None,
    language: str = "en",
    faults: Faults = wording_faults,
) -> Admitted:
    """Prove the draft on the stage. `fresh` is another process, with another hash seed.

    `faults` judges the wording by its cues and language. Raises Rejection where a check does not hold, CheckFailed
    where the set-up cannot be made.
    """
    wording = Check(faults, cues, language)
    sampling = chance.getrandbits(32)
    return examined(stage, draft, instruction, wording, catalogue=catalogue, fresh=fresh, sampling=sampling)


def examined(
    stage: Stage,
    draft: Draft,
    instruction: str,
    wording: Check,
    *,
    catalogue: Catalogue,
    fresh: Stage | None,
    sampling: int,
) -> Admitted:
    """`admit` with the number that all its samples are drawn by; it is kept among the verdicts."""
    watch = _Watch()
    check_edges(draft.blueprint)
    trial = watch(
        "gold executed", lambda: prepare(stage, draft, instruction, catalogue, fresh, random.Random(sampling))
    )
    verdicts = {**_outcome(trial, wording, watch), **_equivalents(trial, watch), **_mutants(trial, watch)}
    verdicts |= {"minimal": watch("minimal", lambda: check_minimal(trial)), "sampling": sampling}
    refused = trial.execution.refused
    return Admitted(trial.gold, verdicts, trial.outputs, refused, trial.writes, trial.runs, watch.seconds)


class _Watch:
    """Runs checks and keeps how long they took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def __call__(self, name: str, check: Callable[[], T]) -> T:
        begun = time.perf_counter()
        try:
            return check()
        finally:
            self.seconds[name] = time.perf_counter() - begun


def _outcome(trial: Trial, wording: Check, watch: _Watch) -> Verdicts:
    """What gold is, that it can be known, and that it can be done again."""
    watch("answers typed", lambda: check_typed(trial))
    realisable = watch("realisable", lambda: check_realisable(trial))
    watch("known", lambda: check_known(trial))
    watch("instruction", lambda: check_instruction(trial, wording.faults, wording.cues, wording.language))
    return {
        "no_op": watch("no-op", lambda: check_idle(trial)),
        "gold": watch("gold", lambda: check_gold(trial)),
        "fresh_process": watch("fresh process", lambda: check_fresh(trial)),
        "refusals_without_trace": watch("refusals", lambda: check_refusals(trial)),
        "reads_accepted": watch("reads", lambda: check_reads(trial)),
        "realisable": realisable,
        "opaque_known": opaque_values(trial),
    }


def _mutants(trial: Trial, watch: _Watch) -> Verdicts:
    """What must score 0, and did; only what was run is counted."""
    dropped = watch("dropped writes", lambda: check_dropped_writes(trial))
    branches = watch("branches", lambda: check_branches(trial))
    misses = watch("near misses", lambda: check_near_misses(trial))
    answers = watch("answers", lambda: check_answers(trial))
    arguments = watch("arguments", lambda: check_arguments(trial))
    targets = watch("targets", lambda: check_targets(trial))
    extra = watch("extra writes", lambda: check_extra_writes(trial, [*arguments.calls, *targets.calls]))
    kinds = {
        "writes_dropped": dropped,
        "arguments_perturbed": arguments.killed,
        "targets_swapped": targets.killed,
        "writes_added": extra.killed,
        "branches_flipped": branches,
        "near_misses": misses.killed,
        "answers_falsified": answers,
    }
    untested = {"arguments": arguments.untested, "targets": targets.untested}
    return {
        "mutants_killed": _all(sum(kinds.values())),
        "mutants": kinds,
        "places_untested": untested,
        "equivalent_choices": misses.equivalent,
    }


def _equivalents(trial: Trial, watch: _Watch) -> Verdicts:
    """What must score 1, and did."""
    renamings = watch("renamings", lambda: check_renamings(trial))
    orders = watch("orders", lambda: check_orders(trial))
    return {"reorders_accepted": _all(orders), "renamings_accepted": _all(renamings)}


def _all(number: int) -> str:
    """A check that lets one through ends the examination, so all that were run held."""
    return f"{number}/{number}"
