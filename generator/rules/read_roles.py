"""Roles that only reading tools have: ranges, recency, sorting and its direction, folders.

Invariant: a range or a sort key concerns a column that rows have, made where no output shows it. Not covered: plain
filters (`role_values`).
"""

from __future__ import annotations

import re

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.bounds import SIDE, verb_stem
from autoforge.generator.rules.drafts import EntityDraft
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.role_words import HIGH, LOW
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.shapes import Shape, is_moment, shape_of
from autoforge.generator.rules.words import column_name, snake

__all__ = ["as_range", "as_recent", "is_direction", "is_folder", "sort_columns"]


def sort_columns(draft: EntityDraft | None, role: Role) -> None:
    """Rows have what a list can be sorted by, also where no output says so."""
    for value in role.shape.schema.get("enum", ()) if draft is not None else ():
        base = re.sub(r"_(?:asc|desc|ascending|descending)$", "", snake(str(value)))
        if draft is None or base in (
            "asc",
            "desc",
            "ascending",
            "descending",
            "relevance",
            "best_match",
            "default",
            "none",
            "random",
        ):
            continue
        if any(
            c == base or c.endswith("_" + base) or base.endswith("_" + c) or base.split("_")[-1] in c.split("_")
            for c in draft.attributes
        ):
            continue
        kind = (
            {"type": "string", "format": "date-time"}
            if re.search(r"date|time|created|updated|recent|fecha", base)
            else {"type": "string"}
            if re.search(r"name|title|nombre", base)
            else {"type": "number"}
        )
        draft.column(base, shape_of(kind), "", f".{role.name}")


def as_recent(draft: EntityDraft | None, reading: Reading, role: Role) -> None:
    """`days_back`: rows from the last so many days."""
    role.role = "recent"
    if draft is None:
        return
    dates = [
        a.name
        for a in draft.attributes.values()
        if a.type in (ColumnType.DATE, ColumnType.DATETIME) and not a.name.startswith(("due", "end", "expir"))
    ]
    role.column = dates[0] if dates else "created_at"
    draft.column(
        role.column, shape_of({"type": "string", "format": "date-time"}), "", f"{reading.tool.name}.{role.name}"
    )


def is_folder(word: str, role: Role) -> bool:
    """A folder that a list of files is limited to, or whether the folders in it count."""
    if role.shape.type is ColumnType.BOOLEAN:
        return word in ("recursive", "include_subdirectories", "include_subfolders", "deep")
    return role.shape.type is ColumnType.TEXT and bool({"directory", "folder", "dir"} & set(word.split("_")))


def is_direction(role: Role) -> bool:
    values = {str(v).lower() for v in role.shape.schema.get("enum", ())} | {str(role.schema.get("default", "")).lower()}
    return bool(
        values
        & {
            "asc",
            "desc",
            "ascending",
            "descending",
            "ascendente",
            "descendente",
            "aufsteigend",
            "absteigend",
            "croissant",
        }
    ) or snake(role.name) in ("direction", "sort_direction", "sort_order", "order_direction")


def _happening(draft: EntityDraft, word: str) -> str | None:
    """The moment of rows that a name tells by its verb: `ending_before` → end_date, `expires_after` → expires_on."""
    stem = verb_stem(word)
    near = [
        a.name
        for a in draft.attributes.values()
        if len(stem) >= 3 and a.name.startswith(stem[:5]) and is_moment(a.name, a.type)
    ]
    return near[0] if len(near) == 1 else None


def _said(draft: EntityDraft, role: Role) -> str | None:
    """The column that the description calls by its own name: `only loans with a due_on before this date`."""
    words = set(re.findall(r"\w+", role.description)) - {role.name}
    near = [a for a in draft.attributes if "_" in a and a in words and not a.endswith("_id")]
    return near[0] if len(near) == 1 else None


def as_range(draft: EntityDraft | None, role: Role, word: str) -> None:
    """A lower or upper bound of a column: the one of that name, else the likeliest date, else one named by what is
    left.
    """
    side = SIDE.search(word)
    role.role = "low" if (side["low"] if side is not None else LOW.search(word)) else "high"
    rest = re.sub(r"^_|_$", "", (LOW if role.role == "low" else HIGH).sub("", word))
    rest = "" if rest in ("date", "time", "datetime", "value", "number") else rest
    rest = {"arrival": "check_in", "departure": "check_out", "arrives": "check_in", "leaves": "check_out"}.get(
        rest, rest
    )
    dated = role.shape.type in (ColumnType.DATE, ColumnType.DATETIME, ColumnType.TEXT)
    if draft is None:
        return
    happens = _said(draft, role) or (_happening(draft, word) if dated else None)
    if happens is not None:
        role.column = happens
        return
    role.column = next(
        (a for a in draft.attributes if rest and (a == rest or a.endswith("_" + rest) or a.startswith(rest + "_"))),
        None,
    )
    if role.column is None and dated:
        dates = [a.name for a in draft.attributes.values() if is_moment(a.name, a.type)]
        preferred = (
            [d for d in dates if "start" in d or d in ("date", "fecha")]
            or [d for d in dates if "creat" not in d and "updat" not in d]
            or dates
        )
        role.column = preferred[0] if preferred and not rest else None
        if role.column is None and role.shape.type == ColumnType.TEXT:
            role.shape = shape_of({**role.shape.schema, "format": "date"}) if not rest or "date" in word else role.shape
    if role.column is None:
        role.column = column_name(rest) if rest else ("date" if dated else "value")
        shape = Shape(
            role.shape.type, True, {k: v for k, v in role.shape.schema.items() if k in ("type", "format")}, False
        )
        draft.column(role.column, shape, role.description, f".{role.name}")
    elif draft.attributes[role.column].guessed and role.shape.type is not ColumnType.TEXT:
        draft.attributes[role.column].type = role.shape.type  # prose alone named it
