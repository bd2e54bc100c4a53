"""Carts, baskets, Warenkörbe: what somebody is about to buy, as state.

Invariant: a product stands once in a cart; adding it again raises its quantity. A document without a tool that adds
to a cart has none. Not covered: wish lists and playlists, which are links (`entities`); building the operations
(`cart_steps`).
"""

from __future__ import annotations

from typing import NamedTuple

from autoforge.generator.ir import ColumnKind, ColumnType
from autoforge.generator.rules.cart_words import CARTS, PRODUCTS, act_meant, act_named, is_complete, is_quantity
from autoforge.generator.rules.cast import PERSONS, Cast, id_stem
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import Shape, properties_of
from autoforge.generator.rules.words import ascii_word, singular, split_words

__all__ = ["PRICES", "TEXT_SHAPE", "CartAct", "cast_carts"]

_ORDERS = ("order", "purchase", "pedido", "compra", "bestellung", "commande", "ordine")


PRICES = (
    "price",
    "unit_price",
    "precio",
    "preis",
    "prix",
    "preco",
    "prezzo",
    "current_price",
    "sale_price",
    "amount",
    "cost",
)


TEXT_SHAPE = Shape(ColumnType.TEXT, True, {"type": "string"}, False)


_NUMBER = Shape(ColumnType.INTEGER, False, {"type": "integer"}, False)


class CartAct(NamedTuple):
    """What one tool does to a cart."""

    act: str
    product: str
    owner: str | None
    """The entity whose rows have carts of their own; None for the one cart of the session."""
    coupon: str | None
    order: str


def cast_carts(cast: Cast, readings: list[Reading]) -> None:
    """Give the cart tools of a document their acts and entities."""
    free = [r for r in readings if r.tool.name not in cast.special]
    acts = {r.tool.name: act for r in free if (act := act_named(r))}
    if "add" not in acts.values() or len(acts) < 2:
        return
    for reading in free:
        if reading.tool.name not in acts and (late := act_meant(reading)):
            acts[reading.tool.name] = late
    added = next(r for r in free if acts.get(r.tool.name) == "add")
    owner = _owner(cast, added)
    product = _product(cast, added, owner)
    if product is None:
        return
    couponed = any(a == "coupon" for a in acts.values()) and owner is None
    order = next((e for e in _ORDERS if e in cast.entities), "order")
    coupon = (cast.find(("coupon",)) or "coupon") if couponed else None
    for reading in free:
        act = acts.get(reading.tool.name)
        if act is None or (act in ("coupon", "uncoupon") and not couponed) or not is_complete(reading, act):
            continue
        cast.special[reading.tool.name] = CartAct(act, product, owner, coupon, order)
        cast.of_tool[reading.tool.name] = order if act == "checkout" else "cart_item"
        cast.attribute_of_tool.pop(reading.tool.name, None)
        cast.links.pop(reading.tool.name, None)
        reading.evidence.append(f"a cart tool: {act}")
    _draft_items(cast, product, owner)
    if coupon is not None:
        _draft_coupons(cast, coupon)
    if any(isinstance(a, CartAct) and a.act == "checkout" for a in cast.special.values()):
        _draft_orders(cast, order, product)
    for name in [
        n
        for n in cast.entities
        if singular(n) in CARTS and n != owner and coupon is None and n not in cast.of_tool.values()
    ]:
        del cast.entities[name]
        cast.alias[name] = "cart_item"


def _owner(cast: Cast, added: Reading) -> str | None:
    """Whose cart: a required id of a person, or of a cart."""
    for name in added.tool.input_schema.get("required", []):
        stem = id_stem(name)
        found = cast.by_parameter(name) if stem else None
        if stem and stem[-1] in CARTS:
            return cast.add("cart" if found is None or found == "cart_item" else found).name
        if stem and (stem[-1] in PERSONS or found in PERSONS):
            return found or cast.add(stem[-1]).name
    return None


def _product(cast: Cast, added: Reading, owner: str | None) -> str | None:
    """What is put into the cart: the entity of the id, or of the name, that the tool takes."""
    for name in [*added.tool.input_schema.get("required", []), *properties_of(added.tool.input_schema)]:
        stem, words = id_stem(name), [singular(ascii_word(w)) for w in split_words(name)]
        found = cast.by_parameter(name) if stem else None
        if (
            stem
            and stem[-1] not in CARTS
            and found != owner
            and (found or stem[-1] in PRODUCTS)
            and found != "cart_item"
        ):
            return found or cast.add(stem[-1]).name
        if (
            words
            and (words[0] in PRODUCTS or words[-1] in ("sku", *PRODUCTS))
            and not is_quantity(name, properties_of(added.tool.input_schema)[name])
        ):
            noun = next((w for w in words if w in PRODUCTS), "product")
            known = next(
                (e for e in cast.entities if e in PRODUCTS and any(cast.of_tool[t] == e for t in cast.of_tool)), None
            )
            return cast.find((noun,)) or known or cast.add(noun).name
    return None


def _draft_items(cast: Cast, product: str, owner: str | None) -> None:
    cast.add(product)
    cast.loners.discard(product)
    draft = cast.add("cart_item")
    draft.evidence.append("cart")
    cast.kept.update({"cart_item", product})
    cast.loners.discard("cart_item")
    draft.column("id", _NUMBER)
    draft.key, draft.id_template, draft.seed_rows = ("id",), "{}", 4
    reference = draft.column("product_id", TEXT_SHAPE, "What is in the cart")
    reference.references, reference.nullable, reference.unique = product, False, owner is None
    if owner is not None:
        cast.add(owner)
        cast.kept.add(owner)
        cast.loners.discard(owner)
        held = draft.column("owner_id", TEXT_SHAPE, "Whose cart it is in")
        held.references, held.nullable = owner, False
        draft.seed_rows = 8
    amount = draft.column(
        "quantity", Shape(ColumnType.INTEGER, False, {"type": "integer", "minimum": 1}, False), "How many of it"
    )
    amount.nullable = False


def _draft_coupons(cast: Cast, coupon: str) -> None:
    draft = cast.add(coupon)
    cast.loners.discard(coupon)
    if not draft.key and not draft.given:
        draft.column("code", TEXT_SHAPE, "Code of the coupon").nullable = False
        draft.key = ("code",)
    percent = draft.column(
        "discount_percent",
        Shape(ColumnType.INTEGER, False, {"type": "integer", "minimum": 5, "maximum": 40}, False),
        "Percentage taken off",
    )
    percent.nullable = False
    cart = cast.add("cart")
    cast.loners.discard("cart")
    cast.kept.update({"cart", coupon})
    cart.singleton, cart.key = True, ("id",)
    cart.column("id", _NUMBER)
    cart.column("coupon_code", TEXT_SHAPE, "Coupon that was applied").references = coupon


def _draft_orders(cast: Cast, order: str, product: str) -> None:
    draft = cast.add(order)
    cast.loners.discard(order)
    child = next((c for (parent, _), c in cast.children.items() if parent == order), f"{order}_item")
    cast.children.setdefault((order, "items"), child)
    items = cast.add(child)
    cast.kept.update({order, child})
    if not items.key and not items.given:
        items.column("id", _NUMBER)
        items.key, items.id_template = ("id",), "{}"
    parent = items.column(f"{order}_id", TEXT_SHAPE, "Order that it belongs to")
    parent.references, parent.nullable = order, False
    held = items.column("product_id", TEXT_SHAPE, "What was ordered")
    held.references, held.nullable = product, False
    items.column(
        "quantity", Shape(ColumnType.INTEGER, False, {"type": "integer", "minimum": 1}, False), "How many of it"
    ).nullable = False
    items.column(
        "price", Shape(ColumnType.REAL, False, {"type": "number", "minimum": 0}, False), "Price of one"
    ).nullable = False
    if not draft.given:
        draft.column(
            "created_at",
            Shape(ColumnType.DATETIME, True, {"type": "string", "format": "date-time"}, False),
            "When it was placed",
        ).kind = ColumnKind.CLOCK
