"""Refusals that prose asks for, on the rows and arguments at hand.

Invariant: a clue becomes a refusal only when all that it speaks of is a column, a parameter or a row within reach; the
rest is left. Not covered: finding the clues (`prose`), status moves by verbs (`keys`, `writes`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autoforge.generator.ir import (
    Attribute,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Filter,
    Now,
    Refuse,
    RowField,
    Select,
    Today,
    walk_steps,
)
from autoforge.generator.rules.facts import (
    column_named,
    entity_named,
    numeric,
    owner_value,
    parameter_named,
    row_for,
    value_for,
)
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, counted, equal, negate
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.word_tables import word_set
from autoforge.generator.rules.words import plural, snake

__all__ = ["READING_CLUES", "counter_of", "guard", "names_owner", "refuse_foreign", "require_session"]


_TAKES_OVER = word_set("accept claim pick redeem receive checkout checkin take start")


def names_owner(scene: Scene, entity: Entity, role: Role) -> bool:
    """`cancel_booking(booking_id, user_id)`: whose the row is, and not who gets it."""
    verb = scene.reading.verb
    ends = (
        verb.kind in (VerbClass.DELETE, VerbClass.REMOVE, VerbClass.STATE, VerbClass.TOGGLE)
        and verb.word not in _TAKES_OVER
    )
    return (
        ends and role.role == "reference" and not role.many and role.column is not None and role.column == entity.owner
    )


def refuse_foreign(scene: Scene, entity: Entity, row: str) -> None:
    """The row must be of the person who is named beside it."""
    for role in scene.roles_of("reference"):
        if names_owner(scene, entity, role) and role.path[0] in scene.unused():
            given = scene.argument(role)
            other = call("not_equal", RowField(row=row, column=str(role.column)), given)
            wrong = other if role.required else call("and", call("not_null", given), other)
            scene.refuse(wrong, f"This {entity.title.lower()} does not belong to {{{role.path[0]}}}.", "owner")


READING_CLUES = frozenset({"owner", "order", "range", "requires", "future", "past", "not_self", "max_items"})
"""What a tool that only looks may refuse for; a state in its prose says which rows it shows."""


def guard(scene: Scene, entity: Entity, row: str | None, *, only: frozenset[str] | None = None) -> None:
    """Add a refusal for each clue of the tool that can be checked.

    `row` is the bound row of the entity, None when one is being made; `only` limits the kinds of clues.
    """
    for clue in scene.clues:
        if only is not None and clue.kind not in only:
            continue
        before = {s.evidence for s in walk_steps(tuple(scene.steps)) if isinstance(s, Refuse)}
        check = _CHECKS.get(clue.kind)
        if check is not None and (clue.message not in before or clue.kind in ("status_in", "forbids", "order")):
            check(scene, entity, row, clue)


def _status(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    bound = row_for(scene, entity, row, clue.subject)
    if bound is None or bound not in scene.bound:
        return
    sides = [r for r, e in scene.bound.items() if e == scene.bound[bound] and r.startswith(("source_", "target_"))]
    for each in sides if "one of" in clue.message.lower() and len(sides) > 1 else [bound]:
        _status_of(scene, entity, each, clue)


def _status_of(scene: Scene, entity: Entity, bound: str, clue: Clue) -> None:
    thing = scene.entities[scene.bound[bound]]
    column = column_named(thing, clue.field) if clue.field and snake(clue.field) != "status" else None
    status = column or (thing.attribute(thing.status) if thing.status else None)
    if status is None or (
        thing.name == entity.name and any(t.tool == scene.reading.tool.name for t in thing.transitions)
    ):
        return
    named = {snake(str(v)) for v in clue.values}
    values = list(dict.fromkeys(v for n in sorted(named) for v in _like(list(status.enum), n)))
    if not values:
        return
    inside = call("in", RowField(row=bound, column=status.name), Constant(value=list(values)))
    scene.refuse(
        negate(inside) if clue.kind == "status_in" else inside,
        (f"{clue.message} The {status.name.replace('_', ' ')} is {{{bound}.{status.name}}}."),
        "status",
        clue.message,
    )


def _like(enum: list[Any], word: str) -> list[Any]:
    """The values that a word of prose means: the same word, else the same beginning (`pendientes` → pendiente)."""
    return [v for v in enum if snake(str(v)) == word] or [v for v in enum if snake(str(v))[:5] == word[:5]]


def _order(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    early = value_for(scene, entity, row, clue.field)
    late = value_for(scene, entity, row, clue.values[0]) if clue.values else None
    if early is None or late is None or early == late:
        return
    wrong = call("greater" if "<=" in clue.values[1:] else "greater_equal", early, late)
    scene.refuse(
        call("and", call("not_null", early), call("not_null", late), wrong), clue.message, "dates", clue.message
    )


def _requires(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    """“its balance must be 0”."""
    if clue.subject and entity_named(scene, clue.subject) is None and clue.field:
        _requires_some(scene, entity, row, clue)
        return
    bound = row_for(scene, entity, row, clue.subject)
    thing = scene.entities[scene.bound[bound]] if bound is not None and bound in scene.bound else None
    column = column_named(thing, clue.field) if thing is not None else None
    if bound is None or column is None or not clue.values or not isinstance(clue.values[0], int | float):
        return
    if numeric(column) or column.type is ColumnType.BOOLEAN:
        scene.refuse(
            call("not_equal", RowField(row=bound, column=column.name), Constant(value=clue.values[0])),
            clue.message,
            "other",
            clue.message,
        )


def _requires_some(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    """“the book must have available copies”: its number of them, where copies are no rows of their own."""
    bound = row_for(scene, entity, row, clue.field)
    thing = scene.entities[scene.bound[bound]] if bound is not None and bound in scene.bound else None
    many = snake(plural(clue.subject))
    words = [snake(v) for v in clue.values if isinstance(v, str)]
    names = [n for w in words for n in (f"{w}_{many}", f"{many}_{w}", f"{w}_{snake(clue.subject)}")] or [
        many,
        f"{many}_count",
    ]
    column = next((c for n in names if thing is not None and numeric(c := thing.attribute(n))), None)
    least = next((v for v in clue.values if isinstance(v, int | float) and not isinstance(v, bool)), 1)
    if bound is not None and column is not None:
        have = call("coalesce", RowField(row=bound, column=column.name), Constant(value=0))
        scene.refuse(call("less", have, Constant(value=least)), clue.message, "stock", clue.message)


def _moment(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    role = parameter_named(scene, clue.field) if clue.field else None
    if role is None or role.shape.type not in (ColumnType.DATE, ColumnType.DATETIME):
        return
    now: Expression = Today() if role.shape.type is ColumnType.DATE else Now()
    given = scene.argument(role)
    wrong = call("less", given, now) if clue.kind == "future" else call("greater", given, now)
    scene.refuse(call("and", call("not_null", given), wrong), clue.message, "dates", clue.message)


def _range(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    """Bounds that prose states for a parameter or a column and the schema does not."""
    role = parameter_named(scene, clue.field) if clue.field else None
    value = (
        scene.argument(role)
        if role is not None
        else value_for(scene, entity, row, clue.field)
        if row is not None and clue.field
        else None
    )
    if (
        value is None
        or len(clue.values) != 2
        or (role is not None and role.role in ("limit", "page", "offset", "low", "high"))
    ):
        return
    low, high = clue.values
    if role is not None and role.shape.type not in (ColumnType.INTEGER, ColumnType.REAL):
        return
    wrong = []
    if isinstance(low, int | float) and not (role is not None and {"minimum", "exclusiveMinimum"} & set(role.schema)):
        wrong.append(
            call("less_equal", value, Constant(value=0))
            if 0 < low < 1e-300
            else call("less", value, Constant(value=low))
        )
    if isinstance(high, int | float) and not (role is not None and {"maximum", "exclusiveMaximum"} & set(role.schema)):
        wrong.append(call("greater", value, Constant(value=high)))
    if wrong:
        scene.refuse(
            call("and", call("not_null", value), wrong[0] if len(wrong) == 1 else call("or", *wrong)),
            clue.message,
            "range",
            clue.message,
        )


def _not_self(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    same: dict[str, list[Role]] = {}
    for role in scene.roles_of("key", "reference"):
        if not role.many and role.entity:
            same.setdefault(role.entity, []).append(role)
    for pair in same.values():
        if len(pair) == 2 and not any(
            isinstance(s, Refuse) and s.when == equal(scene.argument(pair[0]), scene.argument(pair[1]))
            for s in scene.steps
        ):
            scene.refuse(equal(scene.argument(pair[0]), scene.argument(pair[1])), clue.message, "other", clue.message)


def _owner(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    """The row must be the caller's: the person that a parameter names, else the one of the session."""
    bound = row_for(scene, entity, row, clue.subject)
    if bound is None or bound not in scene.bound:
        return
    owned = owner_value(scene, scene.entities[scene.bound[bound]], bound)
    if owned is None:
        return
    value, person = owned
    role = next(
        (
            r
            for r in scene.roles_of("reference")
            if r.entity == person
            and (
                r.column != scene.entities[scene.bound[bound]].owner
                or names_owner(scene, scene.entities[scene.bound[bound]], r)
            )
        ),
        None,
    )
    session = scene.entities.get("session")
    user = next((a.name for a in session.attributes if a.references == person), None) if session is not None else None
    if session is not None and user is not None:
        if "session" not in scene.bound:
            scene.find(session, None, row="session")
        caller: Expression = RowField(row="session", column=user)
    elif role is not None:
        caller = scene.argument(role)
    else:
        return
    scene.refuse(call("not_equal", value, caller), clue.message, "owner", clue.message)


def _items(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    role = (parameter_named(scene, clue.field) if clue.field else None) or next(
        (r for r in scene.roles if r.many), None
    )
    if role is not None and role.many and clue.values and "maxItems" not in role.shape.schema:
        scene.refuse(
            call(
                "greater",
                call("length", call("coalesce", scene.argument(role), Constant(value=[]))),
                Constant(value=clue.values[0]),
            ),
            clue.message,
            "limit",
            clue.message,
        )


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


def _limit(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
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
    found = [v for w in wanted for v in _like(list(status.enum), w)]
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


def _forbids(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
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


_STOCK = (
    "stock",
    "available_copies",
    "available",
    "quantity_on_hand",
    "on_hand",
    "in_stock",
    "stock_quantity",
    "available_quantity",
    "inventory",
    "seats_available",
    "available_seats",
    "existencias",
    "disponibles",
    "bestand",
)
_ASKED = (
    "quantity",
    "qty",
    "amount",
    "units",
    "count",
    "seats",
    "tickets",
    "cantidad",
    "menge",
    "quantite",
    "num_shares",
)


def _stock(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    asked = next((r for r in scene.roles if r.column in _ASKED or snake(r.name) in _ASKED), None)
    for bound, name in scene.bound.items():
        column = next((c for c in _STOCK if numeric(scene.entities[name].attribute(c))), None)
        if column is None or name == "session":
            continue
        wanted: Expression = (
            call("coalesce", scene.argument(asked), Constant(value=1)) if asked is not None else Constant(value=1)
        )
        scene.refuse(call("less", RowField(row=bound, column=column), wanted), clue.message, "stock", clue.message)
        return


_CHECKS: dict[str, Callable[[Scene, Entity, str | None, Clue], None]] = {
    "status_in": _status, "status_not_in": _status, "order": _order, "requires": _requires, "future": _moment,
    "past": _moment, "range": _range, "not_self": _not_self, "owner": _owner, "max_items": _items, "limit": _limit,
    "forbids": _forbids, "stock": _stock,
}  # fmt: skip


def require_session(scene: Scene, evidence: str) -> None:
    """Refuse when nobody is logged in."""
    session = scene.entities.get("session")
    if session is None or session.attribute(scene.cast.entities["session"].flag) is None or "session" in scene.bound:
        return
    row = scene.find(session, None, row="session")
    scene.refuse(
        negate(RowField(row=row, column=scene.cast.entities["session"].flag)),
        "Nobody is logged in; log in first.",
        "session",
        evidence,
    )
