"""What kind of work a blueprint asks for: its digest without values, and the split that follows from it.

Invariant: isomorphic blueprints, whatever their ids and values, have one signature, so no signature is in two splits.
Not covered: how hard it is (`difficulty`).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal

from autoforge.mcp_envs.task import Blueprint, ListOf, Literally, Node, ObjectOf, Output, Reasoning, Source, UserValue

__all__ = ["signature", "split_of"]

_TEST = 10
_VALIDATION = 10
"""Per cent of the signatures."""


def signature(blueprint: Blueprint) -> str:
    """SHA-256, in hexadecimal, of the nodes' labels hashed along the DAG; the order in which independent nodes are
    written does not matter.
    """
    labels: dict[str, str] = {}
    for node in blueprint.nodes:
        labels[node.id] = _digest(_shape(node, labels))
    return _digest(sorted(labels.values()))


def _shape(node: Node, labels: dict[str, str]) -> Any:
    when = None if node.when is None else [labels.get(node.when.node), node.when.equals, node.when.refused]
    if isinstance(node, Reasoning):
        inputs = {name: _source(source, labels) for name, source in node.inputs.items()}
        over = None if node.over is None else _source(node.over, labels)
        return ["reason", node.reason, over, node.by, node.compare, node.n, inputs, node.expression, when]
    arguments = {name: _source(source, labels) for name, source in node.arguments.items()}
    return ["tool", node.actor, node.tool, arguments, when, node.attempt]


def _source(source: Source, labels: dict[str, str]) -> Any:
    match source:
        case UserValue():
            return "user"
        case Literally():
            return ["literal", source.literal]
        case Output():
            return ["from", labels.get(source.node), source.path]
        case ListOf():
            return ["list", [_source(item, labels) for item in source.items]]
        case ObjectOf():
            return ["object", {name: _source(inner, labels) for name, inner in source.fields.items()}]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def split_of(signature: str) -> Literal["train", "validation", "test"]:
    """The split of all tasks of a signature: 80 % train, 10 % validation, 10 % test."""
    place = int(signature[:8], 16) % 100
    return "test" if place < _TEST else "validation" if place < _TEST + _VALIDATION else "train"
