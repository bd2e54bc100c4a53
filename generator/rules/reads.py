"""Operations that only look: one row, a list with filters, search, sort and pages, a count, an attribute.

Invariant: a reading operation has no effects but reads, and each of its parameters narrows, orders, cuts or shapes what
is returned. Not covered: what is returned in detail (`returns`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Assign,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Filter,
    Item,
    OperationKind,
    Record,
    Return,
    RowField,
    Select,
    Variable,
)
from autoforge.generator.rules.availability import only_free
from autoforge.generator.rules.preconditions import READING_CLUES, guard
from autoforge.generator.rules.projection import project
from autoforge.generator.rules.read_filters import (
    adjective_filters,
    container_filters,
    direct_children,
    filters_of,
    own_filter,
    state_filters,
    text_columns,
    variant_filter,
)
from autoforge.generator.rules.read_order import offset_of, order_of
from autoforge.generator.rules.returns import return_row, return_rows
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, counted, negate
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import snake

__all__ = ["build_read", "find_by_key"]


def build_read(scene: Scene, entity: Entity) -> None:
    """Build a get, list, search, count or check."""
    keys = [r for r in scene.roles_of("key") if not r.many]
    if keys and scene.reading.verb.kind is not VerbClass.COUNT and _one_row(scene, keys):
        _build_get(scene, entity, keys[0])
    elif entity.singleton or (not scene.roles and not scene.reading.plural and _is_own(scene, entity)):
        scene.kind = OperationKind.GET
        row = scene.find(entity, None) if entity.singleton else scene.own_row(entity) or scene.find(entity, None)
        _check_references(scene)
        _check_filters(scene, entity, row)
        _finish_one(scene, entity, row)
    else:
        _build_list(scene, entity)


def _is_own(scene: Scene, entity: Entity) -> bool:
    session = scene.entities.get("session")
    return session is not None and any(a.references == entity.name for a in session.attributes)


def _one_row(scene: Scene, keys: list[Role]) -> bool:
    return keys[0].required or not scene.reading.plural


def _build_get(scene: Scene, entity: Entity, key: Role) -> None:
    scene.kind = OperationKind.GET
    extra = container_filters(scene, entity)
    row = find_by_key(scene, entity, key, extra)
    guard(scene, entity, row, only=READING_CLUES)
    _finish_one(scene, entity, row)


def find_by_key(scene: Scene, entity: Entity, key: Role, extra: tuple[Filter, ...] = ()) -> str:
    """Bind the row that a key parameter names: by the key column, by another unique column, or by either where names
    are keys to people.
    """
    shown = key.path[0]
    column = key.column if key.column and entity.attribute(key.column) and key.column not in entity.key else None
    if column is None:
        return scene.find(entity, scene.argument(key), shown=shown, extra=extra)
    where = Filter(column=column, value=scene.argument(key), comparison="equal")
    return scene.find(entity, None, shown=shown, extra=(where, *extra))


def _check_references(scene: Scene) -> None:
    for role in scene.roles_of("reference"):
        if role.entity in scene.entities and role.required and not role.many:
            scene.find(scene.entities[role.entity], scene.argument(role), shown=role.path[0])


def _check_filters(scene: Scene, entity: Entity, row: str) -> None:
    """What is asked of the only row must be so."""
    for role in scene.roles_of("filter"):
        attribute = scene.attribute(role)
        if attribute is None or role.many or attribute.type is ColumnType.JSON or role.path[0] not in scene.unused():
            continue
        given, held = scene.argument(role), RowField(row=row, column=attribute.name)
        wrong = call("and", call("not_null", given), call("not_equal", held, given))
        named = attribute.name.replace("_", " ")
        scene.refuse(wrong, f"There is no {entity.title.lower()} with this {named}.", "missing")


def _finish_one(scene: Scene, entity: Entity, row: str) -> None:
    """Return the row, shaped by projection flags, or the one attribute that the tool is about."""
    attribute_word = scene.cast.attribute_of_tool.get(scene.reading.tool.name)
    chooser = next(
        (
            r
            for r in scene.roles_of("value", "filter", "project")
            if snake(r.name) in ("field_name", "field", "attribute", "property", "key", "column")
        ),
        None,
    )
    if chooser is not None and scene.plan is None:
        names = tuple(
            (scene.names.get(entity.name, {}).get(a.name, a.name), RowField(row=row, column=a.name))
            for a in entity.attributes
        )
        scene.add(Assign(name="values", value=Record(fields=names)))
        scene.refuse(
            negate(call("in", scene.argument(chooser), call("keys", Variable(name="values")))),
            f"There is no field '{{{chooser.path[0]}}}'.",
            "missing",
        )
        scene.add(
            Return(
                value=Record(
                    fields=(
                        ("field", scene.argument(chooser)),
                        ("value", Item(container=Variable(name="values"), key=scene.argument(chooser))),
                    )
                )
            )
        )
        return
    if attribute_word and scene.plan is None:
        attribute = next(
            (a for a in entity.attributes if a.name == attribute_word or a.name.endswith("_" + attribute_word)), None
        )
        if attribute is not None:
            key = entity.key[-1]
            scene.add(
                Return(
                    value=Record(
                        fields=(
                            (key, RowField(row=row, column=key)),
                            (attribute.name, RowField(row=row, column=attribute.name)),
                        )
                    )
                )
            )
            return
    return_row(scene, entity, row)
    project(scene, entity)


def _build_list(scene: Scene, entity: Entity) -> None:
    reading = scene.reading
    scene.kind = {VerbClass.SEARCH: OperationKind.SEARCH, VerbClass.COUNT: OperationKind.COUNT}.get(
        reading.verb.kind, OperationKind.LIST
    )
    where: list[Filter] = []
    search: tuple[tuple[str, ...], Expression] | None = None
    for role in scene.roles:
        if role.role == "search" and search is None:
            search = (text_columns(entity), scene.argument(role))
        else:
            where.extend(filters_of(scene, entity, role))
    where.extend(adjective_filters(scene, entity))
    where.extend(variant_filter(scene, entity))
    where.extend(own_filter(scene, entity))
    where.extend(state_filters(scene, entity))
    guard(scene, entity, None, only=READING_CLUES)
    order, limit, offset = order_of(scene, entity), scene.first("limit"), offset_of(scene)
    rows = scene.variable(entity.table)
    total = None
    paged = limit is not None or offset is not None
    size = scene.argument(limit) if limit is not None else None
    booking = scene.bookings.get(entity.name)
    if booking is not None and scene.first("free_from") is not None:
        scene.add(Select(rows=rows, entity=entity.name, where=tuple(where), search=search, order=order))
        scene.bound[rows] = entity.name
        return_rows(scene, entity, only_free(scene, entity, booking, rows))
        return
    if paged:
        every = scene.variable(f"all_{entity.table}")
        scene.add(Select(rows=every, entity=entity.name, where=tuple(where), search=search, order=order))
        total = scene.variable("total")
        scene.add(Assign(name=total, value=counted(every)))
        part = call("page", Variable(name=every), size or Constant(value=None), offset or Constant(value=None))
        scene.add(Assign(name=rows, value=part))
    else:
        scene.add(Select(rows=rows, entity=entity.name, where=tuple(where), search=search, order=order))
    scene.bound[rows] = entity.name
    rows = direct_children(scene, entity, rows)
    if scene.kind is OperationKind.COUNT and scene.plan is None:
        scene.add(Return(value=Record(fields=(("count", Variable(name=total) if total else counted(rows)),))))
        return
    return_rows(scene, entity, rows, total=total)
    project(scene, entity)
