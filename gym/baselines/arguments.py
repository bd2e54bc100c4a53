"""Arguments that a tool's schema allows, made of values that an agent has met.

Invariant: what is returned is valid against the schema. Not covered: what the tool makes of it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from autoforge.gym.baselines.baseline import ToolDocument
from autoforge.gym.baselines.values import SeenValues

__all__ = ["combinations", "drawn"]

_PLAIN = ("note", "2026-01-15", "2026-01-15T09:00:00", "a@b.example", "https://a.example", "12345678", 1, 0, 2.5, 100)
"""What fits many schemas where nothing that was met does."""
_DEEPEST = 4


def drawn(tool: ToolDocument, seen: SeenValues, chance: random.Random) -> dict[str, Any] | None:
    """Arguments by chance: all required ones, others now and then; None where the schema allows none of the values."""
    schema = _schema(tool)
    arguments: dict[str, Any] = {}
    for name, inner in (schema.get("properties") or {}).items():
        if name in (schema.get("required") or ()) or chance.random() < 0.4:
            values = _values(inner, name, seen, 12)
            if values:
                arguments[name] = chance.choice(values)
    return arguments if Draft202012Validator(schema).is_valid(arguments) else None


def combinations(tool: ToolDocument, seen: SeenValues, most: int) -> Iterator[dict[str, Any]]:
    """Up to `most` combinations of the required arguments, and of those optional ones under whose name a value was
    met.
    """
    schema = _schema(tool)
    required = schema.get("required") or ()
    choices = {
        name: _values(inner, name, seen, most)
        for name, inner in (schema.get("properties") or {}).items()
        if name in required or seen.under(name)
    }
    validator = Draft202012Validator(schema)
    names = [name for name, values in choices.items() if values]
    every = (dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*(choices[n] for n in names)))
    yield from (a for a in itertools.islice(every, 4 * most) if validator.is_valid(a))


def _schema(tool: ToolDocument) -> Mapping[str, Any]:
    return tool.get("inputSchema") or {"type": "object"}


def _values(schema: Any, name: str, seen: SeenValues, most: int, depth: int = 0) -> list[Any]:
    """Values that the schema of one parameter allows."""
    if not isinstance(schema, Mapping):
        return [value for value in seen.for_name(name)[:most]]
    found: list[Any] = list(schema.get("enum") or ()) or ([schema["const"]] if "const" in schema else [])
    for branch in (*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())):
        found += _values(branch, name, seen, most, depth + 1) if depth < _DEEPEST else []
    types = schema.get("type")
    kinds = types if isinstance(types, list) else [types]
    if "array" in kinds and depth < _DEEPEST:
        items = _values(schema.get("items", True), name, seen, most, depth + 1)
        found += [[item] for item in items] + [items[:2]]
    if "object" in kinds and depth < _DEEPEST:
        found += _objects(schema, seen, most, depth)
    if not found:
        found = [
            *seen.for_name(name),
            True,
            False,
            *_PLAIN,
            *(schema[n] for n in ("minimum", "maximum") if n in schema),
        ]
    validator = Draft202012Validator(schema)
    return list(itertools.islice((value for value in found if validator.is_valid(value)), most))


def _objects(schema: Mapping[str, Any], seen: SeenValues, most: int, depth: int) -> list[Any]:
    choices = {n: _values(s, n, seen, most, depth + 1) for n, s in (schema.get("properties") or {}).items()}
    names = [name for name, values in choices.items() if values]
    rows = range(max((len(choices[name]) for name in names), default=1))
    return [{name: choices[name][row % len(choices[name])] for name in names} for row in rows][:most]
