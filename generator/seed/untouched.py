"""Parents that no row refers to, so that a tool which refuses while something hangs on a row has a row to succeed on.

Invariant: of an entity with four rows or more, about a sixth (one at least) is named by no generated reference, the
same rows for all columns. A row that the documentation refers to is not among them, nor anyone who may log in; where
the rows have a state, one in the first state is. Not covered: references that the user's rows hold.
"""

from __future__ import annotations

from pydantic import JsonValue

from autoforge.generator.emit.schema import parent_of
from autoforge.generator.ir import Attribute, Entity
from autoforge.generator.seed.setting import Row, Setting
from autoforge.generator.seed.states import status_column

__all__ = ["touchable", "untouched_count"]

LEAST = 4
"""Rows from which on some stay untouched."""
SHARE = 6


def untouched_count(rows: int) -> int:
    """How many of so many rows stay untouched."""
    return max(1, rows // SHARE) if rows >= LEAST else 0


def touchable(setting: Setting, parent: Entity) -> list[JsonValue]:
    """The keys of a parent that references may hold."""
    if parent.name not in setting.untouched:
        setting.untouched[parent.name] = frozenset(repr(k) for k in _chosen(setting, parent))
    return [key for key in setting.keys(parent) if repr(key) not in setting.untouched[parent.name]]


def _chosen(setting: Setting, parent: Entity) -> list[JsonValue]:
    rows = setting.rows[parent.name]
    if _logs_in(setting, parent):
        return []
    taken = {repr(k) for k in _bespoken(setting, parent)}
    free = [row for row in rows[1:] if repr(row[parent.key[0]]) not in taken]
    order = setting.draw(parent.name, "@untouched").shuffled(free)
    status = status_column(parent)
    first = next((v for v in status.enum if v is not None), None) if status is not None else None
    if status is not None:
        order.sort(key=lambda row: row.get(status.name) != first)
    count = untouched_count(len(rows))
    chosen = order[:1] + _others(order[1:], status)
    return [row[parent.key[0]] for row in chosen[:count]]


def _logs_in(setting: Setting, parent: Entity) -> bool:
    """Whether sessions belong to rows of the entity: whoever may log in has something."""
    holders = [e for e in setting.world.entities if e.singleton]
    return any(a.references == parent.name and e.name != parent.name for e in holders for a in e.attributes)


def _others(rows: list[Row], status: Attribute | None) -> list[Row]:
    """The rest, those in another state first, so that not all of the first state are untouched."""
    return rows[::-1] if status is not None else rows


def _bespoken(setting: Setting, parent: Entity) -> list[JsonValue]:
    """Keys that rows refer to whatever is chosen here."""
    found: list[JsonValue] = []
    for entity in setting.world.entities:
        for attribute in entity.attributes:
            holder = parent_of(setting.world, attribute)
            if holder is None or holder.name != parent.name:
                continue
            found += attribute.examples
            if attribute.default is not None:
                found.append(attribute.default)
            if entity.name in setting.given:
                found += [row.get(attribute.name) for row in setting.rows[entity.name]]
    return found
