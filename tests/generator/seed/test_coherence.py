"""What a reader would notice at once if it were wrong."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from autoforge.generator.ir import Apply, Argument, Filter, Find, Operation, OperationKind, Return, World

from .worlds import (
    BOOLEAN,
    DATE,
    DATETIME,
    INTEGER,
    JSON,
    REAL,
    bank,
    column,
    entity,
    helpdesk,
    hotel,
    key,
    seeded,
    shop,
    tienda,
    world,
)

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2, 3])


@SEEDS
def test_addresses_follow_the_name_of_the_person(seed: int) -> None:
    for guest in seeded(hotel(), seed=seed)["guest"]:
        last = str(guest["last_name"]).lower()
        assert str(guest["email"]).startswith(str(guest["first_name"]).lower())
        assert last in str(guest["email"])


@SEEDS
def test_age_follows_the_date_of_birth(seed: int) -> None:
    for guest in seeded(hotel(), seed=seed)["guest"]:
        born = date.fromisoformat(str(guest["date_of_birth"]))
        assert guest["age"] == 2026 - born.year - ((born.month, born.day) > (3, 2))


@SEEDS
def test_a_city_always_lies_in_the_same_country(seed: int) -> None:
    customers = seeded(shop(), seed=seed, rows=60)["customer"]
    assert len({(c["city"], c["state"], c["country"], c["postcode"]) for c in customers}) == len(
        {(c["city"], c["state"]) for c in customers}
    )


@SEEDS
def test_stays_end_after_they_begin_and_their_state_fits_the_clock(seed: int) -> None:
    for stay in seeded(hotel(), seed=seed, rows=30)["reservation"]:
        start, end = date.fromisoformat(str(stay["check_in_date"])), date.fromisoformat(str(stay["check_out_date"]))
        assert (end - start).days == stay["nights"] >= 1
        assert str(stay["created_at"]) <= "2026-03-02T09:00:00" and str(stay["created_at"])[:10] <= start.isoformat()
        if stay["status"] == "checked_out":
            assert end <= date(2026, 3, 2)
        if stay["status"] == "checked_in":
            assert start <= date(2026, 3, 2) <= end
        if stay["status"] == "confirmed":
            assert start >= date(2026, 3, 2)


@SEEDS
def test_totals_are_quantity_times_price_and_orders_the_sum_of_their_lines(seed: int) -> None:
    rows = seeded(shop(), seed=seed, rows=20)
    prices = {p["product_id"]: p["price"] for p in rows["product"]}
    names = {p["product_id"]: p["name"] for p in rows["product"]}
    for line in rows["order_item"]:
        assert line["unit_price"] == prices[line["product_id"]]
        assert line["product_name"] == names[line["product_id"]]
        assert line["line_total"] == pytest.approx(line["quantity"] * line["unit_price"])
    assert {line["order_id"] for line in rows["order_item"]} & {order["order_id"] for order in rows["order"]}
    for order in rows["order"]:
        lines = [line for line in rows["order_item"] if line["order_id"] == order["order_id"]]
        assert order["item_count"] == len(lines)
        assert not lines or order["total"] == pytest.approx(sum(line["line_total"] for line in lines))


@SEEDS
def test_columns_of_a_state_are_empty_before_it_is_reached(seed: int) -> None:
    for order in seeded(shop(), seed=seed, rows=30)["order"]:
        assert (order["shipped_at"] is not None) == (order["status"] in ("shipped", "delivered"))
        assert (order["tracking_number"] is not None) == (order["status"] in ("shipped", "delivered"))
        assert (order["cancellation_reason"] is not None) == (order["status"] == "cancelled")
    for ticket in seeded(helpdesk(), seed=seed, rows=30)["ticket"]:
        assert (ticket["resolution"] is not None) == (ticket["status"] in ("resolved", "closed"))


@SEEDS
def test_later_states_have_later_moments(seed: int) -> None:
    for order in seeded(shop(), seed=seed, rows=30)["order"]:
        moments = [
            order["created_at"],
            order["shipped_at"] or order["created_at"],
            order["updated_at"],
            "2026-03-02T09:00:00",
        ]
        assert moments == sorted(moments, key=str)


@SEEDS
def test_rows_are_younger_than_what_they_refer_to_and_numbered_by_age(seed: int) -> None:
    rows = seeded(shop(), seed=seed, rows=20)
    made = {c["customer_id"]: str(c["created_at"]) for c in rows["customer"]}
    assert all(made[o["customer_id"]] <= str(o["created_at"]) for o in rows["order"])
    ages = [str(o["created_at"]) for o in rows["order"]]
    assert ages == sorted(ages)


@SEEDS
def test_due_dates_lie_on_both_sides_of_the_clock(seed: int) -> None:
    due = [str(t["due_date"]) for t in seeded(helpdesk(), seed=seed, rows=20)["ticket"]]
    assert any(d < "2026-03-02" for d in due) and any(d > "2026-03-02" for d in due)


@SEEDS
def test_a_reference_that_another_implies_agrees_with_it(seed: int) -> None:
    rows = seeded(hotel(), seed=seed)
    guests = {r["reservation_id"]: r["guest_id"] for r in rows["reservation"]}
    assert any(p["guest_id"] is not None for p in rows["payment"])
    assert all(p["guest_id"] in (None, guests[p["reservation_id"]]) for p in rows["payment"])


@SEEDS
def test_payments_of_a_stay_add_up_to_its_price(seed: int) -> None:
    rows = seeded(hotel(), seed=seed)
    assert {p["reservation_id"] for p in rows["payment"]} & {stay["reservation_id"] for stay in rows["reservation"]}
    for stay in rows["reservation"]:
        paid = [p["amount"] for p in rows["payment"] if p["reservation_id"] == stay["reservation_id"]]
        assert not paid or sum(paid) == pytest.approx(stay["total_price"], abs=0.05)


@SEEDS
def test_transfers_go_to_another_account_and_owners_share_the_accounts(seed: int) -> None:
    rows = seeded(bank(), seed=seed)
    assert all(t["from_account"] != t["to_account"] for t in rows["transfer"])
    owned = [a["owner"] for a in rows["account"]]
    assert set(owned) == {u["username"] for u in rows["user"]}
    assert max(map(owned.count, owned)) <= 2
    assert all(a["balance"] >= 0 for a in rows["account"])
    assert len({a["currency"] for a in rows["account"]}) == 1


@SEEDS
def test_managers_form_no_loop(seed: int) -> None:
    above = {u["username"]: u["manager"] for u in seeded(bank(), seed=seed, rows=30)["user"]}
    for start in above:
        seen, person = set(), start
        while person is not None:
            assert person not in seen
            seen.add(person)
            person = above[person]


def test_the_session_belongs_to_the_first_user_unless_the_default_says_logged_out() -> None:
    rows = seeded(bank(), seed=1)
    assert rows["session"] == [{"id": 1, "username": rows["user"][0]["username"], "logged_in": True}]
    user = entity("user", key("username"))
    out = entity(
        "session",
        key("id", INTEGER),
        column("username", references="user"),
        column("logged_in", BOOLEAN, default=False),
        singleton=True,
    )
    assert seeded(world("w", user, out), seed=1)["session"] == [{"id": 1, "username": None, "logged_in": False}]


def test_the_one_wallet_holds_enough_to_spend() -> None:
    assert seeded(bank(), seed=1)["wallet"][0]["balance"] > 10_000


def test_limits_come_in_order() -> None:
    for room in seeded(hotel(), seed=2, rows=40)["room"]:
        assert room["min_nights"] <= room["max_nights"]


def test_what_is_used_is_at_most_the_limit() -> None:
    line = entity("line", key("id", INTEGER), column("data_used_gb", REAL), column("data_limit_gb", REAL))
    assert all(r["data_used_gb"] <= r["data_limit_gb"] for r in seeded(world("w", line), seed=3, rows=40)["line"])


def test_records_in_json_repeat_the_rows_whose_keys_they_hold() -> None:
    rows = seeded(helpdesk(), seed=4, rows=20)
    names = {a["id"]: a["name"] for a in rows["agent"]}
    entries = [entry for ticket in rows["ticket"] for entry in ticket["history"]]
    assert entries and all(names[e["agent_id"]] == e["agent_name"] for e in entries)


def test_totals_over_json_lines_are_their_sum() -> None:
    item = {
        "type": "object",
        "properties": {"quantity": {"type": "integer"}, "unit_price": {"type": "number"}},
        "required": ["quantity", "unit_price"],
    }
    order = entity(
        "order",
        key("id", INTEGER),
        column("items", JSON, item_schema={"type": "array", "items": item, "minItems": 1}),
        column("total", REAL),
    )
    for row in seeded(world("w", order), seed=5)["order"]:
        worth = sum(line["quantity"] * line["unit_price"] for line in row["items"])
        assert row["total"] == pytest.approx(worth)


def test_files_are_named_by_their_paths_and_folders_hang_in_their_folder() -> None:
    folder = entity(
        "folder", key("path", meaning="directory_path"), column("name"), column("parent", references="folder")
    )
    rows = seeded(world("files", folder), seed=6)["folder"]
    assert all(str(r["path"]).endswith(f"/{r['name']}") for r in rows)
    assert all(r["parent"] is None or str(r["path"]).startswith(f"{r['parent']}/") for r in rows)
    assert any(r["parent"] for r in rows)


def test_spanish_documentation_gives_spanish_rows() -> None:
    rows = seeded(tienda(), seed=1)
    cities = {"Madrid", "Barcelona", "Valencia", "Sevilla", "Bilbao", "Granada", "Ciudad de México"}
    assert {c["ciudad"] for c in rows["cliente"]} <= cities
    assert any(
        str(p["nombre"]).split()[0] in ("Mesa", "Silla", "Lámpara", "Mochila", "Chaqueta", "Botella")
        for p in rows["producto"]
    )
    prices = {p["id"]: p["precio"] for p in rows["producto"]}
    for order in rows["pedido"]:
        assert order["precio_unitario"] == prices[order["id_producto"]]
        assert order["importe"] == pytest.approx(order["cantidad"] * order["precio_unitario"])


def _finds_by(base: World, name: str, columns: str) -> World:
    find = Find(row="r", entity=name, where=(Filter(column=columns, value=Argument(name="q")),), missing="No such row.")
    back = Return(value=Apply(function="text", arguments=(Argument(name="q"),)))
    return base.model_copy(
        update={"operations": (Operation(tool="get", function="get", kind=OperationKind.GET, steps=(find, back)),)}
    )


def test_a_column_by_which_a_tool_finds_one_row_tells_rows_apart() -> None:
    base = world("people", entity("member", key("id", INTEGER), column("name")))
    alike = [r["name"] for r in seeded(base, seed=1, rows=12)["member"]]
    apart = [r["name"] for r in seeded(_finds_by(base, "member", "name"), seed=1, rows=12)["member"]]
    assert len(set(alike)) < len(alike)
    assert len(set(apart)) == len(apart)


def test_all_moments_move_with_the_clock() -> None:
    base = world("w", entity("task", key("id", INTEGER), column("created_at", DATETIME), column("due_date", DATE)))
    now = [datetime.fromisoformat(str(r["created_at"])) for r in seeded(base, seed=1)["task"]]
    later = [
        datetime.fromisoformat(str(r["created_at"]))
        for r in seeded(base.model_copy(update={"clock": "2031-03-03T09:00:00"}), seed=1)["task"]
    ]
    assert {b - a for a, b in zip(now, later, strict=True)} == {datetime(2031, 3, 3) - datetime(2026, 3, 2)}


def test_a_ticker_symbol_has_one_company() -> None:
    share = entity("share", key("symbol", meaning="stock_symbol"), column("name"), column("sector"))
    rows = {r["symbol"]: (r["name"], r["sector"]) for r in seeded(world("w", share), seed=1, rows=20)["share"]}
    assert rows.get("AAPL", ("Apple", "Technology")) == ("Apple", "Technology")
    assert rows.get("XOM", ("Exxon Mobil", "Energy")) == ("Exxon Mobil", "Energy")
    assert {"AAPL", "XOM"} & set(rows)
