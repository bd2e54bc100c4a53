"""Refusals that prose asks for, on the row and arguments at hand.

Invariant: a clue becomes a refusal only when all that it speaks of is a column or parameter of the tool; the rest is reported.
Not covered: finding the clues (`prose`), status moves by verbs (`keys`, `writes`).
"""

from __future__ import annotations

from autoforge.generator.ir import ColumnType, Constant, Entity, Expression, Filter, Now, Refuse, RowField, Select, Today, walk_steps
from autoforge.generator.rules.prose import Clue
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, counted, equal, negate
from autoforge.generator.rules.words import singular, snake

__all__ = ["guard", "require_session"]


def guard(scene: Scene, entity: Entity, row: str | None) -> None:
    """Add a refusal for each clue of the tool that can be checked; `row` is the bound row of the entity, None when one is being made."""
    before = {s.message for s in walk_steps(tuple(scene.steps)) if isinstance(s, Refuse)}
    for clue in scene.clues:
        if clue.message not in before:
            _guard_one(scene, entity, row, clue)


def _guard_one(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    if clue.kind in ("status_in", "status_not_in"):
        _guard_status(scene, entity, row, clue)
    elif clue.kind == "order":
        _guard_order(scene, entity, row, clue)
    elif clue.kind in ("future", "past"):
        _guard_now(scene, clue)
    elif clue.kind == "not_self":
        _guard_not_self(scene, clue)
    elif clue.kind == "owner":
        _guard_owner(scene, entity, row, clue)
    elif clue.kind == "max_items":
        _guard_items(scene, clue)
    elif clue.kind == "limit":
        _guard_limit(scene, entity, clue)
    elif clue.kind == "forbids" and row is not None:
        _guard_children(scene, entity, row, clue)
    elif clue.kind == "stock":
        _guard_stock(scene, clue)


def _subject_row(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> str | None:
    """The bound row a clue speaks of: its subject, else the tool's own."""
    subject = snake(clue.subject) if clue.subject else ""
    if not subject or subject == entity.name or entity.name.endswith("_" + subject):
        return row
    found = scene.cast.find(tuple(subject.split("_")))
    return next((r for r, e in scene.bound.items() if e == found), None)


def _guard_status(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    bound = _subject_row(scene, entity, row, clue)
    if bound is None:
        return
    thing = scene.entities[scene.bound[bound]]
    status = thing.attribute(thing.status) if thing.status else None
    if status is None or any(t.tool == scene.reading.tool.name for t in thing.transitions):
        return
    named = {snake(str(v)) for v in clue.values}
    values = [v for v in status.enum if snake(str(v)) in named]
    if not values:
        return
    inside = call("in", RowField(row=bound, column=status.name), Constant(value=list(values)))
    scene.refuse(negate(inside) if clue.kind == "status_in" else inside, f"{thing.title} is {{{bound}.{status.name}}}: {clue.message}", "status", clue.message)


def _value_of(scene: Scene, entity: Entity, row: str | None, field: str) -> Expression | None:
    """The new value of a field: the parameter of that name, else what the row holds."""
    name = snake(field)
    role = next((r for r in scene.roles if snake(r.name) == name or r.column == name), None) or next((r for r in scene.roles if name and name in snake(r.name)), None)
    stored = RowField(row=row, column=name) if row is not None and entity.attribute(name) is not None else None
    if role is not None:
        given = scene.argument(role)
        return call("coalesce", given, stored) if stored is not None else given
    return stored


def _guard_order(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    early = _value_of(scene, entity, row, clue.field)
    late = _value_of(scene, entity, row, str(clue.values[0])) if clue.values else None
    if early is not None and late is not None and early != late:
        scene.refuse(call("and", call("not_null", early), call("not_null", late), call("greater_equal", early, late)), clue.message, "dates", clue.message)


def _guard_now(scene: Scene, clue: Clue) -> None:
    role = _parameter(scene, clue.field)
    if role is None or role.shape.type not in (ColumnType.DATE, ColumnType.DATETIME):
        return
    now: Expression = Today() if role.shape.type is ColumnType.DATE else Now()
    given = scene.argument(role)
    wrong = call("less", given, now) if clue.kind == "future" else call("greater", given, now)
    scene.refuse(call("and", call("not_null", given), wrong), clue.message, "dates", clue.message)


def _parameter(scene: Scene, field: str) -> Role | None:
    name = snake(field) if field else ""
    return next((r for r in scene.roles if name and (snake(r.name) == name or name in snake(r.name))), None)


def _guard_not_self(scene: Scene, clue: Clue) -> None:
    same: dict[str, list[Role]] = {}
    for role in scene.roles_of("key", "reference"):
        if not role.many and role.entity:
            same.setdefault(role.entity, []).append(role)
    for pair in same.values():
        if len(pair) == 2:
            scene.refuse(equal(scene.argument(pair[0]), scene.argument(pair[1])), clue.message, "other", clue.message)


def _guard_owner(scene: Scene, entity: Entity, row: str | None, clue: Clue) -> None:
    """The row must be the caller's: the user that a parameter names, else the one of the session."""
    if row is None or entity.owner is None:
        return
    person = entity.attribute(entity.owner)
    assert person is not None
    role = next((r for r in scene.roles_of("reference") if r.entity == person.references), None)
    session = scene.entities.get("session")
    if role is not None:
        caller: Expression = scene.argument(role)
    elif session is not None and (user := next((a.name for a in session.attributes if a.references == person.references), None)):
        bound = "session" if "session" in scene.bound else scene.find(session, None, row="session")
        caller = RowField(row=bound, column=user)
    else:
        return
    scene.refuse(call("not_equal", RowField(row=row, column=entity.owner), caller), clue.message, "owner", clue.message)


def _guard_items(scene: Scene, clue: Clue) -> None:
    role = _parameter(scene, clue.field) or next((r for r in scene.roles if r.many), None)
    if role is not None and role.many and clue.values and "maxItems" not in role.shape.schema:
        scene.refuse(call("greater", call("length", call("coalesce", scene.argument(role), Constant(value=[]))), Constant(value=clue.values[0])), clue.message, "limit", clue.message)


def _guard_limit(scene: Scene, entity: Entity, clue: Clue) -> None:
    """At most n rows (of a status) for the same owner, when one more is made."""
    subject = scene.cast.find(tuple(snake(clue.subject).split("_"))) if clue.subject else entity.name
    if subject != entity.name or not clue.values or scene.reading.verb.state is not None:
        return
    owner = next((r for r in scene.roles_of("reference") if r.column and entity.attribute(r.column) and r.entity in scene.cast.entities), None)
    if owner is None or not isinstance(clue.values[0], int | float):
        return
    where = [Filter(column=str(owner.column), value=scene.argument(owner))]
    status = entity.attribute(entity.status) if entity.status else None
    if len(clue.values) > 1 and status is not None:
        value = next((v for v in status.enum if snake(str(v)) == snake(str(clue.values[1]))), None)
        if value is None and not any(w in str(clue.values[1]) for w in ("active", "open", "abiert", "activ")):
            return
        where.append(Filter(column=status.name, value=Constant(value=value if value is not None else status.enum[0])))
    rows = scene.variable(f"held_{entity.table}")
    scene.add(Select(rows=rows, entity=entity.name, where=tuple(where)))
    scene.bound[rows] = entity.name
    scene.refuse(call("greater_equal", counted(rows), Constant(value=clue.values[0])), clue.message, "limit", clue.message)


def _guard_children(scene: Scene, entity: Entity, row: str, clue: Clue) -> None:
    """`cannot be deleted while it has open orders`."""
    name = scene.cast.find(tuple(singular(w) for w in snake(clue.subject).split("_"))) if clue.subject else None
    child = scene.entities.get(name or "")
    if child is None or child.name == entity.name:
        return
    reference = next((a for a in child.attributes if a.references == entity.name), None)
    if reference is None:
        return
    where = [Filter(column=reference.name, value=RowField(row=row, column=entity.key[-1]))]
    status = child.attribute(child.status) if child.status else None
    values = [v for v in (status.enum if status else ()) if snake(str(v)) in {snake(str(c)) for c in clue.values}]
    if clue.values and not values:
        return
    if status is not None and values:
        where.append(Filter(column=status.name, value=Constant(value=values), comparison="in"))
    rows = scene.variable(child.table)
    scene.add(Select(rows=rows, entity=child.name, where=tuple(where)))
    scene.bound[rows] = child.name
    scene.refuse(call("greater", counted(rows), Constant(value=0)), clue.message, "other", clue.message)


_STOCK = ("stock", "available_copies", "available", "quantity", "in_stock", "on_hand", "quantity_on_hand", "stock_quantity", "available_quantity", "inventory", "seats_available", "available_seats", "existencias", "disponibles", "bestand")
_ASKED = ("quantity", "qty", "amount", "units", "count", "seats", "tickets", "cantidad", "menge", "quantite", "num_shares")


def _guard_stock(scene: Scene, clue: Clue) -> None:
    asked = next((r for r in scene.roles if r.column in _ASKED or snake(r.name) in _ASKED), None)
    for row, name in scene.bound.items():
        column = next((c for c in _STOCK if (a := scene.entities[name].attribute(c)) is not None and a.type in (ColumnType.INTEGER, ColumnType.REAL)), None)
        if column is None or not scene.reading.verb.kind.value in ("create", "transfer", "move", "send", "add"):
            continue
        wanted: Expression = call("coalesce", scene.argument(asked), Constant(value=1)) if asked is not None else Constant(value=1)
        scene.refuse(call("less", RowField(row=row, column=column), wanted), clue.message, "stock", clue.message)
        return


def require_session(scene: Scene, evidence: str) -> None:
    """Refuse when nobody is logged in."""
    session = scene.entities.get("session")
    if session is None or session.attribute(scene.cast.entities["session"].flag) is None or "session" in scene.bound:
        return
    row = scene.find(session, None, row="session")
    scene.refuse(negate(RowField(row=row, column=scene.cast.entities["session"].flag)), "Nobody is logged in; log in first.", "session", evidence)


