"""From what was built to a draft: what nothing needs is dropped, nodes are numbered, dependencies written out.

Invariant: the blueprint that comes out holds the goals and what they need, in an order in which it was carried out. Not
covered: whether it can be carried out in others (`gate`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autoforge.generator.tasks.builder import Builder
from autoforge.generator.tasks.draft import Draft, Rejection, Wish
from autoforge.generator.tasks.policy import TaskPolicy
from autoforge.mcp_envs.task import (
    Answer,
    Blueprint,
    Guard,
    ListOf,
    Node,
    ObjectOf,
    Output,
    Source,
    ToolStep,
    UserValue,
    sources_in,
)

__all__ = ["finished", "needed", "node_sources", "renamed_nodes"]


def finished(
    builder: Builder,
    wishes: Sequence[Wish],
    initial: tuple[str, ...],
    walks: int,
    provenance: dict[str, Any],
    policy: TaskPolicy,
) -> Draft:
    """The draft. Raises Rejection where it is not what the policy wants."""
    answers = [w.answer for w in wishes if w.answer is not None]
    kept = needed(builder.nodes, [g for w in wishes for g in w.goals], answers)
    nodes = [n for n in builder.nodes if n.id in kept]
    _check_size(builder, nodes, policy, bool(answers))
    names = {node.id: f"n{i}" for i, node in enumerate(nodes, 1)}
    renamed = [renamed_nodes(node, names) for node in nodes]
    used = {s.user for node in renamed for s in node_sources(node) if isinstance(s, UserValue)}
    told = [a.model_copy(update={"source": _renamed_source(a.source, names)}) for a in answers]
    return Draft(
        blueprint=Blueprint(nodes=tuple(renamed), edges=_edges(builder, renamed)),
        known={k: v for k, v in builder.known.items() if k in used},
        answers=tuple(told),
        initial=initial,
        walks=walks,
        wishes=_wishes(wishes, nodes, names),
        provenance=provenance,
    )


def node_sources(node: Node) -> list[Source]:
    """Every source that a node reads, also those inside lists and objects."""
    return [leaf for source in node.sources for leaf in sources_in(source)]


def _parents(node: Node) -> set[str]:
    found = {s.node for s in node_sources(node) if isinstance(s, Output)}
    return found | ({node.when.node} if node.when else set())


def needed(nodes: Sequence[Node], goals: Iterable[str], answers: Sequence[Answer]) -> set[str]:
    """The goals, the answers' sources, and what they need."""
    by_id = {node.id: node for node in nodes}
    needed: set[str] = set()
    frontier = [*goals, *(s.node for a in answers for s in sources_in(a.source) if isinstance(s, Output))]
    while frontier:
        name = frontier.pop()
        if name not in needed:
            needed.add(name)
            frontier += _parents(by_id[name])
    return needed


def _check_size(builder: Builder, nodes: Sequence[Node], policy: TaskPolicy, asks: bool) -> None:
    calls = [n for n in nodes if isinstance(n, ToolStep) and n.id in builder.values]
    writes = [n for n in calls if not builder.catalogue.tools[n.tool].reads_only]
    if not policy.least_calls <= len(calls) <= policy.most_calls:
        raise Rejection("too short" if len(calls) < policy.least_calls else "too long", f"{len(calls)} calls")
    least = policy.least_writes if builder.catalogue.writes else 0
    if len(writes) < least or (not writes and not asks):
        raise Rejection("too few writes", f"{len(writes)} writes")


def renamed_nodes(node: Node, names: dict[str, str]) -> Node:
    """The node with ids replaced."""
    when = None if node.when is None else Guard(
        node=names[node.when.node], equals=node.when.equals, refused=node.when.refused
    )  # fmt: skip
    if isinstance(node, ToolStep):
        arguments = {k: _renamed_source(s, names) for k, s in node.arguments.items()}
        return node.model_copy(update={"id": names[node.id], "when": when, "arguments": arguments})
    inputs = {k: _renamed_source(s, names) for k, s in node.inputs.items()}
    over = None if node.over is None else _renamed_source(node.over, names)
    return node.model_copy(update={"id": names[node.id], "when": when, "over": over, "inputs": inputs})


def _renamed_source(source: Source, names: dict[str, str]) -> Source:
    if isinstance(source, Output):
        return Output(node=names[source.node], path=source.path)
    if isinstance(source, ListOf):
        return ListOf(items=tuple(_renamed_source(s, names) for s in source.items))
    if isinstance(source, ObjectOf):
        return ObjectOf(fields={k: _renamed_source(s, names) for k, s in source.fields.items()})
    return source


def _edges(builder: Builder, nodes: Sequence[Node]) -> tuple[tuple[str, str], ...]:
    """Data and guards, and for the time being the order of steps of which one writes what the other reads or writes;
    `make` keeps those that count.
    """
    found = [(parent, node.id) for node in nodes for parent in sorted(_parents(node))]
    steps = [n for n in nodes if isinstance(n, ToolStep)]
    for i, later in enumerate(steps):
        for earlier in steps[:i]:
            if _touch(builder, earlier, later) and (earlier.id, later.id) not in found:
                found.append((earlier.id, later.id))
    return tuple(found)


def _touch(builder: Builder, one: ToolStep, two: ToolStep) -> bool:
    effects = [builder.catalogue.tools[step.tool].record.effects for step in (one, two)]
    writes = [{*e.creates, *e.updates, *e.deletes} for e in effects]
    reads = [set(e.reads) | w for e, w in zip(effects, writes, strict=True)]
    return bool(writes[0] & reads[1] or writes[1] & reads[0])


def _wishes(wishes: Sequence[Wish], nodes: Sequence[Node], names: dict[str, str]) -> tuple[tuple[str, ...], ...]:
    kept = {n.id for n in nodes}
    return tuple(
        tuple(names[n] for n in wish.nodes if n in kept) for wish in wishes if any(n in kept for n in wish.nodes)
    )
