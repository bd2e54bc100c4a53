"""Lists of objects as a parameter: one row is made, changed or deleted for each.

Invariant: all or nothing, since a call is one transaction. Not covered: lists that belong to one new row (`inserts`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Argument,
    Choose,
    ColumnType,
    Constant,
    Delete,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    OperationKind,
    RowField,
    Update,
    Variable,
)
from autoforge.generator.rules.deletes import narrowed, return_done
from autoforge.generator.rules.inserts import choose_id, insert_row, reference_value
from autoforge.generator.rules.items import item_scene
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.presets import presets
from autoforge.generator.rules.returns import return_rows
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, key_filter
from autoforge.generator.rules.updates import changes_of, containers, left_over, update_steps

__all__ = ["batch_create", "batch_delete", "batch_update"]


def batch_create(scene: Scene, entity: Entity, batch: Role) -> None:
    scene.kind = OperationKind.CREATE
    outer: dict[str, Expression] = {}
    single = next((r.path[0] for r in scene.roles if len(r.path) > 1), None)
    for role in scene.roles_of("reference"):
        if len(role.path) == 1:
            reference_value(scene, entity, role, outer)
    for role in scene.roles_of("value"):
        if len(role.path) == 1 and role.column and entity.attribute(role.column):
            outer[role.column] = scene.argument(role)
    guard(scene, entity, None)
    inner = item_scene(scene, batch)
    values = dict(outer)
    for role in inner.roles:
        if role.role == "reference":
            reference_value(inner, entity, role, values)
        column = entity.key[-1] if role.role == "key" else role.column
        if column and entity.attribute(column):
            values[column] = inner.argument(role)
    presets(inner, entity, values)
    choose_id(entity, values)
    row = insert_row(inner, entity, values)
    made = scene.variable(f"created_{entity.table}")
    scene.add(
        Each(
            over=_batch_of(scene, batch, single),
            item="item",
            steps=tuple(inner.steps),
            collect=made,
            result=Variable(name=row),
        )
    )
    scene.bound[made] = entity.name
    return_rows(scene, entity, made)


def _batch_of(scene: Scene, batch: Role, single: str | None) -> Expression:
    """The list that is given; where one object may be given instead, that object alone."""
    many = scene.argument(batch)
    if single is None:
        return many if batch.required else call("coalesce", many, Constant(value=[]))
    alone = Argument(name=single)
    scene.refuse(
        call("and", call("is_null", many), call("is_null", alone)),
        f"Neither {batch.name} nor {single} was given.",
        "empty",
    )
    return Choose(condition=call("not_null", many), then=many, otherwise=call("append", Constant(value=[]), alone))


def batch_update(scene: Scene, entity: Entity, batch: Role) -> None:
    scene.kind = OperationKind.UPDATE
    filters = containers(scene, entity)
    inner = item_scene(scene, batch)
    key = next((r for r in inner.roles if r.role == "key"), None)
    if key is None:
        key = next((r for r in inner.roles if r.required and r.column), inner.roles[0])
    column = entity.key[-1] if key.role == "key" else key.column or entity.key[-1]
    row = inner.variable(entity.name)
    inner.add(
        Find(
            row=row,
            entity=entity.name,
            where=(Filter(column=column, value=inner.argument(key)), *filters),
            missing=f"No {entity.title.lower()} with this {column.replace('_', ' ')} was found.",
        )
    )
    inner.bound[row] = entity.name
    values = changes_of(inner, entity, [r for r in inner.roles if r is not key])
    listed = next((r for r in inner.roles if r.role == "element" and r.column), None)
    if listed is not None:
        held = call("coalesce", RowField(row=row, column=str(listed.column)), Constant(value=[]))
        values[str(listed.column)] = call("unique", call("concat", held, inner.argument(listed)))
    inner.add(*update_steps(entity, row, values))
    changed = scene.variable(f"changed_{entity.table}")
    scene.add(
        Each(
            over=scene.argument(batch),
            item="item",
            steps=tuple(inner.steps),
            collect=changed,
            result=Variable(name=row),
        )
    )
    scene.bound[changed] = entity.name
    return_rows(scene, entity, changed)


def batch_delete(scene: Scene, entity: Entity, batch: Role) -> None:
    """Delete by example: rows that equal each object in what it names; nothing is an error."""
    scene.kind = OperationKind.DELETE
    inner = item_scene(scene, batch)
    outer = containers(scene, entity)
    where: list[Filter] = [*outer, *narrowed(scene, entity, outer)]
    for role in inner.roles:
        column = entity.key[-1] if role.role == "key" else role.column
        attribute = entity.attribute(column) if column else None
        if attribute is not None and attribute.type is not ColumnType.JSON:
            where.append(Filter(column=attribute.name, value=inner.argument(role), optional=not role.required))
    row = inner.variable(entity.name)
    inner.add(
        Find(row=row, entity=entity.name, where=tuple(where), missing=f"No such {entity.title.lower()} was found.")
    )
    lists = [
        r
        for r in inner.roles
        if r.column and (a := entity.attribute(r.column)) is not None and a.type is ColumnType.JSON
    ]
    if lists and scene.cast.attribute_of_tool.get(scene.reading.tool.name):
        column = lists[0].column or ""
        held = call("coalesce", RowField(row=row, column=column), Constant(value=[]))
        kept = (
            left_over(held, inner.argument(lists[0]))
            if lists[0].many
            else call("without", held, inner.argument(lists[0]))
        )
        inner.add(Update(row=row, entity=entity.name, values=((column, kept),)))
    else:
        inner.add(Delete(entity=entity.name, where=key_filter(entity, RowField(row=row, column=entity.key[-1]))))
    scene.add(Each(over=scene.argument(batch), item="item", steps=tuple(inner.steps)))
    return_done(scene, entity, (("deleted", call("length", scene.argument(batch))),))
