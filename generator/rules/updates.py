"""Changes to rows that exist, one by key or several, and to lists inside a row.

Invariant: a parameter that is not given leaves its column alone. Not covered: what prose adds (`effects`,
`preconditions`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Apply,
    Assign,
    Choose,
    ColumnType,
    Constant,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Listing,
    Now,
    OperationKind,
    RowField,
    Today,
    Update,
    Variable,
)
from autoforge.generator.rules.effects import apply_effects
from autoforge.generator.rules.inserts import completed, insert_record, reference_value, row_name
from autoforge.generator.rules.items import ItemScene, item_scene
from autoforge.generator.rules.preconditions import guard, names_owner, refuse_foreign
from autoforge.generator.rules.reads import find_by_key
from autoforge.generator.rules.returns import return_row, return_rows
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, equal, key_filter, negate
from autoforge.generator.rules.states import change_state, settings_of
from autoforge.generator.rules.stock import consume_children
from autoforge.generator.rules.verbs import VerbClass

__all__ = ["changes_of", "containers", "edit_list", "is_container", "left_over", "update_row", "update_steps"]


def containers(scene: Scene, entity: Entity) -> tuple[Filter, ...]:
    """References in front of the key say whose the row is: it must belong there."""
    filters = []
    for role in list(scene.roles_of("reference")):
        if not is_container(scene, entity, role) or role.entity not in scene.entities or role.many:
            continue
        other = scene.entities[role.entity]
        row = scene.find(other, scene.argument(role), row=row_name(role, other), shown=role.path[0])
        attribute = scene.attribute(role)
        if attribute is not None:
            filters.append(Filter(column=attribute.name, value=RowField(row=row, column=other.key[-1])))
    return tuple(filters)


def is_container(scene: Scene, entity: Entity, role: Role) -> bool:
    if role.entity == entity.name or len(role.path) > 1:
        return False
    http = scene.reading.tool.http
    if http is not None:
        return role.name in http.path_parameters
    order = list(scene.reading.tool.input_schema.get("properties", {}))
    key = scene.first("key", "batch")
    if key is not None and key.role == "batch" and role.required:
        return True
    moves = scene.reading.verb.kind in (VerbClass.ADD, VerbClass.MOVE, VerbClass.SET) or any(
        w in scene.reading.verb.word for w in ("assign", "link")
    )
    return role.required and key is not None and not moves and order.index(role.path[0]) < order.index(key.path[0])


def changes_of(scene: Scene, entity: Entity, roles: list[Role]) -> dict[str, Expression]:
    values: dict[str, Expression] = {}
    for role in roles:
        if role.role == "reference":
            if names_owner(scene, entity, role):
                continue
            if isinstance(scene, ItemScene) or not is_container(scene, entity, role):
                reference_value(scene, entity, role, values)
        elif (
            role.role not in ("key", "batch", "element", "old", "same")
            and role.column
            and (attribute := entity.attribute(role.column))
        ):
            given = scene.argument(role)
            merges = (
                attribute.type is ColumnType.JSON
                and (attribute.item_schema or {}).get("type") == "object"
                and not role.many
                and scene.reading.verb.kind is VerbClass.UPDATE
            )
            whole = completed(scene, entity, role.column, given)
            given = (
                given
                if whole is given
                else whole
                if role.required
                else Choose(condition=call("not_null", given), then=whole)
            )
            values[role.column] = (
                Choose(
                    condition=call("not_null", given),
                    then=call("merge", call("coalesce", _current(entity, role.column), Constant(value={})), given),
                )
                if merges
                else given
            )
    return values


def _current(entity: Entity, column: str) -> Expression:
    return RowField(row=entity.name, column=column)


def update_steps(entity: Entity, row: str, values: dict[str, Expression]) -> list[Update]:
    given = tuple(c for c, v in values.items() if not isinstance(v, Constant | Now | Today) and not _computed(v))
    stamp: dict[str, Expression] = {}
    for name in ("updated_at", "modified_at", "last_modified", "updated"):
        if (attribute := entity.attribute(name)) is not None and name not in values:
            stamp[name] = Today() if attribute.type is ColumnType.DATE else Now()
    return (
        [Update(row=row, entity=entity.name, values=tuple({**values, **stamp}.items()), when_given=given)]
        if values
        else []
    )


def _computed(value: Expression) -> bool:
    return isinstance(value, Apply)


def update_row(scene: Scene, entity: Entity, keys: list[Role]) -> None:
    verb = scene.reading.verb
    scene.kind = (
        OperationKind.SET_STATUS
        if verb.kind in (VerbClass.STATE, VerbClass.TOGGLE)
        else OperationKind.MOVE
        if verb.kind is VerbClass.MOVE
        else OperationKind.UPDATE
    )
    if keys and keys[0].many:
        _update_many(scene, entity, keys[0])
        return
    filters = containers(scene, entity)
    row = (
        find_by_key(scene, entity, keys[0], filters)
        if keys
        else scene.find(entity, None)
        if entity.singleton
        else scene.own_row(entity) or scene.find(entity, None)
    )
    if row != entity.name:
        scene.add(Assign(name=entity.name, value=Variable(name=row)))
        row = entity.name
        scene.bound[row] = entity.name
    values = changes_of(scene, entity, scene.roles)
    change_state(scene, entity, row, values)
    old = scene.first("old")
    if old is not None and old.column and entity.attribute(old.column):
        scene.refuse(
            call("not_equal", RowField(row=row, column=old.column), scene.argument(old)),
            f"The {old.column.replace('_', ' ')} given is not the current one.",
            "other",
        )
    settled = settings_of(scene, entity)
    if (
        verb.kind is VerbClass.UPDATE
        and values
        and not settled
        and not any(r.required for r in scene.roles if r.column in values)
    ):
        scene.refuse(
            call("and", *(call("is_null", scene.argument(r)) for r in scene.roles if r.column in values)),
            "Nothing to change was given.",
            "empty",
        )
    for role in scene.roles_of("same"):
        held = RowField(row=row, column=role.column or entity.key[-1])
        scene.refuse(
            call("and", call("not_null", scene.argument(role)), call("not_equal", scene.argument(role), held)),
            f"{{{role.path[0]}}} is not the {role.name} of this {entity.title.lower()}.",
            "other",
        )
    guard(scene, entity, row)
    refuse_foreign(scene, entity, row)
    if any(c.kind == "stock" for c in scene.clues):
        consume_children(scene, entity, row)
    scene.add(*update_steps(entity, row, values))
    apply_effects(scene, entity, row, created=False)
    _record_run(scene, entity, row)
    record = scene.cast.record_of_tool.get(scene.reading.tool.name)
    if record in scene.entities and record != entity.name:
        amount = next(
            (
                a.name
                for a in entity.attributes
                if a.name in ("amount_due", "amount", "total", "total_amount", "total_price", "balance_due", "importe")
            ),
            None,
        )
        insert_record(
            scene,
            scene.entities[record],
            {entity.name: RowField(row=row, column=entity.key[-1])},
            RowField(row=row, column=amount) if amount else None,
        )
    return_row(scene, entity, row)


def _record_run(scene: Scene, entity: Entity, row: str) -> None:
    """`run_task_now`: one more row where the tools list runs."""
    if scene.reading.verb.kind is not VerbClass.RUN:
        return
    words = ("execution", "run", "history", "log", "result", "job", "event")
    record = next(
        (
            e
            for e in scene.entities.values()
            if e.name != entity.name
            and e.name.split("_")[-1] in words
            and any(a.references == entity.name for a in e.attributes)
        ),
        None,
    )
    if record is not None:
        insert_record(scene, record, {entity.name: RowField(row=row, column=entity.key[-1])})


def _update_many(scene: Scene, entity: Entity, key: Role) -> None:
    inner = item_scene(scene, key)
    row = entity.name
    inner.add(
        Find(
            row=row,
            entity=entity.name,
            where=(*key_filter(entity, Variable(name="item")), *containers(scene, entity)),
            missing=f"No {entity.title.lower()} with {entity.key[-1]} {{item}} was found.",
        )
    )
    values = changes_of(scene, entity, [r for r in scene.roles if r is not key])
    inner.bound[row] = entity.name
    change_state(scene, entity, row, values, refuse_into=inner)
    inner.add(*update_steps(entity, row, values))
    changed = scene.variable(f"changed_{entity.table}")
    scene.add(
        Each(
            over=scene.argument(key), item="item", steps=tuple(inner.steps), collect=changed, result=Variable(name=row)
        )
    )
    scene.bound[changed] = entity.name
    return_rows(scene, entity, changed)


def edit_list(scene: Scene, entity: Entity, keys: list[Role], element: Role) -> None:
    """Add to or remove from a list column of one row; twice the same is refused, and so is removing what is not
    there.
    """
    adds = scene.reading.verb.kind not in (VerbClass.REMOVE, VerbClass.DELETE)
    scene.kind = OperationKind.LINK if adds else OperationKind.UNLINK
    row = find_by_key(scene, entity, keys[0], containers(scene, entity)) if keys else scene.find(entity, None)
    column = element.column or ""
    current = call("coalesce", RowField(row=row, column=column), Constant(value=[]))
    value = scene.argument(element)
    shown = element.path[0]
    other = scene.entities.get(element.entity or "")
    if other is not None and element.many and adds:
        named = Find(
            row="referred",
            entity=other.name,
            where=key_filter(other, Variable(name="one_id")),
            missing=f"No {other.title.lower()} with {other.key[-1]} {{one_id}} was found.",
        )
        scene.add(Each(over=value, item="one_id", steps=(named,)))
    if element.many and not adds:
        kept = scene.variable("kept")
        scene.add(Assign(name=kept, value=left_over(current, value)))
        same = equal(call("length", Variable(name=kept)), call("length", current))
        scene.refuse(same, f"None of them is in {column.replace('_', ' ')}.", "missing")
    if element.many:
        changed: Expression = left_over(current, value) if not adds else call("unique", call("merge", current, value))
    elif adds:
        scene.refuse(
            call("in", value, current), f"'{{{shown}}}' is already in {column.replace('_', ' ')}.", "duplicate"
        )
        changed = call("append", current, value)
    else:
        scene.refuse(
            negate(call("in", value, current)), f"'{{{shown}}}' is not in {column.replace('_', ' ')}.", "missing"
        )
        changed = call("without", current, value)
    guard(scene, entity, row)
    rest = changes_of(scene, entity, [r for r in scene.roles if r is not element])
    values = {column: changed, **rest}
    scene.add(*update_steps(entity, row, values))
    return_row(scene, entity, row)


def left_over(held: Expression, gone: Expression) -> Expression:
    """The members of a list that are not in another."""
    member = Variable(name="member")
    return Listing(over=held, item="member", value=member, condition=negate(call("in", member, gone)))
