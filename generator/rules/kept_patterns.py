"""What results promise of a text holds for what tools store: a value that no result may show is refused.

A ticket whose `plate` results document with a pattern cannot be made with another plate, though the parameter says
nothing of it. Invariant: only parameters without a pattern or an enum of their own are refused so. Not covered: values
that are computed, and those of items of a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from autoforge.generator.ir import (
    Apply,
    Argument,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Insert,
    Operation,
    Refuse,
    Update,
    walk_steps,
)
from autoforge.generator.rules.patterns import follows, text_like
from autoforge.generator.rules.scene import call, negate
from autoforge.generator.rules.shapes import shape_of

__all__ = ["keep_patterns"]


def keep_patterns(operations: list[Operation], entities: Mapping[str, Entity]) -> list[Operation]:
    """The operations, with a refusal first for each text that a result could not show."""
    promised = {p for o in operations for p in _patterns(o.output_schema)}
    return [_kept(operation, entities, promised) for operation in operations]


def _patterns(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _patterns(part)


def _kept(operation: Operation, entities: Mapping[str, Entity], promised: set[str]) -> Operation:
    wanted: dict[str, str] = {}
    for step in walk_steps(operation.steps):
        for column, value in step.values if isinstance(step, Insert | Update) else ():
            attribute = entities[step.entity].attribute(column) if isinstance(step, Insert | Update) else None
            if attribute is not None and attribute.type is ColumnType.TEXT and attribute.pattern in promised:
                wanted.update({name: attribute.pattern for name in _given(value) if attribute.pattern is not None})
    refusals = [_refusal(p.name, wanted[p.name]) for p in operation.parameters if p.name in wanted and _is_open(p)]
    return operation.model_copy(update={"steps": (*refusals, *operation.steps)}) if refusals else operation


def _given(value: Expression) -> Iterator[str]:
    """The parameter that is stored as it is, also where something else is stored without it."""
    if isinstance(value, Argument):
        yield value.name
    elif isinstance(value, Apply) and value.function == "coalesce":
        yield from _given(value.arguments[0])


def _is_open(parameter: Any) -> bool:
    bare = shape_of(parameter.json_schema).schema
    return bare.get("type") == "string" and not {"pattern", "enum", "const"} & bare.keys()


def _refusal(name: str, pattern: str) -> Refuse:
    text = text_like(pattern) or ""
    example = f", such as {text}" if follows(pattern, text) and not re.search(r"[{}]", text) and text else ""
    argument = Argument(name=name)
    return Refuse(
        when=negate(call("or", call("is_null", argument), call("matches", argument, Constant(value=pattern)))),
        message=f"{name} {{{name}}} is not written as it has to be{example}.",
        evidence=f"results document {name} with the pattern {pattern}",
    )
