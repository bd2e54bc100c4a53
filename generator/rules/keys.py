"""Primary keys: the columns by which tools name a row, and how a new id reads.

Invariant: every entity has a key; a generated id follows the documented example or pattern where there
is one. Not covered: what
refers to a key (`references`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import Cast, id_stem
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.patterns import follows, numbered_ids
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.shapes import Shape, shape_of
from autoforge.generator.rules.verbs import VerbClass

__all__ = ["TEXT_SHAPE", "all_roles", "settle_key", "settle_template"]

TEXT_SHAPE = Shape(ColumnType.TEXT, True, {"type": "string"}, False)


def settle_key(cast: Cast, draft: EntityDraft, readings: list[Reading], roles: dict[str, list[Role]]) -> None:
    keyed = [r for reading in readings for r in all_roles(roles[reading.tool.name]) if r.role == "key"]
    referring = [
        r
        for rs in roles.values()
        for r in all_roles(rs)
        if r.role in ("reference", "key") and r.entity == draft.name and r not in keyed
    ]
    referred = any(a.references == draft.name for d in cast.entities.values() for a in d.attributes.values())
    creates = [
        r
        for r in readings
        if r.verb.kind in (VerbClass.CREATE, VerbClass.SEND, VerbClass.ADD, VerbClass.RUN, VerbClass.COMPUTE)
    ]
    lists = [r for r in readings if r.plural or r.verb.kind in (VerbClass.LIST, VerbClass.SEARCH)]
    lone = (
        draft.name in cast.loners
        and not keyed
        and not referring
        and not referred
        and any(
            r.verb.kind
            in (VerbClass.GET, VerbClass.UPDATE, VerbClass.SET, VerbClass.STATE, VerbClass.TOGGLE, VerbClass.DELETE)
            for r in readings
        )
    )
    if lone and any(r.verb.kind is VerbClass.DELETE and r.tool.input_schema.get("properties") for r in readings):
        lone = False
    if lone and any(r.role in ("filter", "search", "low", "high") for x in readings for r in roles[x.tool.name]):
        lone = False
    toggles = [r for r in readings if r.verb.kind is VerbClass.TOGGLE]
    lone = lone or (bool(toggles) and len(toggles) == len(readings) and not keyed and not referring)
    child = draft.name in cast.children.values()
    if (not child and lone) or (
        not child
        and not keyed
        and not referring
        and not referred
        and not creates
        and not lists
        and not any(r.role in ("filter", "search", "low", "high") for x in readings for r in roles[x.tool.name])
        and "data" not in draft.evidence
    ):
        draft.singleton = True
        draft.key = ("id",)
        draft.attributes.pop("id", None)
        draft.column("id", Shape(ColumnType.INTEGER, False, {"type": "integer"}, False))
        return
    changed = {
        r.column
        for x in readings
        if x.verb.kind in (VerbClass.UPDATE, VerbClass.SET)
        for r in roles[x.tool.name]
        if r.role == "value"
    }
    column = _key_column(draft, keyed, referring, changed)
    if draft.key:
        return
    draft.key = (column,)
    attribute = draft.attributes.get(column)
    if attribute is None:
        source = next((r for r in [*keyed, *referring] if not r.many), None) or next(iter([*keyed, *referring]), None)
        shape = source.shape if source else Shape(ColumnType.INTEGER, False, {"type": "integer"}, False)
        if shape.many:
            shape = shape_of(shape.schema.get("items", {"type": "string"}))
        attribute = draft.column(column, shape, source.description if source else "")
    if attribute.type is ColumnType.REAL:
        attribute.type = ColumnType.INTEGER
    if attribute.type not in (ColumnType.INTEGER, ColumnType.TEXT):
        attribute.type = ColumnType.TEXT
    attribute.references = None
    attribute.enum = []
    settle_template(cast, draft, column, creates, roles)


def all_roles(roles: list[Role]) -> list[Role]:
    return [r for role in roles for r in (role, *role.items)]


def _key_column(draft: EntityDraft, keyed: list[Role], referring: list[Role], changed: set[str | None]) -> str:
    """`id`, `<entity>_id`, or a natural key: the name by which the tools take a row."""
    if "id" in draft.attributes or any(id_stem(r.name) == () for r in keyed):
        return "id"
    for name in (f"{draft.name}_id", f"{draft.name.split('_')[-1]}_id", "_id", "uuid", "uid", "gid"):
        if name in draft.attributes:
            return name
    for role in [*keyed, *referring]:
        stem = id_stem(role.name)
        if stem is not None:
            return "id" if stem == () else f"{draft.name}_id"
    for role in [*keyed, *referring]:
        if role.column in changed:
            return "id"
        if role.role == "key" and role.column and role.column in draft.attributes:
            return role.column
    if keyed or referring:
        natural = next(
            (
                n
                for n in ("symbol", "username", "code", "slug", "sku", "isbn", "name", "path", "email", "title")
                if n in draft.attributes
            ),
            None,
        )
        by_id = any(id_stem(r.name) is not None for r in referring)
        if natural and not by_id and natural not in changed:
            return natural
        return f"{draft.name}_id" if by_id or not keyed else "name"
    return f"{draft.name}_id" if f"{draft.name}_id" in draft.attributes else "id"


def settle_template(
    cast: Cast, draft: EntityDraft, column: str, creates: list[Reading], roles: dict[str, list[Role]]
) -> None:
    """How generated ids read; none where callers choose the key themselves."""
    attribute = draft.attributes[column]
    creates = [c for c in creates if c.verb.kind in (VerbClass.CREATE, VerbClass.ADD, VerbClass.SEND)]
    chosen = any(
        (r.role == "key" or r.column == column) and r.required for c in creates for r in all_roles(roles[c.tool.name])
    )
    natural = column not in ("id", f"{draft.name}_id", "_id", "uuid", "uid", "gid") and not column.endswith("_id")
    if natural or chosen:
        draft.id_template = None
        return
    if attribute.type is ColumnType.INTEGER:
        draft.id_template = "{}"
        return
    shown = next((str(e) for e in attribute.examples if re.search(r"\d+$", str(e))), None) or _example_in(
        attribute.description
    )
    if shown and (attribute.pattern is None or follows(attribute.pattern, shown)):
        digits = re.search(r"\d+$", shown)
        assert digits is not None
        draft.id_template = shown[: digits.start()].replace("{", "").replace("}", "") + f"{{:0{len(digits.group())}d}}"
    elif attribute.pattern is not None and (numbered := numbered_ids(attribute.pattern)) is not None:
        draft.id_template = numbered
    elif attribute.format == "uuid":
        draft.id_template = "{:08x}-0000-4000-8000-000000000000"
    else:
        draft.id_template = f"{_abbreviation(cast, draft.name)}-{{:04d}}"


def _example_in(description: str) -> str | None:
    found = re.search(
        r"(?:e\.g\.|for example|such as|example:|like|p\. ?ej\.|por ejemplo|z\. "
        r"?B\.)[:,]?\s*[`'\"“]?([A-Za-z]{1,6}[-_]?\d{2,8})\b",
        description,
        re.IGNORECASE,
    )
    return found.group(1) if found else None


def _abbreviation(cast: Cast, name: str) -> str:
    words = name.split("_")
    short = "".join(w[0] for w in words).upper() if len(words) > 1 else name[:3].upper()
    taken = {d.id_template.split("-")[0] for d in cast.entities.values() if d.id_template and "-" in d.id_template}
    return short if short not in taken else name.replace("_", "")[:5].upper()
