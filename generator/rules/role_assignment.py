"""The roles of all parameters of one tool, also of those inside objects and lists.

Invariant: every documented parameter gets exactly one role, and every role that concerns a column has created that
column, so no parameter can be forgotten later. Not covered: what the tool does with its roles (`reads`, `writes`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.prose import enum_in_prose, format_in_prose, range_in_prose
from autoforge.generator.rules.read_flags import FLAG
from autoforge.generator.rules.read_roles import as_range, as_recent, is_direction, is_folder, sort_columns
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.role_columns import match_column
from autoforge.generator.rules.role_identity import as_identity, as_link, as_path, is_identity
from autoforge.generator.rules.role_keys import settle_keys
from autoforge.generator.rules.role_values import as_value
from autoforge.generator.rules.role_words import (
    DIRECTION,
    HIGH,
    LIMIT,
    LOW,
    OFFSET,
    OPEN_OBJECTS,
    PAGE,
    PROJECT,
    RECENT,
    SEARCH,
    SORT,
)
from autoforge.generator.rules.roles import READING_VERBS, Role
from autoforge.generator.rules.shapes import Shape, properties_of, row_schema, shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import column_name, singular, snake, split_words

__all__ = ["assign_roles"]


def assign_roles(cast: Cast, reading: Reading) -> list[Role]:
    """Roles of all parameters of one tool; columns they concern are created in the cast's drafts."""
    entity = cast.of_tool[reading.tool.name]
    draft = cast.entities.get(entity) if entity else None
    record = cast.entities.get(cast.record_of_tool.get(reading.tool.name, ""))
    required = set(reading.tool.input_schema.get("required", []))
    roles: list[Role] = []
    for name, schema in properties_of(reading.tool.input_schema).items():
        found = _roles_of(cast, reading, draft, name, schema, (name,), name in required)
        if record is not None and draft is not None:
            found = [_into_record(reading, draft, record, r) for r in found]
        roles.extend(found)
    settle_keys(reading, draft, roles)
    return roles


def _into_record(reading: Reading, draft: EntityDraft, record: EntityDraft, role: Role) -> Role:
    """What a transfer is told beside ids is kept in its record, not in the row it acts on."""
    if role.role in ("value", "reference") and role.column is not None:
        made = draft.attributes.get(role.column)
        if made is not None and all(e.startswith(f"{reading.tool.name}.") for e in made.evidence):
            del draft.attributes[role.column]
        role.column = match_column(record, snake(role.name))
        attribute = record.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
        if role.role == "reference":
            attribute.references = role.entity
    return role


def _roles_of(
    cast: Cast,
    reading: Reading,
    draft: EntityDraft | None,
    name: str,
    schema: dict[str, Any],
    path: tuple[str, ...],
    required: bool,
) -> list[Role]:
    shape = _shape(name, schema)
    base = Role(name, path, schema, shape, required, "value", description=str(schema.get("description", "")))
    nested = (
        properties_of(schema)
        if shape.schema.get("type") == "object" or (not shape.many and "properties" in shape.schema)
        else {}
    )
    if nested and len(path) < 3 and _opens(draft, name):
        inner = set(shape.schema.get("required", []))
        found: list[Role] = []
        for key, value in nested.items():
            found.extend(_roles_of(cast, reading, draft, key, value, (*path, key), required and key in inner))
        return found
    if (
        row_schema(schema)
        and len(path) == 1
        and reading.verb.kind not in READING_VERBS
        and _is_batch(cast, reading, draft, name)
    ):
        base.role = "batch"
        inner = set((row_schema(schema) or {}).get("required", []))
        for key, value in properties_of(row_schema(schema) or {}).items():
            base.items.extend(_roles_of(cast, reading, draft, key, value, ("[]", key), key in inner))
        return [base]
    child = cast.children.get((draft.name, name)) if draft is not None else None
    if child is not None and row_schema(schema) and reading.verb.kind not in READING_VERBS:
        base.role, base.entity = "children", child
        inner = set((row_schema(schema) or {}).get("required", []))
        for key, value in properties_of(row_schema(schema) or {}).items():
            base.items.extend(_roles_of(cast, reading, cast.entities[child], key, value, ("[]", key), key in inner))
        return [base]
    _classify(cast, reading, draft, base)
    return [base]


def _shape(name: str, schema: dict[str, Any]) -> Shape:
    """The column shape, sharpened by the parameter's own description."""
    shape = shape_of(schema)
    text = str(schema.get("description", ""))
    extra: dict[str, Any] = {}
    if shape.type == ColumnType.TEXT and "enum" not in shape.schema and not shape.schema.get("format"):
        words = enum_in_prose(text)
        if len(words) > 1 and snake(name).rsplit("_", 1)[-1] in (
            "status",
            "state",
            "type",
            "priority",
            "category",
            "level",
            "kind",
            "mode",
            "estado",
            "tipo",
            "role",
            "severity",
        ):
            extra["enum"] = list(words)
        elif (found := format_in_prose(text)) in ("date", "date-time", "time"):
            extra["format"] = found
    if shape.type in (ColumnType.INTEGER, ColumnType.REAL) and "minimum" not in shape.schema:
        low, high = range_in_prose(text)
        extra.update(
            {k: v for k, v in (("minimum", low), ("maximum", high)) if v is not None and k not in shape.schema}
        )
    return shape_of({**shape.schema, **extra})._replace(nullable=shape.nullable) if extra else shape


def _opens(draft: EntityDraft | None, name: str) -> bool:
    """Whether an object parameter is only an envelope for the entity's own attributes."""
    word = snake(name)
    return word in OPEN_OBJECTS or (
        draft is not None and (word in draft.names() or singular(word) == draft.name or draft.name.endswith("_" + word))
    )


def _is_batch(cast: Cast, reading: Reading, draft: EntityDraft | None, name: str) -> bool:
    words = tuple(split_words(name))
    named = cast.find((*words[:-1], singular(words[-1]))) if words else None
    return draft is not None and (
        named == draft.name
        or (
            reading.plural
            and len(properties_of(reading.tool.input_schema)) <= 3
            and reading.verb.kind
            in (VerbClass.CREATE, VerbClass.UPDATE, VerbClass.ADD, VerbClass.DELETE, VerbClass.REMOVE, VerbClass.SEND)
        )
    )


def _classify(cast: Cast, reading: Reading, draft: EntityDraft | None, role: Role) -> None:
    word = snake(role.name)
    kind = reading.verb.kind
    http = reading.tool.http
    if (
        http is not None
        and role.path == (role.name,)
        and role.name in http.path_parameters
        and as_path(cast, reading, draft, role)
    ):
        return
    edited = cast.edited_lists.get(reading.tool.name)
    if edited is not None and draft is not None and role.many:
        role.role, role.column = "element", edited
        draft.column(edited, role.shape, role.description, f"{reading.tool.name}.{role.name}")
        return
    link = cast.links.get(reading.tool.name)
    if (
        link is not None
        and draft is not None
        and role.shape.type in (ColumnType.TEXT, ColumnType.INTEGER)
        and not role.shape.schema.get("enum")
    ):
        target = cast.by_parameter(role.name)
        if target in (None, link[0], link[1]) and (target is not None or role.required):
            as_link(draft, reading, role, target if target is not None and target != draft.name else link[1])
            return
    reads = kind in READING_VERBS
    text_like = role.shape.type == ColumnType.TEXT and not role.shape.schema.get("enum")
    if kind in (VerbClass.LOGIN, VerbClass.LOGOUT) and word.rsplit("_", 1)[-1] in (
        "password",
        "passwd",
        "pin",
        "secret",
        "contrasena",
        "passwort",
        "code",
        "otp",
    ):
        role.role, role.column = "password", column_name(role.name)
    elif kind is VerbClass.LOGIN and word in ("token", "api_key", "access_token", "auth_token"):
        role.role, role.column = "token", column_name(role.name)
    elif reads and role.shape.type in (ColumnType.INTEGER, ColumnType.REAL) and LIMIT.match(word):
        role.role = "limit"
    elif reads and PAGE.match(word):
        role.role = "page"
    elif (
        reads
        and OFFSET.match(word)
        and role.shape.type != ColumnType.DATE
        and not (word == "start" and role.shape.type in (ColumnType.TEXT, ColumnType.DATETIME))
    ):
        role.role = "offset"
    elif reads and DIRECTION.match(word) and (role.shape.type == ColumnType.BOOLEAN or is_direction(role)):
        role.role = "direction"
    elif reads and SORT.match(word):
        sort_columns(draft, role)
        values = {str(v).lower() for v in role.shape.schema.get("enum", ())}
        role.role = "direction" if values and values <= {"asc", "desc", "ascending", "descending"} else "sort"
    elif reads and role.shape.type in (ColumnType.INTEGER, ColumnType.REAL) and RECENT.match(word):
        as_recent(draft, reading, role)
    elif reads and draft is not None and draft.name == "file" and is_folder(word, role):
        role.role = "under" if role.shape.type is ColumnType.TEXT else "recursive"
    elif reads and is_identity(cast, draft, role, kind):
        as_identity(cast, reading, draft, role)
    elif reads and text_like and SEARCH.match(word):
        role.role = "search"
    elif reads and role.shape.type == ColumnType.BOOLEAN and FLAG.match(word):
        role.role, role.column = "flag", FLAG.sub("", word)
    elif reads and PROJECT.match(word):
        role.role = "project"
    elif (
        reads
        and role.shape.type not in (ColumnType.BOOLEAN, ColumnType.JSON)
        and (LOW.search(word) or HIGH.search(word))
        and not (text_like and word.endswith("_to") and draft is not None and word in draft.attributes)  # `assigned_to`
    ):
        as_range(draft, role, word)
    elif is_identity(cast, draft, role, kind):
        as_identity(cast, reading, draft, role)
    else:
        as_value(reading, draft, role, reads)
