"""Gold with one decision wrong: the branch that was not taken, a near miss in place of a derived value.

Invariant: a near miss counts only where later nodes read something else of it; one that leads to gold's own calls is no
mutant, and one that leads to gold's outcome by other calls is counted apart. Not covered: ambiguous choices; on those
operators raise.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.trial import Trial
from autoforge.generator.tasks.gate.variants import flipped, substituted
from autoforge.generator.tasks.interpreter import resolve
from autoforge.generator.tasks.operators import OperatorFault
from autoforge.generator.tasks.operators.registry import alternatives
from autoforge.mcp_envs.paths import NoSuchPart, extract
from autoforge.mcp_envs.task import Blueprint, Output, Reasoning, Source, sources_in

__all__ = ["NearMisses", "check_branches", "check_near_misses", "flips"]

_NEAR_MISSES = 2
"""Near misses of one reasoning node that must be killed; fewer where it has fewer."""
_TRIES = 6
"""Near misses of one reasoning node that are tried for them."""


class NearMisses(NamedTuple):
    """What became of other values than the derived ones."""

    killed: int
    equivalent: int
    """Those that lead to the same outcome by other calls."""


def flips(trial: Trial) -> dict[str, Blueprint]:
    """The blueprint with the other branch taken, by each guard that gold reached."""
    blueprint, execution = trial.draft.blueprint, trial.execution
    guards = dict.fromkeys(node.when.node for node in blueprint.nodes if node.when is not None)
    reached = [guard for guard in guards if guard not in execution.skipped]
    attempts = {step.id for step in blueprint.steps if step.attempt}
    return {
        guard: flipped(blueprint, guard, guard in execution.refused if guard in attempts else None) for guard in reached
    }


def check_branches(trial: Trial) -> int:
    """The number of decisions, the other branch of each of which scores 0. Raises Rejection where it scores."""
    variants = flips(trial)
    for guard, blueprint in variants.items():
        if trial.score_of(trial.perform(blueprint)):
            raise reject("branch does not matter", f"{guard}: the branch not taken gives the same outcome")
    return len(variants)


def check_near_misses(trial: Trial) -> NearMisses:
    """Every derived value replaced. Raises Rejection where other calls than gold's score for all its near misses."""
    killed = equivalent = 0
    for node in trial.draft.blueprint.reasons:
        if node.id in trial.execution.values:
            found = _tried(trial, node)
            if found.equivalent and not found.killed:
                raise reject("choice does not matter", f"{node.id}: every near miss gives the same outcome")
            killed, equivalent = killed + found.killed, equivalent + found.equivalent
    return NearMisses(killed, equivalent)


def _tried(trial: Trial, node: Reasoning) -> NearMisses:
    killed = equivalent = 0
    for blueprint in islice(_missed(trial, node), _TRIES):
        done = trial.perform(blueprint)
        if not trial.score_of(done):
            killed += 1
        elif sorted(map(repr, done.calls)) != sorted(map(repr, trial.calls)):
            equivalent += 1
        if killed == _NEAR_MISSES:
            break
    return NearMisses(killed, equivalent)


def _missed(trial: Trial, node: Reasoning) -> Iterator[Blueprint]:
    """The blueprint with each near miss that differs and has all that is read of it, in a branch not taken too."""
    for value in _misses(trial, node):
        if _differs(trial, node, value):
            with suppress(NoSuchPart):
                yield substituted(trial.draft.blueprint, node.id, value)


def _misses(trial: Trial, node: Reasoning) -> list[Any]:
    known, values = trial.draft.known, trial.execution.values
    over = None if node.over is None else resolve(node.over, known, values)
    inputs = {name: resolve(source, known, values) for name, source in node.inputs.items()}
    whole = [resolve(source, known, values) for source in _unfiltered(trial.draft.blueprint, node)]
    try:
        return alternatives(node, over, inputs, whole)
    except OperatorFault:
        return []


def _unfiltered(blueprint: Blueprint, node: Reasoning) -> Iterator[Source]:
    """What the list that a node works on was filtered from."""
    if isinstance(node.over, Output):
        before = blueprint.node(node.over.node)
        if isinstance(before, Reasoning) and before.reason == "filter" and before.over is not None:
            yield before.over


def _differs(trial: Trial, node: Reasoning, value: Any) -> bool:
    """Whether a later node that gold reached, or an answer, reads another value from it."""
    right = trial.execution.values[node.id]
    try:
        pairs = [(extract(right, path), extract(value, path)) for path in _paths(trial, node.id)]
    except NoSuchPart:
        return False
    guarded = any(n.when is not None and n.when.node == node.id for n in trial.draft.blueprint.nodes)
    return any(one != two for one, two in pairs) or (guarded and bool(right) != bool(value))


def _paths(trial: Trial, node: str) -> set[str]:
    reached = [n for n in trial.draft.blueprint.nodes if n.id not in trial.execution.skipped]
    read = [*(s for n in reached for s in n.sources), *(a.source for a in trial.draft.answers)]
    return {leaf.path for leaf in _leaves(read) if leaf.node == node}


def _leaves(sources: list[Source]) -> Iterator[Output]:
    for source in sources:
        yield from (leaf for leaf in sources_in(source) if isinstance(leaf, Output))
