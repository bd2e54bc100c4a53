"""Refusals that look at other rows: at most so many, none in a state, not the same one again.

Invariant: rows are counted only where a column, a parameter or the session says whose they are; without that the clue
is left. Not covered: refusals on the row and the arguments themselves (`preconditions`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import (
    Attribute,
    ColumnType,
    Constant,
    Entity,
    Filter,
    RowField,
    Select,
)
from autoforge.generator.rules.facts import (
    column_named,
    entity_named,
    numeric,
    parameter_named,
    row_for,
    value_for,
)
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.scene import Scene, call, counted, equal
from autoforge.generator.rules.words import plural, snake

__all__ = ["counter_of", "refuse_held", "refuse_limit", "values_like"]


_NUMBERS = (ColumnType.INTEGER, ColumnType.REAL)


def values_like(enum: list[Any], word: str) -> list[Any]:
    """The values that a word of prose means: the same word, else the same beginning (`pendientes` → pendiente)."""
    return [v for v in enum if snake(str(v)) == word] or [v for v in enum if snake(str(v))[:5] == word[:5]]


def counter_of(entity: Entity, clue: Clue) -> Attribute | None:
    """The number of the row that says how often it was renewed: `renewals`, `renewal_count`, `renovaciones`."""
    if len(clue.field) <= 4:
        return None
    near = (
        a
        for a in entity.attributes
        if numeric(a) and any(w.startswith(snake(clue.field)[:5]) for w in a.name.split("_"))
    )
    return column_named(entity, clue.field[:6]) or next(near, None)


def refuse_limit(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    """At most n rows (of a status) for the same owner, when one more is made; or a counter of the row itself."""
    if not clue.values or not isinstance(clue.values[0], int | float):
        return
    most = Constant(value=clue.values[0])
    counter = counter_of(entity, clue) if row is not None else None
    if row is not None and counter is not None and numeric(counter):
        scene.refuse(
            call("greater_equal", call("coalesce", RowField(row=row, column=counter.name), Constant(value=0)), most),
            clue.message,
            "limit",
            clue.message,
        )
        return
    if _refuse_number(scene, clue):
        return
    child = entity_named(scene, clue.subject) or entity
    if row is not None or child.name != entity.name:
        return
    where = _held_by(scene, entity, child, clue.field)
    if not where:
        return
    chosen = _states(child, clue.values[1:])
    if clue.values[1:] and not chosen:
        return
    _count(scene, child, [*where, *chosen], call_least=clue.values[0], clue=clue)


def _refuse_number(scene: Scene, clue: Clue) -> bool:
    """“A filing has at most 50 pages”: the number, or the list, that the call gives by that name."""
    names = {snake(clue.subject), snake(plural(clue.subject))}
    role = next((r for r in scene.roles if snake(r.name) in names and r.path == (r.name,)), None)
    if role is None or len(clue.values) != 1 or not (role.many or role.shape.type in _NUMBERS):
        return False
    given = scene.argument(role)
    size = call("length", call("coalesce", given, Constant(value=[]))) if role.many else given
    more = call("greater", size, Constant(value=clue.values[0]))
    scene.refuse(call("and", call("not_null", given), more), clue.message, "limit", clue.message)
    return True


def _held_by(scene: Scene, entity: Entity, child: Entity, field: str) -> list[Filter]:
    """Filter for the children of the owner that a clue names: a bound row, a parameter's reference, or the
    session's user.
    """
    holder = entity_named(scene, field) if field else None
    for role in scene.roles_of("reference"):
        attribute = child.attribute(role.column or "")
        if attribute is not None and not role.many and (holder is None or attribute.references == holder.name):
            return [Filter(column=attribute.name, value=scene.argument(role))]
    named = next(
        (
            r
            for r in scene.roles
            if field and snake(r.name).startswith(snake(field)) and child.attribute(r.column or "") is not None
        ),
        None,
    )
    if named is not None:
        return [Filter(column=str(named.column), value=scene.argument(named))]
    session = scene.entities.get("session")
    user = next((a.name for a in session.attributes if a.references), None) if session is not None else None
    if child.owner is not None and session is not None and user is not None:
        if "session" not in scene.bound:
            scene.find(session, None, row="session")
        return [Filter(column=child.owner, value=RowField(row="session", column=user))]
    return []


def _states(child: Entity, values: tuple[object, ...]) -> list[Filter]:
    status = child.attribute(child.status) if child.status else None
    if status is None:
        return []
    wanted = [snake(str(v)) for v in values]
    found = [v for w in wanted for v in values_like(list(status.enum), w)]
    return [Filter(column=status.name, value=Constant(value=found), comparison="in")] if found else []


def _count(scene: Scene, child: Entity, where: list[Filter], *, call_least: float, clue: Clue) -> None:
    rows = scene.variable(f"held_{child.table}")
    scene.add(Select(rows=rows, entity=child.name, where=tuple(where)))
    scene.bound[rows] = child.name
    scene.refuse(
        call("greater_equal", counted(rows), Constant(value=call_least)),
        clue.message,
        "limit" if call_least > 1 else "other",
        clue.message,
    )


def refuse_held(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    """A state of the row, or rows of another entity, that stand in the way."""
    if not clue.subject or (entity_named(scene, clue.subject) is None and clue.field):
        _forbids_value(scene, entity, row, clue)
        return
    child = entity_named(scene, clue.subject)
    if child is None:
        return
    holder = entity_named(scene, clue.field) if clue.field else None
    if "same" in clue.values:
        _forbids_same(scene, entity, row, child, holder, clue)
        return
    if holder is None or holder.name == child.name:
        where = _held_by(scene, entity, child, "") if row is None else _children_of(scene, entity, row, child)
    else:
        bound = row_for(scene, entity, row, clue.field)
        where = _children_of(scene, holder, bound, child) if bound is not None else []
    if not where:
        return
    plain = tuple(v for v in clue.values if not str(v).startswith("same"))
    chosen = _states(child, plain)
    if plain and not chosen:
        return
    same = _same_filters(scene, child, clue)
    if same is not None:
        _count(scene, child, [*where, *chosen, *same], call_least=1, clue=clue)


def _children_of(scene: Scene, holder: Entity, row: str, child: Entity) -> list[Filter]:
    reference = next((a for a in child.attributes if a.references == holder.name), None)
    if reference is None or child.name == holder.name:
        return []
    return [Filter(column=reference.name, value=RowField(row=row, column=holder.key[-1]))]


def _same_filters(scene: Scene, child: Entity, clue: Clue) -> list[Filter] | None:
    """“of the same kind”, “of the same book”: the column of that name equals the parameter's; None when there is no
    such.
    """
    filters: list[Filter] = []
    for value in clue.values:
        if not str(value).startswith("same "):
            continue
        words = str(value)[5:]
        thing = entity_named(scene, words)
        sides = [
            r
            for r in scene.roles
            if thing is not None
            and r.entity == thing.name
            and not r.many
            and child.attribute(r.column or "") is not None
        ]
        if len(sides) > 1:
            filters.extend(Filter(column=str(r.column), value=scene.argument(r)) for r in sides)
            continue
        role = next((r for r in scene.roles if thing is not None and r.entity == thing.name), None) or parameter_named(
            scene, words
        )
        column = next(
            (a for a in child.attributes if thing is not None and a.references == thing.name), None
        ) or column_named(child, words)
        if role is None or column is None or role.many:
            return None
        filters.append(Filter(column=column.name, value=scene.argument(role)))
    return filters


def _forbids_same(
    scene: Scene, entity: Entity, row: str | None, thing: Entity, holder: Entity | None, clue: Clue
) -> None:
    """“The line already has this plan.”"""
    bound = row_for(scene, entity, row, clue.field)
    role = next((r for r in scene.roles if r.entity == thing.name and not r.many), None)
    held = scene.entities[scene.bound[bound]] if bound is not None and bound in scene.bound else None
    column = next((a for a in held.attributes if a.references == thing.name), None) if held is not None else None
    if bound is not None and role is not None and column is not None:
        scene.refuse(
            equal(RowField(row=bound, column=column.name), scene.argument(role)),
            clue.message,
            "duplicate",
            clue.message,
        )


def _forbids_value(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    value = value_for(scene, entity, row, clue.field) if clue.field else None
    if value is None or not clue.values or not isinstance(clue.values[0], bool | int | float):
        return
    scene.refuse(equal(value, Constant(value=clue.values[0])), clue.message, "other", clue.message)
