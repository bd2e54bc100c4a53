"""A row as outputs show it: the columns that are no secret, with the lists of its children.

Invariant: a password, token or secret is in no record. Not covered: documented output schemas (`planned_outputs`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Attribute,
    Entity,
    Expression,
    Filter,
    Listing,
    Record,
    RowField,
    Select,
    Variable,
)
from autoforge.generator.rules.scene import Scene

__all__ = ["child_lists", "public_record"]

_SECRET = ("password", "passwd", "secret", "token", "pin", "contrasena", "passwort", "cvv")


def child_lists(scene: Scene, entity: Entity, row: str) -> tuple[tuple[str, Expression], ...]:
    """The lists that belong to a row, under the names that the documentation gives them."""
    lists: list[tuple[str, Expression]] = []
    for (parent, name), child_name in scene.cast.children.items():
        child = scene.entities.get(child_name)
        reference = next((a for a in child.attributes if a.references == parent), None) if child is not None else None
        if parent != entity.name or child is None or reference is None or any(n == name for n, _ in lists):
            continue
        rows = scene.variable(child.table)
        scene.add(
            Select(
                rows=rows,
                entity=child.name,
                where=(Filter(column=reference.name, value=RowField(row=row, column=entity.key[-1])),),
            )
        )
        scene.bound[rows] = child.name
        record = public_record(scene, child, "row")
        kept = tuple(
            f for f in record.fields if f[0] not in (reference.name, *(child.key if child.id_template else ()))
        )
        lists.append(
            (name, Listing(over=Variable(name=rows), item="row", value=record.model_copy(update={"fields": kept})))
        )
    return tuple(lists)


def public_record(scene: Scene, entity: Entity, row: str) -> Record:
    """All columns that an agent may see, under the data's own names where there are such."""
    names = scene.names.get(entity.name, {})
    fields = [
        (names.get(a.name, a.name), RowField(row=row, column=a.name)) for a in entity.attributes if not _hidden(a)
    ]
    return Record(fields=tuple(fields))


def _hidden(attribute: Attribute) -> bool:
    return any(word in attribute.name for word in _SECRET)
