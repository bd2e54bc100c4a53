"""What a row's state says of its other columns: no shipping date before it ships, no reason where nothing was
cancelled.

Invariant: only columns that may be empty are emptied, and a column that names a state keeps its value exactly in the
rows that have reached it, by the entity's transitions, else by the order of the status values. Not covered: columns
whose names name no state.
"""

from __future__ import annotations

import networkx as nx
from pydantic import JsonValue

from autoforge.generator.ir import Attribute, ColumnType, Entity
from autoforge.generator.rules.meaning import meaning_of, split_name
from autoforge.generator.seed.column import meaning_in
from autoforge.generator.seed.setting import Row, Setting

__all__ = ["empty_by_state", "state_columns", "state_values", "status_column"]

_STEMS = (
    ("cancel", "storn", "annul", "cancelad"),
    ("suspen", "suspend"),
    ("reject", "declin", "refus", "rechaz", "abgelehnt"),
    ("refund", "erstatt", "rembours", "reembols"),
    ("return", "devuel", "zuruck"),
    ("fail",),
    ("delet", "remov", "trash"),
    ("archiv",),
    ("block", "lock", "ban"),
    ("tracking", "ship", "dispatch", "versa", "envi", "exped"),
    ("deliver", "entreg", "geliefert", "livre"),
    ("paid", "pagad", "bezahlt", "paye"),
    ("approv", "aproba", "genehm"),
    ("accept",),
    ("publish", "public"),
    ("resol", "solut", "resuel", "gelost"),
    ("clos", "cerra", "geschlossen"),
    ("complet", "finish", "fulfil", "done", "abgeschl", "termin", "conclu"),
    ("assign", "asign", "zugewies"),
    ("started", "begonnen"),
    ("read", "seen"),
    ("sent",),
    ("checked",),
)
_FINISHED = (
    "resol",
    "solut",
    "clos",
    "complet",
    "finish",
    "fulfil",
    "done",
    "cerra",
    "resuel",
    "abgeschl",
    "geschlossen",
    "termin",
    "conclu",
)
_ENDS_BADLY = _STEMS[0] + _STEMS[1] + _STEMS[2] + _STEMS[5] + _STEMS[6] + _STEMS[8]
_TOLD = frozenset(
    (
        "reason",
        "resolution",
        "tracking_number",
        "carrier",
        "note",
        "comment",
        "date_past",
        "datetime_past",
        "sentence",
        "user_name",
        "person_name",
    )
)
"""Meanings of columns that a state can leave empty."""
_RARE = frozenset(("delet", "cancel", "archiv", "suspen", "block", "reject", "fail", "refund", "return"))
SHARE_OF_NOTES = 0.3
"""Rows without a remark, where remarks may be missing."""


def status_column(entity: Entity) -> Attribute | None:
    """The column that holds the state of a row."""
    named = entity.attribute(entity.status) if entity.status else None
    return named or next((a for a in entity.attributes if a.type is ColumnType.TEXT and _is_status(a)), None)


def _is_status(attribute: Attribute) -> bool:
    known = attribute.name.lower() in ("status", "state", "estado", "statut", "stato")
    return known and meaning_of(attribute.name, attribute.description, enum=attribute.enum) == "status"


def empty_by_state(setting: Setting, entity: Entity, rows: list[Row]) -> None:
    """Empty the columns of the rows that have not reached the state which they are about."""
    for attribute in entity.attributes:
        if (
            not attribute.nullable
            or attribute.name in entity.key
            or attribute.type in (ColumnType.BOOLEAN, ColumnType.JSON)
            or entity.singleton
        ):
            continue
        reached = _reached(setting, entity, attribute, rows)
        for i, row in enumerate(rows):
            if not reached[i] and (entity.name, i, attribute.name) not in setting.pinned:
                row[attribute.name] = None


def _reached(setting: Setting, entity: Entity, attribute: Attribute, rows: list[Row]) -> list[bool]:
    always = [True] * len(rows)
    stems = _stems_of(attribute)
    meaning = meaning_in(setting, entity, attribute)
    if attribute is status_column(entity):
        return always
    if not stems:
        draw = setting.draw(entity.name, attribute.name, "@empty")
        remark = meaning in ("note", "comment") and meaning_of(entity.name.split("_")[-1]) != meaning
        return [not (remark and draw.chance(SHARE_OF_NOTES)) for _ in rows]
    if meaning not in _TOLD and not (attribute.references is not None and "by" in split_name(attribute.name)):
        return always
    return (
        _by_status(entity, stems, rows)
        or _by_flag(entity, stems, rows)
        or _rarely(setting, entity, attribute, stems, rows)
        or always
    )


def _stems_of(attribute: Attribute) -> tuple[str, ...]:
    words = split_name(attribute.name)
    return next((stems for stems in _STEMS if any(w.startswith(s) for w in words for s in stems)), ())


def _by_status(entity: Entity, stems: tuple[str, ...], rows: list[Row]) -> list[bool] | None:
    column = status_column(entity)
    if column is None:
        return None
    order: list[str] = [str(v) for v in column.enum if v is not None] or sorted({str(r.get(column.name)) for r in rows})
    named = _matching(order, stems) or (_matching(order, _FINISHED) if stems[0] in _FINISHED else [])
    if not named:
        return None
    good = _after(entity, order, named)
    return [str(row.get(column.name)) in good for row in rows]


def _matching(statuses: list[str], stems: tuple[str, ...]) -> list[str]:
    def known(status: str) -> bool:
        words = split_name(status)
        return any(w.startswith(s) for w in words for s in stems) and not {"not", "un", "partially"} & set(words)

    return [status for status in statuses if known(status)]


def _after(entity: Entity, order: list[str], named: list[str]) -> set[str]:
    """The named states and those that a row can only come to through them."""
    if any(_matching([status], _ENDS_BADLY) for status in named):
        return set(named)
    if entity.transitions:
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(order)
        for move in entity.transitions:
            graph.add_edges_from(
                (before, move.after) for before in (move.before or tuple(s for s in order if s != move.after))
            )
        starts = [s for s in order if graph.in_degree(s) == 0] or order[:1]
        graph.remove_nodes_from([n for n in named if n in graph])
        elsewhere = {n for s in starts if s in graph for n in nx.descendants(graph, s) | {s}}
        return set(named) | (set(order) - elsewhere)
    first = min(order.index(status) for status in named)
    return set(named) | {s for s in order[first:] if not _matching([s], _ENDS_BADLY)}


def _by_flag(entity: Entity, stems: tuple[str, ...], rows: list[Row]) -> list[bool] | None:
    for attribute in entity.attributes:
        if attribute.type is ColumnType.BOOLEAN and any(
            w.startswith(s) for w in split_name(attribute.name) for s in stems
        ):
            return [bool(row.get(attribute.name)) for row in rows]
    return None


def _rarely(
    setting: Setting, entity: Entity, attribute: Attribute, stems: tuple[str, ...], rows: list[Row]
) -> list[bool] | None:
    if stems[0] not in _RARE:
        return None
    draw = setting.draw(entity.name, attribute.name, "@empty")
    kept = set(draw.some(range(len(rows)), max(1, len(rows) // 5)))
    return [i in kept for i in range(len(rows))]


def state_columns(setting: Setting, entity: Entity) -> list[str]:
    """Columns that say when something of a row's state happened, or why; they move together with the state."""
    dated = (ColumnType.DATE, ColumnType.DATETIME)
    return [
        a.name
        for a in entity.attributes
        if a.references is None
        and a.name not in entity.key
        and not a.unique
        and a is not status_column(entity)
        and (a.type in dated or (a.nullable and a.type is ColumnType.TEXT and not a.enum and bool(_stems_of(a))))
        and meaning_in(setting, entity, a) != "birth_date"
    ]


def state_values(entity: Entity, rows: list[Row]) -> list[JsonValue]:
    """The state of each row, None where the entity has none."""
    column = status_column(entity)
    return [row.get(column.name) if column else None for row in rows]
