"""The operations of a cart: add, change, take out, look, empty, coupon, checkout.

Invariant: sums are computed from the products' prices when they are asked for; a checkout takes from stock what it
sells, leaves an order with its items and an empty cart, and is refused for an empty one. Not covered: shipping cost
and tax, which no documentation defines.
"""

from __future__ import annotations

from autoforge.generator.ir import (
    Assign,
    ColumnType,
    Constant,
    Delete,
    Filter,
    Find,
    Insert,
    NextId,
    OperationKind,
    RowField,
    Today,
    Update,
    Variable,
    When,
)
from autoforge.generator.rules.cart_rows import (
    ITEM,
    check_owner,
    enough,
    extra_values,
    find_product,
    held_line,
    mine,
    no_more_than,
    quantity_of,
)
from autoforge.generator.rules.cart_totals import show_cart
from autoforge.generator.rules.carts import CartAct
from autoforge.generator.rules.checkout import check_out
from autoforge.generator.rules.scene import Scene, call, equal, negate
from autoforge.generator.rules.words import split_words

__all__ = ["build_cart"]


def build_cart(scene: Scene) -> None:
    """Build one cart tool."""
    act = _act(scene)
    check_owner(scene, act)
    {
        "add": _add,
        "remove": _remove,
        "update": _update,
        "view": _view,
        "clear": _clear,
        "coupon": _coupon,
        "uncoupon": _uncoupon,
        "checkout": check_out,
    }[act.act](scene, act)


def _act(scene: Scene) -> CartAct:
    act: CartAct = scene.cast.special[scene.reading.tool.name]
    return act


def _add(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.CREATE
    product, amount = find_product(scene, act), quantity_of(scene)
    scene.refuse(call("less", amount, Constant(value=1)), "The quantity must be at least 1.", "range")
    no_more_than(scene, amount)
    key = RowField(row=product, column=scene.entities[act.product].key[-1])
    scene.add(
        Find(row="item", entity=ITEM, where=(Filter(column="product_id", value=key), *mine(scene, act)), missing=None)
    )
    scene.bound["item"] = ITEM
    scene.add(
        Assign(
            name="new_quantity",
            value=call("add", call("coalesce", RowField(row="item", column="quantity"), Constant(value=0)), amount),
        )
    )
    enough(scene, act, product, Variable(name="new_quantity"))
    extras = extra_values(scene)
    change = Update(
        row="item",
        entity=ITEM,
        values=(("quantity", Variable(name="new_quantity")), *extras),
        when_given=tuple(c for c, _ in extras),
    )
    owner = [("owner_id", f.value) for f in mine(scene, act)]
    insert = Insert(
        row="item",
        entity=ITEM,
        values=(
            ("id", NextId(entity=ITEM)),
            ("product_id", key),
            ("quantity", Variable(name="new_quantity")),
            *owner,
            *extras,
        ),
    )
    scene.add(When(condition=call("not_null", Variable(name="item")), steps=(change,), otherwise=(insert,)))
    show_cart(scene, act, "Added to the cart.")


def _update(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.UPDATE
    item, amount = held_line(scene, act), quantity_of(scene)
    scene.refuse(call("less", amount, Constant(value=0)), "The quantity cannot be negative.", "range")
    no_more_than(scene, amount)
    if "product" not in scene.bound:
        scene.find(scene.entities[act.product], RowField(row=item, column="product_id"), row="product")
    enough(scene, act, "product", amount)
    extras = extra_values(scene)
    change = Update(
        row=item, entity=ITEM, values=(("quantity", amount), *extras), when_given=tuple(c for c, _ in extras)
    )
    gone = Delete(entity=ITEM, where=(Filter(column="id", value=RowField(row=item, column="id")),))
    scene.add(When(condition=equal(amount, Constant(value=0)), steps=(gone,), otherwise=(change,)))
    show_cart(scene, act, "Cart updated.")


def _remove(scene: Scene, act: CartAct) -> None:
    if scene.first("item", "product") is None:
        _clear(scene, act)
        return
    scene.kind = OperationKind.DELETE
    item = held_line(scene, act)
    gone = Delete(entity=ITEM, where=(Filter(column="id", value=RowField(row=item, column="id")),))
    role = scene.first("quantity")
    if role is None:
        scene.add(gone)
    else:
        amount = scene.argument(role)
        held = RowField(row=item, column="quantity")
        scene.refuse(call("less", amount, Constant(value=1)), "The quantity must be at least 1.", "range")
        scene.refuse(call("greater", amount, held), "Only {item.quantity} of it are in the cart.", "range")
        part = call("and", call("not_null", amount), call("less", amount, held))
        scene.add(
            When(
                condition=part,
                steps=(Update(row=item, entity=ITEM, values=(("quantity", call("subtract", held, amount)),)),),
                otherwise=(gone,),
            )
        )
    show_cart(scene, act, "Removed from the cart.")


def _clear(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.DELETE
    _empty(scene, act)
    show_cart(scene, act, "The cart is empty.")


def _empty(scene: Scene, act: CartAct) -> None:
    scene.add(Delete(entity=ITEM, where=mine(scene, act)))
    if act.coupon is not None:
        scene.find(scene.entities["cart"], None, row="cart")
        scene.add(Update(row="cart", entity="cart", values=(("coupon_code", Constant(value=None)),)))


def _view(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.LIST
    show_cart(scene, act, "")


def _coupon(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.UPDATE
    role = scene.first("coupon")
    if role is None or act.coupon is None:
        _view(scene, act)
        return
    coupon = scene.find(scene.entities[act.coupon], scene.argument(role), row="coupon", shown=role.path[0])
    cart = scene.find(scene.entities["cart"], None, row="cart")
    key = RowField(row=coupon, column=scene.entities[act.coupon].key[-1])
    scene.refuse(equal(RowField(row=cart, column="coupon_code"), key), "This coupon is applied already.", "duplicate")
    _expired(scene, act)
    scene.add(Update(row=cart, entity="cart", values=(("coupon_code", key),)))
    show_cart(scene, act, "Coupon applied.")


def _expired(scene: Scene, act: CartAct) -> None:
    """A coupon of the documentation that can end or be switched off."""
    for attribute in scene.entities[act.coupon or ""].attributes:
        value = RowField(row="coupon", column=attribute.name)
        if attribute.type is ColumnType.DATE and set(split_words(attribute.name)) & {
            "expiry",
            "expires",
            "expiration",
            "until",
            "end",
        }:
            scene.refuse(
                call("and", call("not_null", value), call("less", value, Today())), "The coupon has expired.", "dates"
            )
        elif attribute.type is ColumnType.BOOLEAN and attribute.name in ("active", "is_active", "valid"):
            scene.refuse(negate(value), "The coupon is not active.", "status")


def _uncoupon(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.UPDATE
    cart = scene.find(scene.entities["cart"], None, row="cart")
    held = RowField(row=cart, column="coupon_code")
    scene.refuse(call("is_null", held), "No coupon is applied.", "empty")
    role = scene.first("coupon")
    if role is not None:
        scene.refuse(
            call("and", call("not_null", scene.argument(role)), call("not_equal", scene.argument(role), held)),
            "This coupon is not applied.",
            "missing",
        )
    scene.add(Update(row=cart, entity="cart", values=(("coupon_code", Constant(value=None)),)))
    show_cart(scene, act, "Coupon removed.")
