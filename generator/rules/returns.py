"""From output plans, or their absence, to the expression that a tool returns.

Invariant: what is returned fits the documented output schema: a property that may be null and whose schema admits none
is left out, or given the least value of its schema when it is required. Not covered: fetching the main rows.
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
    Return,
    RowField,
    Select,
    Step,
    Variable,
)
from autoforge.generator.rules.outputs import (
    ConstantPlan,
    CountPlan,
    EnvelopePlan,
    ListPlan,
    MapPlan,
    Plan,
    RowPlan,
    ValuePlan,
)
from autoforge.generator.rules.scene import Scene, call, counted, key_filter
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.words import VerbClass, snake

__all__ = ["least_value", "public_record", "return_row", "return_rows"]

_SECRET = ("password", "passwd", "secret", "token", "pin", "contrasena", "passwort", "cvv")


def return_row(scene: Scene, entity: Entity, row: str, *, extra: tuple[tuple[str, Expression], ...] = ()) -> None:
    """Return one row by the plan, or all its public columns."""
    if scene.plan is None:
        record = public_record(scene, entity, row)
        children = _child_lists(scene, entity, row)
        if children:
            record = record.model_copy(update={"fields": (*record.fields, *children)})
        scene.add(Return(value=record.model_copy(update={"fields": (*record.fields, *extra)})))
        return
    scene.add(Return(value=_build(scene, scene.plan, {entity.name: row}, {})))


def _child_lists(scene: Scene, entity: Entity, row: str) -> tuple[tuple[str, Expression], ...]:
    """The lists that belong to a row, under the names that the documentation gives them."""
    lists: list[tuple[str, Expression]] = []
    for (parent, name), child_name in scene.cast.children.items():
        child = scene.entities.get(child_name)
        reference = next((a for a in child.attributes if a.references == parent), None) if child is not None else None
        if parent != entity.name or child is None or reference is None or any(n == name for n, _ in lists):
            continue
        rows = scene.variable(child.table)
        scene.add(
            Select(
                rows=rows,
                entity=child.name,
                where=(Filter(column=reference.name, value=RowField(row=row, column=entity.key[-1])),),
            )
        )
        scene.bound[rows] = child.name
        record = public_record(scene, child, "row")
        kept = tuple(
            f for f in record.fields if f[0] not in (reference.name, *(child.key if child.id_template else ()))
        )
        lists.append(
            (name, Listing(over=Variable(name=rows), item="row", value=record.model_copy(update={"fields": kept})))
        )
    return tuple(lists)


def return_rows(scene: Scene, entity: Entity, rows: str, *, total: str | None = None) -> None:
    """Return a list of rows by the plan, or as `{plural: […]}`."""
    if scene.plan is None:
        listing = Listing(over=Variable(name=rows), item="row", value=public_record(scene, entity, "row"))
        fields: list[tuple[str, Expression]] = [(entity.table, listing)]
        if total is not None:
            fields.append(("total", Variable(name=total)))
        scene.add(Return(value=Record(fields=tuple(fields))))
        return
    if isinstance(scene.plan, RowPlan):
        scene.add(Assign(name="first_row", value=call("at", Variable(name=rows), Constant(value=0))))
        scene.refuse(call("is_null", Variable(name="first_row")), f"No {entity.title.lower()} matches.", "missing")
        scene.bound["first_row"] = entity.name
        scene.add(Return(value=_build(scene, scene.plan, {entity.name: "first_row"}, {})))
        return
    scene.add(Return(value=_build(scene, scene.plan, {}, {entity.name: rows}, total)))


def public_record(scene: Scene, entity: Entity, row: str) -> Record:
    """All columns that an agent may see, under the data's own names where there are such."""
    names = scene.names.get(entity.name, {})
    fields = [
        (names.get(a.name, a.name), RowField(row=row, column=a.name)) for a in entity.attributes if not _hidden(a)
    ]
    return Record(fields=tuple(fields))


def _hidden(attribute: Attribute) -> bool:
    return any(word in attribute.name for word in _SECRET)


def _build(
    scene: Scene, plan: Plan, rows: dict[str, str], lists: dict[str, str], total: str | None = None
) -> Expression:
    if isinstance(plan, ConstantPlan):
        return _constant(scene, plan, total)
    if isinstance(plan, EnvelopePlan):
        fields = tuple((n, _build(scene, p, rows, lists, total)) for n, p in plan.properties.items())
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
            _value(scene, plan, entity, rows[entity.name])
            if entity is not None
            else Constant(value=least_value(plan.schema))
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
        return _value(scene, part, entity, row)
    if isinstance(part, RowPlan) and part.through is not None:
        other = scene.entities[part.entity]
        name = scene.find(other, RowField(row=row, column=part.through), optional=True)
        value = _row(scene, part, {**rows, other.name: name}, lists)
        return Choose(condition=call("not_null", Variable(name=name)), then=value)
    if isinstance(part, ListPlan) and part.child_of is not None:
        return _children(scene, entity, row, part, rows, lists)
    return _build(scene, part, {**rows, entity.name: row}, lists)


def _value(scene: Scene, plan: ValuePlan, entity: Entity | None, row: str) -> Expression:
    """A column as the schema wants it: renamed types, and the least value for a null that a required property cannot
    be.
    """
    attribute = entity.attribute(plan.column) if entity is not None else None
    shape = shape_of(plan.schema)
    if attribute is None:
        return Constant(value=least_value(plan.schema))
    field: Expression = RowField(row=row, column=attribute.name)
    if shape.type is ColumnType.TEXT and attribute.type in (ColumnType.INTEGER, ColumnType.REAL, ColumnType.BOOLEAN):
        field = call("text", field)
    elif shape.type is ColumnType.INTEGER and attribute.type in (ColumnType.REAL, ColumnType.TEXT):
        field = call("integer", field)
    elif shape.type is ColumnType.REAL and attribute.type is ColumnType.TEXT:
        field = call("number", field)
    elif shape.many and attribute.type is not ColumnType.JSON:
        field = call("append", Constant(value=[]), field)
    elif shape.type is ColumnType.DATE and attribute.type is ColumnType.DATETIME:
        field = call("date_of", field)
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
        value = _value(scene, ValuePlan(column, plan.item.schema), entity, "row")
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
        else _build(inner, plan.item, rows, dict(lists))
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


def _constant(scene: Scene, plan: ConstantPlan, total: str | None = None) -> Expression:
    shape = shape_of(plan.schema)
    told = next(
        (
            r
            for r in scene.roles
            if snake(r.name) == snake(plan.name) and r.shape.type is shape.type and len(r.path) == 1
        ),
        None,
    )
    if told is not None and plan.name and not plan.confirms:
        return call("coalesce", scene.argument(told), Constant(value=least_value(plan.schema)))
    if total is not None and plan.name:
        counted_pages = _pages(scene, plan, total)
        if counted_pages is not None:
            return counted_pages
    if plan.confirms and shape.type is ColumnType.BOOLEAN:
        return Constant(value="error" not in plan.name.lower())
    if (
        plan.confirms
        and shape.type is ColumnType.TEXT
        and not shape.schema.get("enum")
        and "error" not in plan.name.lower()
    ):
        return Constant(value=_sentence(scene))
    return Constant(value=least_value(plan.schema))


def _pages(scene: Scene, plan: ConstantPlan, total: str) -> Expression | None:
    """What a page says of the whole: how many pages, whether there is more."""
    word, shape = snake(plan.name), shape_of(plan.schema)
    limit = scene.first("limit")
    size: Expression = (
        call("coalesce", scene.argument(limit), Constant(value=10)) if limit is not None else Constant(value=10)
    )
    if shape.type is ColumnType.INTEGER and word in ("total_pages", "pages", "page_count", "num_pages", "last_page"):
        return call(
            "integer",
            call("divide", call("add", Variable(name=total), call("subtract", size, Constant(value=1))), size),
        )
    offset, page = scene.first("offset"), scene.first("page")
    seen: Expression | None = None
    if page is not None:
        seen = call("multiply", call("coalesce", scene.argument(page), Constant(value=1)), size)
    elif limit is not None:
        start = (
            call("coalesce", call("integer", scene.argument(offset)), Constant(value=0))
            if offset is not None
            else Constant(value=0)
        )
        seen = call("add", start, size)
    if (
        shape.type is ColumnType.BOOLEAN
        and seen is not None
        and word in ("has_more", "has_next", "more", "has_next_page", "truncated", "incomplete_results")
    ):
        return call("greater", Variable(name=total), seen)
    return None


def _sentence(scene: Scene) -> str:
    """What was done, as a short confirmation."""
    title = scene.entity.title if scene.entity is not None else "Request"
    done = {
        VerbClass.CREATE: "created", VerbClass.SEND: "sent", VerbClass.UPDATE: "updated", VerbClass.SET: "set",
        VerbClass.DELETE: "deleted", VerbClass.REMOVE: "removed", VerbClass.ADD: "added", VerbClass.MOVE: "moved",
        VerbClass.TRANSFER: "completed",
    }.get(scene.reading.verb.kind)  # fmt: skip
    state = scene.reading.verb.state
    return f"{title} {(state or done or 'done').replace('_', ' ')}."


def least_value(schema: dict[str, Any]) -> Any:
    """The smallest value that a schema admits: first enum value, default, minimum, empty text, list or object."""
    shape = shape_of(schema)
    bare = shape.schema
    for key in ("const", "default"):
        if key in bare and bare[key] is not None:
            return bare[key]
    if bare.get("enum"):
        return bare["enum"][0]
    if shape.nullable:
        return None
    kind = bare.get("type") or (shape_of(bare["anyOf"][0]).schema.get("type") if bare.get("anyOf") else None)
    if kind == "array":
        return [least_value(bare.get("items", {"type": "string"}))] * int(bare.get("minItems", 0))
    if kind == "object":
        return {n: least_value(v) for n, v in properties_of(bare).items() if n in bare.get("required", ())}
    if kind in ("integer", "number"):
        return bare.get("minimum", bare.get("exclusiveMinimum", -1) + 1 if "exclusiveMinimum" in bare else 0)
    if kind == "boolean":
        return False
    return {"date": "2026-03-02", "date-time": "2026-03-02T09:00:00", "email": "info@example.com"}.get(
        str(bare.get("format")), "-" * int(bare.get("minLength", 0))
    )


def text_of(expression: Expression) -> Expression:
    return call("text", expression)
