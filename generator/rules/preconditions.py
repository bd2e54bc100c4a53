"""Refusals that prose asks for, on the rows and arguments at hand.

Invariant: a clue becomes a refusal only when all that it speaks of is a column, a parameter or a row within reach; the
rest is left. Not covered: finding the clues (`prose`), status moves by verbs (`keys`, `writes`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from autoforge.generator.ir import (
    Apply,
    Attribute,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Now,
    Refuse,
    RowField,
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
from autoforge.generator.rules.held_rows import refuse_held, refuse_limit, values_like
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.verbs import VerbClass
from autoforge.generator.rules.words import plural, snake
from autoforge.generator.vocabulary import word_set

__all__ = ["READING_CLUES", "guard", "names_owner", "refuse_foreign", "require_session"]


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
    if bound is None and entity.attribute(snake(clue.subject)) is not None:
        bound, clue = row, clue._replace(subject="", field=clue.subject)  # `if the tier is gold`
    if bound is None and clue.subject and len(clue.values) == 1:  # `if the vents are open`: vents_open
        part = next(
            (n for s in (clue.subject, plural(clue.subject)) if entity.attribute(n := snake(f"{s} {clue.values[0]}"))),
            "",
        )
        bound, clue = (row, clue._replace(subject="", field="", values=(part,))) if part else (bound, clue)
    if bound is None or bound not in scene.bound:
        return
    sides = [r for r, e in scene.bound.items() if e == scene.bound[bound] and r.startswith(("source_", "target_"))]
    for each in sides if "one of" in clue.message.lower() and len(sides) > 1 else [bound]:
        _status_of(scene, entity, each, clue)


def _status_of(scene: Scene, entity: Entity, bound: str, clue: Clue) -> None:
    thing = scene.entities[scene.bound[bound]]
    column = column_named(thing, clue.field) if clue.field and snake(clue.field) != "status" else None
    status = column or (thing.attribute(thing.status) if thing.status else None)
    named = {snake(str(v)) for v in clue.values}
    if column is None and (status is None or not any(values_like(list(status.enum), n) for n in sorted(named))):
        status = _holder_of(thing, named) or status
    if status is not None and status.type is ColumnType.BOOLEAN:
        _flag_of(scene, bound, status, clue)
        return
    if status is None or (
        thing.name == entity.name
        and status.name == thing.status
        and any(t.tool == scene.reading.tool.name for t in thing.transitions)
    ):
        return
    values = list(dict.fromkeys(v for n in sorted(named) for v in values_like(list(status.enum), n)))
    if not values:
        return
    inside = call("in", RowField(row=bound, column=status.name), Constant(value=list(values)))
    scene.refuse(
        negate(inside) if clue.kind == "status_in" else inside,
        (f"{clue.message} The {status.name.replace('_', ' ')} is {{{bound}.{status.name}}}."),
        "status",
        clue.message,
    )


def _holder_of(thing: Entity, named: set[str]) -> Attribute | None:
    """The one column besides the status that has all of the values, or is a flag of that name."""
    flags = [a for a in thing.attributes if a.type is ColumnType.BOOLEAN and a.name.removeprefix("is_") in named]
    states = [a for a in thing.attributes if a.enum and not re.search(r"reason|cause|motiv|grund|raison", a.name)]
    listed = [a for a in states if named <= {snake(str(v)) for v in a.enum}]
    found = flags if len(named) == 1 and flags else listed
    return found[0] if len(found) == 1 else None


def _flag_of(scene: Scene, bound: str, flag: Attribute, clue: Clue) -> None:
    """“Fails if it is locked already.”"""
    held = call("coalesce", RowField(row=bound, column=flag.name), Constant(value=False))
    wrong = negate(held) if clue.kind == "status_in" else held
    scene.refuse(wrong, clue.message, "status", clue.message)


def _order(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    early = value_for(scene, entity, row, clue.field)
    late = value_for(scene, entity, row, clue.values[0]) if clue.values else None
    if early is None or late is None or early == late:
        return
    early, late = _apart(early, late)
    wrong = call("greater" if "<=" in clue.values[1:] else "greater_equal", early, late)
    scene.refuse(
        call("and", call("not_null", early), call("not_null", late), wrong), clue.message, "dates", clue.message
    )


def _apart(early: Expression, late: Expression) -> tuple[Expression, Expression]:
    """“The new date must be later than the current one”: what is given beside what is stored, not beside itself."""
    for one, other in ((early, late), (late, early)):
        if isinstance(one, Apply) and one.function == "coalesce" and one.arguments[0] == other:
            stored = one.arguments[-1]
            return (stored, late) if one is early else (early, stored)
    return early, late


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
    role = (parameter_named(scene, clue.field) or _only_moment(scene, clue.field)) if clue.field else None
    if role is None or role.shape.type not in (ColumnType.DATE, ColumnType.DATETIME):
        return
    now: Expression = Today() if role.shape.type is ColumnType.DATE else Now()
    given = scene.argument(role)
    wrong = call("less", given, now) if clue.kind == "future" else call("greater", given, now)
    scene.refuse(call("and", call("not_null", given), wrong), clue.message, "dates", clue.message)


def _only_moment(scene: Scene, words: str) -> Role | None:
    """“A date, which must be after today”: the only one that the call takes."""
    moments = [r for r in scene.roles if r.shape.type in (ColumnType.DATE, ColumnType.DATETIME)]
    return moments[0] if len(moments) == 1 and words in ("date", "time", "moment", "day", "fecha", "datum") else None


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
    "past": _moment, "range": _range, "not_self": _not_self, "owner": _owner, "max_items": _items,
    "limit": refuse_limit, "forbids": refuse_held, "stock": _stock,
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
