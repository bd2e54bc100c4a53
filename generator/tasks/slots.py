"""The places for values in a tool's arguments, and arguments made by filling them.

Invariant: filling the required slots of a tool gives every required property of its schema. Not covered: what a slot
means (`probing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from autoforge.generator.conformance.subject import JsonSchema, Tool
from autoforge.generator.conformance.values import kinds
from autoforge.mcp_envs.task import ListOf, ObjectOf, Source

__all__ = ["Place", "compose", "places", "replaced", "value_at"]

_DEEPEST = 4
SlotPath = tuple[str | int, ...]


class Place(NamedTuple):
    """A slot before its meaning is known."""

    path: SlotPath
    schema: JsonSchema
    required: bool


def places(tool: Tool) -> Iterator[Place]:
    """Every place for one value, in the order of the documentation."""
    for parameter in tool.parameters:
        yield from _inside(tool, (parameter.name,), parameter.schema, parameter.required, 0)


def _inside(tool: Tool, path: SlotPath, schema: JsonSchema, required: bool, depth: int) -> Iterator[Place]:
    schema = tool.resolved(schema)
    wanted = kinds(schema)
    properties = schema.get("properties") or {}
    if "object" in wanted and properties and depth < _DEEPEST:
        needed = set(schema.get("required") or ()) or {next(iter(properties))}  # so that the object is there
        for name, inner in properties.items():
            yield from _inside(tool, (*path, name), inner, required and name in needed, depth + 1)
    elif "array" in wanted and schema.get("items") and depth < _DEEPEST and not {"string"} & set(wanted):
        yield from _inside(tool, (*path, 0), schema["items"], required, depth + 1)
    else:
        yield Place(path, schema, required)


def value_at(arguments: Mapping[str, Any], path: SlotPath) -> Any:
    """The value in a slot of a call's arguments; None where the call leaves it out."""
    value: Any = arguments
    for part in path:
        inside = isinstance(part, int) and isinstance(value, list) and part < len(value)
        if not inside and not (isinstance(part, str) and isinstance(value, Mapping) and part in value):
            return None
        value = value[part]
    return value


def replaced(arguments: Mapping[str, Any], path: SlotPath, value: Any) -> dict[str, Any]:
    """The arguments with another value in one place."""

    def put(node: Any, rest: SlotPath) -> Any:
        if not rest:
            return value
        copy: Any = list(node) if isinstance(node, list) else dict(node)
        copy[rest[0]] = put(node[rest[0]], rest[1:]) if len(rest) > 1 else value
        return copy

    return dict(put(arguments, path))


def compose(filled: Mapping[SlotPath, Source]) -> dict[str, Source]:
    """The arguments in which each slot holds its source."""
    tree: dict[str | int, Any] = {}
    for path, source in filled.items():
        node = tree
        for part in path[:-1]:
            node = node.setdefault(part, {})
        node[path[-1]] = source
    return {str(name): _source(inner) for name, inner in tree.items()}


def _source(node: Any) -> Source:
    if not isinstance(node, dict):
        return node  # type: ignore[no-any-return]
    if all(isinstance(part, int) for part in node):
        return ListOf(items=tuple(_source(node[part]) for part in sorted(node)))
    return ObjectOf(fields={str(name): _source(inner) for name, inner in node.items()})
