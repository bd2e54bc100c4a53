"""Parameters of cart tools: product, line, quantity, coupon, owner; what a checkout is told goes into the order.

Invariant: a parameter with no place in the cart gets a column of its own. Not covered: the steps (`cart_steps`).
"""

from __future__ import annotations

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cart_words import CARTS, PRODUCTS, is_quantity
from autoforge.generator.rules.carts import PRICES, TEXT_SHAPE, CartAct
from autoforge.generator.rules.cast import Cast, id_stem
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.role_assignment import assign_roles
from autoforge.generator.rules.roles import Role
from autoforge.generator.rules.shapes import Shape, properties_of, shape_of
from autoforge.generator.rules.words import ascii_word, column_name, singular, split_words

__all__ = ["assign_cart_roles"]


def assign_cart_roles(cast: Cast, reading: Reading) -> list[Role]:
    """Each parameter by its place in the cart; a checkout's parameters are those of the order."""
    act: CartAct = cast.special[reading.tool.name]
    _ensure_price(cast, act)
    if act.act == "checkout":
        roles = [_owned(cast, act, r) for r in assign_roles(cast, reading)]
        return [_kept(cast, act, reading, r) for r in roles]
    required = set(reading.tool.input_schema.get("required", []))
    roles = []
    for name, schema in properties_of(reading.tool.input_schema).items():
        role = Role(
            name,
            (name,),
            schema,
            shape_of(schema),
            name in required,
            "",
            description=str(schema.get("description", "")),
        )
        _place(cast, act, reading, role)
        roles.append(role)
    return roles


def _ensure_price(cast: Cast, act: CartAct) -> None:
    draft = cast.entities[act.product]
    if not any(n in draft.attributes for n in PRICES):
        draft.column(
            "price", Shape(ColumnType.REAL, False, {"type": "number", "minimum": 0}, False), "Price of one"
        ).nullable = False
    if not draft.given and not any(
        n in draft.attributes
        for n in (
            "name",
            "title",
            "nombre",
            "titulo",
            "bezeichnung",
            "nom",
            "titre",
            "nome",
            "label",
            f"{act.product}_name",
        )
    ):
        draft.column("name", TEXT_SHAPE, "Name of the product").nullable = False
    if act.act == "checkout" and not any(
        n in cast.entities[act.order].attributes
        for n in ("total", "total_price", "total_amount", "amount", "importe_total", "gesamtbetrag", "grand_total")
    ):
        cast.entities[act.order].column(
            "total", Shape(ColumnType.REAL, False, {"type": "number", "minimum": 0}, False), "Sum of the order"
        ).nullable = False


def _owned(cast: Cast, act: CartAct, role: Role) -> Role:
    """The id of a cart, or of whoever has one."""
    stem = id_stem(role.name)
    if act.owner is not None and stem and (cast.by_parameter(role.name) == act.owner or stem[-1] in CARTS):
        role.role, role.entity = "owner", act.owner
    return role


def _kept(cast: Cast, act: CartAct, reading: Reading, role: Role) -> Role:
    """Whatever a checkout is told goes into a column of the order."""
    if role.role in ("reference", "owner") and not role.many:
        return role
    draft = cast.entities[act.order]
    if role.role == "value" and role.column in draft.attributes and role.column not in draft.key:
        return role
    role.role, role.column = "value", column_name(role.name)
    if role.column in ("id", "status", *draft.key):
        role.column += "_given"
    draft.column(role.column, role.shape._replace(nullable=True), role.description, f"{reading.tool.name}.{role.name}")
    return role


def _place(cast: Cast, act: CartAct, reading: Reading, role: Role) -> None:
    stem, words = id_stem(role.name), [singular(ascii_word(w)) for w in split_words(role.name)]
    draft = cast.entities["cart_item"]
    found = cast.by_parameter(role.name) if stem else None
    if act.owner is not None and stem and (found == act.owner or stem[-1] in CARTS):
        role.role, role.entity = "owner", act.owner
    elif stem and (
        found in ("cart_item",)
        or (
            stem[-1] in ("item", "line", "entry")
            and act.product not in ("item",)
            and reading.verb.word != "add"
            and act.act != "add"
        )
    ):
        role.role = "item"
    elif act.act in ("coupon", "uncoupon") and role.shape.type is ColumnType.TEXT:
        role.role = "coupon"
    elif is_quantity(role.name, role.schema):
        role.role = "quantity"
    elif (
        found == act.product
        or (stem and stem[-1] in (*PRODUCTS, act.product))
        or words[-1:] == ["sku"]
        or (words and words[-1] in (*PRODUCTS, act.product))
    ):
        role.role, role.entity = "product", act.product
        _key_of_product(cast, act, role)
    elif words and words[0] in (*PRODUCTS, act.product) and words[-1] in ("name", "nombre", "title", "titel"):
        role.role, role.entity = "product", act.product
        names = [n for n in ("name", "title", "nombre", "bezeichnung") if n in cast.entities[act.product].attributes]
        role.column = names[0] if names else "name"
        cast.entities[act.product].column(role.column, role.shape, role.description, f"{reading.tool.name}.{role.name}")
    else:
        role.role, role.column = ("value" if act.act in ("add", "update") else "filter"), column_name(role.name)
        if role.column in ("id", "product_id", "quantity", "owner_id"):
            role.column += "_given"
        draft.column(
            role.column, role.shape._replace(nullable=True), role.description, f"{reading.tool.name}.{role.name}"
        )


def _key_of_product(cast: Cast, act: CartAct, role: Role) -> None:
    """The key of products as the cart tools take it, where no other tool says more."""
    draft = cast.entities[act.product]
    name = column_name(role.name)
    if not draft.key and not draft.given and not any(n in draft.attributes for n in ("id", f"{act.product}_id", name)):
        draft.column(name if id_stem(role.name) else "id", role.shape, role.description)
