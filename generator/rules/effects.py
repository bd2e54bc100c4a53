"""What prose says happens besides: the room becomes occupied, the amount is added to what was paid, a counter goes up.

Invariant: an effect is applied only to a row that the operation has or reaches by one foreign key, and to a column that
exists. Not covered: what the verb itself does (`writes`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Attribute,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Insert,
    RowField,
    Update,
    When,
    walk_steps,
)
from autoforge.generator.rules.facts import column_named, entity_named, numeric, row_for, value_for
from autoforge.generator.rules.held_rows import counter_of
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, equal
from autoforge.generator.rules.words import snake

__all__ = ["apply_effects", "constant_of", "presets_from_prose"]

_AMOUNTS = ("amount", "quantity", "importe", "cantidad", "betrag", "montant", "points", "units", "number")


def presets_from_prose(scene: Scene, entity: Entity) -> dict[str, Expression]:
    """Values that a new row starts with: “in status open”, “a balance of 0 and a daily_limit of 2000”."""
    presets: dict[str, Expression] = {}
    for clue in _effects(scene):
        if not _is_own(scene, entity, clue) or not clue.values or clue.values[0] in ("increase", "decrease", "copy"):
            continue
        column = _column(entity, clue.field)
        value = constant_of(column, clue.values[0]) if column is not None else None
        if (
            column is not None
            and value is not None
            and not any(r.column == column.name and r.required for r in scene.roles)
        ):
            presets.setdefault(column.name, value)
    return presets


def apply_effects(scene: Scene, entity: Entity, row: str, *, created: bool) -> None:
    """Add the updates that prose asks for, after the operation's own write."""
    before = {(s.entity, c) for s in walk_steps(tuple(scene.steps)) if isinstance(s, Update) for c, _ in s.values}
    for clue in _effects(scene):
        target = (
            row
            if _is_own(scene, entity, clue)
            and not (created and clue.subject == "" and _column(entity, clue.field) is None)
            else None
        )
        if target is None:
            target = row_for(scene, entity, row, clue.subject) if clue.subject else _row_with(scene, entity, clue.field)
        if target is None or target not in scene.bound:
            continue
        thing = scene.entities[scene.bound[target]]
        column = _column(thing, clue.field)
        if (
            column is None
            or (thing.name, column.name) in before
            or (created and target == row and clue.values[:1] and clue.values[0] not in ("increase", "decrease"))
        ):
            continue
        _apply(scene, entity, row, target, thing, column, clue)
    if not created:
        _count_up(scene, entity, row)


def _count_up(scene: Scene, entity: Entity, row: str) -> None:
    """“Can be renewed at most 2 times”: then renewing is counted."""
    done = {
        c
        for s in walk_steps(tuple(scene.steps))
        if isinstance(s, Update) and s.entity == entity.name
        for c, _ in s.values
    }
    for clue in scene.clues:
        counter = counter_of(entity, clue) if clue.kind == "limit" and "times" in clue.values else None
        if (
            counter is not None
            and numeric(counter)
            and counter.name not in done
            and clue.field[:5] == scene.reading.verb.word[:5]
        ):
            more = call(
                "add", call("coalesce", RowField(row=row, column=counter.name), Constant(value=0)), Constant(value=1)
            )
            scene.add(Update(row=row, entity=entity.name, values=((counter.name, more),)))


def _effects(scene: Scene) -> list[Clue]:
    return [c for c in scene.clues if c.kind == "side_effect" and c.values]


def _is_own(scene: Scene, entity: Entity, clue: Clue) -> bool:
    thing = entity_named(scene, clue.subject) if clue.subject else entity
    return thing is not None and thing.name == entity.name


def _column(entity: Entity, field: str) -> Attribute | None:
    if snake(field) == "status":
        return entity.attribute(entity.status) if entity.status else None
    return column_named(entity, field)


def _row_with(scene: Scene, entity: Entity, field: str) -> str | None:
    """The bound row of another entity that has such a column: `adds it to amountPaid`."""
    return next(
        (
            r
            for r, e in scene.bound.items()
            if e != entity.name and scene.entities[e].attribute(snake(field)) is not None
        ),
        None,
    )


def constant_of(column: Attribute, value: object) -> Expression | None:
    """A value in the column's own spelling; None where the column cannot hold it."""
    if column.enum:
        stem = snake(str(value)).replace("_", "")
        near = [v for v in column.enum if snake(str(v)).replace("_", "") == stem] or [
            v for v in column.enum if snake(str(v)).replace("_", "")[:5] == stem[:5]
        ]
        return Constant(value=near[0]) if near else None
    if column.type is ColumnType.BOOLEAN:
        return Constant(value=bool(value)) if isinstance(value, bool) else None
    if numeric(column):
        return Constant(value=value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    return Constant(value=str(value)) if column.type is ColumnType.TEXT and isinstance(value, str) else None


def _apply(scene: Scene, entity: Entity, row: str, target: str, thing: Entity, column: Attribute, clue: Clue) -> None:
    current = RowField(row=target, column=column.name)
    first = clue.values[0]
    if first in ("increase", "decrease"):
        amount = _amount(scene, entity, row, clue)
        if amount is None or not numeric(column):
            return
        changed: Expression = call(
            "add" if first == "increase" else "subtract", call("coalesce", current, Constant(value=0)), amount
        )
        if column.type is ColumnType.REAL:
            changed = call("round", changed, Constant(value=2))
        if first == "decrease":
            scene.refuse(
                call("less", changed, Constant(value=0)),
                f"The {column.name.replace('_', ' ')} is {{{target}.{column.name}}}, which is not enough.",
                "balance",
                clue.message,
            )
        scene.add(Update(row=target, entity=thing.name, values=((column.name, changed),)))
    elif first == "copy":
        value = value_for(scene, entity, row, clue.values[1]) if len(clue.values) > 1 else None
        if value is not None:
            scene.add(Update(row=target, entity=thing.name, values=((column.name, value),)))
    else:
        value = constant_of(column, first)
        if value is None:
            return
        step = Update(row=target, entity=thing.name, values=((column.name, value),))
        before = constant_of(column, clue.values[1]) if len(clue.values) > 1 else None
        scene.add(When(condition=equal(current, before), steps=(step,)) if before is not None else step)


def _amount(scene: Scene, entity: Entity, row: str, clue: Clue) -> Expression | None:
    """By how much: a number, a named value, else the operation's own amount."""
    if len(clue.values) > 1 and clue.values[1] not in ("", None):
        value = value_for(scene, entity, row, clue.values[1])
        if value is not None:
            return value
    role: Role | None = next(
        (r for r in scene.roles if snake(r.name) in _AMOUNTS or snake(r.name).rsplit("_", 1)[-1] in _AMOUNTS), None
    )
    if role is not None:
        return scene.argument(role)
    made = any(isinstance(s, Insert) for s in walk_steps(tuple(scene.steps)))
    own = next((a for a in entity.attributes if a.name in _AMOUNTS), None)
    return RowField(row=row, column=own.name) if own is not None and not made else None
