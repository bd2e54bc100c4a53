"""What narrows a list: the conditions that parameters, adjectives, variants and the current user stand for.

Invariant: a parameter that is left out narrows nothing. Not covered: order and pages (`read_order`).
"""

from __future__ import annotations

import re

from pydantic import JsonValue

from autoforge.generator.ir import (
    Assign,
    Attribute,
    Choose,
    ColumnType,
    Comparison,
    Constant,
    Entity,
    Expression,
    Filter,
    Function,
    Listing,
    Now,
    RowField,
    Today,
    Variable,
)
from autoforge.generator.rules.bounds import bound_of
from autoforge.generator.rules.prose.shown_states import shown_states
from autoforge.generator.rules.read_flags import flag_filter
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, equal
from autoforge.generator.rules.words import snake, split_words

__all__ = [
    "adjective_filters",
    "container_filters",
    "direct_children",
    "filters_of",
    "own_filter",
    "state_filters",
    "text_columns",
    "variant_filter",
]


def container_filters(scene: Scene, entity: Entity) -> tuple[Filter, ...]:
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


def direct_children(scene: Scene, entity: Entity, rows: str) -> str:
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


def text_columns(entity: Entity) -> tuple[str, ...]:
    """Columns that a search looks into: texts that are neither ids nor secrets."""
    named = entity.id_template is None
    columns = [
        a.name
        for a in entity.attributes
        if (a.type is ColumnType.TEXT or _is_text_list(a))
        and not a.references
        and (named or a.name not in entity.key)
        and "password" not in a.name
    ]
    return tuple(columns or entity.key)


def _is_text_list(attribute: Attribute) -> bool:
    items = (attribute.item_schema or {}).get("items")
    return attribute.type is ColumnType.JSON and isinstance(items, dict) and items.get("type") == "string"


def filters_of(scene: Scene, entity: Entity, role: Role) -> list[Filter]:
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
        unit: Function = "add_minutes" if "hour" in snake(role.name) else "add_days"
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
                comparison=bound_of(role),
                optional=not role.required,
            )
        ]
    if role.role in ("filter", "value", "element") and attribute is not None:
        return [_equality(scene, entity, role, value)]
    if role.role == "flag" and (states := flag_filter(scene, entity, role)) is not None:
        return [states]
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
        comparison = "contains" if attribute.name not in entity.key and _prose_like(attribute.name) else "equal_text"
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


def _prose_like(name: str) -> bool:
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


def adjective_filters(scene: Scene, entity: Entity) -> list[Filter]:
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


def state_filters(scene: Scene, entity: Entity) -> list[Filter]:
    """“Rooms that are out of service are not shown”: a state in the prose of a list says which rows it shows."""
    status = entity.attribute(entity.status) if entity.status else None
    if status is None or any(r.column == status.name for r in scene.roles):
        return []
    filters = []
    for subject, kind, values in [*_stated(scene), *shown_states(scene.reading.text)]:
        about = scene.cast.find(tuple(snake(subject).split("_"))) if subject else entity.name
        named = {snake(str(v)) for v in values}
        if about != entity.name or not named <= {snake(str(v)) for v in status.enum}:
            continue
        shown = [v for v in status.enum if (snake(str(v)) in named) == (kind == "status_in")]
        if shown and len(shown) < len(status.enum):
            filters.append(Filter(column=status.name, value=Constant(value=list(shown)), comparison="in"))
    return [f for i, f in enumerate(filters) if f not in filters[:i]]


def _stated(scene: Scene) -> list[tuple[str, str, tuple[JsonValue, ...]]]:
    clues = [c for c in scene.clues if c.kind in ("status_in", "status_not_in")]
    return [(c.subject, c.kind, tuple(c.values)) for c in clues]


def variant_filter(scene: Scene, entity: Entity) -> list[Filter]:
    variant = scene.cast.variant_of_tool.get(scene.reading.tool.name)
    column = f"{entity.name}_type"
    return [Filter(column=column, value=Constant(value=variant))] if variant and entity.attribute(column) else []


_OWN = re.compile(
    r"\b(?:current|authenticated|logged[- ]in|signed[- ]in) user\b|\buser (?:who|that) is (?:logged|signed) in\b"
    r"|\b(?:your|my)\b|\busuario (?:actual|conectado|autenticado)\b|\bangemeldeten? (?:benutzer|nutzer)"
    r"|\butilisateur (?:actuel|connecté)\b"
)


def own_filter(scene: Scene, entity: Entity) -> list[Filter]:
    """Rows of the current user where the prose says so."""
    session = scene.entities.get("session")
    text = scene.reading.tool.description.lower()
    user = next((a for a in session.attributes if a.references), None) if session is not None else None
    if session is None or user is None or entity.name == "session" or not _OWN.search(text):
        return []
    held = _owner_path(scene, entity)
    if held is None:
        return []
    row = scene.find(session, None, row="session") if "session" not in scene.bound else "session"
    column, through = held
    return [Filter(column=column, value=RowField(row=row, column=user.name), through=through)]


def _owner_path(scene: Scene, entity: Entity) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """The column that says whose a row is, and the foreign key to follow to it: a card is its account's owner's."""
    if entity.owner is not None:
        return entity.owner, ()
    for attribute in entity.attributes:
        parent = scene.entities.get(attribute.references or "")
        if parent is not None and parent.owner is not None and not parent.singleton and parent.name != entity.name:
            return parent.owner, ((attribute.name, parent.name),)
    return None
