"""Documented outputs: each property of the plan as an expression over the rows at hand.

Invariant: every property that the schema requires is there, whatever rows are bound. Not covered: what a property means
(`outputs`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import (
    Assign,
    Attribute,
    Choose,
    ColumnType,
    Constant,
    Each,
    Entity,
    Expression,
    Filter,
    Listing,
    Record,
    RowField,
    Select,
    Step,
    Variable,
)
from autoforge.generator.rules.least_values import fixed_value, least_value
from autoforge.generator.rules.output_plans import (
    ConstantPlan,
    CountPlan,
    EnvelopePlan,
    ListPlan,
    MapPlan,
    Plan,
    RowPlan,
    ValuePlan,
)
from autoforge.generator.rules.public_records import public_record
from autoforge.generator.rules.scene import Scene, call, counted, key_filter
from autoforge.generator.rules.shapes import contradict, shape_of

__all__ = ["build_plan"]


def build_plan(
    scene: Scene, plan: Plan, rows: dict[str, str], lists: dict[str, str], total: str | None = None
) -> Expression:
    if isinstance(plan, ConstantPlan):
        return fixed_value(scene, plan, total)
    if isinstance(plan, EnvelopePlan):
        fields = tuple((n, build_plan(scene, p, rows, lists, total)) for n, p in plan.properties.items())
        return Record(fields=fields, omit_null=tuple(n for n in plan.properties if n not in plan.required))
    if isinstance(plan, RowPlan):
        return _row(scene, plan, rows, lists)
    if isinstance(plan, ListPlan):
        return _list(scene, plan, rows, lists)
    if isinstance(plan, ValuePlan):
        entity = scene.entity
        if entity is not None and entity.name not in rows:
            rows[entity.name] = _any_row(scene, entity, lists)
        return (
            _value(plan, entity, rows[entity.name]) if entity is not None else Constant(value=least_value(plan.schema))
        )
    if isinstance(plan, CountPlan):
        if total is not None and plan.total:
            return Variable(name=total)
        return counted(_rows_of(scene, plan.entity, rows, lists))
    return _map(scene, plan, rows, lists)


def _any_row(scene: Scene, entity: Entity, lists: dict[str, str]) -> str:
    """A row for a property of an envelope around a list: the first."""
    name = scene.variable("first")
    scene.add(
        Assign(name=name, value=call("at", Variable(name=_rows_of(scene, entity.name, {}, lists)), Constant(value=0)))
    )
    scene.refuse(call("is_null", Variable(name=name)), f"No {entity.title.lower()} matches.", "missing")
    scene.bound[name] = entity.name
    return name


def _row(scene: Scene, plan: RowPlan, rows: dict[str, str], lists: dict[str, str]) -> Expression:
    entity = scene.entities[plan.entity]
    row = rows.get(entity.name)
    if row is None:
        row = _bind_row(scene, entity, rows, lists)
    if plan.open:
        return public_record(scene, entity, row)
    around = scene.chain
    scene.chain = (*around, entity.name)
    fields: list[tuple[str, Expression]] = []
    omit: list[str] = []
    for name, part in plan.properties.items():
        if name not in plan.required and _holds_itself(scene, part):
            continue
        inner = _nested(scene, entity, row, part, rows, lists)
        fields.append((name, inner))
        if name not in plan.required:
            omit.append(name)
    scene.chain = around
    return Record(fields=tuple(fields), omit_null=tuple(omit))


def _holds_itself(scene: Scene, part: Plan) -> bool:
    """Whether a nested record is of an entity around it: a play's performances do not repeat the play."""
    inner = part.entity if isinstance(part, RowPlan | ListPlan) else None
    return inner is not None and inner in scene.chain


def _bind_row(scene: Scene, entity: Entity, rows: dict[str, str], lists: dict[str, str]) -> str:
    """A row of an entity that the tool did not fetch: through a foreign key of what it has, else the singleton, else
    the first of its list.
    """
    for other, row in rows.items():
        reference = next((a for a in scene.entities[other].attributes if a.references == entity.name), None)
        if reference is not None:
            return scene.find(entity, RowField(row=row, column=reference.name), optional=True)
    if entity.name in lists:
        return _any_row(scene, entity, lists)
    return scene.find(entity, None)


def _nested(
    scene: Scene, entity: Entity, row: str, part: Plan, rows: dict[str, str], lists: dict[str, str]
) -> Expression:
    if isinstance(part, ValuePlan):
        return _value(part, entity, row)
    if isinstance(part, RowPlan) and part.through is not None:
        other = scene.entities[part.entity]
        name = scene.find(other, RowField(row=row, column=part.through), optional=True)
        value = _row(scene, part, {**rows, other.name: name}, lists)
        return Choose(condition=call("not_null", Variable(name=name)), then=value)
    if isinstance(part, ListPlan) and part.child_of is not None:
        return _children(scene, entity, row, part, rows, lists)
    return build_plan(scene, part, {**rows, entity.name: row}, lists)


_NUMBERS = (ColumnType.INTEGER, ColumnType.REAL)


def _in_shape(field: Expression, attribute: Attribute, schema: dict[str, Any]) -> Expression | None:
    """A column's value in the type that an output wants; None where the column cannot be of it."""
    shape = shape_of(schema)
    held, wanted = attribute.type, shape.type
    stored = attribute.item_schema or {}
    if wanted is ColumnType.JSON and shape.many and held is not ColumnType.JSON:
        inner = _in_shape(field, attribute, shape.schema.get("items") or {})
        return None if inner is None else call("append", Constant(value=[]), inner)
    if ColumnType.JSON in (wanted, held) and wanted is not held:
        listed = wanted is ColumnType.TEXT and stored.get("type") == "array"
        return call("join", field, Constant(value=", ")) if listed else None
    if held is ColumnType.JSON:
        return None if contradict(stored, shape.schema) else field
    if ColumnType.BOOLEAN in (wanted, held) and wanted is not held and wanted is not ColumnType.TEXT:
        return None
    if wanted is ColumnType.TEXT and held in (*_NUMBERS, ColumnType.BOOLEAN):
        return call("text", field)
    if wanted is ColumnType.INTEGER and held in (ColumnType.REAL, ColumnType.TEXT):
        return call("integer", field)
    if wanted is ColumnType.REAL and held is ColumnType.TEXT:
        return call("number", field)
    return call("date_of", field) if wanted is ColumnType.DATE and held is ColumnType.DATETIME else field


def _admitted(field: Expression, attribute: Attribute, schema: dict[str, Any]) -> Expression:
    """The value, or the least that the schema admits where another tool may have stored what this one cannot show."""
    bare = shape_of(schema).schema
    allowed = [bare["const"]] if "const" in bare else list(bare.get("enum", ()))
    least = Constant(value=least_value(schema))
    if bare.get("type") == "null":
        return Constant(value=None)
    if allowed and not (attribute.enum and set(map(str, attribute.enum)) <= set(map(str, allowed))):
        return Choose(condition=call("in", field, Constant(value=allowed)), then=field, otherwise=least)
    if attribute.type is ColumnType.TEXT and bare.get("type") == "string":
        size = call("length", field)
        if "maxLength" in bare:
            most = Constant(value=bare["maxLength"])
            return Choose(condition=call("greater", size, most), then=least, otherwise=field)
        if bare.get("minLength"):
            return Choose(condition=call("less", size, Constant(value=bare["minLength"])), then=least, otherwise=field)
    return field


def _value(plan: ValuePlan, entity: Entity | None, row: str) -> Expression:
    """A column as the schema wants it: renamed types, and the least value for a null that a required property cannot
    be.
    """
    attribute = entity.attribute(plan.column) if entity is not None else None
    shape = shape_of(plan.schema)
    if attribute is None:
        return Constant(value=least_value(plan.schema))
    made = _in_shape(RowField(row=row, column=attribute.name), attribute, plan.schema)
    least = Constant(value=least_value(plan.schema))
    field: Expression = least if made is None else _admitted(made, attribute, plan.schema)
    if plan.required and attribute.nullable and not shape.nullable:
        return call("coalesce", field, Constant(value=least_value(plan.schema)))
    return field


def _children(
    scene: Scene, entity: Entity, row: str, plan: ListPlan, rows: dict[str, str], lists: dict[str, str]
) -> Expression:
    child = scene.entities[plan.entity]
    reference = next(a for a in child.attributes if a.references == entity.name)
    name = scene.variable(child.table)
    scene.add(
        Select(
            rows=name,
            entity=child.name,
            where=(Filter(column=reference.name, value=RowField(row=row, column=entity.key[-1])),),
        )
    )
    scene.bound[name] = child.name
    return _list(scene, plan, rows, {**lists, child.name: name})


def _list(scene: Scene, plan: ListPlan, rows: dict[str, str], lists: dict[str, str]) -> Expression:
    entity = scene.entities[plan.entity]
    source = _rows_of(scene, entity.name, rows, lists)
    if isinstance(plan.item, ValuePlan):
        column = plan.item.column or _telling_column(scene, entity, plan.item.schema)
        value = _value(ValuePlan(column, plan.item.schema), entity, "row")
        attribute = entity.attribute(column)
        known = (
            call("not_null", RowField(row="row", column=column))
            if attribute is not None and attribute.nullable
            else None
        )
        return Listing(over=Variable(name=source), item="row", value=value, condition=known)
    inner = scene_copy(scene)
    item = scene.variable("row")
    inner.bound[item] = entity.name
    value = (
        _row(inner, plan.item, {**rows, entity.name: item}, dict(lists))
        if isinstance(plan.item, RowPlan)
        else build_plan(inner, plan.item, rows, dict(lists))
    )
    if not inner.steps:
        return Listing(over=Variable(name=source), item=item, value=value)
    name = scene.variable(f"{entity.name}_records")
    scene.bound[name] = entity.name
    steps: tuple[Step, ...] = tuple(inner.steps)
    scene.add(Each(over=Variable(name=source), item=item, steps=steps, collect=name, result=value))
    return Variable(name=name)


def _telling_column(scene: Scene, entity: Entity, schema: dict[str, Any]) -> str:
    """The column that stands for a row in a list of plain values: what a link holds, numbers by the key, else the
    label.
    """
    held = next((a.name for a in entity.attributes if a.references), None)
    if held is not None and any(holder == entity.name for holder, _ in scene.cast.links.values()):
        return held
    key = entity.attribute(entity.key[-1])
    if key is not None and shape_of(schema).type is key.type and key.type is not ColumnType.TEXT:
        return key.name
    return (entity.label if entity.id_template is not None else None) or entity.key[-1]


def scene_copy(scene: Scene) -> Scene:
    """The same scene with steps of its own, for the inside of a loop."""
    return Scene(
        scene.reading,
        scene.roles,
        scene.plan,
        scene.entities,
        scene.cast,
        scene.clues,
        [],
        scene.names,
        scene.kind,
        scene.guesses,
        scene.evidence,
        dict(scene.bound),
        scene.taken,
        scene.bookings,
        scene.chain,
    )


def _rows_of(scene: Scene, name: str, rows: dict[str, str], lists: dict[str, str]) -> str:
    """The list of an entity's rows: what was selected, else what belongs to the row at hand, else all."""
    if name in lists:
        return lists[name]
    entity = scene.entities[name]
    where: list[Filter] = []
    for other, row in rows.items():
        reference = next((a for a in entity.attributes if a.references == other), None)
        if reference is not None and other != name:
            where.append(Filter(column=reference.name, value=RowField(row=row, column=scene.entities[other].key[-1])))
            break
    else:
        if name in rows:
            where.extend(key_filter(entity, RowField(row=rows[name], column=entity.key[-1])))
    variable = scene.variable(entity.table)
    scene.add(Select(rows=variable, entity=name, where=tuple(where)))
    scene.bound[variable] = name
    lists[name] = variable
    return variable


def _map(scene: Scene, plan: MapPlan, rows: dict[str, str], lists: dict[str, str]) -> Expression:
    """Counts by status, or rows by key."""
    entity = scene.entities[plan.entity]
    source = _rows_of(scene, entity.name, rows, lists)
    if plan.counts:
        column = (
            plan.column or entity.status or next((a.name for a in entity.attributes if a.enum), None) or entity.key[-1]
        )
        return call(
            "group_count",
            Listing(over=Variable(name=source), item="row", value=call("text", RowField(row="row", column=column))),
        )
    name = scene.variable("by_key")
    scene.bound[name] = entity.name
    scene.add(Assign(name=name, value=Record(fields=())))
    key = call("text", RowField(row="row", column=entity.key[-1]))
    put = Assign(name=name, value=call("set_item", Variable(name=name), key, public_record(scene, entity, "row")))
    scene.add(Each(over=Variable(name=source), item="row", steps=(put,)))
    return Variable(name=name)
