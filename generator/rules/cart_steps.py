"""The operations of a cart: add, change, take out, look, empty, coupon, checkout.

Invariant: sums are computed from the products' prices when they are asked for; a checkout takes from stock what it
sells, leaves an order with its items and an empty cart, and is refused for an empty one. Not covered: shipping cost
and tax, which no documentation defines.
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import (
    Assign,
    Attribute,
    ColumnType,
    Constant,
    Delete,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Insert,
    Item,
    NextId,
    OperationKind,
    Record,
    RowField,
    Select,
    Today,
    Update,
    Variable,
    When,
)
from autoforge.generator.rules.answers import Fact, RowMaker, Rows, answer
from autoforge.generator.rules.carts import PRICES, CartAct
from autoforge.generator.rules.facts import numeric
from autoforge.generator.rules.inserts import create_row, reference_value
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, equal, key_filter, negate
from autoforge.generator.rules.shapes import shape_of
from autoforge.generator.rules.words import snake, split_words

__all__ = ["build_cart"]

_STOCK = (
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
_TOTALS = ("total", "total_price", "total_amount", "grand_total", "amount", "importe_total", "gesamtbetrag")
_ITEM = "cart_item"
_MOST = 10_000
"""Largest quantity at once."""
_SUM_WORDS = "subtotal zwischensumme sum"


def build_cart(scene: Scene) -> None:
    """Build one cart tool."""
    act = _act(scene)
    _check_owner(scene, act)
    {
        "add": _add,
        "remove": _remove,
        "update": _update,
        "view": _view,
        "clear": _clear,
        "coupon": _coupon,
        "uncoupon": _uncoupon,
        "checkout": _checkout,
    }[act.act](scene, act)


def _act(scene: Scene) -> CartAct:
    act: CartAct = scene.cast.special[scene.reading.tool.name]
    return act


def _check_owner(scene: Scene, act: CartAct) -> None:
    role = scene.first("owner")
    if act.owner is not None and role is not None:
        scene.find(scene.entities[act.owner], scene.argument(role), row="owner", shown=role.path[0])


def _mine(scene: Scene, act: CartAct) -> tuple[Filter, ...]:
    """Only the items of this cart."""
    if act.owner is None or "owner" not in scene.bound:
        return ()
    return (Filter(column="owner_id", value=RowField(row="owner", column=scene.entities[act.owner].key[-1])),)


def _column(entity: Entity, names: tuple[str, ...]) -> Attribute | None:
    return next((a for n in names if (a := entity.attribute(n)) is not None and numeric(a)), None)


def _price(scene: Scene, act: CartAct, row: str) -> Expression:
    column = _column(scene.entities[act.product], PRICES)
    return (
        call("coalesce", RowField(row=row, column=column.name), Constant(value=0))
        if column is not None
        else Constant(value=0)
    )


def _stock_of(scene: Scene, act: CartAct, row: str) -> Expression | None:
    column = _column(scene.entities[act.product], _STOCK)
    return call("coalesce", RowField(row=row, column=column.name), Constant(value=0)) if column is not None else None


def _product(scene: Scene, act: CartAct) -> str:
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


def _held(scene: Scene, act: CartAct, *, optional: bool = False) -> str:
    """The item of the cart that is meant: by its own id, else by its product."""
    role = scene.first("item")
    missing = None if optional else "This is not in the cart."
    if role is not None:
        where = (Filter(column="id", value=scene.argument(role)), *_mine(scene, act))
    else:
        product = _product(scene, act)
        where = (
            Filter(column="product_id", value=RowField(row=product, column=scene.entities[act.product].key[-1])),
            *_mine(scene, act),
        )
    scene.add(Find(row="item", entity=_ITEM, where=where, missing=missing))
    scene.bound["item"] = _ITEM
    return "item"


def _quantity(scene: Scene) -> Expression:
    role = scene.first("quantity")
    if role is None:
        return Constant(value=1)
    value = scene.argument(role)
    return (
        value if role.required or role.schema.get("default") is not None else call("coalesce", value, Constant(value=1))
    )


def _no_more_than(scene: Scene, amount: Expression) -> None:
    scene.refuse(call("greater", amount, Constant(value=_MOST)), f"The quantity must be at most {_MOST}.", "range")


def _extras(scene: Scene) -> list[tuple[str, Expression]]:
    return [
        (r.column, scene.argument(r))
        for r in scene.roles_of("value")
        if r.column and scene.entities[_ITEM].attribute(r.column)
    ]


def _enough(scene: Scene, act: CartAct, row: str, wanted: Expression) -> None:
    """As many as wanted must be there; a product that is marked as sold out is refused."""
    stock = _stock_of(scene, act, row)
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


def _add(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.CREATE
    product, amount = _product(scene, act), _quantity(scene)
    scene.refuse(call("less", amount, Constant(value=1)), "The quantity must be at least 1.", "range")
    _no_more_than(scene, amount)
    key = RowField(row=product, column=scene.entities[act.product].key[-1])
    scene.add(
        Find(row="item", entity=_ITEM, where=(Filter(column="product_id", value=key), *_mine(scene, act)), missing=None)
    )
    scene.bound["item"] = _ITEM
    scene.add(
        Assign(
            name="new_quantity",
            value=call("add", call("coalesce", RowField(row="item", column="quantity"), Constant(value=0)), amount),
        )
    )
    _enough(scene, act, product, Variable(name="new_quantity"))
    extras = _extras(scene)
    change = Update(
        row="item",
        entity=_ITEM,
        values=(("quantity", Variable(name="new_quantity")), *extras),
        when_given=tuple(c for c, _ in extras),
    )
    owner = [("owner_id", f.value) for f in _mine(scene, act)]
    insert = Insert(
        row="item",
        entity=_ITEM,
        values=(
            ("id", NextId(entity=_ITEM)),
            ("product_id", key),
            ("quantity", Variable(name="new_quantity")),
            *owner,
            *extras,
        ),
    )
    scene.add(When(condition=call("not_null", Variable(name="item")), steps=(change,), otherwise=(insert,)))
    _show(scene, act, "Added to the cart.")


def _update(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.UPDATE
    item, amount = _held(scene, act), _quantity(scene)
    scene.refuse(call("less", amount, Constant(value=0)), "The quantity cannot be negative.", "range")
    _no_more_than(scene, amount)
    if "product" not in scene.bound:
        scene.find(scene.entities[act.product], RowField(row=item, column="product_id"), row="product")
    _enough(scene, act, "product", amount)
    extras = _extras(scene)
    change = Update(
        row=item, entity=_ITEM, values=(("quantity", amount), *extras), when_given=tuple(c for c, _ in extras)
    )
    gone = Delete(entity=_ITEM, where=(Filter(column="id", value=RowField(row=item, column="id")),))
    scene.add(When(condition=equal(amount, Constant(value=0)), steps=(gone,), otherwise=(change,)))
    _show(scene, act, "Cart updated.")


def _remove(scene: Scene, act: CartAct) -> None:
    if scene.first("item", "product") is None:
        _clear(scene, act)
        return
    scene.kind = OperationKind.DELETE
    item = _held(scene, act)
    gone = Delete(entity=_ITEM, where=(Filter(column="id", value=RowField(row=item, column="id")),))
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
                steps=(Update(row=item, entity=_ITEM, values=(("quantity", call("subtract", held, amount)),)),),
                otherwise=(gone,),
            )
        )
    _show(scene, act, "Removed from the cart.")


def _clear(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.DELETE
    _empty(scene, act)
    _show(scene, act, "The cart is empty.")


def _empty(scene: Scene, act: CartAct) -> None:
    scene.add(Delete(entity=_ITEM, where=_mine(scene, act)))
    if act.coupon is not None:
        scene.find(scene.entities["cart"], None, row="cart")
        scene.add(Update(row="cart", entity="cart", values=(("coupon_code", Constant(value=None)),)))


def _view(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.LIST
    _show(scene, act, "")


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
    _show(scene, act, "Coupon applied.")


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
    _show(scene, act, "Coupon removed.")


# --- what a cart comes to
# --------------------------------------------------------------------------------------------------------


def _lines(scene: Scene, act: CartAct, checks: bool = False) -> None:
    """Bind `items` (rows), `lines` (what each comes to), `subtotal`, `discount` and `total`."""
    product = scene.entities[act.product]
    conditions = tuple(f for f in (_narrow(scene, r) for r in scene.roles_of("filter")) if f is not None)
    scene.add(Select(rows="items", entity=_ITEM, where=(*_mine(scene, act), *conditions)))
    scene.bound["items"] = _ITEM
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
    quantity = RowField(row="entry", column="quantity")
    if checks:
        _enough(inner, act, "sold", quantity)
    price = _price(scene, act, "sold")
    extras = [
        (a.name, RowField(row="entry", column=a.name))
        for a in scene.entities[_ITEM].attributes
        if a.name not in ("id", "product_id", "quantity", "owner_id")
    ]
    fields: dict[str, Expression] = {
        "item_id": RowField(row="entry", column="id"),
        "product_id": RowField(row="entry", column="product_id"),
    }
    label = next(
        (
            a.name
            for n in ("name", "title", "nombre", "bezeichnung", product.label)
            if n and (a := product.attribute(n)) is not None
        ),
        None,
    )
    if label is not None and label not in product.key:
        fields["name"] = RowField(row="sold", column=label)
    fields.update(
        {
            "price": price,
            "quantity": quantity,
            **dict(extras),
            "subtotal": call("round", call("multiply", price, quantity), Constant(value=2)),
        }
    )
    scene.add(
        Each(
            over=Variable(name="items"),
            item="entry",
            steps=tuple(inner.steps),
            collect="lines",
            result=Record(fields=tuple(fields.items())),
        )
    )
    scene.add(
        Assign(
            name="subtotal",
            value=call("round", call("sum", Variable(name="lines"), Constant(value="subtotal")), Constant(value=2)),
        )
    )
    _discount(scene, act)


def _narrow(scene: Scene, role: Role) -> Filter | None:
    attribute = scene.entities[_ITEM].attribute(role.column or "")
    return Filter(column=attribute.name, value=scene.argument(role), optional=True) if attribute is not None else None


def _discount(scene: Scene, act: CartAct) -> None:
    if act.coupon is None:
        scene.add(Assign(name="total", value=Variable(name="subtotal")))
        return
    entity = scene.entities[act.coupon]
    if "cart" not in scene.bound:
        scene.find(scene.entities["cart"], None, row="cart")
    scene.add(
        Find(
            row="applied",
            entity=act.coupon,
            where=key_filter(entity, RowField(row="cart", column="coupon_code")),
            missing=None,
        )
    )
    scene.bound["applied"] = act.coupon
    percent = call("coalesce", RowField(row="applied", column="discount_percent"), Constant(value=0))
    scene.add(
        Assign(
            name="discount",
            value=call(
                "round",
                call("divide", call("multiply", Variable(name="subtotal"), percent), Constant(value=100)),
                Constant(value=2),
            ),
        )
    )
    scene.add(
        Assign(
            name="total",
            value=call(
                "round", call("subtract", Variable(name="subtotal"), Variable(name="discount")), Constant(value=2)
            ),
        )
    )


def _line_maker(name: str, schema: dict[str, Any]) -> Expression | None:
    """A property of a line: a member of the object `entry`."""
    words = set(split_words(name))
    for member, hints in (
        ("item_id", {"item"} if {"id"} <= words and "product" not in words and "cart" in words else set()),
        ("quantity", {"quantity", "qty", "cantidad", "menge", "anzahl", "units", "count"}),
        ("subtotal", {"subtotal", "total", "sum", "summe", "line", "gesamtpreis"}),
        ("price", {"price", "precio", "preis", "unit", "cost", "amount", "prix"}),
        ("name", {"name", "title", "nombre", "bezeichnung", "titel"}),
        ("product_id", {"id", "product", "sku", "producto", "artikel", "code"}),
    ):  # fmt: skip
        if words & hints:
            value: Expression = Item(container=Variable(name="entry"), key=Constant(value=member))
            kind = shape_of(schema).type
            return (
                call("text", value)
                if kind is ColumnType.TEXT
                else call("integer", value)
                if kind is ColumnType.INTEGER
                else value
            )
    return Item(container=Variable(name="entry"), key=Constant(value=snake(name)))


def _row_facts(scene: Scene, act: CartAct) -> list[Fact]:
    """What the call was about: whose cart, which product, how many."""
    facts: list[Fact] = []
    for row, entity_name in (("owner", act.owner), ("product", act.product)):
        if entity_name is not None and row in scene.bound:
            entity = scene.entities[entity_name]
            kind = _kind_of_key(entity)
            facts.append(Fact(f"{entity_name}_id", kind, RowField(row=row, column=entity.key[-1]), "id"))
            if row == "product" and entity.label is not None and entity.label not in entity.key:
                facts.append(Fact(f"{entity_name}_name", "text", RowField(row=row, column=entity.label), "name title"))
    if act.act in ("add", "update") and (amount := scene.first("quantity")) is not None:
        facts.append(
            Fact(
                "quantity",
                "integer",
                Variable(name="new_quantity") if act.act == "add" else scene.argument(amount),
                "qty cantidad menge anzahl new",
            )
        )
    return facts


def _kind_of_key(entity: Entity) -> str:
    key = entity.attribute(entity.key[-1])
    return "text" if key is None or key.type is ColumnType.TEXT else "integer"


def _facts(act: CartAct) -> list[Fact]:
    maker: RowMaker = _line_maker
    rows = Rows(
        Variable(name="lines"),
        None,
        Item(container=Variable(name="entry"), key=Constant(value="product_id")),
        maker,
        ("item_id", "product_id", "name", "price", "quantity", "subtotal"),
    )
    units = call("integer", call("sum", Variable(name="lines"), Constant(value="quantity")))
    facts = [
        Fact(
            "items", "rows", rows, "cart lines products contents articulos productos artikel positionen", principal=True
        ),
        Fact("item_count", "integer", units, "items count quantity cantidad anzahl"),
    ]
    sums = [Fact("subtotal", "integer", Variable(name="subtotal"), _SUM_WORDS)]
    if act.coupon is not None:
        sums += [
            Fact("discount", "integer", Variable(name="discount"), "saving savings descuento rabatt"),
            Fact("coupon_code", "text", RowField(row="cart", column="coupon_code"), "coupon code promo voucher"),
        ]
    return [
        *facts,
        *sums,
        Fact("total", "integer", Variable(name="total"), "total price amount sum summe gesamt importe cart"),
    ]


def _show(scene: Scene, act: CartAct, sentence: str) -> None:
    """Answer with the cart as it is now."""
    _lines(scene, act)
    if not scene.reading.tool.output_schema:
        plain = [f._replace(kind="list", value=Variable(name="lines")) if f.name == "items" else f for f in _facts(act)]
        answer(scene, plain, sentence)
        return
    answer(scene, [*_facts(act), *_row_facts(scene, act)], sentence)


# --- checkout
# --------------------------------------------------------------------------------------------------------------------


def _checkout(scene: Scene, act: CartAct) -> None:
    scene.kind = OperationKind.CREATE
    order = scene.entities[act.order]
    values: dict[str, Expression] = {}
    for role in scene.roles_of("reference"):
        reference_value(scene, order, role, values)
    for role in scene.roles_of("value"):
        if role.column and order.attribute(role.column):
            values[role.column] = scene.argument(role)
    _lines(scene, act, checks=True)
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
    stock = _column(product, _STOCK)
    if stock is not None:
        inner.add(
            Update(
                row="sold",
                entity=act.product,
                values=((stock.name, call("subtract", _stock_of(scene, act, "sold") or Constant(value=0), wanted)),),
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
        ("price", _price(scene, act, "sold")),
    ]
    inner.add(Insert(row="ordered_item", entity=child.name, values=tuple(values)))
    scene.add(Each(over=Variable(name="items"), item="entry", steps=tuple(inner.steps)))


def _empty_again(scene: Scene, act: CartAct) -> None:
    scene.add(Delete(entity=_ITEM, where=_mine(scene, act)))
    if act.coupon is not None:
        scene.add(Update(row="cart", entity="cart", values=(("coupon_code", Constant(value=None)),)))


def _answer_order(scene: Scene, act: CartAct, order: Entity, row: str) -> None:
    key = order.key[-1]
    facts = [
        Fact(
            f"{order.name}_id",
            _kind_of_key(order),
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
    known = [f for f in _facts(act) if f.name not in ("total", "coupon_code")]
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
