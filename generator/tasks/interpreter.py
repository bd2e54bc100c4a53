"""Executes a blueprint: sources become values, tool steps calls, reasoning nodes derived values.

Invariant: gold is what came out here, never what somebody says; the interpreter knows nothing of any tool. Not covered:
whether what came out is a good task (`gate`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autoforge.generator.tasks.operators import Ambiguous, OperatorFault, derive
from autoforge.mcp_envs.containment import CallResult
from autoforge.mcp_envs.paths import NoSuchPart, extract
from autoforge.mcp_envs.task import (
    Blueprint,
    GoldCall,
    Guard,
    ListOf,
    Literally,
    Node,
    ObjectOf,
    Output,
    Reasoning,
    Source,
    ToolStep,
    UserValue,
    sources_in,
)

__all__ = ["Execution", "Infeasible", "execute", "resolve"]

Caller = Callable[[str, Mapping[str, Any]], CallResult]


class Infeasible(Exception):
    """A blueprint cannot be carried out: `node` is where, `reason` one word of why."""

    def __init__(self, node: str, reason: str, message: str) -> None:
        super().__init__(f"{node}: {message}")
        self.node = node
        self.reason = reason


@dataclass
class Execution:
    """What came out of a blueprint."""

    values: dict[str, Any] = field(default_factory=dict)
    """Node -> output of the tool, or derived value; skipped and refused nodes are missing."""
    calls: list[GoldCall] = field(default_factory=list)
    refused: dict[str, GoldCall] = field(default_factory=dict)
    """Attempts that were refused, by node."""
    skipped: set[str] = field(default_factory=set)


def resolve(source: Source, known: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """The value of a source. Raises KeyError for a user value or node that is not there, NoSuchPart for a path."""
    match source:
        case UserValue():
            return known[source.user]
        case Output():
            return extract(values[source.node], source.path)
        case Literally():
            return source.literal
        case ListOf():
            return [resolve(item, known, values) for item in source.items]
        case ObjectOf():
            return {name: resolve(inner, known, values) for name, inner in source.fields.items()}


def execute(
    blueprint: Blueprint, known: Mapping[str, Any], call: Caller, order: Sequence[str] | None = None
) -> Execution:
    """Carry it out in the order of its nodes, or in another topological `order` of their ids.

    Raises Infeasible where a call is not ok, a choice is ambiguous or a value is missing.
    """
    nodes = {node.id: node for node in blueprint.nodes}
    done = Execution()
    for name in order or list(nodes):
        node = nodes[name]
        if not _holds(node.when, done) or _reads_skipped(node, done):
            done.skipped.add(name)
            continue
        try:
            _do(node, known, call, done)
        except Ambiguous as fault:
            raise Infeasible(name, "ambiguous", str(fault)) from None
        except (KeyError, NoSuchPart) as fault:
            raise Infeasible(name, "missing value", str(fault)) from None
        except OperatorFault as fault:
            raise Infeasible(name, "derivation", str(fault)) from None
    return done


def _do(node: Node, known: Mapping[str, Any], call: Caller, done: Execution) -> None:
    if isinstance(node, Reasoning):
        inputs = {name: resolve(source, known, done.values) for name, source in node.inputs.items()}
        over = None if node.over is None else resolve(node.over, known, done.values)
        done.values[node.id] = derive(node, over, inputs)
        return
    arguments = {name: resolve(source, known, done.values) for name, source in node.arguments.items()}
    made = GoldCall(node=node.id, actor=node.actor, tool=node.tool, arguments=arguments)
    result = call(node.tool, arguments)
    if node.attempt and result.kind == "refused":
        done.refused[node.id] = made
        return
    if not result.ok:
        raise Infeasible(node.id, result.kind, f"{node.tool} was {result.kind}: {result.message}")
    done.calls.append(made)
    done.values[node.id] = result.value


def _holds(guard: Guard | None, done: Execution) -> bool:
    if guard is None:
        return True
    if guard.node in done.skipped:
        return False
    if guard.refused is not None:
        return (guard.node in done.refused) == guard.refused
    return bool(done.values.get(guard.node)) == guard.equals


def _reads_skipped(node: ToolStep | Reasoning, done: Execution) -> bool:
    read = {leaf.node for source in node.sources for leaf in sources_in(source) if isinstance(leaf, Output)}
    return bool(read & (done.skipped | done.refused.keys()))
