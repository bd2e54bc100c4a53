"""What a cart comes to: its lines, the discount, the total, in the documented names.

Invariant: a line costs price times quantity, and the total is the sum of the lines less the discount. Not covered:
changing the cart (`cart_steps`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import (
    Assign,
    ColumnType,
    Constant,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Item,
    Record,
    RowField,
    Select,
    Variable,
)
from autoforge.generator.rules.answers import Fact, RowMaker, Rows, answer
from autoforge.generator.rules.cart_rows import ITEM, enough, mine, price_of
from autoforge.generator.rules.carts import CartAct
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.scene import Scene, call, key_filter
from autoforge.generator.rules.shapes import shape_of
from autoforge.generator.rules.words import snake, split_words

__all__ = ["cart_facts", "cart_lines", "kind_of_key", "show_cart"]

_SUM_WORDS = "subtotal zwischensumme sum"


# --- what a cart comes to
# --------------------------------------------------------------------------------------------------------


def cart_lines(scene: Scene, act: CartAct, checks: bool = False) -> None:
    """Bind `items` (rows), `lines` (what each comes to), `subtotal`, `discount` and `total`."""
    product = scene.entities[act.product]
    conditions = tuple(f for f in (_narrow(scene, r) for r in scene.roles_of("filter")) if f is not None)
    scene.add(Select(rows="items", entity=ITEM, where=(*mine(scene, act), *conditions)))
    scene.bound["items"] = ITEM
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
        enough(inner, act, "sold", quantity)
    price = price_of(scene, act, "sold")
    extras = [
        (a.name, RowField(row="entry", column=a.name))
        for a in scene.entities[ITEM].attributes
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
    attribute = scene.entities[ITEM].attribute(role.column or "")
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


def row_facts(scene: Scene, act: CartAct) -> list[Fact]:
    """What the call was about: whose cart, which product, how many."""
    facts: list[Fact] = []
    for row, entity_name in (("owner", act.owner), ("product", act.product)):
        if entity_name is not None and row in scene.bound:
            entity = scene.entities[entity_name]
            kind = kind_of_key(entity)
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


def kind_of_key(entity: Entity) -> str:
    key = entity.attribute(entity.key[-1])
    return "text" if key is None or key.type is ColumnType.TEXT else "integer"


def cart_facts(act: CartAct) -> list[Fact]:
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


def show_cart(scene: Scene, act: CartAct, sentence: str) -> None:
    """Answer with the cart as it is now."""
    cart_lines(scene, act)
    if not scene.reading.tool.output_schema:
        plain = [
            f._replace(kind="list", value=Variable(name="lines")) if f.name == "items" else f for f in cart_facts(act)
        ]
        answer(scene, plain, sentence)
        return
    answer(scene, [*cart_facts(act), *row_facts(scene, act)], sentence)
