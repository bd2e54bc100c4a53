"""Operations that only look: one row, a list with filters, search, sort and pages, a count, an attribute.

Invariant: a reading operation has no effects but reads, and each of its parameters narrows, orders, cuts or shapes what
is returned. Not covered: what is returned in detail (`returns`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autoforge.generator.ir import (
    Apply,
    Assign,
    Choose,
    ColumnType,
    Comparison,
    Constant,
    Entity,
    Expression,
    Filter,
    Item,
    Listing,
    Now,
    OperationKind,
    Order,
    Record,
    Return,
    RowField,
    Select,
    Today,
    Variable,
)
from autoforge.generator.rules.availability import only_free
from autoforge.generator.rules.returns import return_row, return_rows
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, counted, equal, negate
from autoforge.generator.rules.shapes import shape_of
from autoforge.generator.rules.words import VerbClass, snake, split_words

__all__ = ["build_read"]


def build_read(scene: Scene, entity: Entity) -> None:
    """Build a get, list, search, count or check."""
    keys = [r for r in scene.roles_of("key") if not r.many]
    if keys and scene.reading.verb.kind is not VerbClass.COUNT and _one_row(scene, entity, keys):
        _build_get(scene, entity, keys[0])
    elif entity.singleton or (not scene.roles and not scene.reading.plural and _is_own(scene, entity)):
        scene.kind = OperationKind.GET
        row = scene.find(entity, None) if entity.singleton else scene.own_row(entity) or scene.find(entity, None)
        _check_references(scene, entity)
        _finish_one(scene, entity, row)
    else:
        _build_list(scene, entity)


def _is_own(scene: Scene, entity: Entity) -> bool:
    session = scene.entities.get("session")
    return session is not None and any(a.references == entity.name for a in session.attributes)


def _one_row(scene: Scene, entity: Entity, keys: list[Role]) -> bool:
    return keys[0].required or not scene.reading.plural


def _build_get(scene: Scene, entity: Entity, key: Role) -> None:
    scene.kind = OperationKind.GET
    extra = _container_filters(scene, entity)
    row = find_by_key(scene, entity, key, extra)
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


def _container_filters(scene: Scene, entity: Entity) -> tuple[Filter, ...]:
    """Other ids beside the key: each must exist, and the row must belong to it."""
    filters: list[Filter] = []
    for role in scene.roles_of("reference", "filter"):
        attribute = scene.attribute(role)
        if attribute is None:
            continue
        if role.many:
            held: Comparison = "has_any" if attribute.type is ColumnType.JSON else "in"
            filters.append(
                Filter(column=attribute.name, value=scene.argument(role), comparison=held, optional=not role.required)
            )
        elif (
            role.role == "reference" and role.entity in scene.entities and role.required and role.entity != entity.name
        ):
            other = scene.entities[role.entity]
            row = scene.find(other, scene.argument(role), shown=role.path[0])
            filters.append(Filter(column=attribute.name, value=RowField(row=row, column=other.key[-1])))
        else:
            filters.append(
                Filter(
                    column=attribute.name,
                    value=scene.argument(role),
                    optional=not role.required,
                    comparison="has" if attribute.type is ColumnType.JSON else "equal",
                )
            )
    return tuple(filters)


def _check_references(scene: Scene, entity: Entity) -> None:
    for role in scene.roles_of("reference"):
        if role.entity in scene.entities and role.required and not role.many:
            scene.find(scene.entities[role.entity], scene.argument(role), shown=role.path[0])


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
    _project(scene, entity, row)


def _build_list(scene: Scene, entity: Entity) -> None:
    reading = scene.reading
    scene.kind = {VerbClass.SEARCH: OperationKind.SEARCH, VerbClass.COUNT: OperationKind.COUNT}.get(
        reading.verb.kind, OperationKind.LIST
    )
    where: list[Filter] = []
    search: tuple[tuple[str, ...], Expression] | None = None
    for role in scene.roles:
        if role.role == "search" and search is None:
            search = (_text_columns(entity), scene.argument(role))
        else:
            where.extend(_filters_of(scene, entity, role))
    where.extend(_adjective_filters(scene, entity))
    where.extend(_variant_filter(scene, entity))
    where.extend(_own_filter(scene, entity))
    order, limit, offset = _order(scene, entity), scene.first("limit"), _offset(scene)
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
    rows = _direct_children(scene, entity, rows)
    if scene.kind is OperationKind.COUNT and scene.plan is None:
        scene.add(Return(value=Record(fields=(("count", Variable(name=total) if total else counted(rows)),))))
        return
    return_rows(scene, entity, rows, total=total)
    _project(scene, entity, None)


def _direct_children(scene: Scene, entity: Entity, rows: str) -> str:
    """Without `recursive`, only what lies in the folder itself."""
    under, recursive = scene.first("under"), scene.first("recursive")
    if under is None or recursive is None:
        return rows
    inside = equal(
        call("path_parent", RowField(row="entry", column=entity.key[-1])),
        call("path_parent", call("concat", scene.argument(under), Constant(value="/x"))),
    )
    wanted = call("or", scene.argument(recursive), inside)
    near = scene.variable(f"near_{entity.table}")
    scene.add(
        Assign(
            name=near,
            value=Listing(over=Variable(name=rows), item="entry", value=Variable(name="entry"), condition=wanted),
        )
    )
    scene.bound[near] = entity.name
    return near


def _text_columns(entity: Entity) -> tuple[str, ...]:
    """Columns that a search looks into: texts that are neither ids nor secrets."""
    columns = [
        a.name
        for a in entity.attributes
        if a.type is ColumnType.TEXT and not a.references and a.name not in entity.key and "password" not in a.name
    ]
    return tuple(columns or entity.key)


def _filters_of(scene: Scene, entity: Entity, role: Role) -> list[Filter]:
    value = scene.argument(role)
    attribute = scene.attribute(role)
    if role.role == "key":
        return [
            Filter(
                column=entity.key[-1],
                value=value,
                comparison="in" if role.many else "equal",
                optional=not role.required,
            )
        ]
    if role.role == "reference" and attribute is not None:
        if role.required and not role.many and role.entity in scene.entities:
            other = scene.entities[role.entity]
            row = scene.find(other, value, shown=role.path[0])
            value = RowField(row=row, column=other.key[-1])
        return [
            Filter(
                column=attribute.name,
                value=_unless_default(role, value),
                comparison="in" if role.many else "equal",
                optional=not role.required,
            )
        ]
    if role.role == "recent" and attribute is not None:
        unit = "add_minutes" if "hour" in snake(role.name) else "add_days"
        back = call("negate", call("multiply", value, Constant(value=60)) if unit == "add_minutes" else value)
        since = call(unit, Now() if attribute.type is ColumnType.DATETIME or unit == "add_minutes" else Today(), back)
        floor = Choose(condition=call("not_null", value), then=since) if not role.required else since
        return [Filter(column=attribute.name, value=floor, comparison="greater_equal", optional=not role.required)]
    if role.role == "under":
        return [Filter(column=entity.key[-1], value=value, comparison="starts_with", optional=not role.required)]
    if role.role in ("low", "high") and attribute is not None:
        return [
            Filter(
                column=attribute.name,
                value=value,
                comparison="greater_equal" if role.role == "low" else "less_equal",
                optional=not role.required,
            )
        ]
    if role.role in ("filter", "value", "element") and attribute is not None:
        return [_equality(scene, entity, role, value)]
    if role.role == "flag" and attribute is not None and attribute.type is ColumnType.BOOLEAN:
        return [
            Filter(
                column=attribute.name,
                value=Choose(condition=value, then=Constant(value=None), otherwise=Constant(value=False)),
                optional=True,
            )
        ]
    return []


def _equality(scene: Scene, entity: Entity, role: Role, value: Expression) -> Filter:
    attribute = scene.attribute(role)
    assert attribute is not None
    optional = not role.required
    if attribute.type is ColumnType.JSON:
        comparison: Comparison = "has_any" if role.many else "has"
    elif role.many:
        comparison = "in"
    elif attribute.type is ColumnType.TEXT and not attribute.enum and not attribute.references:
        comparison = (
            "contains" if attribute.name not in entity.key and _prose_like(attribute.name, role) else "equal_text"
        )
    else:
        comparison = "equal"
    value = _unless_default(role, value)
    return Filter(column=attribute.name, value=value, comparison=comparison, optional=optional)


def _unless_default(role: Role, value: Expression) -> Expression:
    """A default of a plain filter means no filter: `""`, `all`, `0`; one of an enum or a flag is a choice."""
    default = role.schema.get("default")
    if (
        role.required
        or role.many
        or default is None
        or isinstance(default, bool)
        or not isinstance(default, str | int | float)
    ):
        return value
    if role.shape.schema.get("enum") and str(default).lower() not in ("all", "any", "none", ""):
        return value
    return Choose(condition=call("equal", value, Constant(value=default)), then=Constant(value=None), otherwise=value)


def _prose_like(name: str, role: Role) -> bool:
    words = set(split_words(name))
    return bool(
        words
        & {
            "name",
            "title",
            "description",
            "subject",
            "content",
            "author",
            "text",
            "message",
            "address",
            "location",
            "nombre",
            "titulo",
            "autor",
            "titel",
        }
    )


def _adjective_filters(scene: Scene, entity: Entity) -> list[Filter]:
    """`get_active_loans`: an adjective that is a value of the status, or a boolean column."""
    filters = []
    for word in scene.reading.adjectives:
        status = entity.attribute(entity.status) if entity.status else None
        value = next((v for v in status.enum if snake(str(v)) == word), None) if status is not None else None
        if value is not None and status is not None and not any(r.column == status.name for r in scene.roles):
            filters.append(Filter(column=status.name, value=Constant(value=value)))
            continue
        flag = next(
            (a for a in entity.attributes if a.type is ColumnType.BOOLEAN and word in split_words(a.name)), None
        )
        if flag is not None and not any(r.column == flag.name for r in scene.roles):
            filters.append(Filter(column=flag.name, value=Constant(value=True)))
    return filters


def _variant_filter(scene: Scene, entity: Entity) -> list[Filter]:
    variant = scene.cast.variant_of_tool.get(scene.reading.tool.name)
    column = f"{entity.name}_type"
    return [Filter(column=column, value=Constant(value=variant))] if variant and entity.attribute(column) else []


def _own_filter(scene: Scene, entity: Entity) -> list[Filter]:
    """Rows of the current user where the prose says so."""
    session = scene.entities.get("session")
    text = scene.reading.tool.description.lower()
    if session is None or entity.owner is None or entity.name == "session":
        return []
    if any(
        f in text for f in ("current user", "authenticated user", "your ", "logged-in user", "logged in user", " my ")
    ):
        row = scene.find(session, None, row="session") if "session" not in scene.bound else "session"
        user = next((a for a in session.attributes if a.references), None)
        if user is not None:
            return [Filter(column=entity.owner, value=RowField(row=row, column=user.name))]
    return []


def _order(scene: Scene, entity: Entity) -> tuple[Order, ...]:
    sort, direction = scene.first("sort"), scene.first("direction")
    descending: Expression = scene.argument(direction) if direction is not None else Constant(value=False)
    if direction is not None and direction.shape.type is ColumnType.BOOLEAN and "asc" in snake(direction.name):
        descending = negate(descending)
    if sort is None:
        column = next(
            (a.name for a in entity.attributes if a.name in ("position", "created_at", "date", "name", "title")),
            entity.key[-1],
        )
        return (Order(column=column, descending=descending),) if direction is not None else ()
    if sort.many or sort.shape.type is ColumnType.JSON:
        return _structured_order(scene, entity, sort)
    allowed = _sortable(entity, sort)
    value = scene.argument(sort)
    if direction is None:
        down = [v for v in sort.shape.schema.get("enum", ()) if _names_descending(str(v))]
        descending = call("in", value, Constant(value=down)) if down else value
    return (Order(by=value, allowed=allowed, descending=descending),)


def _names_descending(value: str) -> bool:
    """`price_desc`, `-price`, `newest`."""
    return value.startswith("-") or bool(
        {"desc", "descending", "newest", "latest", "highest", "most"} & set(split_words(value))
    )


def _sortable(entity: Entity, sort: Role) -> tuple[tuple[str, str], ...]:
    """Accepted value → column. Values of an enum may hold the direction: `price_asc`, `-price`, `desc`."""
    columns = [a.name for a in entity.attributes if a.type is not ColumnType.JSON]
    values = [str(v) for v in sort.shape.schema.get("enum", ())]
    if not values:
        return tuple([*((c, c) for c in columns), *((f"-{c}", c) for c in columns)])
    allowed = []
    for value in values:
        bare = snake(value)
        for ending in ("_asc", "_desc", "_ascending", "_descending"):
            bare = bare.removesuffix(ending)
        column = next((c for c in columns if c == bare or c.endswith("_" + bare) or bare.endswith("_" + c)), None)
        column = column or next((c for c in columns if bare.split("_")[-1] in c.split("_")), columns[0])
        allowed.append((value, column))
    return tuple(allowed)


def _structured_order(scene: Scene, entity: Entity, sort: Role) -> tuple[Order, ...]:
    """A list of `{field, direction}` objects, or of names: its first entry counts."""
    first = call("at", scene.argument(sort), Constant(value=0))
    items = shape_of(sort.shape.schema.get("items", {})).schema
    allowed = _sortable(entity, sort)
    if items.get("type") == "object":
        names = list(items.get("properties", {}))
        field = next(
            (n for n in names if snake(n) in ("field", "column", "name", "by", "key", "property", "attribute")),
            names[0] if names else "field",
        )
        direction = next((n for n in names if "dir" in snake(n) or "order" in snake(n)), "direction")
        return (
            Order(
                by=Item(container=first, key=Constant(value=field)),
                allowed=allowed,
                descending=Item(container=first, key=Constant(value=direction)),
            ),
        )
    return (Order(by=first, allowed=allowed, descending=first),)


def _offset(scene: Scene) -> Expression | None:
    offset, page = scene.first("offset"), scene.first("page")
    if offset is not None:
        value = scene.argument(offset)
        return call("integer", value) if offset.shape.type is ColumnType.TEXT else value
    if page is not None:
        limit = scene.first("limit")
        size: Expression = (
            call("coalesce", scene.argument(limit), Constant(value=10)) if limit is not None else Constant(value=10)
        )
        return call("multiply", call("subtract", scene.argument(page), Constant(value=1)), size)
    return None


def _project(scene: Scene, entity: Entity, row: str | None) -> None:
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
