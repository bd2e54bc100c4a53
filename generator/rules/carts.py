"""Carts, baskets, Warenkörbe: what somebody is about to buy, as state.

Invariant: a product stands once in a cart; adding it again raises its quantity. A document without a tool that adds
to a cart has none. Not covered: wish lists and playlists, which are links (`entities`); building the operations
(`cart_steps`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from autoforge.generator.ir import ColumnKind, ColumnType
from autoforge.generator.rules.entities import PERSONS, Cast, id_stem
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.roles import Role, assign_roles
from autoforge.generator.rules.shapes import Shape, properties_of, shape_of
from autoforge.generator.rules.word_tables import word_set
from autoforge.generator.rules.words import ascii_word, column_name, singular, split_words

__all__ = ["PRICES", "CartAct", "assign_cart_roles", "cast_carts"]

_CARTS = word_set("cart basket carrito cesta warenkorb panier carrinho carrello")
_COUPONS = word_set("coupon promo promocode voucher cupon gutschein rabattcode discount descuento code")
_ACTS = {
    verb: act
    for act, verbs in {
        "add": "add put anadir agregar hinzufuegen legen ajouter adicionar aggiungere",
        "remove": "remove delete eliminar quitar entfernen supprimer retirer remover rimuovere take",
        "clear": "clear empty vaciar leeren vider esvaziar svuotare",
        "update": "update set change modify edit actualizar cambiar modificar aendern aktualisieren modifier",
        "view": (
            "view get show list see read display fetch ver mostrar consultar obtener anzeigen ansehen zeigen voir "
            "afficher consulter vedere"
        ),
        "checkout": (
            "checkout order buy purchase pay bestellen kaufen comprar pagar finalizar commander acheter ordinare"
        ),
    }.items()
    for verb in verbs.split()
}
_ORDERS = ("order", "purchase", "pedido", "compra", "bestellung", "commande", "ordine")
_PRODUCTS = (
    "product",
    "item",
    "article",
    "producto",
    "articulo",
    "produkt",
    "artikel",
    "produit",
    "produto",
    "prodotto",
    "book",
    "good",
)
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
_QUANTITIES = word_set("quantity qty amount count units cantidad menge anzahl quantite unidades quantidade quantita")
_TEXT = Shape(ColumnType.TEXT, True, {"type": "string"}, False)
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
    acts = {r.tool.name: act for r in free if (act := _act(r))}
    if "add" not in acts.values() or len(acts) < 2:
        return
    for reading in free:
        if reading.tool.name not in acts and (late := _late(reading)):
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
        if act is None or (act in ("coupon", "uncoupon") and not couponed) or not _complete(reading, act):
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
        if singular(n) in _CARTS and n != owner and coupon is None and n not in cast.of_tool.values()
    ]:
        del cast.entities[name]
        cast.alias[name] = "cart_item"


def _words(reading: Reading) -> list[str]:
    return [singular(ascii_word(w)) for w in split_words(reading.tool.original_name)]


def _act(reading: Reading) -> str | None:
    words = _words(reading)
    if not set(words) & _CARTS:
        return None
    if set(words) & _COUPONS:
        return "uncoupon" if any(_ACTS.get(w) == "remove" for w in words) else "coupon"
    if "checkout" in words or words[:2] == ["check", "out"]:
        return "checkout"
    return next((_ACTS[w] for w in words if w in _ACTS), None)


def _late(reading: Reading) -> str | None:
    """Tools that name no cart but mean it, once there is one."""
    words = _words(reading)
    whole = "_".join(words)
    takes_product = any(s and s[-1] in _PRODUCTS for s in map(id_stem, properties_of(reading.tool.input_schema)))
    orders = any(_ACTS.get(w) == "checkout" for w in words) or whole in (
        "place_order",
        "submit_order",
        "create_order",
        "realizar_pedido",
        "hacer_pedido",
        "passer_commande",
        "bestellung_aufgeben",
        "crear_pedido",
    )
    if whole in ("checkout", "check_out", "zur_kasse", "kasse") or (
        orders and not takes_product and set(split_words(_plain(reading.text))) & _CARTS
    ):
        return "checkout"
    if set(words) & (_COUPONS - {"code", "discount", "descuento"}) or {"discount", "code"} <= set(words):
        verbs = {
            "apply": "coupon",
            "redeem": "coupon",
            "use": "coupon",
            "add": "coupon",
            "aplicar": "coupon",
            "einloesen": "coupon",
            "anwenden": "coupon",
            "appliquer": "coupon",
            "remove": "uncoupon",
            "quitar": "uncoupon",
        }
        return next((verbs[w] for w in words if w in verbs), None)
    return None


def _plain(text: str) -> str:
    return " ".join(ascii_word(w) for w in split_words(text))


def _complete(reading: Reading, act: str) -> bool:
    names = properties_of(reading.tool.input_schema)
    if act == "update":
        return any(_is_quantity(n, s) for n, s in names.items())
    return act not in ("coupon",) or any(shape_of(s).type is ColumnType.TEXT for s in names.values())


def _is_quantity(name: str, schema: dict[str, Any]) -> bool:
    return bool({ascii_word(w) for w in split_words(name)} & _QUANTITIES) and shape_of(schema).type in (
        ColumnType.INTEGER,
        ColumnType.REAL,
    )


def _owner(cast: Cast, added: Reading) -> str | None:
    """Whose cart: a required id of a person, or of a cart."""
    for name in added.tool.input_schema.get("required", []):
        stem = id_stem(name)
        found = cast.by_parameter(name) if stem else None
        if stem and stem[-1] in _CARTS:
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
            and stem[-1] not in _CARTS
            and found != owner
            and (found or stem[-1] in _PRODUCTS)
            and found != "cart_item"
        ):
            return found or cast.add(stem[-1]).name
        if (
            words
            and (words[0] in _PRODUCTS or words[-1] in ("sku", *_PRODUCTS))
            and not _is_quantity(name, properties_of(added.tool.input_schema)[name])
        ):
            noun = next((w for w in words if w in _PRODUCTS), "product")
            known = next(
                (e for e in cast.entities if e in _PRODUCTS and any(cast.of_tool[t] == e for t in cast.of_tool)), None
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
    reference = draft.column("product_id", _TEXT, "What is in the cart")
    reference.references, reference.nullable, reference.unique = product, False, owner is None
    if owner is not None:
        cast.add(owner)
        cast.kept.add(owner)
        cast.loners.discard(owner)
        held = draft.column("owner_id", _TEXT, "Whose cart it is in")
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
        draft.column("code", _TEXT, "Code of the coupon").nullable = False
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
    cart.column("coupon_code", _TEXT, "Coupon that was applied").references = coupon


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
    parent = items.column(f"{order}_id", _TEXT, "Order that it belongs to")
    parent.references, parent.nullable = order, False
    held = items.column("product_id", _TEXT, "What was ordered")
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
        draft.column("name", _TEXT, "Name of the product").nullable = False
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
    if act.owner is not None and stem and (cast.by_parameter(role.name) == act.owner or stem[-1] in _CARTS):
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
    if act.owner is not None and stem and (found == act.owner or stem[-1] in _CARTS):
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
    elif _is_quantity(role.name, role.schema):
        role.role = "quantity"
    elif (
        found == act.product
        or (stem and stem[-1] in (*_PRODUCTS, act.product))
        or words[-1:] == ["sku"]
        or (words and words[-1] in (*_PRODUCTS, act.product))
    ):
        role.role, role.entity = "product", act.product
        _key_of_product(cast, act, role)
    elif words and words[0] in (*_PRODUCTS, act.product) and words[-1] in ("name", "nombre", "title", "titel"):
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
