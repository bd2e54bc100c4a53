"""Operations that change rows: create, update, set a state, toggle, delete, add to and remove from lists, link, move.

Invariant: whatever could be refused is refused before the first write; every value parameter of a writing tool ends in a column.
Not covered: money and stock (`transfers`), sessions (`sessions`), rules in prose (`preconditions`).
"""

from __future__ import annotations

import re
from typing import Any

from autoforge.generator.ir import (
    Apply,
    Argument,
    Assign,
    Attribute,
    Choose,
    ColumnType,
    Constant,
    Delete,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Insert,
    Item,
    Listing,
    NextId,
    Now,
    OperationKind,
    Order,
    Record,
    Return,
    RowField,
    Select,
    Today,
    Update,
    Variable,
    When,
)
from autoforge.generator.rules.availability import refuse_overlap
from autoforge.generator.rules.effects import apply_effects, presets_from_prose
from autoforge.generator.rules.keys import FLAG_STATES, VERB_FLAGS, synonym_of
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.reads import find_by_key
from autoforge.generator.rules.returns import least_value, return_row, return_rows
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, counted, equal, key_filter, negate
from autoforge.generator.rules.shapes import properties_of, row_schema
from autoforge.generator.rules.stock import consume_children
from autoforge.generator.rules.words import VerbClass, snake

__all__ = ["AUDIT", "build_write", "create_row", "reference_value"]

AUDIT = "audit_entry"
"""Entity that holds the reasons given for deletions, where the row they speak of is gone."""


def build_write(scene: Scene, entity: Entity) -> None:
    """Build any operation that changes rows of its entity."""
    verb = scene.reading.verb.kind
    keys, elements, batch = scene.roles_of("key"), scene.roles_of("element"), scene.first("batch")
    if verb is VerbClass.ADD and not elements and not entity.singleton and not any(k.required for k in keys):
        _batch_create(scene, entity, batch) if batch is not None else _create(scene, entity)
    elif batch is not None and verb in (VerbClass.DELETE, VerbClass.REMOVE):
        _batch_delete(scene, entity, batch)
    elif batch is not None and (verb is VerbClass.UPDATE or any(i.role == "key" for i in batch.items) and verb is not VerbClass.CREATE):
        _batch_update(scene, entity, batch)
    elif batch is not None:
        _batch_create(scene, entity, batch)
    elif elements and (keys or entity.singleton):
        _edit_list(scene, entity, keys, elements[0])
    elif verb in (VerbClass.DELETE, VerbClass.REMOVE) and not (verb is VerbClass.REMOVE and keys and _link_of(scene, entity)):
        _delete(scene, entity, keys)
    elif verb in (VerbClass.CREATE, VerbClass.SEND) and not entity.singleton or verb in (VerbClass.ADD, VerbClass.RUN, VerbClass.COMPUTE, VerbClass.TRANSFER, VerbClass.UPDATE, VerbClass.SET, VerbClass.STATE, VerbClass.MOVE) and not keys and not entity.singleton and not _about_own(scene, entity):
        _create(scene, entity)
    else:
        _update(scene, entity, keys)


def _about_own(scene: Scene, entity: Entity) -> bool:
    """Whether rows of the entity are who logs in, and the tool changes something of whoever is."""
    session = scene.entities.get("session")
    changes = scene.reading.verb.kind in (VerbClass.UPDATE, VerbClass.SET, VerbClass.STATE, VerbClass.TOGGLE)
    return changes and session is not None and any(a.references == entity.name for a in session.attributes)


# --- create ----------------------------------------------------------------------------------------------------------------------


def _create(scene: Scene, entity: Entity) -> None:
    scene.kind = OperationKind.CREATE
    values: dict[str, Expression] = {}
    for role in scene.roles_of("reference"):
        reference_value(scene, entity, role, values)
    holders = [(r, scene.find(scene.entities[r.entity or ""], scene.argument(r), row=_row_name(r, scene.entities[r.entity or ""]), shown=r.path[0])) for r in scene.roles_of("member")]
    for role in scene.roles_of("value", "filter", "key", "password", "low", "high", "flag", "old", "element", "search", "limit", "sort", "page", "offset", "project", "token", "direction"):
        column = entity.key[-1] if role.role == "key" and not role.many else role.column
        if column and entity.attribute(column):
            values[column] = scene.argument(role)
    for column, value in presets_from_prose(scene, entity).items():
        values[column] = call("coalesce", values[column], value) if column in values else value
    _presets(scene, entity, values)
    _choose_id(entity, values)
    if entity.name in scene.cast.children.values() or scene.reading.tool.name in scene.cast.links:
        _refuse_twice(scene, entity, values)
    guard(scene, entity, None)
    refuse_overlap(scene, scene.bookings, entity, values)
    row = _insert(scene, entity, values)
    apply_effects(scene, entity, row, created=True)
    _insert_children(scene, entity, row)
    for role, holder in holders:
        column = scene.cast.members[(role.entity or "", entity.name)]
        listed = call("append", call("coalesce", RowField(row=holder, column=column), Constant(value=[])), RowField(row=row, column=entity.key[-1]))
        scene.add(Update(row=holder, entity=role.entity or "", values=((column, listed),)))
    return_row(scene, entity, row)


def create_row(scene: Scene, entity: Entity, values: dict[str, Expression]) -> str:
    """Insert a row of these values and of what a new row gets by itself; the name under which it is bound."""
    _presets(scene, entity, values)
    return _insert(scene, entity, values)


def _insert_children(scene: Scene, entity: Entity, row: str) -> None:
    """Rows of the lists that a new row comes with, each checked for what it refers to; the same thing twice is refused."""
    for role in scene.roles_of("children"):
        child = scene.entities[role.entity or ""]
        parent = next(a.name for a in child.attributes if a.references == entity.name)
        inner = _item_scene(scene, role)
        values: dict[str, Expression] = {parent: RowField(row=row, column=entity.key[-1])}
        for item in inner.roles:
            if item.role == "reference":
                reference_value(inner, child, item, values)
            elif item.column and child.attribute(item.column):
                values[item.column] = inner.argument(item)
        inner.clues = [c for c in scene.clues if c.kind in ("status_in", "status_not_in") and c.subject]
        guard(inner, child, None)
        _presets(inner, child, values)
        _refuse_twice(inner, child, values)
        _insert(inner, child, values)
        scene.add(Each(over=call("coalesce", scene.argument(role), Constant(value=[])), item="item", steps=tuple(inner.steps)))


def _refuse_twice(scene: Scene, child: Entity, values: dict[str, Expression]) -> None:
    """The same pair of references may stand once."""
    pairs = [(a.name, values[a.name]) for a in child.attributes if a.references and a.name in values and not isinstance(values[a.name], NextId)]
    if len(pairs) < 2:
        return
    taken = scene.variable("taken")
    scene.add(Find(row=taken, entity=child.name, where=tuple(Filter(column=c, value=v) for c, v in pairs), missing=None))
    scene.bound[taken] = child.name
    scene.refuse(call("not_null", Variable(name=taken)), f"This {child.title.lower()} is there already.", "duplicate")


def _choose_id(entity: Entity, values: dict[str, Expression]) -> None:
    """An optional id of the caller's is taken; without one the next is given."""
    key = entity.key[-1]
    given = values.get(key)
    if entity.id_template is not None and given is not None and not isinstance(given, NextId):
        values[key] = Choose(condition=call("not_null", given), then=given, otherwise=NextId(entity=entity.name))


def reference_value(scene: Scene, entity: Entity, role: Role, values: dict[str, Expression]) -> None:
    """Check that what is referred to exists; a list of ids is checked one by one."""
    other = scene.entities.get(role.entity or "")
    if other is None or role.column is None:
        return
    value = scene.argument(role)
    if role.many:
        inner = Find(row="referred", entity=other.name, where=key_filter(other, Variable(name="one_id")), missing=f"No {other.title.lower()} with {other.key[-1]} {{one_id}} was found.")
        scene.add(Each(over=call("coalesce", value, Constant(value=[])), item="one_id", steps=(inner,)))
    elif role.required:
        found = scene.find(other, value, row=_row_name(role, other), shown=role.path[0])
        value = RowField(row=found, column=other.key[-1])
    else:
        shown = "this " + other.key[-1].replace("_", " ") if isinstance(scene, _ItemScene) else f"{other.key[-1].replace('_', ' ')} {{{role.path[0]}}}"
        find = Find(row=_row_name(role, other), entity=other.name, where=key_filter(other, value), missing=f"No {other.title.lower()} with {shown} was found.")
        scene.add(When(condition=call("not_null", value), steps=(find,)))
    if entity.attribute(role.column):
        values[role.column] = value


def _row_name(role: Role, other: Entity) -> str:
    name = snake(role.name)
    for ending in ("_id", "_ids", "_uuid"):
        name = name.removesuffix(ending)
    return name if name not in ("id", "") else other.name


def _presets(scene: Scene, entity: Entity, values: dict[str, Expression]) -> None:
    """What a new row gets by itself: id, clock, first status, owner, variant, price of what it refers to."""
    for attribute in entity.attributes:
        name = attribute.name
        if name in values:
            continue
        if name in entity.key and entity.id_template is not None:
            values[name] = NextId(entity=entity.name)
        elif name == entity.status and attribute.enum:
            values[name] = Constant(value=_first_status(scene, attribute))
        elif name in ("created_at", "updated_at", "timestamp", "created", "sent_at", "date_created", "order_date", "created_on", "booking_date", "placed_at", "modified_at", "last_modified", "updated"):
            values[name] = Today() if attribute.type is ColumnType.DATE else Now()
        elif name == entity.owner and "session" in scene.entities:
            session = scene.entities["session"]
            user = next((a.name for a in session.attributes if a.references), None)
            if user is not None:
                row = "session" if "session" in scene.bound else scene.find(session, None, row="session")
                values[name] = RowField(row=row, column=user)
    variant = scene.cast.variant_of_tool.get(scene.reading.tool.name)
    if variant and entity.attribute(f"{entity.name}_type"):
        values[f"{entity.name}_type"] = Constant(value=variant)
    _derive(scene, entity, values)


def _first_status(scene: Scene, attribute: Attribute) -> object:
    if attribute.default is not None:
        return attribute.default
    made = scene.reading.verb.state or {"book": "booked", "reserve": "reserved", "schedule": "scheduled", "order": "ordered", "draft": "draft", "send": "sent", "place": "placed"}.get(scene.reading.verb.word, "")
    first = ("new", "open", "pending", "placed", "draft", "created", "active", "requested", "booked", "scheduled", "available", "abierto", "pendiente", "activo", "offen", "needsaction", "todo", "confirmed")
    wanted = [made, *first]
    for word in wanted:
        for value in attribute.enum:
            if word and snake(str(value)).replace("_", "") == word:
                return value
    return attribute.enum[0]


def _derive(scene: Scene, entity: Entity, values: dict[str, Expression]) -> None:
    """`total = quantity × price` where the row refers to something that has a price."""
    total = next((a for a in entity.attributes if a.name in ("total", "total_price", "total_amount", "amount_due", "total_cost", "importe_total") and a.name not in values and a.type in (ColumnType.REAL, ColumnType.INTEGER)), None)
    unit = next((a for a in entity.attributes if a.name in ("price", "unit_price", "precio", "cost") and a.name not in values and a.type in (ColumnType.REAL, ColumnType.INTEGER)), None)
    if total is None and unit is None:
        return
    for row, other_name in scene.bound.items():
        price = next((a for a in scene.entities[other_name].attributes if a.name in ("price", "unit_price", "precio", "rate", "price_per_night", "nightly_rate", "cost", "base_price")), None)
        if price is None or other_name == entity.name:
            continue
        source: Expression = RowField(row=row, column=price.name)
        if unit is not None:
            values[unit.name] = source
        nightly = price.name in ("price_per_night", "nightly_rate", "daily_rate", "rate", "price_per_day")
        days = _days(entity, values) if nightly else None
        quantity = days or next((values[c] for c in ("quantity", "qty", "amount", "num_shares", "units", "cantidad", "guests", "tickets") if c in values), None)
        if total is not None:
            product: Expression = call("multiply", source, quantity) if quantity is not None else source
            values[total.name] = call("integer", product) if total.type is ColumnType.INTEGER else call("round", product, Constant(value=2))
        return


def _days(entity: Entity, values: dict[str, Expression]) -> Expression | None:
    """The days between the two dates of a new booking."""
    dates = [a.name for a in entity.attributes if a.name in values and a.type in (ColumnType.DATE, ColumnType.DATETIME) and not isinstance(values[a.name], Now | Today)]
    start = next((d for d in dates if re.search(r"(?:^|_)(?:check_?in|start|from|pick_?up|arrival)(?:_|$)", d)), None)
    end = next((d for d in dates if d != start and re.search(r"(?:^|_)(?:check_?out|end|to|until|drop_?off|return|departure)(?:_|$)", d)), None)
    return call("days_between", values[start], values[end]) if start is not None and end is not None else None


def _insert(scene: Scene, entity: Entity, values: dict[str, Expression]) -> str:
    row = scene.variable(f"new_{entity.name}")
    needed = [a for a in entity.attributes if not a.nullable and a.default is None and a.name not in values and a.name not in entity.key and not a.references]
    full = {**{a.name: _filler(a) for a in needed}, **{c: _completed(scene, entity, c, v) for c, v in values.items()}}
    for attribute in entity.attributes:
        if attribute.name in full and not attribute.nullable and attribute.name not in entity.key and not isinstance(full[attribute.name], Constant | Now | Today):
            full[attribute.name] = call("coalesce", full[attribute.name], _filler(attribute))
    scene.add(Insert(row=row, entity=entity.name, values=tuple(full.items())))
    scene.bound[row] = entity.name
    return row


def _completed(scene: Scene, entity: Entity, column: str, value: Expression) -> Expression:
    """A list of objects, each with the properties that outputs require and the parameter does not have."""
    attribute = entity.attribute(column)
    role = next((r for r in scene.roles if r.column == column and r.many), None)
    items = (attribute.item_schema or {}).get("items") if attribute is not None and attribute.type is ColumnType.JSON else None
    if role is None or not isinstance(items, dict) or items.get("type") != "object":
        return value
    given = (row_schema(role.schema) or {}).get("required", [])
    absent = [n for n in items.get("required", ()) if n not in given]
    if not absent:
        return value
    least = {n: least_value(properties_of(items).get(n, {"type": "string"})) for n in absent}
    part = call("merge", Constant(value=least), Variable(name="part"))
    return Listing(over=call("coalesce", value, Constant(value=[])), item="part", value=part)


def _filler(attribute: Attribute) -> Expression:
    """The least value for a column that must hold one and was not given."""
    if attribute.default is not None:
        return Constant(value=attribute.default)
    if attribute.enum:
        return Constant(value=attribute.enum[0])
    if attribute.type is ColumnType.JSON:
        return Constant(value=least_value(attribute.item_schema or {"type": "array"}))
    if attribute.type is ColumnType.DATE:
        return Today()
    if attribute.type is ColumnType.DATETIME:
        return Now()
    low = attribute.minimum if attribute.minimum is not None else 0
    return Constant(value={ColumnType.INTEGER: int(low), ColumnType.REAL: float(low), ColumnType.BOOLEAN: False, ColumnType.TIME: "00:00"}.get(attribute.type, ""))


def _batch_create(scene: Scene, entity: Entity, batch: Role) -> None:
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
    inner = _item_scene(scene, batch)
    values = dict(outer)
    for role in inner.roles:
        if role.role == "reference":
            reference_value(inner, entity, role, values)
        column = entity.key[-1] if role.role == "key" else role.column
        if column and entity.attribute(column):
            values[column] = inner.argument(role)
    _presets(inner, entity, values)
    _choose_id(entity, values)
    row = _insert(inner, entity, values)
    made = scene.variable(f"created_{entity.table}")
    scene.add(Each(over=_batch_of(scene, batch, single), item="item", steps=tuple(inner.steps), collect=made, result=Variable(name=row)))
    scene.bound[made] = entity.name
    return_rows(scene, entity, made)


def _batch_of(scene: Scene, batch: Role, single: str | None) -> Expression:
    """The list that is given; where one object may be given instead, that object alone."""
    many = scene.argument(batch)
    if single is None:
        return many if batch.required else call("coalesce", many, Constant(value=[]))
    alone = Argument(name=single)
    scene.refuse(call("and", call("is_null", many), call("is_null", alone)), f"Neither {batch.name} nor {single} was given.", "empty")
    return Choose(condition=call("not_null", many), then=many, otherwise=call("append", Constant(value=[]), alone))


class _ItemScene(Scene):
    """A scene inside a loop over objects: parameters are members of the item."""

    def find(self, entity: Entity, value: Expression | None, **options: Any) -> str:
        """As for a parameter, but the refusal cannot show what stands inside an item."""
        return super().find(entity, value, **{**options, "shown": ""}) if value is None else self._find(entity, value, options)

    def _find(self, entity: Entity, value: Expression, options: dict[str, Any]) -> str:
        name = self.variable(options.get("row") or entity.name)
        missing = None if options.get("optional") else f"There is no {entity.title.lower()} with this {entity.key[-1].replace('_', ' ')}."
        self.add(Find(row=name, entity=entity.name, where=(*key_filter(entity, value), *options.get("extra", ())), missing=missing))
        self.bound[name] = entity.name
        return name

    def argument(self, role: Role) -> Expression:
        expression: Expression = Variable(name="item")
        for part in role.path:
            expression = Item(container=expression, key=Constant(value=part))
        return expression


def _item_scene(scene: Scene, batch: Role) -> _ItemScene:
    items = [r for r in batch.items]
    for role in items:
        role.path = role.path[-1:]
    return _ItemScene(scene.reading, items, None, scene.entities, scene.cast, [], [], scene.names, scene.kind, scene.guesses, scene.evidence, dict(scene.bound))


def _batch_update(scene: Scene, entity: Entity, batch: Role) -> None:
    scene.kind = OperationKind.UPDATE
    filters = _containers(scene, entity)
    inner = _item_scene(scene, batch)
    key = next((r for r in inner.roles if r.role == "key"), None)
    if key is None:
        key = next((r for r in inner.roles if r.required and r.column), inner.roles[0])
    column = entity.key[-1] if key.role == "key" else key.column or entity.key[-1]
    row = inner.variable(entity.name)
    inner.add(Find(row=row, entity=entity.name, where=(Filter(column=column, value=inner.argument(key)), *filters), missing=f"No {entity.title.lower()} with this {column.replace('_', ' ')} was found."))
    inner.bound[row] = entity.name
    values = _changes(inner, entity, [r for r in inner.roles if r is not key])
    inner.add(*_update_steps(entity, row, values, inner.roles))
    changed = scene.variable(f"changed_{entity.table}")
    scene.add(Each(over=scene.argument(batch), item="item", steps=tuple(inner.steps), collect=changed, result=Variable(name=row)))
    scene.bound[changed] = entity.name
    return_rows(scene, entity, changed)


def _batch_delete(scene: Scene, entity: Entity, batch: Role) -> None:
    """Delete by example: rows that equal each object in what it names; nothing is an error."""
    scene.kind = OperationKind.DELETE
    inner = _item_scene(scene, batch)
    where: list[Filter] = list(_containers(scene, entity))
    for role in inner.roles:
        column = entity.key[-1] if role.role == "key" else role.column
        attribute = entity.attribute(column) if column else None
        if attribute is not None and attribute.type is not ColumnType.JSON:
            where.append(Filter(column=attribute.name, value=inner.argument(role), optional=not role.required))
    row = inner.variable(entity.name)
    inner.add(Find(row=row, entity=entity.name, where=tuple(where), missing=f"No such {entity.title.lower()} was found."))
    lists = [r for r in inner.roles if r.column and (a := entity.attribute(r.column)) is not None and a.type is ColumnType.JSON]
    if lists and scene.cast.attribute_of_tool.get(scene.reading.tool.name):
        column = lists[0].column or ""
        held = call("coalesce", RowField(row=row, column=column), Constant(value=[]))
        kept = _left_over(held, inner.argument(lists[0])) if lists[0].many else call("without", held, inner.argument(lists[0]))
        inner.add(Update(row=row, entity=entity.name, values=((column, kept),)))
    else:
        inner.add(Delete(entity=entity.name, where=key_filter(entity, RowField(row=row, column=entity.key[-1]))))
    scene.add(Each(over=scene.argument(batch), item="item", steps=tuple(inner.steps)))
    _return_done(scene, entity, (("deleted", call("length", scene.argument(batch))),))


# --- update ----------------------------------------------------------------------------------------------------------------------


def _containers(scene: Scene, entity: Entity) -> tuple[Filter, ...]:
    """References in front of the key say whose the row is: it must belong there."""
    filters = []
    for role in list(scene.roles_of("reference")):
        if not _is_container(scene, entity, role) or role.entity not in scene.entities or role.many:
            continue
        other = scene.entities[role.entity]
        row = scene.find(other, scene.argument(role), row=_row_name(role, other), shown=role.path[0])
        attribute = scene.attribute(role)
        if attribute is not None:
            filters.append(Filter(column=attribute.name, value=RowField(row=row, column=other.key[-1])))
    return tuple(filters)


def _is_container(scene: Scene, entity: Entity, role: Role) -> bool:
    if role.entity == entity.name or len(role.path) > 1:
        return False
    http = scene.reading.tool.http
    if http is not None:
        return role.name in http.path_parameters
    order = list(scene.reading.tool.input_schema.get("properties", {}))
    key = scene.first("key", "batch")
    if key is not None and key.role == "batch" and role.required:
        return True
    moves = scene.reading.verb.kind in (VerbClass.ADD, VerbClass.MOVE, VerbClass.SET) or any(w in scene.reading.verb.word for w in ("assign", "link"))
    return role.required and key is not None and not moves and order.index(role.path[0]) < order.index(key.path[0])


def _changes(scene: Scene, entity: Entity, roles: list[Role]) -> dict[str, Expression]:
    values: dict[str, Expression] = {}
    for role in roles:
        if role.role == "reference":
            if isinstance(scene, _ItemScene) or not _is_container(scene, entity, role):
                reference_value(scene, entity, role, values)
        elif role.role not in ("key", "batch", "element", "old", "same") and role.column and (attribute := entity.attribute(role.column)):
            given = scene.argument(role)
            merges = attribute.type is ColumnType.JSON and (attribute.item_schema or {}).get("type") == "object" and not role.many and scene.reading.verb.kind is VerbClass.UPDATE
            whole = _completed(scene, entity, role.column, given)
            given = given if whole is given else whole if role.required else Choose(condition=call("not_null", given), then=whole)
            values[role.column] = Choose(condition=call("not_null", given), then=call("merge", call("coalesce", _current(entity, role.column), Constant(value={})), given)) if merges else given
    return values


def _current(entity: Entity, column: str) -> Expression:
    return RowField(row=entity.name, column=column)


def _update_steps(entity: Entity, row: str, values: dict[str, Expression], roles: list[Role]) -> list[Update]:
    given = tuple(c for c, v in values.items() if not isinstance(v, Constant | Now | Today) and not _computed(v))
    stamp: dict[str, Expression] = {}
    for name in ("updated_at", "modified_at", "last_modified", "updated"):
        if (attribute := entity.attribute(name)) is not None and name not in values:
            stamp[name] = Today() if attribute.type is ColumnType.DATE else Now()
    return [Update(row=row, entity=entity.name, values=tuple({**values, **stamp}.items()), when_given=given)] if values else []


def _computed(value: Expression) -> bool:
    return isinstance(value, Apply)


def _update(scene: Scene, entity: Entity, keys: list[Role]) -> None:
    verb = scene.reading.verb
    scene.kind = OperationKind.SET_STATUS if verb.kind in (VerbClass.STATE, VerbClass.TOGGLE) else OperationKind.MOVE if verb.kind is VerbClass.MOVE else OperationKind.UPDATE
    if keys and keys[0].many:
        _update_many(scene, entity, keys[0])
        return
    filters = _containers(scene, entity)
    row = find_by_key(scene, entity, keys[0], filters) if keys else scene.find(entity, None) if entity.singleton else scene.own_row(entity) or scene.find(entity, None)
    if row != entity.name:
        scene.add(Assign(name=entity.name, value=Variable(name=row)))
        row = entity.name
        scene.bound[row] = entity.name
    values = _changes(scene, entity, scene.roles)
    _state_change(scene, entity, row, values)
    old = scene.first("old")
    if old is not None and old.column and entity.attribute(old.column):
        scene.refuse(call("not_equal", RowField(row=row, column=old.column), scene.argument(old)), f"The {old.column.replace('_', ' ')} given is not the current one.", "other")
    if verb.kind is VerbClass.UPDATE and values and not any(r.required for r in scene.roles if r.column in values):
        scene.refuse(call("and", *(call("is_null", scene.argument(r)) for r in scene.roles if r.column in values)), "Nothing to change was given.", "empty")
    for role in scene.roles_of("same"):
        held = RowField(row=row, column=role.column or entity.key[-1])
        scene.refuse(call("and", call("not_null", scene.argument(role)), call("not_equal", scene.argument(role), held)), f"{{{role.path[0]}}} is not the {role.name} of this {entity.title.lower()}.", "other")
    guard(scene, entity, row)
    if any(c.kind == "stock" for c in scene.clues):
        consume_children(scene, entity, row)
    scene.add(*_update_steps(entity, row, values, scene.roles))
    apply_effects(scene, entity, row, created=False)
    _record_run(scene, entity, row)
    record = scene.cast.record_of_tool.get(scene.reading.tool.name)
    if record in scene.entities and record != entity.name:
        amount = next((a.name for a in entity.attributes if a.name in ("amount_due", "amount", "total", "total_amount", "total_price", "balance_due", "importe")), None)
        insert_record(scene, scene.entities[record], {entity.name: RowField(row=row, column=entity.key[-1])}, RowField(row=row, column=amount) if amount else None)
    return_row(scene, entity, row)


def _record_run(scene: Scene, entity: Entity, row: str) -> None:
    """`run_task_now`: one more row where the tools list runs."""
    if scene.reading.verb.kind is not VerbClass.RUN:
        return
    words = ("execution", "run", "history", "log", "result", "job", "event")
    record = next((e for e in scene.entities.values() if e.name != entity.name and e.name.split("_")[-1] in words and any(a.references == entity.name for a in e.attributes)), None)
    if record is not None:
        insert_record(scene, record, {entity.name: RowField(row=row, column=entity.key[-1])})


def _update_many(scene: Scene, entity: Entity, key: Role) -> None:
    inner = _item_scene(scene, key)
    row = entity.name
    inner.add(Find(row=row, entity=entity.name, where=(*key_filter(entity, Variable(name="item")), *_containers(scene, entity)), missing=f"No {entity.title.lower()} with {entity.key[-1]} {{item}} was found."))
    values = _changes(scene, entity, [r for r in scene.roles if r is not key])
    inner.bound[row] = entity.name
    _state_change(scene, entity, row, values, refuse_into=inner)
    inner.add(*_update_steps(entity, row, values, scene.roles))
    changed = scene.variable(f"changed_{entity.table}")
    scene.add(Each(over=scene.argument(key), item="item", steps=tuple(inner.steps), collect=changed, result=Variable(name=row)))
    scene.bound[changed] = entity.name
    return_rows(scene, entity, changed)


def _state_change(scene: Scene, entity: Entity, row: str, values: dict[str, Expression], *, refuse_into: Scene | None = None) -> None:
    """What the verb itself changes: a status, a flag, a time stamp."""
    target = refuse_into or scene
    verb = scene.reading.verb
    if verb.kind is VerbClass.TOGGLE:
        flag = _flag(scene, entity, None)
        if flag is not None and flag.name not in values:
            values[flag.name] = negate(call("coalesce", RowField(row=row, column=flag.name), Constant(value=False)))
        return
    if verb.kind is VerbClass.RUN or verb.kind is VerbClass.CHECK:
        stamp = entity.attribute(f"last_{snake(verb.word)}_at")
        if stamp is not None:
            values[stamp.name] = Now()
            count = entity.attribute(f"{snake(verb.word)}_count")
            if count is not None:
                values[count.name] = call("add", call("coalesce", RowField(row=row, column=count.name), Constant(value=0)), Constant(value=1))
        return
    change = state_change(scene, entity)
    if change is None:
        return
    column, value = change
    if column in values:
        return
    values[column] = Constant(value=value)
    current = RowField(row=row, column=column)
    title = entity.title
    if isinstance(value, bool):
        state = scene.reading.verb.state or ""
        target.refuse(equal(call("coalesce", current, Constant(value=False)), Constant(value=value)), f"{title} is already {state}." if state else f"{title} is already so.", "status")
        return
    if entity.singleton and not any(t.after != value for t in entity.transitions):
        return  # nothing could ever leave the state again
    transition = next((t for t in entity.transitions if t.tool == scene.reading.tool.name), None)
    if transition is not None and transition.before:
        target.refuse(negate(call("in", current, Constant(value=list(transition.before)))), f"{title} cannot become {value}: its {column.replace('_', ' ')} is {{{row}.{column}}}.", "status")
    else:
        target.refuse(equal(current, Constant(value=value)), f"{title} is already {value}.", "status")


def state_change(scene: Scene, entity: Entity) -> tuple[str, object] | None:
    """Column and value that a state verb sets; decided once in `statuses`."""
    state = scene.reading.verb.state
    if scene.reading.verb.kind is not VerbClass.STATE or state is None:
        return None
    flag = _flag(scene, entity, state)
    if flag is not None:
        return flag.name, not state.startswith(("un", "incomplete")) and scene.reading.verb.word not in ("disable", "deactivate", "unlock", "unarchive", "unpin", "unstar", "unmute", "unblock", "reopen", "unpublish")
    status = entity.attribute(entity.status) if entity.status else None
    if status is None:
        return None
    value = closest_state(status, state)
    return (status.name, value) if value is not None else None


def closest_state(status: Attribute, state: str) -> object | None:
    """The enum value that a verb's state means, whatever its spelling: cancelled, CANCELED, Cancelled."""
    stem = state.replace("_", "")[:5]
    exact = [v for v in status.enum if snake(str(v)) == state]
    near = [v for v in status.enum if snake(str(v)).replace("_", "").startswith(stem)]
    return next(iter(exact or near), None) or synonym_of(state, list(status.enum))


def _flag(scene: Scene, entity: Entity, state: str | None) -> Attribute | None:
    booleans = [a for a in entity.attributes if a.type is ColumnType.BOOLEAN]
    if state is None:
        words = set(scene.reading.nouns) | {scene.reading.verb.word}
        return next((a for a in booleans if words & set(a.name.split("_"))), booleans[0] if booleans else None)
    pairs = {"disabled": "enabled", "inactive": "active", "unlocked": "locked", "active": "active", "unpinned": "pinned", "unstarred": "starred", "unmuted": "muted", "open": "closed"}
    base = pairs.get(state) or FLAG_STATES.get(state, state)
    flag = VERB_FLAGS.get(scene.reading.verb.word, base)
    wanted = {state, base, flag, f"is_{state}", f"is_{base}", f"is_{flag}", "done" if state == "completed" else state}
    return next((a for a in booleans if a.name in wanted), None)


# --- delete, lists, links --------------------------------------------------------------------------------------------------------


def _link_of(scene: Scene, entity: Entity) -> Role | None:
    """`remove_member(team_id, user_id)`: a reference that is not in front of the key."""
    return next((r for r in scene.roles_of("reference") if r.required and not _is_container(scene, entity, r)), None)


def _delete(scene: Scene, entity: Entity, keys: list[Role]) -> None:
    scene.kind = OperationKind.DELETE
    filters = _containers(scene, entity)
    if not keys:
        _delete_all(scene, entity, filters)
        return
    if keys[0].many:
        inner = _item_scene(scene, keys[0])
        inner.add(
            Find(row=entity.name, entity=entity.name, where=(*key_filter(entity, Variable(name="item")), *filters), missing=f"No {entity.title.lower()} with {entity.key[-1]} {{item}} was found."),
            Delete(entity=entity.name, where=key_filter(entity, Variable(name="item"))),
        )
        scene.add(Each(over=scene.argument(keys[0]), item="item", steps=tuple(inner.steps)))
        _audit(scene, entity, call("text", scene.argument(keys[0])))
        _return_done(scene, entity, (("deleted", call("length", scene.argument(keys[0]))),))
        return
    row = find_by_key(scene, entity, keys[0], filters)
    guard(scene, entity, row)
    key = RowField(row=row, column=entity.key[-1])
    _audit(scene, entity, call("text", key))
    scene.add(Delete(entity=entity.name, where=key_filter(entity, key)))
    if scene.plan is not None:
        return_row(scene, entity, row)
    else:
        _return_done(scene, entity, (("deleted", Constant(value=True)), (entity.key[-1], key)))


def _audit(scene: Scene, entity: Entity, target: Expression) -> None:
    """Reasons and the like, given when a row goes, are kept in the audit table."""
    audit = scene.entities.get(AUDIT)
    kept = [r for r in scene.roles_of("value", "reference", "filter", "flag") if r.path[0] in scene.unused()]
    if audit is None or not kept:
        return
    details = Record(fields=tuple((snake(r.name), scene.argument(r)) for r in kept))
    values: tuple[tuple[str, Expression], ...] = (
        ("id", NextId(entity=AUDIT)), ("action", Constant(value=scene.reading.tool.name)), ("target", target), ("details", details), ("created_at", Now()),
    )  # fmt: skip
    scene.add(Insert(row="audit", entity=AUDIT, values=values))


def _delete_all(scene: Scene, entity: Entity, filters: tuple[Filter, ...]) -> None:
    """`clear_…` without a key: every row that the parameters name; a singleton goes back to its defaults."""
    if entity.singleton:
        row = scene.find(entity, None)
        values: tuple[tuple[str, Expression], ...] = tuple((a.name, Constant(value=a.default) if a.nullable or a.default is not None else _filler(a)) for a in entity.attributes if a.name not in entity.key)
        scene.add(Update(row=row, entity=entity.name, values=values))
        return_row(scene, entity, row)
        return
    where = list(filters)
    for role in scene.roles:
        attribute = scene.attribute(role)
        if attribute is None or role.many or any(f.column == attribute.name for f in filters):
            continue
        value = scene.argument(role)
        where.append(Filter(column=attribute.name, value=value, optional=not role.required, comparison="has" if attribute.type is ColumnType.JSON else "equal"))
    text = scene.reading.tool.description.lower()
    status = entity.attribute(entity.status) if entity.status else None
    if status is not None:
        named = next((v for v in status.enum if f"all {str(v).lower()}" in text or f"{str(v).lower()} {entity.name}" in text), None)
        if named is not None:
            where.append(Filter(column=status.name, value=Constant(value=named)))
    rows = scene.variable(entity.table)
    if re.search(r"\b(?:latest|last|most recent|newest|first|oldest)\b", text) and scene.roles:
        newest = not re.search(r"\b(?:first|oldest)\b", text)
        scene.add(Select(rows=rows, entity=entity.name, where=tuple(where), order=(Order(column=entity.key[-1], descending=Constant(value=newest)),), limit=Constant(value=1)))
        scene.add(Assign(name="deleted", value=counted(rows)))
        scene.bound[rows] = entity.name
        scene.refuse(equal(Variable(name="deleted"), Constant(value=0)), f"No {entity.title.lower()} matches.", "missing")
        scene.add(Assign(name="chosen", value=call("at", Variable(name=rows), Constant(value=0))))
        scene.bound["chosen"] = entity.name
        scene.add(Delete(entity=entity.name, where=key_filter(entity, RowField(row="chosen", column=entity.key[-1]))))
        return_rows(scene, entity, rows) if scene.plan is not None else _return_done(scene, entity, (("deleted", Constant(value=True)),))
        return
    scene.add(Select(rows=rows, entity=entity.name, where=tuple(where)), Assign(name="deleted", value=counted(rows)))
    scene.bound[rows] = entity.name
    if any(r.required for r in scene.roles):
        scene.refuse(equal(Variable(name="deleted"), Constant(value=0)), f"No {entity.title.lower()} matches.", "missing")
    scene.add(Delete(entity=entity.name, where=tuple(where)))
    if scene.plan is not None:
        return_rows(scene, entity, rows)
    else:
        _return_done(scene, entity, (("deleted", Variable(name="deleted")),))


def _return_done(scene: Scene, entity: Entity, fields: tuple[tuple[str, Expression], ...]) -> None:
    if scene.plan is not None:
        return_rows(scene, entity, _all(scene, entity))
    else:
        scene.add(Return(value=Record(fields=fields)))


def _all(scene: Scene, entity: Entity) -> str:
    rows = scene.variable(entity.table)
    scene.add(Select(rows=rows, entity=entity.name))
    scene.bound[rows] = entity.name
    return rows


def _edit_list(scene: Scene, entity: Entity, keys: list[Role], element: Role) -> None:
    """Add to or remove from a list column of one row; twice the same is refused, and so is removing what is not there."""
    adds = scene.reading.verb.kind not in (VerbClass.REMOVE, VerbClass.DELETE)
    scene.kind = OperationKind.LINK if adds else OperationKind.UNLINK
    row = find_by_key(scene, entity, keys[0], _containers(scene, entity)) if keys else scene.find(entity, None)
    column = element.column or ""
    current = call("coalesce", RowField(row=row, column=column), Constant(value=[]))
    value = scene.argument(element)
    shown = element.path[0]
    if element.many and not adds:
        kept = scene.variable("kept")
        scene.add(Assign(name=kept, value=_left_over(current, value)))
        same = equal(call("length", Variable(name=kept)), call("length", current))
        scene.refuse(same, f"None of them is in {column.replace('_', ' ')}.", "missing")
    if element.many:
        changed: Expression = _left_over(current, value) if not adds else call("unique", call("concat", current, value))
    elif adds:
        scene.refuse(call("in", value, current), f"'{{{shown}}}' is already in {column.replace('_', ' ')}.", "duplicate")
        changed = call("append", current, value)
    else:
        scene.refuse(negate(call("in", value, current)), f"'{{{shown}}}' is not in {column.replace('_', ' ')}.", "missing")
        changed = call("without", current, value)
    guard(scene, entity, row)
    rest = _changes(scene, entity, [r for r in scene.roles if r is not element])
    values = {column: changed, **rest}
    scene.add(*_update_steps(entity, row, values, scene.roles))
    return_row(scene, entity, row)


def _left_over(held: Expression, gone: Expression) -> Expression:
    """The members of a list that are not in another."""
    member = Variable(name="member")
    return Listing(over=held, item="member", value=member, condition=negate(call("in", member, gone)))


def _copied(scene: Scene, entity: Entity, values: dict[str, Expression]) -> dict[str, Expression]:
    """References that a bound row has and the record wants too: a payment of a bill is of the bill's customer."""
    copied: dict[str, Expression] = {}
    for attribute in entity.attributes:
        if attribute.references is None or attribute.name in values:
            continue
        for row, name in scene.bound.items():
            own = next((a for a in scene.entities[name].attributes if a.references == attribute.references and row == name), None)
            if own is not None and name != "session":
                copied.setdefault(attribute.name, RowField(row=row, column=own.name))
    return copied


def insert_record(scene: Scene, entity: Entity, references: dict[str, Expression], amount: Expression | None = None) -> str:
    """Insert a row that records what was done: its parameters, the rows it concerned, the amount, the time."""
    values: dict[str, Expression] = {}
    for attribute in entity.attributes:
        if attribute.references in references:
            values[attribute.name] = references[attribute.references]
    for role in scene.roles:
        if role.role == "key" and entity.attribute(snake(role.name)) is not None and not role.many:
            values[snake(role.name)] = scene.argument(role)
        elif role.role == "reference" and role.column and entity.attribute(role.column):
            values[role.column] = scene.argument(role)
        elif role.role not in ("key", "batch") and role.column and entity.attribute(role.column):
            values[role.column] = scene.argument(role)
    values.update(_copied(scene, entity, values))
    if amount is not None:
        name = next((n for n in ("amount", "value", "total", "importe", "quantity") if entity.attribute(n)), None)
        if name is not None:
            values[name] = amount
    kind = next((a for a in entity.attributes if a.name in ("type", "transaction_type", "kind") and a.name not in values), None)
    if kind is not None:
        word = scene.reading.verb.word
        values[kind.name] = Constant(value=next((v for v in kind.enum if word[:4] in str(v).lower()), kind.enum[0]) if kind.enum else word)
    _presets(scene, entity, values)
    return _insert(scene, entity, values)
