"""Stock that lies somewhere: rows that say how much of a thing there is at a place.

Invariant: what is moved leaves one place and arrives at the other, nothing falls below zero. Not covered: a stock that
is a column of the thing itself (`preconditions`, `effects`).
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.generator.ir import (
    Assign,
    Choose,
    Constant,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Insert,
    NextId,
    OperationKind,
    RowField,
    Select,
    Step,
    Update,
    Variable,
    When,
)
from autoforge.generator.rules.facts import numeric
from autoforge.generator.rules.preconditions import guard
from autoforge.generator.rules.returns import return_row
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call
from autoforge.generator.rules.words import snake, split_words

__all__ = ["build_stock", "consume_children", "stock_change", "stock_of"]

_ON_HAND = (
    "quantity_on_hand",
    "on_hand",
    "quantity",
    "stock",
    "units",
    "available",
    "amount",
    "cantidad",
    "existencias",
    "bestand",
    "menge",
    "total_quantity",
)


class StockChange(NamedTuple):
    """Roles of a tool that changes stock."""

    entity: Entity
    column: str
    thing: Role
    source: Role | None
    target: Role | None
    amount: Role


def stock_of(entity: Entity) -> str | None:
    """The column that says how much, of an entity whose rows refer to a thing and a place."""
    references = [a for a in entity.attributes if a.references and a.references != entity.name]
    if len({a.references for a in references}) < 2 or (
        entity.id_template is None and len(entity.key) < 2 and not any(k == "id" for k in entity.key)
    ):
        return None
    return next((c for c in _ON_HAND if numeric(entity.attribute(c))), None)


def stock_change(scene: Scene, entity: Entity) -> StockChange | None:
    """What a tool moves or corrects, when its parameters name a thing, one or two places and an amount, and no row by
    id.
    """
    column = stock_of(entity)
    references = [
        r for r in scene.roles_of("reference", "key") if not r.many and r.required and r.entity != entity.name
    ]
    amounts = [r for r in scene.roles if numeric_role(r)]
    if (
        column is None
        or len(amounts) != 1
        or scene.roles_of("key")
        or "stock"
        not in {w for w in split_words(scene.reading.tool.original_name + " " + scene.reading.text[:200])}
        | {entity.name}
    ):
        return None
    by_entity: dict[str, list[Role]] = {}
    for role in references:
        by_entity.setdefault(role.entity or "", []).append(role)
    pair = next((rs for rs in by_entity.values() if len(rs) == 2), None)
    if pair is not None and len(by_entity) == 2:
        thing = next(rs[0] for rs in by_entity.values() if len(rs) == 1)
        pair.sort(
            key=lambda r: any(
                w in split_words(r.name) for w in ("to", "target", "destination", "destino", "nach", "vers")
            )
        )
        return StockChange(entity, column, thing, pair[0], pair[1], amounts[0])
    if len(by_entity) == 2 and snake(amounts[0].name) in (
        "change",
        "delta",
        "adjustment",
        "difference",
        "quantity_change",
    ):
        first, second = (rs[0] for rs in by_entity.values())
        return StockChange(entity, column, first, None, second, amounts[0])
    return None


def numeric_role(role: Role) -> bool:
    return role.shape.schema.get("type") in ("integer", "number") and role.role not in (
        "key",
        "reference",
        "limit",
        "page",
        "offset",
    )


def build_stock(scene: Scene, change: StockChange) -> None:
    """Move an amount between two places, or change it at one."""
    scene.kind = OperationKind.MOVE
    entity = change.entity
    for role in (change.thing, change.source, change.target):
        if role is not None:
            other = scene.entities[role.entity or ""]
            scene.find(other, scene.argument(role), row=_bound_name(change, role), shown=role.path[0])
    guard(scene, entity, None)
    amount = scene.argument(change.amount)
    if change.source is not None:
        source = _stock_row(scene, change, change.source, "source_stock", needed=True)
        have = RowField(row=source, column=change.column)
        scene.refuse(call("less", have, amount), f"Only {{{source}.{change.column}}} are in stock there.", "stock")
        scene.add(Update(row=source, entity=entity.name, values=((change.column, call("subtract", have, amount)),)))
        target = _stock_row(scene, change, change.target, "target_stock", needed=False)
    else:
        target = _stock_row(scene, change, change.target, "target_stock", needed=False)
    now = call("add", call("coalesce", RowField(row=target, column=change.column), Constant(value=0)), amount)
    scene.add(
        Assign(
            name="new_quantity",
            value=Choose(condition=call("not_null", Variable(name=target)), then=now, otherwise=amount),
        )
    )
    scene.refuse(
        call("less", Variable(name="new_quantity"), Constant(value=0)), "The stock would fall below 0.", "stock"
    )
    rest = tuple(
        (r.column, scene.argument(r))
        for r in scene.roles
        if r.role == "value" and r is not change.amount and r.column and entity.attribute(r.column)
    )
    update = Update(row=target, entity=entity.name, values=((change.column, Variable(name="new_quantity")), *rest))
    scene.add(
        When(
            condition=call("not_null", Variable(name=target)),
            steps=(update,),
            otherwise=_first_of_its_kind(scene, change, target, rest),
        )
    )
    return_row(scene, entity, target)


def _bound_name(change: StockChange, role: Role) -> str:
    return (
        "source"
        if role is change.source
        else "destination"
        if role is change.target and change.source is not None
        else role.entity or "thing"
    )


def _stock_row(scene: Scene, change: StockChange, place: Role | None, name: str, *, needed: bool) -> str:
    where = [Filter(column=_column(change.entity, change.thing), value=scene.argument(change.thing))]
    if place is not None:
        where.append(Filter(column=_column(change.entity, place), value=scene.argument(place)))
    missing = "There is no stock of it there." if needed else None
    scene.add(Find(row=name, entity=change.entity.name, where=tuple(where), missing=missing))
    scene.bound[name] = change.entity.name
    return name


def _column(entity: Entity, role: Role) -> str:
    """The column of the place: the plain one, not one that an earlier reading of `from_…` made."""
    names = [a.name for a in entity.attributes if a.references == role.entity]
    return next(
        (n for n in names if not n.startswith(("from_", "to_", "source_", "target_", "destination_"))), names[0]
    )


def _first_of_its_kind(
    scene: Scene, change: StockChange, row: str, rest: tuple[tuple[str, Expression], ...]
) -> tuple[Step, ...]:
    entity = change.entity
    values: list[tuple[str, Expression]] = [
        (_column(entity, change.thing), scene.argument(change.thing)),
        (change.column, Variable(name="new_quantity")),
        *rest,
    ]
    if change.target is not None:
        values.append((_column(entity, change.target), scene.argument(change.target)))
    if entity.id_template is not None:
        values.insert(0, (entity.key[-1], NextId(entity=entity.name)))
    return (Insert(row=row, entity=entity.name, values=tuple(values)),)


def consume_children(scene: Scene, entity: Entity, row: str) -> bool:
    """Take what a row's children ask for out of stock: the quantities of an order's items, at the order's place when it
    has one.
    """
    for (parent, _), child_name in scene.cast.children.items():
        child = scene.entities.get(child_name)
        if parent != entity.name or child is None:
            continue
        quantity = next(
            (
                a.name
                for a in child.attributes
                if a.name in ("quantity", "qty", "units", "amount", "cantidad") and numeric(a)
            ),
            None,
        )
        for stock in scene.entities.values():
            column = stock_of(stock)
            thing = next(
                (
                    a
                    for a in child.attributes
                    if a.references
                    and a.references != parent
                    and any(s.references == a.references for s in stock.attributes)
                ),
                None,
            )
            if column is None or quantity is None or thing is None or stock.name == child.name:
                continue
            _consume(scene, entity, row, child, quantity, stock, column, thing.name)
            return True
    return False


def _consume(
    scene: Scene, entity: Entity, row: str, child: Entity, quantity: str, stock: Entity, column: str, thing: str
) -> None:
    reference = next(a.name for a in child.attributes if a.references == entity.name)
    rows = scene.variable(child.table)
    scene.add(
        Select(
            rows=rows,
            entity=child.name,
            where=(Filter(column=reference, value=RowField(row=row, column=entity.key[-1])),),
        )
    )
    scene.bound[rows] = child.name
    held = child.attribute(thing)
    of = next(a.name for a in stock.attributes if held is not None and a.references == held.references)
    where = [Filter(column=of, value=RowField(row="item", column=thing))]
    for place in entity.attributes:
        at = next(
            (
                a.name
                for a in stock.attributes
                if place.references
                and a.references == place.references
                and a.name != where[0].column
                and not a.name.startswith(("from_", "to_"))
            ),
            None,
        )
        if at is not None:
            where.append(Filter(column=at, value=RowField(row=row, column=place.name)))
    have = RowField(row="in_stock", column=column)
    wanted = RowField(row="item", column=quantity)
    inner = Scene(
        scene.reading, [], None, scene.entities, scene.cast, bound={"item": child.name, "in_stock": stock.name}
    )
    inner.add(
        Find(row="in_stock", entity=stock.name, where=tuple(where), missing="One of the items is not in stock there.")
    )
    inner.refuse(call("less", have, wanted), "The stock of one of the items is not enough.", "stock")
    inner.add(Update(row="in_stock", entity=stock.name, values=((column, call("subtract", have, wanted)),)))
    scene.add(Each(over=Variable(name=rows), item="item", steps=tuple(inner.steps)))
