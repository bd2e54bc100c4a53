"""A checkout: the cart becomes an order with its lines, stock goes down, the cart is empty.

Invariant: an empty cart is no order, and the order's total is what the cart came to. Not covered: orders of documents
without a cart (`inserts`).
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Assign,
    ColumnType,
    Constant,
    Delete,
    Each,
    Entity,
    Expression,
    Find,
    Insert,
    NextId,
    OperationKind,
    RowField,
    Update,
    Variable,
)
from autoforge.generator.rules.answers import Fact, answer
from autoforge.generator.rules.cart_rows import ITEM, STOCK_COLUMNS, first_column, mine, price_of, stock_of
from autoforge.generator.rules.cart_totals import cart_facts, cart_lines, kind_of_key
from autoforge.generator.rules.carts import CartAct
from autoforge.generator.rules.facts import numeric
from autoforge.generator.rules.inserts import create_row, reference_value
from autoforge.generator.rules.scene import Scene, call, equal, key_filter

__all__ = ["check_out"]

_TOTALS = ("total", "total_price", "total_amount", "grand_total", "amount", "importe_total", "gesamtbetrag")


# --- checkout
# --------------------------------------------------------------------------------------------------------------------


def check_out(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.CREATE
    order = scene.entities[act.order]
    values: dict[str, Expression] = {}
    for role in scene.roles_of("reference"):
        reference_value(scene, order, role, values)
    for role in scene.roles_of("value"):
        if role.column and order.attribute(role.column):
            values[role.column] = scene.argument(role)
    cart_lines(scene, act, checks=True)
    scene.refuse(equal(call("length", Variable(name="items")), Constant(value=0)), "The cart is empty.", "empty")
    total = next((a for n in _TOTALS if (a := order.attribute(n)) is not None and numeric(a)), None)
    if total is not None:
        whole = total.type is ColumnType.INTEGER
        values[total.name] = call("integer", Variable(name="total")) if whole else Variable(name="total")
    if act.owner is not None and "owner" in scene.bound:
        for attribute in order.attributes:
            if attribute.references == act.owner:
                values[attribute.name] = RowField(row="owner", column=scene.entities[act.owner].key[-1])
    row = create_row(scene, order, values)
    _order_items(scene, act, order, row)
    if act.coupon is not None:
        scene.add(Assign(name="used_coupon", value=RowField(row="cart", column="coupon_code")))
    _empty_again(scene, act)
    _answer_order(scene, act, order, row)


def _order_items(scene: Scene, act: CartAct, order: Entity, row: str) -> None:
    child = scene.entities[
        scene.cast.children[(act.order, next(n for (p, n) in scene.cast.children if p == act.order))]
    ]
    product = scene.entities[act.product]
    inner = Scene(scene.reading, [], None, scene.entities, scene.cast)
    inner.add(
        Find(
            row="sold",
            entity=act.product,
            where=key_filter(product, RowField(row="entry", column="product_id")),
            missing="A product of the cart does not exist any more.",
        )
    )
    inner.bound["sold"] = act.product
    wanted = RowField(row="entry", column="quantity")
    stock = first_column(product, STOCK_COLUMNS)
    if stock is not None:
        inner.add(
            Update(
                row="sold",
                entity=act.product,
                values=((stock.name, call("subtract", stock_of(scene, act, "sold") or Constant(value=0), wanted)),),
            )
        )
    values: list[tuple[str, Expression]] = (
        [("id", NextId(entity=child.name))] if child.key == ("id",) and child.id_template else []
    )
    parent = next(a.name for a in child.attributes if a.references == order.name)
    thing = next((a.name for a in child.attributes if a.references == product.name), "product_id")
    values += [
        (parent, RowField(row=row, column=order.key[-1])),
        (thing, RowField(row="entry", column="product_id")),
        ("quantity", wanted),
        ("price", price_of(scene, act, "sold")),
    ]
    inner.add(Insert(row="ordered_item", entity=child.name, values=tuple(values)))
    scene.add(Each(over=Variable(name="items"), item="entry", steps=tuple(inner.steps)))


def _empty_again(scene: Scene, act: CartAct) -> None:
    scene.add(Delete(entity=ITEM, where=mine(scene, act)))
    if act.coupon is not None:
        scene.add(Update(row="cart", entity="cart", values=(("coupon_code", Constant(value=None)),)))


def _answer_order(scene: Scene, act: CartAct, order: Entity, row: str) -> None:
    key = order.key[-1]
    facts = [
        Fact(
            f"{order.name}_id",
            kind_of_key(order),
            RowField(row=row, column=key),
            f"id number {order.name} confirmation",
            principal=True,
        )
    ]
    kinds = {
        ColumnType.INTEGER: "integer",
        ColumnType.REAL: "integer",
        ColumnType.BOOLEAN: "boolean",
        ColumnType.JSON: "object",
    }
    known = [f for f in cart_facts(act) if f.name not in ("total", "coupon_code")]
    known = [
        f._replace(kind="list", value=Variable(name="lines"))
        if f.name == "items" and not scene.reading.tool.output_schema
        else f
        for f in known
    ]
    if act.coupon is not None:
        known.append(Fact("coupon_code", "text", Variable(name="used_coupon"), "coupon code promo voucher"))
    columns = [
        Fact(a.name, kinds.get(a.type, "text"), RowField(row=row, column=a.name))
        for a in order.attributes
        if a.name != key and a.name not in {f.name for f in known}
    ]
    answer(
        scene,
        [
            *facts,
            *columns,
            *known,
            Fact("total_paid", "integer", Variable(name="total"), "total amount charged price importe gesamt"),
        ],
        "Order placed.",
    )
