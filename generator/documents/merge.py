"""Both of two schemas (`allOf`), or either of several (`anyOf`), in normal form.

Normal form is what `normalise` gives: a node has either `type` with its keywords or `anyOf`. Nothing given is changed;
results may share parts with what was given.

Invariant: `allOf` admits what both admit, `anyOf` at least what either does. Not covered: finishing (`finish`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.documents.keywords import ANNOTATIONS, is_any
from autoforge.generator.documents.values import canonical, fits

__all__ = ["Budget", "Schema", "TooLarge", "both", "either", "structure"]

Schema = dict[str, Any]


class TooLarge(Exception):
    """A schema grew beyond its budget while its references were written out; caught in this package."""


class Budget:
    """How many more schema nodes one tool may have: references can be nested so that they write out to billions."""

    def __init__(self, nodes: int) -> None:
        self._left = nodes

    def spend(self, nodes: int = 1) -> None:
        """Count `nodes`. Raises `TooLarge` when there were not as many left."""
        self._left -= nodes
        if self._left < 0:
            raise TooLarge


_LARGER = ("minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum")
_SMALLER = ("maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum")


def structure(schema: Schema) -> Schema:
    """`schema` without its annotations."""
    return {keyword: value for keyword, value in schema.items() if keyword not in ANNOTATIONS}


def _annotations(schema: Schema) -> Schema:
    return {keyword: value for keyword, value in schema.items() if keyword in ANNOTATIONS}


def both(first: Schema, second: Schema, budget: Budget) -> Schema | None:
    """What satisfies both, with the first one's annotations before the second one's; None where nothing does."""
    annotations = {**_annotations(second), **_annotations(first)}
    budget.spend()
    merged = first if first is second else _both(structure(first), structure(second), budget)
    return None if merged is None else {**annotations, **merged}


def _both(first: Schema, second: Schema, budget: Budget) -> Schema | None:
    if is_any(first) or is_any(second):
        return second if is_any(first) else first
    if "anyOf" in first or "anyOf" in second:
        ones, twos = first.get("anyOf", [first]), second.get("anyOf", [second])
        budget.spend(len(ones) * len(twos))
        pairs = [(one, two) for one in ones for two in twos]
        branches = [merged for one, two in pairs if (merged := both(one, two, budget)) is not None]
        return either(branches) if branches else None
    return _both_typed(first, second, budget)


def _both_typed(first: Schema, second: Schema, budget: Budget) -> Schema | None:
    kinds = {first["type"], second["type"]}
    if len(kinds) > 1 and kinds != {"integer", "number"}:
        return None
    merged = {**second, **first, "type": "integer" if "integer" in kinds else first["type"]}
    for keyword in (*_LARGER, *_SMALLER):
        if keyword in first and keyword in second:
            choose = max if keyword in _LARGER else min
            merged[keyword] = choose(first[keyword], second[keyword])
    if "enum" in merged and not _intersect(merged, first, second):
        return None
    if merged["type"] == "object":
        _merge_object(merged, first, second, budget)
    if "items" in first and "items" in second:
        merged["items"] = both(first["items"], second["items"], budget) or first["items"]
    return merged


def _intersect(merged: Schema, first: Schema, second: Schema) -> bool:
    values = merged["enum"]
    if "enum" in first and "enum" in second:
        allowed = {canonical(value) for value in second["enum"]}
        values = [value for value in first["enum"] if canonical(value) in allowed]
    merged["enum"] = [value for value in values if fits(value, merged["type"])]
    return bool(merged["enum"])


def _merge_object(merged: Schema, first: Schema, second: Schema, budget: Budget) -> None:
    if "properties" in first and "properties" in second:
        properties = dict(first["properties"])
        for name, schema in second["properties"].items():
            properties[name] = (
                (both(properties[name], schema, budget) or properties[name]) if name in properties else schema
            )
        merged["properties"] = properties
    required = dict.fromkeys([*first.get("required", []), *second.get("required", [])])
    if required:
        merged["required"] = list(required)
    extra = [part["additionalProperties"] for part in (first, second) if "additionalProperties" in part]
    if False in extra:
        # Closed parts of an allOf mean to be closed around all its properties, though JSON Schema closes each alone.
        merged["additionalProperties"] = False
    elif len(extra) == 2:
        merged["additionalProperties"] = both(extra[0], extra[1], budget) or extra[0]


def either(branches: list[Schema]) -> Schema:
    """What satisfies one of `branches` (at least one is given):

    Flat, without repetitions, scalar enumerations joined.
    """
    flat: list[Schema] = []
    for branch in branches:
        if is_any(branch):
            return structure(branch)
        flat.extend(branch["anyOf"] if "anyOf" in branch and not _annotations(branch) else [branch])
    distinct = _joined(_distinct(flat))
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}


def _distinct(branches: list[Schema]) -> list[Schema]:
    """Equal leaves once. Branches with structure are kept: comparing them could take time without bound."""
    found: list[Schema] = []
    leaves: set[str] = set()
    for branch in branches:
        leaf = not any(keyword in branch for keyword in ("properties", "items", "anyOf", "additionalProperties"))
        key = canonical(branch) if leaf else ""
        if not leaf or key not in leaves:
            found.append(branch)
        leaves.add(key)
    return found


def _joined(branches: list[Schema]) -> list[Schema]:
    """`{const: a}` or `{const: b}` is `{enum: [a, b]}`; what each value means moves into the description."""
    found: list[Schema] = []
    for branch in branches:
        earlier = next((index for index, other in enumerate(found) if _joinable(other, branch)), None)
        if earlier is None:
            found.append(branch)
        else:
            found[earlier] = _join(found[earlier], branch)
    return found


def _joinable(first: Schema, second: Schema) -> bool:
    allowed = {"type", "enum", "title", "description"}
    return first["type"] == second["type"] if _is_choice(first, allowed) and _is_choice(second, allowed) else False


def _is_choice(schema: Schema, allowed: set[str]) -> bool:
    return "enum" in schema and schema.get("type") not in ("array", "object") and set(schema) <= allowed


def _join(first: Schema, second: Schema) -> Schema:
    values = list({canonical(value): value for value in [*first["enum"], *second["enum"]]}.values())
    joined = {"type": first["type"], "enum": values}
    lines = [line for part in (first, second) for line in _meanings(part)]
    if lines:
        joined["description"] = "\n".join(dict.fromkeys(lines))
    return joined


def _meanings(schema: Schema) -> list[str]:
    text = ": ".join(schema[keyword] for keyword in ("title", "description") if keyword in schema)
    if not text or len(schema["enum"]) > 1:
        return text.split("\n") if text else []
    return [f"{schema['enum'][0]}: {text}"]
