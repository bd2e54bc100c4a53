"""Words of cart tools: what is done to the cart, and which parameter is the quantity.

Invariant: a tool that names no cart means one only where the document has one. Not covered: what the cart is of
(`carts`).
"""

from __future__ import annotations

from typing import Any

from autoforge.generator.ir import ColumnType
from autoforge.generator.rules.cast import id_stem
from autoforge.generator.rules.reading import Reading
from autoforge.generator.rules.shapes import properties_of, shape_of
from autoforge.generator.rules.words import ascii_word, singular, split_words
from autoforge.generator.vocabulary import word_set

__all__ = ["CARTS", "PRODUCTS", "act_meant", "act_named", "is_complete", "is_quantity"]

CARTS = word_set("cart basket carrito cesta warenkorb panier carrinho carrello")


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


PRODUCTS = (
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


_QUANTITIES = word_set("quantity qty amount count units cantidad menge anzahl quantite unidades quantidade quantita")


def _words(reading: Reading) -> list[str]:
    return [singular(ascii_word(w)) for w in split_words(reading.tool.original_name)]


def act_named(reading: Reading) -> str | None:
    words = _words(reading)
    if not set(words) & CARTS:
        return None
    if set(words) & _COUPONS:
        return "uncoupon" if any(_ACTS.get(w) == "remove" for w in words) else "coupon"
    if "checkout" in words or words[:2] == ["check", "out"]:
        return "checkout"
    return next((_ACTS[w] for w in words if w in _ACTS), None)


def act_meant(reading: Reading) -> str | None:
    """Tools that name no cart but mean it, once there is one."""
    words = _words(reading)
    whole = "_".join(words)
    takes_product = any(s and s[-1] in PRODUCTS for s in map(id_stem, properties_of(reading.tool.input_schema)))
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
        orders and not takes_product and set(split_words(_plain(reading.text))) & CARTS
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


def is_complete(reading: Reading, act: str) -> bool:
    names = properties_of(reading.tool.input_schema)
    if act == "update":
        return any(is_quantity(n, s) for n, s in names.items())
    return act not in ("coupon",) or any(shape_of(s).type is ColumnType.TEXT for s in names.values())


def is_quantity(name: str, schema: dict[str, Any]) -> bool:
    return bool({ascii_word(w) for w in split_words(name)} & _QUANTITIES) and shape_of(schema).type in (
        ColumnType.INTEGER,
        ColumnType.REAL,
    )
