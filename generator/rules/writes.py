"""Operations that change rows: which kind a tool is.

Invariant: every value parameter of a writing tool ends in a column. Not covered: money and stock (`transfers`,
`stock`), sessions (`sessions`), rules in prose (`preconditions`).
"""

from __future__ import annotations

from autoforge.generator.ir import Constant, Entity, Expression, OperationKind, RowField, Update
from autoforge.generator.rules.availability import refuse_overlap
from autoforge.generator.rules.batches import batch_create, batch_delete, batch_update
from autoforge.generator.rules.deletes import delete_rows, link_of
from autoforge.generator.rules.effects import apply_effects, presets_from_prose
from autoforge.generator.rules.inserts import (
    choose_id,
    insert_children,
    insert_row,
    reference_value,
    refuse_twice,
    row_name,
)
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.presets import presets
from autoforge.generator.rules.returns import return_row
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.updates import edit_list, update_row
from autoforge.generator.rules.verbs import VerbClass

__all__ = ["build_write"]


def build_write(scene: Scene, entity: Entity) -> None:
    """Build any operation that changes rows of its entity."""
    verb = scene.reading.verb.kind
    keys, elements, batch = scene.roles_of("key"), scene.roles_of("element"), scene.first("batch")
    if batch is not None and verb is VerbClass.ADD and scene.reading.tool.name in scene.cast.edited_lists:
        batch_update(scene, entity, batch)
    elif verb is VerbClass.ADD and not elements and not entity.singleton and not any(k.required for k in keys):
        batch_create(scene, entity, batch) if batch is not None else _create(scene, entity)
    elif batch is not None and verb in (VerbClass.DELETE, VerbClass.REMOVE):
        batch_delete(scene, entity, batch)
    elif batch is not None and (
        verb is VerbClass.UPDATE or (any(i.role == "key" for i in batch.items) and verb is not VerbClass.CREATE)
    ):
        batch_update(scene, entity, batch)
    elif batch is not None:
        batch_create(scene, entity, batch)
    elif elements and (keys or entity.singleton):
        edit_list(scene, entity, keys, elements[0])
    elif verb in (VerbClass.DELETE, VerbClass.REMOVE) and not (
        verb is VerbClass.REMOVE and keys and link_of(scene, entity)
    ):
        delete_rows(scene, entity, keys)
    elif (verb in (VerbClass.CREATE, VerbClass.SEND) and not entity.singleton) or (
        verb
        in (
            VerbClass.ADD,
            VerbClass.RUN,
            VerbClass.COMPUTE,
            VerbClass.TRANSFER,
            VerbClass.UPDATE,
            VerbClass.SET,
            VerbClass.STATE,
            VerbClass.MOVE,
        )
        and not keys
        and not entity.singleton
        and not _about_own(scene, entity)
    ):
        _create(scene, entity)
    else:
        update_row(scene, entity, keys)


def _about_own(scene: Scene, entity: Entity) -> bool:
    """Whether rows of the entity are who logs in, and the tool changes something of whoever is."""
    session = scene.entities.get("session")
    changes = scene.reading.verb.kind in (VerbClass.UPDATE, VerbClass.SET, VerbClass.STATE, VerbClass.TOGGLE)
    return changes and session is not None and any(a.references == entity.name for a in session.attributes)


def _create(scene: Scene, entity: Entity) -> None:
    scene.kind = OperationKind.CREATE
    values: dict[str, Expression] = {}
    for role in scene.roles_of("reference"):
        reference_value(scene, entity, role, values)
    holders = [
        (
            r,
            scene.find(
                scene.entities[r.entity or ""],
                scene.argument(r),
                row=row_name(r, scene.entities[r.entity or ""]),
                shown=r.path[0],
            ),
        )
        for r in scene.roles_of("member")
    ]
    for role in scene.roles_of(
        "value",
        "filter",
        "key",
        "password",
        "low",
        "high",
        "flag",
        "old",
        "element",
        "search",
        "limit",
        "sort",
        "page",
        "offset",
        "project",
        "token",
        "direction",
    ):
        column = entity.key[-1] if role.role == "key" and not role.many else role.column
        if column and entity.attribute(column):
            values[column] = scene.argument(role)
    for column, value in presets_from_prose(scene, entity).items():
        values[column] = call("coalesce", values[column], value) if column in values else value
    presets(scene, entity, values)
    choose_id(entity, values)
    if entity.name in scene.cast.children.values() or scene.reading.tool.name in scene.cast.links:
        refuse_twice(scene, entity, values)
    guard(scene, entity, None)
    refuse_overlap(scene, scene.bookings, entity, values)
    row = insert_row(scene, entity, values)
    apply_effects(scene, entity, row, created=True)
    insert_children(scene, entity, row)
    for role, holder in holders:
        column = scene.cast.members[(role.entity or "", entity.name)]
        listed = call(
            "append",
            call("coalesce", RowField(row=holder, column=column), Constant(value=[])),
            RowField(row=row, column=entity.key[-1]),
        )
        scene.add(Update(row=holder, entity=role.entity or "", values=((column, listed),)))
    return_row(scene, entity, row)
