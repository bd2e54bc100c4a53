"""Deletions: by key, by several keys, by what rows have in common, the latest; and the reasons given for them.

Invariant: what is said about a deletion outlives the row, in the audit table. Not covered: what hangs on a row, which
goes with it by foreign key.
"""

from __future__ import annotations

import re
from typing import Literal

from autoforge.generator.ir import (
    Assign,
    ColumnType,
    Constant,
    Delete,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Insert,
    NextId,
    Now,
    OperationKind,
    Order,
    Record,
    Return,
    RowField,
    Select,
    Update,
    Variable,
)
from autoforge.generator.rules.inserts import filler
from autoforge.generator.rules.items import item_scene
from autoforge.generator.rules.preconditions import guard, refuse_foreign
from autoforge.generator.rules.reads import find_by_key
from autoforge.generator.rules.returns import return_row, return_rows
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, counted, equal, key_filter
from autoforge.generator.rules.updates import containers, is_container
from autoforge.generator.rules.words import snake

__all__ = ["AUDIT", "delete_rows", "link_of", "narrowed", "return_done"]


AUDIT = "audit_entry"
"""Entity that holds the reasons given for deletions, where the row they speak of is gone."""


def link_of(scene: Scene, entity: Entity) -> Role | None:
    """`remove_member(team_id, user_id)`: a reference that is not in front of the key."""
    return next((r for r in scene.roles_of("reference") if r.required and not is_container(scene, entity, r)), None)


def delete_rows(scene: Scene, entity: Entity, keys: list[Role]) -> None:
    scene.kind = OperationKind.DELETE
    filters = containers(scene, entity)
    if not keys:
        _delete_all(scene, entity, filters)
        return
    if keys[0].many:
        inner = item_scene(scene, keys[0])
        inner.add(
            Find(
                row=entity.name,
                entity=entity.name,
                where=(*key_filter(entity, Variable(name="item")), *filters),
                missing=f"No {entity.title.lower()} with {entity.key[-1]} {{item}} was found.",
            ),
            Delete(entity=entity.name, where=key_filter(entity, Variable(name="item"))),
        )
        scene.add(Each(over=scene.argument(keys[0]), item="item", steps=tuple(inner.steps)))
        _audit(scene, entity, call("text", scene.argument(keys[0])))
        return_done(scene, entity, (("deleted", call("length", scene.argument(keys[0]))),))
        return
    row = find_by_key(scene, entity, keys[0], filters)
    guard(scene, entity, row)
    refuse_foreign(scene, entity, row)
    key = RowField(row=row, column=entity.key[-1])
    _audit(scene, entity, call("text", key))
    scene.add(Delete(entity=entity.name, where=key_filter(entity, key)))
    if scene.plan is not None:
        return_row(scene, entity, row)
    else:
        return_done(scene, entity, (("deleted", Constant(value=True)), (entity.key[-1], key)))


def _audit(scene: Scene, entity: Entity, target: Expression) -> None:
    """Reasons and the like, given when a row goes, are kept in the audit table."""
    audit = scene.entities.get(AUDIT)
    kept = [r for r in scene.roles_of("value", "reference", "filter", "flag") if r.path[0] in scene.unused()]
    if audit is None or not kept:
        return
    details = Record(fields=tuple((snake(r.name), scene.argument(r)) for r in kept))
    values: tuple[tuple[str, Expression], ...] = (
        ("id", NextId(entity=AUDIT)), ("action", Constant(value=scene.reading.tool.name)), ("target", target),
        ("details", details), ("created_at", Now()),
    )  # fmt: skip
    scene.add(Insert(row="audit", entity=AUDIT, values=values))


def narrowed(scene: Scene, entity: Entity, filters: tuple[Filter, ...]) -> list[Filter]:
    """Parameters that say which of the rows: each one that has a column and is no filter yet."""
    where: list[Filter] = []
    for role in scene.roles:
        attribute = scene.attribute(role)
        if attribute is None or role.role == "batch" or any(f.column == attribute.name for f in filters):
            continue
        listed = attribute.type is ColumnType.JSON
        comparison: Literal["equal", "in", "has", "has_any"] = (
            ("has_any" if listed else "in") if role.many else ("has" if listed else "equal")
        )
        value = scene.argument(role)
        where.append(Filter(column=attribute.name, value=value, optional=not role.required, comparison=comparison))
    return where


def _delete_all(scene: Scene, entity: Entity, filters: tuple[Filter, ...]) -> None:
    """`clear_…` without a key: every row that the parameters name; a singleton goes back to its defaults."""
    if entity.singleton:
        row = scene.find(entity, None)
        values: tuple[tuple[str, Expression], ...] = tuple(
            (a.name, Constant(value=a.default) if a.nullable or a.default is not None else filler(a))
            for a in entity.attributes
            if a.name not in entity.key
        )
        told = {r.column: scene.argument(r) for r in scene.roles if r.column and entity.attribute(r.column)}
        begun = tuple((c, call("coalesce", told[c], v) if c in told else v) for c, v in values)
        scene.add(Update(row=row, entity=entity.name, values=begun))
        return_row(scene, entity, row)
        return
    where = [*filters, *narrowed(scene, entity, filters)]
    text = scene.reading.tool.description.lower()
    status = entity.attribute(entity.status) if entity.status else None
    if status is not None:
        named = next(
            (v for v in status.enum if f"all {str(v).lower()}" in text or f"{str(v).lower()} {entity.name}" in text),
            None,
        )
        if named is not None:
            where.append(Filter(column=status.name, value=Constant(value=named)))
    rows = scene.variable(entity.table)
    if re.search(r"\b(?:latest|last|most recent|newest|first|oldest)\b", text) and scene.roles:
        newest = not re.search(r"\b(?:first|oldest)\b", text)
        scene.add(
            Select(
                rows=rows,
                entity=entity.name,
                where=tuple(where),
                order=(Order(column=entity.key[-1], descending=Constant(value=newest)),),
                limit=Constant(value=1),
            )
        )
        scene.add(Assign(name="deleted", value=counted(rows)))
        scene.bound[rows] = entity.name
        scene.refuse(
            equal(Variable(name="deleted"), Constant(value=0)), f"No {entity.title.lower()} matches.", "missing"
        )
        scene.add(Assign(name="chosen", value=call("at", Variable(name=rows), Constant(value=0))))
        scene.bound["chosen"] = entity.name
        scene.add(Delete(entity=entity.name, where=key_filter(entity, RowField(row="chosen", column=entity.key[-1]))))
        return_rows(scene, entity, rows) if scene.plan is not None else return_done(
            scene, entity, (("deleted", Constant(value=True)),)
        )
        return
    scene.add(Select(rows=rows, entity=entity.name, where=tuple(where)), Assign(name="deleted", value=counted(rows)))
    scene.bound[rows] = entity.name
    if any(r.required for r in scene.roles):
        scene.refuse(
            equal(Variable(name="deleted"), Constant(value=0)), f"No {entity.title.lower()} matches.", "missing"
        )
    flag = _flag_told(entity, text)
    scene.add(_flagged(scene, entity, rows, flag) if flag else Delete(entity=entity.name, where=tuple(where)))
    if scene.plan is not None:
        return_rows(scene, entity, rows)
    else:
        return_done(scene, entity, ((flag or "deleted", Variable(name="deleted")),))


def _flag_told(entity: Entity, text: str) -> str | None:
    """“the affected tasks will be marked as 'hidden'”: the switch that is set where the rows do not go."""
    told = re.findall(r"\bmark(?:s|ed|ing)?\b[^.,;]{0,40}? as ['\"`‘’“”]?(\w+)", text)
    switches = [a.name for a in entity.attributes if a.type is ColumnType.BOOLEAN]
    return next((name for name in switches for word in told if name in (word, f"is_{word}")), None)


def _flagged(scene: Scene, entity: Entity, rows: str, flag: str) -> Each:
    """Set the switch of each of the rows."""
    row, key = f"cleared_{entity.name}", RowField(row="item", column=entity.key[-1])
    found = Find(
        row=row, entity=entity.name, where=key_filter(entity, key), missing=f"The {entity.title.lower()} is gone."
    )
    change = Update(row=row, entity=entity.name, values=((flag, Constant(value=True)),))
    return Each(over=Variable(name=rows), item="item", steps=(found, change))


def return_done(scene: Scene, entity: Entity, fields: tuple[tuple[str, Expression], ...]) -> None:
    if scene.plan is not None:
        return_rows(scene, entity, _all(scene, entity))
    else:
        scene.add(Return(value=Record(fields=fields)))


def _all(scene: Scene, entity: Entity) -> str:
    rows = scene.variable(entity.table)
    scene.add(Select(rows=rows, entity=entity.name))
    scene.bound[rows] = entity.name
    return rows
