"""What moves from one place to another: money between accounts, stock between warehouses, prices that are only told."""

from __future__ import annotations

import pytest

from autoforge.generator.documents.read import Document, documentation_of
from autoforge.generator.ir import OperationKind
from autoforge.generator.rules.reading import read_tools
from tests.generator.rules.conftest import DATE, INTEGER, NUMBER, TEXT, Desk, Open, listing, maybe, one_of, record, tool

ACCOUNT = record("*", account_id=TEXT, owner=TEXT, balance=NUMBER)
BANK = [
    tool("get_account", "Gets an account.", ACCOUNT, account_id=TEXT),
    tool(
        "transfer_money",
        "Transfers money from one account to another.",
        None,
        from_account_id=TEXT,
        to_account_id=TEXT,
        amount=NUMBER,
    ),
    tool("deposit", "Deposits money into an account.", None, account_id=TEXT, amount=NUMBER),
    tool("withdraw", "Withdraws money from an account.", None, account_id=TEXT, amount=NUMBER),
]


def bank(world: Open, *more: dict[str, object]) -> tuple[Desk, str, str]:
    """Two accounts that hold 100 and 5."""
    desk = world([*BANK, *more])
    first, second = (r["account_id"] for r in desk.rows("accounts")[:2])
    desk.put("accounts", {"account_id": first}, balance=100.0)
    desk.put("accounts", {"account_id": second}, balance=5.0)
    return desk, first, second


def balances(desk: Desk) -> list[float]:
    return [r["balance"] for r in desk.rows("accounts")[:2]]


def test_what_leaves_one_account_arrives_at_the_other(world: Open) -> None:
    desk, first, second = bank(world)
    desk.answer("transfer_money", from_account_id=first, to_account_id=second, amount=30.25)
    assert balances(desk) == [69.75, 35.25]


def test_a_transfer_does_not_depend_on_the_order_of_its_parameters(world: Open) -> None:
    desk = world(
        [
            BANK[0],
            tool(
                "transfer",
                "Transfers money between accounts.",
                None,
                amount=NUMBER,
                target_account_id=TEXT,
                source_account_id=TEXT,
            ),
        ]
    )
    first, second = (r["account_id"] for r in desk.rows("accounts")[:2])
    desk.run("UPDATE accounts SET balance = 50")
    desk.answer("transfer", amount=20, target_account_id=second, source_account_id=first)
    assert balances(desk) == [30, 70]


def test_more_than_there_is_cannot_leave(world: Open) -> None:
    desk, first, second = bank(world)
    assert "balance" in desk.refusal("transfer_money", from_account_id=first, to_account_id=second, amount=100.01)
    assert "balance" in desk.refusal("withdraw", account_id=second, amount=5.5)
    desk.answer("withdraw", account_id=second, amount=5)
    assert balances(desk) == [100, 0]


@pytest.mark.parametrize("amount", [0, -1, -0.01])
def test_an_amount_that_is_not_positive_is_refused(world: Open, amount: float) -> None:
    desk, first, second = bank(world)
    desk.refusal("transfer_money", from_account_id=first, to_account_id=second, amount=amount)
    desk.refusal("deposit", account_id=first, amount=amount)
    desk.refusal("withdraw", account_id=first, amount=amount)


def test_a_transfer_to_the_same_account_is_refused(world: Open) -> None:
    desk, first, _ = bank(world)
    assert "same" in desk.refusal("transfer_money", from_account_id=first, to_account_id=first, amount=1)


@pytest.mark.parametrize("side", ["from_account_id", "to_account_id"])
def test_an_unknown_side_of_a_transfer_is_refused(world: Open, side: str) -> None:
    desk, first, second = bank(world)
    arguments = {"from_account_id": first, "to_account_id": second, side: "none"}
    assert "none" in desk.refusal("transfer_money", **arguments, amount=1)


def test_deposits_add_and_withdrawals_take(world: Open) -> None:
    desk, first, _ = bank(world)
    desk.answer("deposit", account_id=first, amount=0.1)
    desk.answer("deposit", account_id=first, amount=0.2)
    assert balances(desk)[0] == 100.3
    desk.answer("withdraw", account_id=first, amount=50)
    assert balances(desk)[0] == 50.3


def test_a_movement_is_kept_where_movements_are_listed(world: Open) -> None:
    movement = record(
        "*", transaction_id=TEXT, account_id=TEXT, amount=NUMBER, type=one_of("deposit", "withdrawal", "transfer")
    )
    desk, first, _ = bank(
        world,
        tool(
            "list_transactions",
            "Lists the transactions of an account.",
            record(transactions=listing(movement)),
            account_id=TEXT,
        ),
    )
    before = len(desk.answer("list_transactions", account_id=first)["transactions"])
    desk.answer("deposit", account_id=first, amount=7)
    after = desk.answer("list_transactions", account_id=first)["transactions"]
    assert len(after) == before + 1
    assert (after[-1]["amount"], after[-1]["type"]) == (7, "deposit")


def test_the_balance_of_whoever_is_logged_in_moves(world: Open) -> None:
    desk = world(
        [
            tool("login", "Logs a user in.", None, username=TEXT, password=TEXT),
            tool("logout", "Logs out the current user.", None),
            tool("get_balance", "Returns the balance of the current user.", record("*", balance=NUMBER)),
            tool(
                "add_funds",
                "Deposits money into the current user's account.",
                record("*", balance=NUMBER),
                amount=NUMBER,
            ),
            tool("withdraw_funds", "Withdraws money of the current user.", record("*", balance=NUMBER), amount=NUMBER),
        ]
    )
    before = desk.answer("get_balance")["balance"]
    desk.answer("add_funds", amount=40)
    assert desk.answer("get_balance")["balance"] == pytest.approx(before + 40)
    desk.answer("withdraw_funds", amount=15)
    assert desk.answer("get_balance")["balance"] == pytest.approx(before + 25)
    desk.refusal("withdraw_funds", amount=before + 26)
    desk.answer("logout")
    desk.refusal("add_funds", amount=1)


def test_a_card_pays_from_its_account(world: Open) -> None:
    desk = world(
        [
            tool("get_card", "Gets a card.", record("*", card_id=TEXT, account_id=TEXT), card_id=TEXT),
            tool("get_account", "Gets an account.", ACCOUNT, account_id=TEXT),
            tool("charge_card", "Charges an amount to a card.", None, card_id=TEXT, amount=NUMBER),
        ]
    )
    card = desk.rows("cards")[0]
    desk.run("UPDATE accounts SET balance = 50")
    desk.answer("charge_card", card_id=card["card_id"], amount=20)
    assert {r["account_id"]: r["balance"] for r in desk.rows("accounts")}[card["account_id"]] == 30
    assert sum(r["balance"] for r in desk.rows("accounts")) == 50 * len(desk.rows("accounts")) - 20
    desk.refusal("charge_card", card_id=card["card_id"], amount=31)


STOCK = record("*", stock_id=TEXT, product_id=TEXT, warehouse_id=TEXT, quantity=INTEGER)
WAREHOUSE = [
    tool("get_product", "Gets a product.", record("*", product_id=TEXT, name=TEXT), product_id=TEXT),
    tool("get_warehouse", "Gets a warehouse.", record("*", warehouse_id=TEXT, name=TEXT), warehouse_id=TEXT),
    tool(
        "list_stock",
        "Lists the stock levels.",
        record(stocks=listing(STOCK)),
        product_id=maybe(TEXT),
        warehouse_id=maybe(TEXT),
    ),
    tool(
        "transfer_stock",
        "Moves stock of a product from one warehouse to another.",
        None,
        product_id=TEXT,
        from_warehouse_id=TEXT,
        to_warehouse_id=TEXT,
        quantity=INTEGER,
    ),
    tool(
        "adjust_stock",
        "Adjusts the stock of a product in a warehouse by a positive or negative change.",
        None,
        product_id=TEXT,
        warehouse_id=TEXT,
        change=INTEGER,
    ),
]


def stocked(world: Open) -> tuple[Desk, str, str, str]:
    """One product of which ten lie in the first warehouse and none in the second."""
    desk = world(WAREHOUSE)
    product = desk.rows("products")[0]["product_id"]
    first, second = (r["warehouse_id"] for r in desk.rows("warehouses")[:2])
    table = next(e.table for e in desk.world.entities if "stock" in e.name)
    desk.run(f"DELETE FROM {table}")
    key = desk.entity(table).key[0]
    desk.run(f"INSERT INTO {table} ({key}, product_id, warehouse_id, quantity) VALUES ('S1', ?, ?, 10)", product, first)
    return desk, product, first, second


def lying(desk: Desk) -> dict[str, int]:
    table = next(e.table for e in desk.world.entities if "stock" in e.name)
    return {r["warehouse_id"]: r["quantity"] for r in desk.rows(table)}


def test_stock_leaves_one_place_and_arrives_at_the_other(world: Open) -> None:
    desk, product, first, second = stocked(world)
    desk.answer("transfer_stock", product_id=product, from_warehouse_id=first, to_warehouse_id=second, quantity=4)
    assert lying(desk) == {first: 6, second: 4}
    desk.answer("transfer_stock", product_id=product, from_warehouse_id=second, to_warehouse_id=first, quantity=4)
    assert lying(desk) == {first: 10, second: 0}


def test_no_more_stock_is_moved_than_lies_there(world: Open) -> None:
    desk, product, first, second = stocked(world)
    assert "stock" in desk.refusal(
        "transfer_stock", product_id=product, from_warehouse_id=first, to_warehouse_id=second, quantity=11
    )
    assert "stock" in desk.refusal(
        "transfer_stock", product_id=product, from_warehouse_id=second, to_warehouse_id=first, quantity=1
    )


def test_an_adjustment_changes_the_stock_but_never_below_zero(world: Open) -> None:
    desk, product, first, _ = stocked(world)
    desk.answer("adjust_stock", product_id=product, warehouse_id=first, change=-3)
    assert lying(desk) == {first: 7}
    desk.answer("adjust_stock", product_id=product, warehouse_id=first, change=5)
    assert lying(desk) == {first: 12}
    assert "stock" in desk.refusal("adjust_stock", product_id=product, warehouse_id=first, change=-13)


def test_an_order_takes_from_a_column_of_the_thing_what_it_asks_for(world: Open) -> None:
    desk = world(
        [
            tool(
                "get_product",
                "Gets a product.",
                record("*", product_id=TEXT, name=TEXT, stock=INTEGER, price=NUMBER),
                product_id=TEXT,
            ),
            tool(
                "create_order",
                "Places an order. Fails if there is not enough stock. "
                "The stock of the product is decreased by the quantity.",
                record("*", order_id=TEXT, product_id=TEXT, quantity=INTEGER),
                product_id=TEXT,
                quantity=INTEGER,
            ),
        ]
    )
    product = desk.rows("products")[0]["product_id"]
    desk.put("products", {"product_id": product}, stock=5)
    desk.refusal("create_order", product_id=product, quantity=6)
    desk.answer("create_order", product_id=product, quantity=5)
    assert desk.rows("products")[0]["stock"] == 0
    desk.refusal("create_order", product_id=product, quantity=1)


LINE = record("product_id quantity", product_id=TEXT, quantity=INTEGER)
SALES = [
    *WAREHOUSE[:3],
    tool(
        "create_order",
        "Creates a draft order.",
        record("*", order_id=TEXT, status=one_of("draft", "confirmed"), warehouse_id=TEXT, items=listing(LINE)),
        warehouse_id=TEXT,
        items=listing(LINE),
    ),
    tool(
        "confirm_order",
        "Confirms a draft order and takes its items out of stock. Fails if there is not enough stock.",
        record("*", order_id=TEXT, status=one_of("draft", "confirmed")),
        order_id=TEXT,
    ),
]


def test_confirming_an_order_takes_its_items_out_of_stock(world: Open) -> None:
    desk = world(SALES)
    table = next(e.table for e in desk.world.entities if "stock" in e.name)
    product, house = desk.rows("products")[0]["product_id"], desk.rows("warehouses")[0]["warehouse_id"]
    desk.run(f"DELETE FROM {table}")
    desk.run(
        f"INSERT INTO {table} ({desk.entity(table).key[0]}, product_id, warehouse_id, quantity)"
        " VALUES ('S1', ?, ?, 10)",
        product,
        house,
    )
    orders = [
        desk.answer("create_order", warehouse_id=house, items=[{"product_id": product, "quantity": n}])["order_id"]
        for n in (7, 4)
    ]
    assert lying(desk) == {house: 10}
    assert desk.answer("confirm_order", order_id=orders[0])["status"] == "confirmed"
    assert lying(desk) == {house: 3}
    desk.refusal("confirm_order", order_id=orders[1])
    desk.refusal("confirm_order", order_id=orders[0])


def test_a_quote_tells_a_price_and_changes_nothing(world: Open) -> None:
    desk = world(
        [
            tool("get_room", "Gets a room.", record("*", room_id=TEXT, price_per_night=NUMBER), room_id=TEXT),
            tool(
                "calculate_price",
                "Calculates the price of a stay.",
                record("*", nights=INTEGER, total_price=NUMBER),
                room_id=TEXT,
                check_in=DATE,
                check_out=DATE,
            ),
        ]
    )
    room = desk.rows("rooms")[0]["room_id"]
    desk.put("rooms", {"room_id": room}, price_per_night=80.0)
    told = desk.answer("calculate_price", room_id=room, check_in="2031-02-27", check_out="2031-03-02")
    assert told == {"nights": 3, "total_price": 240}
    assert desk.effects("calculate_price").read_only
    assert desk.operation("calculate_price").kind is OperationKind.COMPUTE
    desk.refusal("calculate_price", room_id="none", check_in="2031-02-27", check_out="2031-03-02")


@pytest.mark.parametrize(
    ("costs", "total"),
    [
        ("Breakfast costs 12.50 EUR per person and night.", 235.0),
        ("Breakfast costs 12.50 per person per night.", 235.0),
        ("Breakfast costs 12.50 per night.", 185.0),
        ("Breakfast costs 12.50 per person.", 197.5),
        ("Breakfast costs 12.50 in all.", 172.5),
    ],
)
def test_a_booking_takes_the_total_that_its_quote_gives(world: Open, costs: str, total: float) -> None:
    stay = {"room_id": TEXT, "check_in": DATE, "check_out": DATE, "guest_count": INTEGER}
    breakfast = maybe({"type": "boolean", "default": False})
    booking = record("*", booking_id=TEXT, room_id=TEXT, check_in=DATE, check_out=DATE, total_price=NUMBER)
    desk = world(
        [
            tool("get_room", "Gets a room.", record("*", room_id=TEXT, nightly_rate=NUMBER), room_id=TEXT),
            tool(
                "quote_stay",
                f"Computes what a stay would cost. {costs}",
                record("*", nights=INTEGER, total=NUMBER),
                **stay,
                breakfast=breakfast,
            ),
            tool(
                "create_booking",
                "Books a room. total_price is the\ntotal that `quote_stay` gives for the same stay.",
                booking,
                **stay,
                breakfast=breakfast,
            ),
        ]
    )
    room = desk.rows("rooms")[0]["room_id"]
    desk.put("rooms", {"room_id": room}, nightly_rate=80.0)
    asked = {"room_id": room, "check_in": "2031-03-02", "check_out": "2031-03-04", "guest_count": 3}
    assert desk.answer("quote_stay", **asked, breakfast=True)["total"] == total
    assert desk.answer("create_booking", **asked, breakfast=True)["total_price"] == total
    assert desk.answer("create_booking", **{**asked, "check_in": "2031-03-03"})["total_price"] == 80


@pytest.mark.parametrize(
    "prose",
    [
        "total_price may differ from the total that `quote_stay` gives.",
        "total_price is not the total that `quote_stay` gives.",
        "total_price is the total that `no_such_tool` gives.",
        "Costs more than quoted by `quote_stay`.",
    ],
)
def test_a_quote_that_is_denied_or_unknown_prices_nothing(prose: str) -> None:
    document = [tool("quote_stay", "Breakfast costs 12.50 per night.", None, room_id=TEXT), tool("book_room", prose)]
    booking = read_tools(documentation_of([Document("docs.json", document)]))[1]
    assert booking.priced_as is None
