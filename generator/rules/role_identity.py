"""Parameters that name rows: the key of the tool's own entity, or a reference to another.

Invariant: a reference names an entity of the cast and has a column that holds it. Not covered: which of several keys is
the tool's own (`role_keys`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import Cast, id_stem
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.role_columns import list_column, match_column
from autoforge.generator.rules.role_values import as_value
from autoforge.generator.rules.roles import READING_VERBS, Role
from autoforge.generator.rules.shapes import shape_of
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import column_name, singular, snake, split_words

__all__ = ["as_identity", "as_link", "as_path", "is_identity"]

_NAMES_OTHER = re.compile(
    r"\b(?:symbols?|ids?|identifiers?|tickers?|usernames?|user name|slugs?|sku|isbn|code)\b|\bname of (?:the|an?)\b",
    re.IGNORECASE,
)


def as_path(cast: Cast, reading: Reading, draft: EntityDraft | None, role: Role) -> bool:
    """A path parameter belongs to the segment before it: `/halls/{id}/seats` takes a hall's id."""
    assert reading.tool.http is not None
    parts = [p for p in reading.tool.http.path.split("/") if p]
    at = next((i for i, p in enumerate(parts) if role.name in p and p.startswith(("{", ":"))), 0)
    before = split_words(parts[at - 1]) if at > 0 and not parts[at - 1].startswith(("{", ":")) else ()
    named = cast.by_parameter(role.name) if id_stem(role.name) != () else None
    owner = named or cast.find((*before[:-1], singular(before[-1]))) if before else named
    if owner is None or draft is None or role.shape.schema.get("enum"):
        return False
    if owner != draft.name:
        role.role, role.entity = "reference", owner
        role.column = _reference_column(draft, role, owner) if id_stem(role.name) != () else f"{owner}_id"
        draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}").references = owner
        return True
    role.role, role.entity = "key", owner
    if id_stem(role.name) is None and column_name(role.name) != draft.name:
        role.column = match_column(draft, snake(role.name))
        draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    return True


def as_link(draft: EntityDraft, reading: Reading, role: Role, target: str) -> None:
    """One side of a link row, under the same column in every tool that touches the link."""
    held = next((a.name for a in draft.attributes.values() if a.references == target), f"{target}_id")
    role.role, role.entity, role.column = "reference", target, held
    attribute = draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    attribute.references, attribute.nullable = target, attribute.nullable and attribute.given


def is_identity(cast: Cast, draft: EntityDraft | None, role: Role, kind: VerbClass) -> bool:
    if (
        role.shape.type in (ColumnType.BOOLEAN, ColumnType.REAL) and id_stem(role.name) is None
    ) or role.shape.schema.get("enum"):
        return False
    if role.shape.type == ColumnType.JSON and not (
        role.many and shape_of(role.shape.schema.get("items", {})).type in (ColumnType.TEXT, ColumnType.INTEGER)
    ):
        return False
    if id_stem(role.name) is not None:
        return True
    target = cast.by_parameter(role.name)
    makes = (
        draft is not None
        and target == draft.name
        and kind in (VerbClass.CREATE, VerbClass.SEND, VerbClass.ADD, VerbClass.UPDATE)
    )
    if target is None or makes:
        return False
    named = _NAMES_OTHER.search(role.description) is not None or (
        len(role.path) == 1
        and role.path[0] in (target, target.replace("_", ""))
        and target in cast.identified
        and role.shape.type is ColumnType.INTEGER
    )
    return (
        kind in READING_VERBS
        or (draft is not None and target == draft.name)
        or named
        or (role.many and target in cast.identified)
    )


def as_identity(cast: Cast, reading: Reading, draft: EntityDraft | None, role: Role) -> None:
    """A key of the tool's own entity, or a reference to another one."""
    stem = id_stem(role.name)
    target = draft.name if draft is not None and stem == () else cast.by_parameter(role.name)
    roles = [w for w in split_words(role.name) if w in ("parent", "new", "old", "previous")]
    if target is None:
        if stem is not None and draft is not None and reading.verb.kind not in READING_VERBS and stem:
            target = cast.add("_".join((*stem[:-1], singular(stem[-1])))).name
        else:
            as_value(reading, draft, role, reading.verb.kind in READING_VERBS)
            return
    role.entity = target
    own = draft is not None and target == draft.name and not roles
    if own:
        role.role = "key"
        if (
            stem is None
            and draft is not None
            and re.search(r"\bname\b", role.description, re.IGNORECASE)
            and not re.search(r"\bid\b", role.description, re.IGNORECASE)
        ):
            role.column = next((c for c in ("name", "username", "title") if c in draft.attributes), "name")
            draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    else:
        if (
            draft is not None
            and (target, draft.name) in cast.members
            and reading.verb.kind in (VerbClass.CREATE, VerbClass.ADD)
            and not role.many
        ):
            role.role = "member"
            return
        role.role = "reference"
        role.column = _reference_column(draft, role, target)
        if (
            draft is not None
            and role.many
            and reading.verb.kind not in READING_VERBS
            and (role.column not in draft.attributes or draft.attributes[role.column].type is ColumnType.JSON)
        ):
            _keep_list(reading, draft, role)
            return
        if draft is not None and not role.many:
            attribute = draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
            attribute.references = target


def _keep_list(reading: Reading, draft: EntityDraft, role: Role) -> None:
    """Ids of several rows of another entity are kept as a list; adding and removing change it."""
    role.column = list_column(draft, column_name(role.name)) or column_name(role.name)
    draft.column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    if reading.verb.kind in (VerbClass.ADD, VerbClass.REMOVE):
        role.role = "element"


def _reference_column(draft: EntityDraft | None, role: Role, target: str) -> str:
    """The column of that meaning that the entity has already, else one named by the parameter."""
    name = column_name(role.name)
    if draft is not None and name not in draft.attributes:
        same = [a.name for a in draft.attributes.values() if a.references == target]
        plain = id_stem(role.name) is None or not set(split_words(role.name)) - set(split_words(target)) - {"id", "ids"}
        if len(same) == 1 and plain:
            return same[0]
    if role.many:
        return "_".join([*split_words(name)[:-1], singular(split_words(name)[-1])])
    return name if id_stem(role.name) is not None or name.endswith("_id") else f"{name}_id" if name == target else name
