"""Free in a period: rooms, cars, tables, people that something else books by two dates.

Invariant: a thing is free when no booking of it in a live state overlaps the half-open period [start, end). Where a
tool searches what is free, a tool that books refuses what is not. Not covered: capacity by count, opening hours.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from autoforge.generator.ir import (
    Assign,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Filter,
    Listing,
    RowField,
    Select,
    Variable,
)
from autoforge.generator.rules.cast import Cast
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import READING_VERBS, Role
from autoforge.generator.rules.scene import Scene, call, counted, negate
from autoforge.generator.rules.words import snake

__all__ = ["Booking", "find_bookings", "only_free", "refuse_overlap"]

_START = re.compile(r"(?:^|_)(?:check_?in|start|from|begin|pick_?up|arrival|entrada|desde|inicio)(?:_|$)")
_END = re.compile(r"(?:^|_)(?:check_?out|end|to|until|drop_?off|return|departure|salida|hasta|fin)(?:_|$)")
_OVER = (
    "cancelled",
    "canceled",
    "rejected",
    "declined",
    "expired",
    "no_show",
    "checked_out",
    "completed",
    "returned",
    "cancelado",
    "cancelada",
    "finished",
    "refunded",
)
_DATES = (ColumnType.DATE, ColumnType.DATETIME)


class Booking(NamedTuple):
    """An entity whose rows book rows of another for a period."""

    entity: str
    column: str
    """Its reference to what is booked."""
    start: str
    end: str


def find_bookings(cast: Cast, readings: list[Reading], roles: dict[str, list[Role]]) -> dict[str, Booking]:
    """Thing → how it is booked, where a tool looks for free things by two dates; that tool's date roles become
    `free_from`, `free_until`.
    """
    found: dict[str, Booking] = {}
    for reading in readings:
        thing = cast.of_tool[reading.tool.name]
        mine = roles[reading.tool.name]
        if thing is None or reading.verb.kind not in READING_VERBS:
            continue
        pair = _period(mine)
        booking = _booked_by(cast, thing) if pair is not None else None
        if pair is None or booking is None:
            continue
        found[thing] = booking
        for role, name in zip(pair, ("free_from", "free_until"), strict=True):
            _forget(cast, thing, reading, role)
            role.role, role.column = name, None
    return found


def _period(roles: list[Role]) -> tuple[Role, Role] | None:
    dates = [r for r in roles if r.shape.type in _DATES and r.role in ("filter", "low", "high", "value")]
    start = next((r for r in dates if _START.search(snake(r.name)) and not _END.search(snake(r.name))), None)
    end = next((r for r in dates if _END.search(snake(r.name)) and r is not start), None)
    return (start, end) if start is not None and end is not None and len(dates) == 2 else None


def _booked_by(cast: Cast, thing: str) -> Booking | None:
    for draft in cast.entities.values():
        reference = next((a.name for a in draft.attributes.values() if a.references == thing), None)
        dates = [a.name for a in draft.attributes.values() if a.type in _DATES]
        start = next((d for d in dates if _START.search(d)), None)
        end = next((d for d in dates if _END.search(d) and d != start), None)
        if draft.name != thing and reference is not None and start is not None and end is not None:
            return Booking(draft.name, reference, start, end)
    return None


def _forget(cast: Cast, thing: str, reading: Reading, role: Role) -> None:
    """Drop the column that only searches and quotes asked for."""
    attribute = cast.entities[thing].attributes.get(role.column or "")
    if attribute is not None and all(
        e == f"{reading.tool.name}.{role.name}" or e.startswith(".") for e in attribute.evidence
    ):
        del cast.entities[thing].attributes[attribute.name]


def only_free(scene: Scene, entity: Entity, booking: Booking, rows: str) -> str:
    """Bind the rows of a list that are free in the period of the roles `free_from` and `free_until`."""
    start, end = scene.first("free_from"), scene.first("free_until")
    if start is None or end is None:
        return rows
    first, last = scene.argument(start), scene.argument(end)
    taken = _overlapping(scene, booking, first, last, None)
    names = scene.variable("taken_keys")
    scene.add(
        Assign(
            name=names,
            value=Listing(
                over=Variable(name=taken), item="booked", value=RowField(row="booked", column=booking.column)
            ),
        )
    )
    free = scene.variable(f"free_{entity.table}")
    inside = call("in", RowField(row="candidate", column=entity.key[-1]), Variable(name=names))
    scene.add(
        Assign(
            name=free,
            value=Listing(
                over=Variable(name=rows), item="candidate", value=Variable(name="candidate"), condition=negate(inside)
            ),
        )
    )
    scene.bound[free] = entity.name
    return free


def refuse_overlap(scene: Scene, bookings: dict[str, Booking], entity: Entity, values: dict[str, Expression]) -> None:
    """Refuse a new booking of what is not free."""
    for thing, booking in bookings.items():
        if booking.entity != entity.name or not {booking.column, booking.start, booking.end} <= set(values):
            continue
        taken = _overlapping(scene, booking, values[booking.start], values[booking.end], values[booking.column])
        scene.refuse(
            call("greater", counted(taken), Constant(value=0)),
            f"The {thing.replace('_', ' ')} is not free in this period.",
            "dates",
        )


def _overlapping(scene: Scene, booking: Booking, first: Expression, last: Expression, key: Expression | None) -> str:
    where = [
        Filter(column=booking.start, comparison="less", value=last),
        Filter(column=booking.end, comparison="greater", value=first),
    ]
    entity = scene.entities[booking.entity]
    status = entity.attribute(entity.status) if entity.status else None
    live = [v for v in status.enum if snake(str(v)) not in _OVER] if status is not None else []
    if status is not None and live and len(live) < len(status.enum):
        where.append(Filter(column=status.name, comparison="in", value=Constant(value=list(live))))
    if key is not None:
        where.append(Filter(column=booking.column, value=key))
    rows = scene.variable(f"overlapping_{entity.table}")
    scene.add(Select(rows=rows, entity=entity.name, where=tuple(where)))
    scene.bound[rows] = entity.name
    return rows
