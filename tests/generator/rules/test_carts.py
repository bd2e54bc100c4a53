"""Documentation of a shop with a cart becomes a cart that adds up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generator.rules.worlds import TEXT, Opened, tool

COUNT: dict[str, Any] = {"type": "integer"}
NUMBER: dict[str, Any] = {"type": "number"}
LINE = {
    "type": "object",
    "properties": {"product_id": TEXT, "quantity": COUNT, "unit_price": NUMBER, "line_total": NUMBER},
}
CART = {"items": {"type": "array", "items": LINE}, "subtotal": NUMBER, "discount": NUMBER, "total": NUMBER}
PRODUCT = {"product_id": TEXT, "name": TEXT, "price": NUMBER, "stock": COUNT}
SHOP = [
    tool("list_products", "List products.", {"products": {"type": "array", "items": {"type": "object", "properties": PRODUCT, "required": list(PRODUCT)}}}),  # noqa: E501
    tool("add_to_cart", "Add a product to the cart.", CART, product_id=TEXT, quantity=COUNT),
    tool("update_cart_item", "Change a quantity in the cart.", CART, product_id=TEXT, quantity=COUNT),
    tool("remove_from_cart", "Remove a product from the cart.", CART, product_id=TEXT),
    tool("view_cart", "Show the cart.", CART),
    tool("clear_cart", "Empty the cart."),
    tool("apply_coupon", "Apply a coupon to the cart.", CART, code=TEXT),
    tool("checkout", "Order what is in the cart.", {"order_id": TEXT, "total": NUMBER}, shipping_address=TEXT),
    tool("get_order", "Get an order with its items.", {"order_id": TEXT, "total": NUMBER, "shipping_address": TEXT, "items": {  # noqa: E501
        "type": "array", "items": {"type": "object", "properties": {"product_id": TEXT, "quantity": COUNT}}}}, order_id=TEXT),  # noqa: E501
]  # fmt: skip
FOREIGN = {
    "es": [
        tool("buscar_productos", "Busca productos.", consulta=TEXT),
        tool("anadir_al_carrito", "Añade un producto al carrito.", producto_id=TEXT, cantidad=COUNT),
        tool("ver_carrito", "Muestra el carrito."),
        tool("vaciar_carrito", "Vacía el carrito."),
    ],
    "de": [
        tool("produkt_suchen", "Sucht Produkte.", suchbegriff=TEXT),
        tool("warenkorb_hinzufuegen", "Legt ein Produkt in den Warenkorb.", produkt_id=TEXT, menge=COUNT),
        tool("warenkorb_anzeigen", "Zeigt den Warenkorb."),
        tool("warenkorb_leeren", "Leert den Warenkorb."),
    ],
}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Opened]:
    opened = Opened(SHOP, tmp_path)
    opened.call("clear_cart")
    opened.connection.execute("UPDATE products SET price = 10.0, stock = 5")
    opened.connection.execute("UPDATE coupons SET discount_percent = 20")
    yield opened
    opened.close()


def products(opened: Opened) -> list[str]:
    return [p["product_id"] for p in opened.call("list_products")["products"]]


def test_adding_again_raises_the_quantity(shop: Opened) -> None:
    first = products(shop)[0]
    shop.call("add_to_cart", product_id=first, quantity=1)
    cart = shop.call("add_to_cart", product_id=first, quantity=2)
    assert cart["items"] == [{"product_id": first, "quantity": 3, "unit_price": 10.0, "line_total": 30.0}]
    assert cart["total"] == 30.0


def test_stock_and_sense_are_respected(shop: Opened) -> None:
    first = products(shop)[0]
    assert "in stock" in shop.refusal("add_to_cart", product_id=first, quantity=6)
    shop.call("add_to_cart", product_id=first, quantity=4)
    assert "in stock" in shop.refusal("add_to_cart", product_id=first, quantity=2)
    assert "in stock" in shop.refusal("update_cart_item", product_id=first, quantity=6)
    assert "at least 1" in shop.refusal("add_to_cart", product_id=first, quantity=0)
    assert "No product" in shop.refusal("add_to_cart", product_id="none", quantity=1)


def test_quantities_change_and_none_removes(shop: Opened) -> None:
    first, second, *_ = products(shop)
    shop.call("add_to_cart", product_id=first, quantity=1)
    shop.call("add_to_cart", product_id=second, quantity=1)
    assert shop.call("update_cart_item", product_id=first, quantity=5)["total"] == 60.0
    assert [i["product_id"] for i in shop.call("update_cart_item", product_id=first, quantity=0)["items"]] == [second]
    assert "not in the cart" in shop.refusal("remove_from_cart", product_id=first)
    assert shop.call("remove_from_cart", product_id=second)["items"] == []


def test_a_coupon_takes_its_share_off_once(shop: Opened) -> None:
    code = shop.rows("SELECT code FROM coupons")[0][0]
    shop.call("add_to_cart", product_id=products(shop)[0], quantity=2)
    cart = shop.call("apply_coupon", code=code)
    assert (cart["subtotal"], cart["discount"], cart["total"]) == (20.0, 4.0, 16.0)
    assert "already" in shop.refusal("apply_coupon", code=code)
    assert "No coupon" in shop.refusal("apply_coupon", code="nothing")


def test_checkout_makes_an_order_and_empties_the_cart(shop: Opened) -> None:
    first, second, *_ = products(shop)
    shop.call("add_to_cart", product_id=first, quantity=2)
    shop.call("add_to_cart", product_id=second, quantity=1)
    placed = shop.call("checkout", shipping_address="Main Street 1")
    assert placed["total"] == 30.0
    order = shop.call("get_order", order_id=placed["order_id"])
    assert order["shipping_address"] == "Main Street 1"
    assert order["items"] == [{"product_id": first, "quantity": 2}, {"product_id": second, "quantity": 1}]
    assert shop.call("view_cart")["items"] == []
    assert shop.rows(f"SELECT stock FROM products WHERE product_id = '{first}'") == [(3,)]
    assert "empty" in shop.refusal("checkout", shipping_address="Main Street 1")


def test_a_checkout_beyond_the_stock_changes_nothing(shop: Opened) -> None:
    first = products(shop)[0]
    shop.call("add_to_cart", product_id=first, quantity=2)
    shop.connection.execute("UPDATE products SET stock = 1")
    before = list(shop.connection.iterdump())
    assert "in stock" in shop.refusal("checkout", shipping_address="Main Street 1")
    assert list(shop.connection.iterdump()) == before


def test_each_user_has_a_cart(tmp_path: Path) -> None:
    tools = [
        tool("get_user", "Get a user.", {"id": COUNT, "name": TEXT}, user_id=COUNT),
        tool("get_cart", "Get a user's cart.", user_id=COUNT),
        tool("add_to_cart", "Add a product to a user's cart.", user_id=COUNT, product_id=COUNT, quantity=COUNT),
        tool("empty_cart", "Empty a user's cart.", user_id=COUNT),
    ]
    opened = Opened(tools, tmp_path)
    product = opened.rows("SELECT * FROM products")[0][0]
    for user in (1, 2):
        opened.call("empty_cart", user_id=user)
    opened.call("add_to_cart", user_id=1, product_id=product, quantity=2)
    assert [i["quantity"] for i in opened.call("get_cart", user_id=1)["items"]] == [2]
    assert opened.call("get_cart", user_id=2)["items"] == []
    assert "No user" in opened.refusal("get_cart", user_id=999)
    opened.close()


@pytest.mark.parametrize("language", sorted(FOREIGN))
def test_carts_are_known_in_other_languages(language: str, tmp_path: Path) -> None:
    opened = Opened(FOREIGN[language], tmp_path)
    _, add, view, clear = (t["name"] for t in FOREIGN[language])
    product, amount = FOREIGN[language][1]["inputSchema"]["required"]
    opened.call(clear)
    key = next(e for e in opened.world.entities if e.name.startswith("produ")).key[0]
    first = opened.rows(
        f"SELECT {key} FROM {next(e.table for e in opened.world.entities if e.name.startswith('produ'))}"
    )[0][0]
    for _ in range(2):
        opened.call(add, **{product: first, amount: 2})
    assert [i["quantity"] for i in opened.call(view)["items"]] == [4]
    opened.close()


def test_a_document_without_a_cart_gets_none(tmp_path: Path) -> None:
    tools = [
        tool("add_to_playlist", "Add a song to a playlist.", song_id=TEXT, playlist_id=TEXT),
        tool("view_playlist", "Show a playlist.", playlist_id=TEXT),
    ]
    opened = Opened(tools, tmp_path)
    assert not any(e.name == "cart_item" for e in opened.world.entities)
    opened.close()
