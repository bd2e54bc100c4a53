"""Parameters that shape what is returned: fields to show, levels of detail, parts to leave out.

Invariant: what an output schema requires is never left out. Not covered: which rows are returned (`reads`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autoforge.generator.ir import (
    Apply,
    Choose,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Listing,
    Record,
    Return,
)
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, negate
from autoforge.generator.rules.words import snake

__all__ = ["project"]


def project(scene: Scene, entity: Entity) -> None:
    """Parameters that shape the output: include flags, field lists, detail levels, truncation."""
    shaping = [r for r in scene.roles_of("flag", "project") if r.path[0] in scene.unused()]
    if not shaping or not scene.steps or not isinstance(scene.steps[-1], Return):
        return
    last = scene.steps.pop()
    assert isinstance(last, Return)
    value = last.value
    kept = frozenset(_required_names(scene.reading.tool.output_schema or {}))
    for role in shaping:
        value = _shape_by(scene, entity, role, value, kept)
    scene.add(Return(value=value))


def _required_names(schema: dict[str, Any]) -> Iterator[str]:
    """Properties that an output must have, at any depth."""
    yield from schema.get("required", ())
    for part in [*schema.get("properties", {}).values(), schema.get("items")]:
        if isinstance(part, dict):
            yield from _required_names(part)


def _shape_by(scene: Scene, entity: Entity, role: Role, value: Expression, kept: frozenset[str]) -> Expression:
    """One projection parameter applied to the returned record, or to each record of its list."""
    argument = scene.argument(role)

    def on(record: Record) -> Record:
        fields = tuple((n, f if n in kept else _shaped(entity, role, argument, n, f)) for n, f in record.fields)
        optional = tuple(n for (n, f), (_, g) in zip(record.fields, fields, strict=True) if f is not g)
        return record.model_copy(update={"fields": fields, "omit_null": (*record.omit_null, *optional)})

    return _map_records(value, on)


def _map_records(value: Expression, on: Callable[[Record], Expression]) -> Expression:
    if isinstance(value, Record) and any(isinstance(f, Listing) for _, f in value.fields):
        return value.model_copy(
            update={"fields": tuple((n, _map_records(f, on) if isinstance(f, Listing) else f) for n, f in value.fields)}
        )
    if isinstance(value, Listing):
        return value.model_copy(update={"value": _map_records(value.value, on)})
    return on(value) if isinstance(value, Record) else value


def _shaped(entity: Entity, role: Role, argument: Expression, name: str, field: Expression) -> Expression:
    word = snake(role.name)
    key = name in entity.key
    if role.role == "flag":
        wanted = negate(argument) if word.startswith(("exclude", "without", "hide")) else argument
        concerned = role.column is not None and _concerns(role.column, name)
        return Choose(condition=wanted, then=field) if concerned else field
    if key:
        return field
    if role.shape.type is ColumnType.BOOLEAN and word == "truncate":
        return (
            Choose(condition=argument, then=call("truncate", field, Constant(value=40)), otherwise=field)
            if _is_text(entity, name)
            else field
        )
    if role.shape.type is ColumnType.BOOLEAN:
        wanted = negate(argument) if word in ("compact", "brief") else argument
        return field if _is_label(entity, name) else Choose(condition=wanted, then=field)
    if role.many:
        return Choose(
            condition=call("or", call("is_null", argument), call("in", Constant(value=name), argument)), then=field
        )
    values = [v for v in role.shape.schema.get("enum", ())]
    if values:
        return field if _is_label(entity, name) else _by_level(argument, values, field)
    return Choose(
        condition=call("or", call("is_null", argument), call("contains_text", argument, Constant(value=name))),
        then=field,
    )


def _by_level(argument: Expression, values: list[object], field: Expression) -> Expression:
    full = [
        v for v in values if any(w in str(v).lower() for w in ("full", "all", "complete", "detail", "verbose", "high"))
    ] or values[-1:]
    conditions: list[Apply] = [call("equal", argument, Constant(value=str(v))) for v in full]
    condition: Expression = call("or", call("is_null", argument), *conditions)
    return Choose(condition=condition, then=field)


def _concerns(wanted: str, name: str) -> bool:
    return (
        wanted == name
        or wanted.rstrip("s") == name.rstrip("s")
        or wanted.rstrip("s") in name
        or name.rstrip("s") in wanted
    )


def _is_text(entity: Entity, name: str) -> bool:
    attribute = entity.attribute(name)
    return attribute is not None and attribute.type is ColumnType.TEXT


def _is_label(entity: Entity, name: str) -> bool:
    return name == entity.label
