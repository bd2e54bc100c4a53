"""A typed column as an `Attribute`, and what can be said of a table as a whole: label, status, owner, id template.

Invariant: what the sample shows is evidence, not law: enums, examples and ranges of the sample are recorded, but
nothing is NOT NULL or UNIQUE unless the data declares it or it is the key. Not covered: merging with the
documentation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pydantic import JsonValue

from autoforge.generator.data.drafts import Column, Draft
from autoforge.generator.data.naming import noun_of
from autoforge.generator.documents.values import type_of
from autoforge.generator.ir import Attribute, ColumnKind, ColumnType, Entity
from autoforge.generator.rules.meaning import meaning_of
from autoforge.generator.rules.words import split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["entity_of"]

_STATUS = ("status", "state", "stage", "phase")
_CATEGORY = word_set(
    "status state stage phase type kind priority category level role gender severity mode method tier class condition"
)
_PROSE = word_set(
    "description content body message text note notes comment comments reason summary feedback bio remarks"
)
_CLOCKED = re.compile(
    r"(?:created|updated|modified|sent)(?:_?(?:at|on|date|time))?$|timestamp$|last_modified$", re.IGNORECASE
)
_NEVER_NEGATIVE = word_set(
    "price cost amount quantity qty count stock volume size weight height width length age seats capacity duration"
)
_SIGNED = word_set("change delta difference diff net gain loss profit adjustment")
_PEOPLE = word_set("user customer member employee client patient student account owner guest person contact")
_LABELS = ("name", "title", "label", "full_name", "display_name", "subject", "username")
_NUMBERED_ID = re.compile(r"(.*?)(\d+)", re.DOTALL)
_MOST_ENUM = 12


def entity_of(draft: Draft) -> Entity:
    """The frozen entity of a draft whose columns are typed, keyed and named."""
    attributes = tuple(_attribute(draft, c) for c in draft.columns)
    by_name = {a.name: a for a in attributes}
    status = next((n for n in _STATUS if n in by_name and by_name[n].type is ColumnType.TEXT), None)
    made_up = {c.name for c in draft.columns if c.generated}
    return Entity(
        name=draft.entity,
        table=draft.table,
        title=draft.entity.replace("_", " ").capitalize(),
        attributes=attributes,
        key=tuple(c.name for c in draft.key),
        id_template=_id_template(draft),
        singleton=draft.kind == "single",
        label=next((n for n in _LABELS if n in by_name and n not in made_up), None),
        owner=_owner(draft),
        status=status,
        evidence=(f"{draft.document}: {draft.source}, {draft.size} row{'s' * (draft.size != 1)}",),
    )


def _attribute(draft: Draft, column: Column) -> Attribute:
    values = list(column.values())
    enum = column.enum or _enum(draft, column, values)
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    return Attribute(
        name=column.name,
        type=column.type,
        kind=_kind(draft, column),
        enum=enum,
        nullable=not (column in draft.key or column.not_null),
        default=_default(column),
        unique=column.unique and draft.key != (column,),
        references=column.target.entity if column.target is not None and len(column.target.key) == 1 else None,
        minimum=0.0 if _never_negative(column, numbers) else None,
        meaning="" if enum else _meaning(draft, column),
        item_schema=_item_schema(column),
        examples=() if column.generated else tuple(values[:5]),
        evidence=_evidence(draft, column, numbers),
    )


def _never_negative(column: Column, numbers: Sequence[int | float]) -> bool:
    words = split_words(column.name)
    return bool(numbers) and min(numbers) >= 0 and not _NEVER_NEGATIVE.isdisjoint(words) and _SIGNED.isdisjoint(words)


def _meaning(draft: Draft, column: Column) -> str:
    if column.target is not None or column.generated or column.type is ColumnType.JSON:
        return ""
    return meaning_of(column.name, "", column.type, entity=draft.entity)


def _default(column: Column) -> JsonValue:
    if column.type is ColumnType.BOOLEAN and column.default in (0, 1):
        return bool(column.default)
    return column.default if column.codec in ("same", "digits") and column.type is not ColumnType.JSON else None


def _kind(draft: Draft, column: Column) -> ColumnKind:
    if column.role in ("position", "number") and column in draft.key and draft.kind != "single":
        return ColumnKind.SURROGATE
    if column in draft.key:
        return ColumnKind.KEY
    if column.type in (ColumnType.DATETIME, ColumnType.DATE) and _CLOCKED.match(column.name):
        return ColumnKind.CLOCK
    prose = (
        column.type is ColumnType.TEXT
        and column.target is None
        and not column.enum
        and not _PROSE.isdisjoint(split_words(column.name))
    )
    return ColumnKind.FREE_TEXT if prose and column.codec == "same" else ColumnKind.VALUE


def _enum(draft: Draft, column: Column, values: Sequence[JsonValue]) -> tuple[JsonValue, ...]:
    """Few short texts, repeated in at least six cells, or in a column whose name says so."""
    if (
        column.type is not ColumnType.TEXT
        or column.codec != "same"
        or column.role == "key"
        or column.target is not None
    ):
        return ()
    if column in draft.key or not 0 < len(values) <= _MOST_ENUM:
        return ()
    if any(not v or len(str(v)) > 30 or "\n" in str(v) for v in values):
        return ()
    filled = sum(c is not None for c in column.cells)
    named = not _CATEGORY.isdisjoint(split_words(column.name)[-1:])
    repeated = (
        filled >= 6
        and len(values) <= max(2, filled // 3)
        and min(Counter(c for c in column.cells if isinstance(c, str)).values()) > 1
    )
    return tuple(values) if named or repeated else ()


def _item_schema(column: Column) -> dict[str, JsonValue] | None:
    if column.type is not ColumnType.JSON:
        return None
    cells = [c for c in column.cells if c is not None]
    if cells and all(isinstance(c, list) for c in cells):
        kinds = sorted({type_of(m) for c in cells if isinstance(c, list) for m in c})
        items: dict[str, JsonValue] = {} if len(kinds) != 1 else {"type": kinds[0]}
        if column.link is not None:
            items["description"] = f"A key of {column.link.entity}."
        return {"type": "array", "items": items}
    return {"type": "object"} if cells and all(isinstance(c, dict) for c in cells) else {}


def _evidence(draft: Draft, column: Column, numbers: Sequence[int | float]) -> tuple[str, ...]:
    if column.generated:
        return ()
    said = [f"{draft.document}: {'.'.join((draft.source, *column.path))}"]
    if numbers:
        said.append(f"from {min(numbers)} to {max(numbers)} in the data")
    if column.reason:
        said.append(column.reason)
    if column.missing:
        said.append(f"absent from {len(column.missing)} of {column.scope} rows")
    return tuple(said)


def _id_template(draft: Draft) -> str | None:
    """How the ids of the data read, `USR{:03d}`; None where they share no pattern or no single column is the key."""
    if draft.kind == "single" or len(draft.key) != 1 or draft.key[0].target is not None:
        return None
    key = draft.key[0]
    if key.type is ColumnType.INTEGER:
        return "{}"
    if key.type is not ColumnType.TEXT:
        return None
    matches = [_NUMBERED_ID.fullmatch(str(v)) for v in key.values()]
    found = [m for m in matches if m is not None]
    if not found or len(found) != len(matches) or len({m[1] for m in found}) != 1 or not found[0][1]:
        return None
    prefix = found[0][1].replace("{", "{{").replace("}", "}}")
    padded = len({len(m[2]) for m in found}) == 1 and any(m[2].startswith("0") for m in found)
    return f"{prefix}{{:0{len(found[0][2])}d}}" if padded else f"{prefix}{{}}"


def _owner(draft: Draft) -> str | None:
    if draft.kind == "single":
        return None
    owners = (
        c.name for c in draft.columns if c.target is not None and c.target is not draft and noun_of(c.target) in _PEOPLE
    )
    return next(owners, None)
