"""The user's own data: its names and rows stay, and the tools work on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.generator.rules.conftest import INTEGER, TEXT, WithData, listing, maybe, record, tool

Start = Callable[..., WithData]
SHOP: dict[str, Any] = {
    "products": {
        "P-7": {"title": "Lamp", "price": 30.5, "tags": ["light", "home"]},
        "P-9": {"title": "Chair", "price": 80, "tags": []},
    },
    "orders": [
        {"orderId": 1, "product": "P-7", "state": "open", "history": [{"at": "2026-01-01", "note": "made"}]},
        {"orderId": 2, "product": "P-9", "state": "sent", "history": []},
    ],
}
TOOLS = [
    tool("get_product", "Gets a product.", None, product_id=TEXT),
    tool("list_orders", "Lists orders.", None, state=maybe(TEXT)),
    tool("cancel_order", "Cancels an order.", None, order_id=INTEGER),
    tool("create_order", "Creates an order.", None, product_id=TEXT),
]


def test_nothing_of_the_data_is_lost(with_data: Start) -> None:
    one = with_data(TOOLS, {"shop.json": SHOP})
    assert one.restored() == {"shop.json": SHOP}


def test_answers_use_the_datas_own_names(with_data: Start) -> None:
    desk = with_data(TOOLS, {"shop.json": SHOP}).desk
    answer = desk.answer("get_product", product_id="P-7")
    assert (answer["title"], answer["price"], answer["tags"]) == ("Lamp", 30.5, ["light", "home"])
    assert "P-99" in desk.refusal("get_product", product_id="P-99")


def test_filters_use_the_datas_columns(with_data: Start) -> None:
    desk = with_data(TOOLS, {"shop.json": SHOP}).desk
    text = str(desk.answer("list_orders", state="sent"))
    assert "P-9" in text
    assert "P-7" not in text


def test_a_status_is_the_datas_column_and_takes_new_values(with_data: Start) -> None:
    one = with_data(TOOLS, {"shop.json": SHOP})
    one.desk.answer("cancel_order", order_id=1)
    restored = one.restored()["shop.json"]
    assert "cancel" in restored["orders"][0]["state"]
    assert restored["orders"][1] == SHOP["orders"][1]


def test_new_rows_stand_beside_those_of_the_data(with_data: Start) -> None:
    one = with_data(TOOLS, {"shop.json": SHOP})
    made = one.desk.answer("create_order", product_id="P-9")
    assert 3 in made.values()
    assert one.restored()["shop.json"]["orders"][:2] == SHOP["orders"]
    assert "P-77" in one.desk.refusal("create_order", product_id="P-77")


USERS: dict[str, Any] = {
    "users": {"u1": {"name": "Ada", "tasks": ["t1"]}, "u2": {"name": "Bob", "tasks": []}},
    "tasks": {"t1": {"title": "Write", "status": "open"}},
}


def test_a_new_row_is_appended_to_its_holders_list(with_data: Start) -> None:
    one = with_data(
        [
            tool("create_task", "Creates a task for a user.", None, user_id=TEXT, title=TEXT),
            tool("get_task", "Gets a task.", None, task_id=TEXT),
            tool("get_user", "Gets a user.", None, user_id=TEXT),
        ],
        {"todo.json": USERS},
    )
    one.desk.answer("create_task", user_id="u2", title="Read")
    restored = one.restored()["todo.json"]
    assert restored["users"]["u1"] == USERS["users"]["u1"]
    fresh = set(restored["tasks"]) - {"t1"}
    assert restored["users"]["u2"]["tasks"] == list(fresh)
    assert "u9" in one.desk.refusal("create_task", user_id="u9", title="Read")


def test_the_datas_own_flag_says_who_is_logged_in(with_data: Start) -> None:
    data: dict[str, Any] = {
        "authenticated": False,
        "current_user": None,
        "users": {"u1": {"username": "ada", "password": "s1"}},
        "notes": [],
    }
    one = with_data(
        [
            tool("login", "Logs a user in.", None, username=TEXT, password=TEXT),
            tool("logout", "Logs out the current user.", None),
            tool("create_note", "Creates a note of the current user.", None, text=TEXT),
        ],
        {"state.json": data},
    )
    assert "logged in" in one.desk.refusal("create_note", text="x")
    one.desk.refusal("login", username="ada", password="wrong")
    one.desk.answer("login", username="ada", password="s1")
    assert one.restored()["state.json"]["authenticated"] is True
    one.desk.answer("create_note", text="x")
    one.desk.answer("logout")
    assert one.restored()["state.json"]["authenticated"] is False


def test_values_of_the_data_outside_the_documented_ones_are_kept(with_data: Start) -> None:
    status = {"type": "string", "enum": ["open", "closed"]}
    data = {"tickets": [{"id": 1, "status": "open"}, {"id": 2, "status": "legacy"}]}
    one = with_data(
        [
            tool("get_ticket", "Gets a ticket.", None, ticket_id=INTEGER),
            tool("set_ticket_status", "Sets the status.", None, ticket_id=INTEGER, status=status),
        ],
        {"t.json": data},
    )
    assert one.restored() == {"t.json": data}
    one.desk.answer("set_ticket_status", ticket_id=2, status="closed")
    assert one.restored()["t.json"]["tickets"][1]["status"] == "closed"


def test_several_files_go_together(with_data: Start) -> None:
    files = {"products.json": list({"id": k, **v} for k, v in SHOP["products"].items()), "orders.json": SHOP["orders"]}
    one = with_data(TOOLS, files)
    assert one.restored() == files
    assert one.desk.answer("get_product", product_id="P-9")["title"] == "Chair"


def test_outputs_of_the_documentation_are_honoured_beside_data(with_data: Start) -> None:
    product = record("*", product_id=TEXT, title=TEXT, tags=listing(TEXT))
    one = with_data([tool("get_product", "Gets a product.", product, product_id=TEXT)], {"shop.json": SHOP})
    assert one.desk.answer("get_product", product_id="P-9") == {"product_id": "P-9", "title": "Chair", "tags": []}
