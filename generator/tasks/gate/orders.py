"""Orders in which an agent may do the work: they are sampled, and two calls of which the order counts are found.

Invariant: orders that differ only in reads with no write between them are one, because reads change nothing (`effects`
proves it); each order is carried out through the blueprint, so that ids follow. Not covered: how the wording says what
comes first.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from autoforge.generator.tasks.catalogue import Catalogue, ToolModel
from autoforge.generator.tasks.draft import Draft
from autoforge.generator.tasks.gate.reasons import reject
from autoforge.generator.tasks.gate.trial import Trial, prepare
from autoforge.generator.tasks.stage import Stage
from autoforge.mcp_envs.task import Blueprint, Node, Output, ToolStep, sources_in

__all__ = ["Conflict", "ancestors", "check_edges", "check_orders", "conflicts", "dependencies", "with_needed_order"]

_ORDERS = 24
_ATTEMPTS = 72
Order: TypeAlias = tuple[str, ...]


class Conflict(NamedTuple):
    """Two steps that no edge orders, and that give something else when the second is done first."""

    first: str
    second: str
    words: str


def dependencies(blueprint: Blueprint) -> set[tuple[str, str]]:
    """The edges that data and guards make."""
    return {(before, node.id) for node in blueprint.nodes for before in _read(node)}


def _read(node: Node) -> set[str]:
    read = {leaf.node for source in node.sources for leaf in sources_in(source) if isinstance(leaf, Output)}
    return read | ({node.when.node} if node.when is not None else set())


def check_edges(blueprint: Blueprint) -> None:
    """Raise Rejection unless every dependency is an edge and every edge runs forward in the order of the nodes."""
    places = {node.id: place for place, node in enumerate(blueprint.nodes)}
    if len(places) < len(blueprint.nodes):
        raise reject("malformed blueprint", "two nodes have one id")
    missing = dependencies(blueprint) - set(blueprint.edges)
    if missing:
        raise reject("malformed blueprint", f"{sorted(missing)[0]} is no edge")
    for before, after in blueprint.edges:
        if places.get(before, len(places)) >= places.get(after, -1):
            raise reject("malformed blueprint", f"the edge {before} -> {after} does not run forward")


def check_orders(trial: Trial) -> int:
    """The number of topological orders beside the given one that were carried out; all score 1."""
    reads = _reads(trial)
    given = tuple(node.id for node in trial.draft.blueprint.nodes)
    seen: dict[object, Order] = {_shape(given, reads, set(trial.foretold)): given}
    for _ in range(_ATTEMPTS):
        order = _sampled(trial.draft.blueprint, trial.chance)
        seen.setdefault(_shape(order, reads, set(trial.foretold)), order)
        if len(seen) > _ORDERS:
            break
    for order in list(seen.values())[1:]:
        done = trial.perform(order=order)
        if not trial.score_of(done):
            raise reject("order matters", f"in the order {' '.join(order)} {done.fault or 'the outcome is another'}")
    return len(seen) - 1


def _reads(trial: Trial) -> set[str]:
    writes = {trial.gold.calls[place].node for place in trial.writes}
    return {call.node for call in trial.gold.calls} - writes


def _sampled(blueprint: Blueprint, chance: random.Random) -> Order:
    before: dict[str, set[str]] = {node.id: set() for node in blueprint.nodes}
    for one, two in {*blueprint.edges, *dependencies(blueprint)}:
        before[two].add(one)
    order: list[str] = []
    while before:
        ready = [name for name, left in before.items() if not left]
        chosen = chance.choice(ready)
        del before[chosen]
        for left in before.values():
            left.discard(chosen)
        order.append(chosen)
    return tuple(order)


def _shape(order: Order, reads: set[str], calls: set[str]) -> tuple[object, ...]:
    """What tells an order from another: the writes in turn, and which reads come between two of them."""
    shape: list[object] = []
    between: set[str] = set()
    for name in order:
        if name in reads:
            between.add(name)
        elif name in calls:
            shape += [frozenset(between), name]
            between = set()
    return (*shape, frozenset(between))


def with_needed_order(stage: Stage, draft: Draft, catalogue: Catalogue) -> Draft:
    """The draft with an edge for data, for guards, and for two steps of which the order counts, and no other. Raises
    Rejection where gold cannot be executed.
    """
    places = {node.id: place for place, node in enumerate(draft.blueprint.nodes)}
    edges = sorted(dependencies(draft.blueprint), key=lambda edge: (places[edge[1]], places[edge[0]]))
    free = replace(draft, blueprint=draft.blueprint.model_copy(update={"edges": tuple(edges)}))
    while found := conflicts(stage, free, catalogue):
        edges = [*free.blueprint.edges, *((conflict.first, conflict.second) for conflict in found)]
        free = replace(free, blueprint=free.blueprint.model_copy(update={"edges": tuple(edges)}))
    return free


def conflicts(stage: Stage, draft: Draft, catalogue: Catalogue) -> tuple[Conflict, ...]:
    """The pairs of steps that need an edge: tables that one writes and the other reads or writes say where to look, and
    doing the second first shows whether it counts. Raises Rejection where gold cannot be executed.
    """
    trial = prepare(stage, draft, "", catalogue, None, random.Random(0))
    return tuple(_conflicts(trial))


def _conflicts(trial: Trial) -> Iterator[Conflict]:
    blueprint = trial.draft.blueprint
    before = ancestors(blueprint)
    steps = [step for step in blueprint.steps if step.id in trial.foretold]
    for place, second in enumerate(steps):
        for first in steps[:place]:
            if first.id not in before[second.id] and _touch(trial, first, second):
                done = trial.perform(order=_second_first(blueprint, before, first.id, second.id))
                if not trial.score_of(done):
                    yield Conflict(first.id, second.id, str(done.fault or "the outcome is another"))


def ancestors(blueprint: Blueprint) -> dict[str, set[str]]:
    """Node -> the nodes that come before it in every order."""
    edges = {*blueprint.edges, *dependencies(blueprint)}
    found: dict[str, set[str]] = {}
    for node in blueprint.nodes:
        direct = {one for one, two in edges if two == node.id}
        found[node.id] = direct | {name for one in direct for name in found[one]}
    return found


def _second_first(blueprint: Blueprint, before: Mapping[str, set[str]], first: str, second: str) -> Sequence[str]:
    names = [node.id for node in blueprint.nodes]
    place = names.index(first)
    needed = before[second] | {second}
    return [*names[:place], *(n for n in names[place:] if n in needed), *(n for n in names[place:] if n not in needed)]


def _touch(trial: Trial, first: ToolStep, second: ToolStep) -> bool:
    """Whether one may write what the other reads or writes."""
    one, two = trial.catalogue.tools[first.tool], trial.catalogue.tools[second.tool]
    if one.reads_only and two.reads_only:
        return False
    if "weak" in (one.record.kind, two.record.kind):
        return True
    return bool(_written(one) & (_written(two) | set(two.record.effects.reads))) or bool(
        _written(two) & set(one.record.effects.reads)
    )


def _written(tool: ToolModel) -> set[str]:
    effects = tool.record.effects
    changed: Iterable[str] = (*effects.creates, *effects.updates, *effects.deletes)
    return set(changed)
