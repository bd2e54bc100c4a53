"""The rows that cart tools act on: the product, the line of the cart, whose cart it is, what is in stock.

Invariant: a row is found before anything is written, or the call is refused. Not covered: what is done with them
(`cart_steps`, `checkout`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Attribute,
    ColumnType,
    Constant,
    Entity,
    Expression,
    Filter,
    Find,
    RowField,
)
from autoforge.generator.rules.carts import PRICES, CartAct
from autoforge.generator.rules.facts import numeric
from autoforge.generator.rules.scene import Scene, call, negate

__all__ = [
    "ITEM",
    "STOCK_COLUMNS",
    "check_owner",
    "enough",
    "extra_values",
    "find_product",
    "first_column",
    "held_line",
    "mine",
    "no_more_than",
    "price_of",
    "quantity_of",
    "stock_of",
]

STOCK_COLUMNS = (
    "stock",
    "stock_quantity",
    "quantity_in_stock",
    "quantity_available",
    "available_quantity",
    "inventory",
    "inventory_count",
    "stock_level",
    "units_in_stock",
    "in_stock",
    "available",
    "quantity",
    "existencias",
    "bestand",
    "lagerbestand",
)


ITEM = "cart_item"


_MOST = 10_000
"""Largest quantity at once."""


def check_owner(scene: Scene, act: CartAct) -> None:
    role = scene.first("owner")
    if act.owner is not None and role is not None:
        scene.find(scene.entities[act.owner], scene.argument(role), row="owner", shown=role.path[0])


def mine(scene: Scene, act: CartAct) -> tuple[Filter, ...]:
    """Only the items of this cart."""
    if act.owner is None or "owner" not in scene.bound:
        return ()
    return (Filter(column="owner_id", value=RowField(row="owner", column=scene.entities[act.owner].key[-1])),)


def first_column(entity: Entity, names: tuple[str, ...]) -> Attribute | None:
    return next((a for n in names if (a := entity.attribute(n)) is not None and numeric(a)), None)


def price_of(scene: Scene, act: CartAct, row: str) -> Expression:
    column = first_column(scene.entities[act.product], PRICES)
    return (
        call("coalesce", RowField(row=row, column=column.name), Constant(value=0))
        if column is not None
        else Constant(value=0)
    )


def stock_of(scene: Scene, act: CartAct, row: str) -> Expression | None:
    column = first_column(scene.entities[act.product], STOCK_COLUMNS)
    return call("coalesce", RowField(row=row, column=column.name), Constant(value=0)) if column is not None else None


def find_product(scene: Scene, act: CartAct) -> str:
    role = scene.first("product")
    entity = scene.entities[act.product]
    if role is None:
        raise AssertionError("a cart tool without a product")
    if role.column and entity.attribute(role.column) and role.column not in entity.key:
        return scene.find(
            entity,
            None,
            row="product",
            shown=role.path[0],
            extra=(Filter(column=role.column, value=scene.argument(role), comparison="equal_text"),),
        )
    return scene.find(entity, scene.argument(role), row="product", shown=role.path[0])


def held_line(scene: Scene, act: CartAct, *, optional: bool = False) -> str:
    """The item of the cart that is meant: by its own id, else by its product."""
    role = scene.first("item")
    missing = None if optional else "This is not in the cart."
    if role is not None:
        where = (Filter(column="id", value=scene.argument(role)), *mine(scene, act))
    else:
        product = find_product(scene, act)
        where = (
            Filter(column="product_id", value=RowField(row=product, column=scene.entities[act.product].key[-1])),
            *mine(scene, act),
        )
    scene.add(Find(row="item", entity=ITEM, where=where, missing=missing))
    scene.bound["item"] = ITEM
    return "item"


def quantity_of(scene: Scene) -> Expression:
    role = scene.first("quantity")
    if role is None:
        return Constant(value=1)
    value = scene.argument(role)
    return (
        value if role.required or role.schema.get("default") is not None else call("coalesce", value, Constant(value=1))
    )


def no_more_than(scene: Scene, amount: Expression) -> None:
    scene.refuse(call("greater", amount, Constant(value=_MOST)), f"The quantity must be at most {_MOST}.", "range")


def extra_values(scene: Scene) -> list[tuple[str, Expression]]:
    return [
        (r.column, scene.argument(r))
        for r in scene.roles_of("value")
        if r.column and scene.entities[ITEM].attribute(r.column)
    ]


def enough(scene: Scene, act: CartAct, row: str, wanted: Expression) -> None:
    """As many as wanted must be there; a product that is marked as sold out is refused."""
    stock = stock_of(scene, act, row)
    if stock is not None:
        scene.refuse(call("greater", wanted, stock), "There is not enough of it in stock.", "stock")
        return
    flag = next(
        (
            a
            for a in scene.entities[act.product].attributes
            if a.type is ColumnType.BOOLEAN
            and a.name in ("in_stock", "available", "is_available", "disponible", "verfuegbar", "lieferbar")
        ),
        None,
    )
    if flag is not None:
        scene.refuse(negate(RowField(row=row, column=flag.name)), "It is not in stock.", "stock")
