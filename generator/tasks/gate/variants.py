"""Blueprints that differ from a given one in one decision: the other branch, another derived value, an argument less.

Invariant: the rest of the blueprint is as it was. Not covered: carrying them out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autoforge.mcp_envs.paths import extract
from autoforge.mcp_envs.task import (
    Blueprint,
    Guard,
    ListOf,
    Literally,
    Node,
    ObjectOf,
    Output,
    Reasoning,
    Source,
    ToolStep,
)

__all__ = ["flipped", "substituted", "without_argument"]

_NEVER = Guard.model_validate({"from": "(never)", "refused": True})


def flipped(blueprint: Blueprint, guard: str, refused: bool | None) -> Blueprint:
    """The other branch at a reasoning node, or at an attempt of which `refused` says what became of it."""

    def other(node: Node) -> Node:
        if node.id == guard and refused is False:
            return _guarded(node, _NEVER)  # as if it had been refused
        if node.when is None or node.when.node != guard:
            return node
        if node.when.equals is not None:
            return _guarded(node, node.when.model_copy(update={"equals": not node.when.equals}))
        return _guarded(node, _NEVER if node.when.refused == refused else None)

    return blueprint.model_copy(update={"nodes": tuple(map(other, blueprint.nodes))})


def substituted(blueprint: Blueprint, reasoning: str, value: Any) -> Blueprint:
    """The blueprint in which a reasoning node gave another value. Raises NoSuchPart where the value lacks a part."""

    def replace(source: Source) -> Source:
        if isinstance(source, Output) and source.node == reasoning:
            return Literally(literal=extract(value, source.path))
        return source

    def other(node: Node) -> Node:
        node = _with_sources(node, replace)
        if node.when is None or node.when.node != reasoning:
            return node
        return _guarded(node, None if bool(value) == node.when.equals else _NEVER)

    return blueprint.model_copy(update={"nodes": tuple(other(n) for n in blueprint.nodes if n.id != reasoning)})


def without_argument(blueprint: Blueprint, step: str, name: str) -> Blueprint:
    """The blueprint in which a step leaves one argument out."""

    def other(node: Node) -> Node:
        if node.id != step or not isinstance(node, ToolStep):
            return node
        return node.model_copy(update={"arguments": {n: s for n, s in node.arguments.items() if n != name}})

    return blueprint.model_copy(update={"nodes": tuple(map(other, blueprint.nodes))})


def _guarded(node: Node, guard: Guard | None) -> Node:
    return node.model_copy(update={"when": guard})


def _with_sources(node: Node, change: Callable[[Source], Source]) -> Node:
    if isinstance(node, Reasoning):
        over = None if node.over is None else _mapped(node.over, change)
        return node.model_copy(update={"over": over, "inputs": _each(node.inputs, change)})
    return node.model_copy(update={"arguments": _each(node.arguments, change)})


def _each(sources: dict[str, Source], change: Callable[[Source], Source]) -> dict[str, Source]:
    return {name: _mapped(source, change) for name, source in sources.items()}


def _mapped(source: Source, change: Callable[[Source], Source]) -> Source:
    if isinstance(source, ListOf):
        return source.model_copy(update={"items": tuple(_mapped(item, change) for item in source.items)})
    if isinstance(source, ObjectOf):
        return source.model_copy(update={"fields": _each(source.fields, change)})
    return change(source)
