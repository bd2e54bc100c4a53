"""Looking: one row, lists, searches, filters, ranges, order, pages, and what is shown of a row."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import OperationKind
from tests.generator.rules.conftest import (
    DATE,
    FLAG,
    INTEGER,
    NUMBER,
    TEXT,
    Desk,
    Open,
    Schema,
    about,
    listing,
    maybe,
    one_of,
    record,
    tool,
)

PRODUCT = record(
    "*",
    product_id=TEXT,
    name=TEXT,
    category=one_of("tools", "toys", "books"),
    price=NUMBER,
    stock=INTEGER,
    tags=listing(TEXT),
    on_sale=FLAG,
    added_on=DATE,
)
FOUND = record("products", products=listing(PRODUCT))
GET = tool("get_product", "Gets a product.", PRODUCT, product_id=TEXT)
SHELF = [
    ("P1", "Red Hammer", "tools", 10.0, 3, '["metal","red"]', 0, "2026-01-10"),
    ("P2", "Blue Hammer", "tools", 20.0, 0, '["metal"]', 1, "2026-02-10"),
    ("P3", "Red Ball", "toys", 5.0, 9, '["red","round"]', 0, "2026-02-25"),
    ("P4", "Atlas", "books", 30.0, 1, '["paper"]', 1, "2026-03-01"),
]


def shop(world: Open, *tools: dict[str, Any]) -> Desk:
    """Four products that a test can foresee."""
    desk = world([GET, *tools])
    desk.run("DELETE FROM products")
    for row in SHELF:
        names = ("product_id", "name", "category", "price", "stock", "tags", "on_sale", "added_on")
        desk.run(f"INSERT INTO products ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", *row)
    return desk


def listed(desk: Desk, name: str, /, **arguments: Any) -> list[str]:
    """Ids of what a list holds, in its order."""
    return [p["product_id"] for p in desk.answer(name, **arguments)["products"]]


def lister(
    description: str = "Lists products.", name: str = "list_products", /, **parameters: Schema
) -> dict[str, Any]:
    return tool(name, description, FOUND, **parameters)


def test_a_row_is_got_by_its_id(world: Open) -> None:
    desk = shop(world)
    assert desk.answer("get_product", product_id="P3") == {
        "product_id": "P3",
        "name": "Red Ball",
        "category": "toys",
        "price": 5,
        "stock": 9,
        "tags": ["red", "round"],
        "on_sale": False,
        "added_on": "2026-02-25",
    }


def test_an_unknown_id_is_refused_and_named(world: Open) -> None:
    assert "P99" in shop(world).refusal("get_product", product_id="P99")


def test_reading_changes_nothing(world: Open) -> None:
    desk = shop(world, lister(category=maybe(TEXT)))
    assert desk.effects("get_product").read_only
    assert desk.effects("list_products").read_only


def test_a_list_without_filters_holds_every_row(world: Open) -> None:
    assert listed(shop(world, lister()), "list_products") == ["P1", "P2", "P3", "P4"]


def test_a_filter_that_is_not_given_filters_nothing(world: Open) -> None:
    desk = shop(world, lister(category=maybe(one_of("tools", "toys", "books"))))
    assert listed(desk, "list_products", category="tools") == ["P1", "P2"]
    assert listed(desk, "list_products") == ["P1", "P2", "P3", "P4"]


def test_several_filters_hold_together(world: Open) -> None:
    desk = shop(world, lister(category=maybe(TEXT), on_sale=maybe(FLAG)))
    assert listed(desk, "list_products", category="tools", on_sale=True) == ["P2"]
    assert listed(desk, "list_products", on_sale=False) == ["P1", "P3"]


@pytest.mark.parametrize("default", ["all", "any", ""])
def test_a_default_that_means_all_filters_nothing(world: Open, default: str) -> None:
    desk = shop(world, lister(category={"type": "string", "default": default}))
    assert listed(desk, "list_products", category=default) == ["P1", "P2", "P3", "P4"]
    assert listed(desk, "list_products", category="toys") == ["P3"]


def test_a_default_among_documented_values_is_a_choice(world: Open) -> None:
    desk = shop(world, lister(category={**one_of("tools", "toys", "books"), "default": "toys"}))
    assert listed(desk, "list_products", category="toys") == ["P3"]
    assert listed(desk, "list_products") == ["P3"]


def test_a_documented_value_that_means_all_filters_nothing(world: Open) -> None:
    desk = shop(world, lister(category={**one_of("all", "tools", "toys"), "default": "all"}))
    assert listed(desk, "list_products") == ["P1", "P2", "P3", "P4"]
    assert listed(desk, "list_products", category="tools") == ["P1", "P2"]


def test_a_list_of_values_admits_each_of_them(world: Open) -> None:
    desk = shop(world, lister(categories=maybe(listing(TEXT))))
    assert listed(desk, "list_products", categories=["toys", "books"]) == ["P3", "P4"]
    assert listed(desk, "list_products") == ["P1", "P2", "P3", "P4"]


def test_a_list_of_ids_gives_those_rows(world: Open) -> None:
    desk = shop(world, lister(product_ids=listing(TEXT)))
    assert sorted(listed(desk, "list_products", product_ids=["P4", "P1"])) == ["P1", "P4"]


def test_a_value_is_looked_for_inside_a_column_that_holds_many(world: Open) -> None:
    desk = shop(world, lister(tag=maybe(TEXT)))
    assert listed(desk, "list_products", tag="red") == ["P1", "P3"]


def test_a_search_looks_into_texts_whatever_their_case(world: Open) -> None:
    desk = shop(world, lister("Searches products.", "search_products", query=TEXT))
    assert listed(desk, "search_products", query="hammer") == ["P1", "P2"]
    assert listed(desk, "search_products", query="HAMMER red") == ["P1"]
    assert listed(desk, "search_products", query="saw") == []


@pytest.mark.parametrize("parameter", ["q", "keyword", "search_term", "query", "text"])
def test_the_text_of_a_search_goes_by_many_names(world: Open, parameter: str) -> None:
    desk = shop(world, lister("Searches products.", "search_products", **{parameter: TEXT}))
    assert listed(desk, "search_products", **{parameter: "ball"}) == ["P3"]


def test_part_of_a_name_is_enough(world: Open) -> None:
    desk = shop(world, lister("Finds products.", "find_products", name=TEXT))
    assert listed(desk, "find_products", name="red") == ["P1", "P3"]


def test_wildcards_of_a_search_are_taken_as_they_are(world: Open) -> None:
    desk = shop(world, lister("Searches products.", "search_products", query=TEXT))
    assert listed(desk, "search_products", query="%") == []
    assert listed(desk, "search_products", query="_") == []
    assert listed(desk, "search_products", query="' OR 1=1 --") == []


@pytest.mark.parametrize(
    ("low", "high"), [("min_price", "max_price"), ("price_min", "price_max"), ("minPrice", "maxPrice")]
)
def test_bounds_are_inclusive(world: Open, low: str, high: str) -> None:
    desk = shop(world, lister(**{low: maybe(NUMBER), high: maybe(NUMBER)}))
    assert listed(desk, "list_products", **{low: 10}) == ["P1", "P2", "P4"]
    assert listed(desk, "list_products", **{high: 10}) == ["P1", "P3"]
    assert listed(desk, "list_products", **{low: 10, high: 20}) == ["P1", "P2"]


@pytest.mark.parametrize(
    ("low", "high"),
    [("start_date", "end_date"), ("from_date", "to_date"), ("added_after", "added_before"), ("since", "until")],
)
def test_bounds_of_dates_choose_the_date_of_the_row(world: Open, low: str, high: str) -> None:
    desk = shop(world, lister(**{low: maybe(DATE), high: maybe(DATE)}))
    assert listed(desk, "list_products", **{low: "2026-02-10", high: "2026-02-28"}) == ["P2", "P3"]


@pytest.mark.parametrize("parameter", ["days_back", "last_days", "past_days"])
def test_days_back_count_from_the_states_clock(world: Open, parameter: str) -> None:
    desk = shop(world, lister("Lists recent products.", **{parameter: INTEGER}))
    assert desk.world.clock.startswith("2026-03-02")
    assert listed(desk, "list_products", **{parameter: 7}) == ["P3", "P4"]
    assert listed(desk, "list_products", **{parameter: 60}) == ["P1", "P2", "P3", "P4"]


def test_rows_are_sorted_by_the_column_that_is_named(world: Open) -> None:
    desk = shop(world, lister(sort_by=maybe(one_of("price", "name")), order=maybe(one_of("asc", "desc"))))
    assert listed(desk, "list_products", sort_by="price") == ["P3", "P1", "P2", "P4"]
    assert listed(desk, "list_products", sort_by="price", order="desc") == ["P4", "P2", "P1", "P3"]
    assert listed(desk, "list_products", sort_by="name") == ["P4", "P2", "P3", "P1"]


def test_a_value_of_the_sorting_may_hold_the_direction(world: Open) -> None:
    desk = shop(world, lister(sort=maybe(one_of("price_asc", "price_desc"))))
    assert listed(desk, "list_products", sort="price_asc") == ["P3", "P1", "P2", "P4"]
    assert listed(desk, "list_products", sort="price_desc") == ["P4", "P2", "P1", "P3"]


def test_a_truth_value_may_be_the_direction(world: Open) -> None:
    desk = shop(world, lister(sort_by=maybe(one_of("price", "name")), descending=maybe(FLAG)))
    assert listed(desk, "list_products", sort_by="price", descending=True) == ["P4", "P2", "P1", "P3"]
    assert listed(desk, "list_products", sort_by="price", descending=False) == ["P3", "P1", "P2", "P4"]


def test_a_limit_cuts_and_its_absence_does_not(world: Open) -> None:
    desk = shop(world, lister(limit=maybe(INTEGER)))
    assert listed(desk, "list_products", limit=2) == ["P1", "P2"]
    assert len(listed(desk, "list_products")) == 4


@pytest.mark.parametrize("parameter", ["max_results", "page_size", "per_page", "top_k", "count", "maxResults"])
def test_a_limit_goes_by_many_names(world: Open, parameter: str) -> None:
    desk = shop(world, lister(**{parameter: maybe(INTEGER)}))
    assert listed(desk, "list_products", **{parameter: 3}) == ["P1", "P2", "P3"]


def test_an_offset_skips(world: Open) -> None:
    desk = shop(world, lister(limit=maybe(INTEGER), offset=maybe(INTEGER)))
    assert listed(desk, "list_products", limit=2, offset=1) == ["P2", "P3"]
    assert listed(desk, "list_products", offset=3) == ["P4"]


def test_pages_follow_each_other_and_end(world: Open) -> None:
    desk = shop(world, lister(page=INTEGER, page_size=INTEGER))
    assert listed(desk, "list_products", page=1, page_size=3) == ["P1", "P2", "P3"]
    assert listed(desk, "list_products", page=2, page_size=3) == ["P4"]
    assert listed(desk, "list_products", page=3, page_size=3) == []


def test_a_cursor_goes_on_where_the_last_page_ended(world: Open) -> None:
    desk = shop(world, lister(limit=INTEGER, cursor=maybe(TEXT)))
    first = listed(desk, "list_products", limit=2)
    assert listed(desk, "list_products", limit=2, cursor="2") != first


def test_the_total_counts_before_the_page_is_cut(world: Open) -> None:
    page = record("*", products=listing(PRODUCT), total=INTEGER)
    desk = shop(world, tool("list_products", "Lists products.", page, limit=maybe(INTEGER), category=maybe(TEXT)))
    assert desk.answer("list_products", limit=1)["total"] == 4
    assert desk.answer("list_products", limit=1, category="tools")["total"] == 2


def test_counting_gives_the_number_of_rows_that_match(world: Open) -> None:
    desk = shop(world, tool("count_products", "Counts products.", None, category=maybe(TEXT)))
    assert desk.operation("count_products").kind is OperationKind.COUNT
    assert desk.answer("count_products", category="tools") == {"count": 2}
    assert desk.answer("count_products") == {"count": 4}


def test_an_adjective_of_the_name_is_a_state_of_the_rows(world: Open) -> None:
    desk = world(
        [
            tool(
                "list_active_loans",
                "Lists the active loans.",
                record(loans=listing(record("*", loan_id=TEXT, status=one_of("active", "returned")))),
            ),
            tool("return_loan", "Returns a loan.", loan_id=TEXT),
        ]
    )
    statuses = {r["status"] for r in desk.answer("list_active_loans")["loans"]}
    assert statuses == {"active"}
    assert {r["status"] for r in desk.rows("loans")} == {"active", "returned"}


def test_leaving_inactive_rows_out_is_a_flag(world: Open) -> None:
    user = record("*", user_id=TEXT, name=TEXT, archived=FLAG)
    desk = world(
        [tool("list_users", "Lists users.", record(users=listing(user)), include_archived={**FLAG, "default": False})]
    )
    archived = [r["user_id"] for r in desk.rows("users") if r["archived"]]
    assert archived
    without = [u["user_id"] for u in desk.answer("list_users", include_archived=False)["users"]]
    everyone = [u["user_id"] for u in desk.answer("list_users", include_archived=True)["users"]]
    assert set(everyone) - set(without) == set(archived)


def test_a_flag_shows_or_hides_a_part_of_the_row(world: Open) -> None:
    ticket = record("ticket_id title", ticket_id=TEXT, title=TEXT, comments=listing(TEXT))
    desk = world([tool("get_ticket", "Gets a ticket.", ticket, ticket_id=TEXT, include_comments=maybe(FLAG))])
    key = desk.rows("tickets")[0]["ticket_id"]
    assert "comments" in desk.answer("get_ticket", ticket_id=key, include_comments=True)
    assert "comments" not in desk.answer("get_ticket", ticket_id=key, include_comments=False)


def test_only_the_fields_that_are_asked_for_are_shown(world: Open) -> None:
    desk = world(
        [
            tool("get_customer", "Gets a customer.", None, customer_id=TEXT, fields=maybe(listing(TEXT))),
            tool("create_customer", "Creates a customer.", None, name=TEXT, email=TEXT, city=TEXT),
        ]
    )
    key = desk.rows("customers")[0][desk.entity("customers").key[0]]
    whole = desk.answer("get_customer", customer_id=key)
    assert {"name", "email", "city"} <= set(whole)
    some = desk.answer("get_customer", customer_id=key, fields=["email"])
    assert some["email"] == whole["email"]
    assert "city" not in some


def test_levels_of_detail_show_more_or_less(world: Open) -> None:
    desk = world(
        [
            tool("get_customer", "Gets a customer.", None, customer_id=TEXT, detail_level=one_of("summary", "full")),
            tool("create_customer", "Creates a customer.", None, name=TEXT, email=TEXT, city=TEXT, phone=TEXT),
        ]
    )
    key = desk.rows("customers")[0][desk.entity("customers").key[0]]
    assert len(desk.answer("get_customer", customer_id=key, detail_level="summary")) < len(
        desk.answer("get_customer", customer_id=key, detail_level="full")
    )


def test_a_list_of_one_things_rows_asks_for_that_thing(world: Open) -> None:
    desk = world(
        [
            tool("list_orders", "Lists the orders of a customer.", None, customer_id=TEXT),
            tool("get_customer", "Gets a customer.", None, customer_id=TEXT),
            tool("get_order", "Gets an order.", None, order_id=TEXT),
        ]
    )
    order = desk.rows("orders")[0]
    mine = [r for r in desk.rows("orders") if r["customer_id"] == order["customer_id"]]
    assert len(str(desk.answer("list_orders", customer_id=order["customer_id"])).split("order_id")) - 1 in (
        len(mine),
        0,
    )
    assert "customer" in desk.refusal("list_orders", customer_id="nobody").lower()


ROOMS = [
    tool(
        "search_available_rooms",
        "Finds rooms that are free in a period.",
        record(rooms=listing(record("*", room_id=TEXT, capacity=INTEGER))),
        check_in=DATE,
        check_out=DATE,
        guests=maybe(INTEGER),
    ),
    tool(
        "create_reservation",
        "Reserves a room. Fails if the room is already booked in that period.",
        record("*", reservation_id=TEXT, room_id=TEXT, check_in=DATE, check_out=DATE),
        room_id=TEXT,
        check_in=DATE,
        check_out=DATE,
    ),
]


def test_what_is_taken_in_a_period_is_not_free_in_it(world: Open) -> None:
    desk = world(ROOMS)
    period = {"check_in": "2031-05-01", "check_out": "2031-05-04"}
    free = [r["room_id"] for r in desk.answer("search_available_rooms", **period)["rooms"]]
    assert free == [r["room_id"] for r in desk.rows("rooms")]
    desk.answer("create_reservation", room_id=free[0], **period)
    assert [r["room_id"] for r in desk.answer("search_available_rooms", **period)["rooms"]] == free[1:]
    later = {"check_in": "2031-05-04", "check_out": "2031-05-06"}
    assert [r["room_id"] for r in desk.answer("search_available_rooms", **later)["rooms"]] == free


def test_what_is_taken_in_a_period_cannot_be_taken_again(world: Open) -> None:
    desk = world(ROOMS)
    room = desk.rows("rooms")[0]["room_id"]
    desk.answer("create_reservation", room_id=room, check_in="2031-05-01", check_out="2031-05-04")
    assert desk.refusal("create_reservation", room_id=room, check_in="2031-05-03", check_out="2031-05-08")
    desk.answer("create_reservation", room_id=room, check_in="2031-05-04", check_out="2031-05-08")


def test_so_many_guests_need_a_room_that_holds_them(world: Open) -> None:
    desk = world(ROOMS)
    desk.run("UPDATE rooms SET capacity = 2")
    desk.put("rooms", {"room_id": desk.rows("rooms")[1]["room_id"]}, capacity=4)
    found = desk.answer("search_available_rooms", check_in="2031-05-01", check_out="2031-05-04", guests=3)["rooms"]
    assert [r["room_id"] for r in found] == [desk.rows("rooms")[1]["room_id"]]


def test_a_row_may_be_found_by_a_unique_name(world: Open) -> None:
    desk = world(
        [tool("get_stock", "Gets a stock by its symbol.", record("*", symbol=TEXT, price=NUMBER), symbol=TEXT)]
    )
    row = desk.rows("stocks")[0]
    assert desk.answer("get_stock", symbol=row["symbol"]) == {"symbol": row["symbol"], "price": row["price"]}
    assert desk.refusal("get_stock", symbol="NO SUCH")


def test_the_documented_words_of_a_parameter_bound_its_values(world: Open) -> None:
    desk = world([tool("list_tasks", "Lists tasks.", None, status=maybe(about(TEXT, "One of: open, done, blocked")))])
    assert {r["status"] for r in desk.rows("tasks")} <= {"open", "done", "blocked"}
