"""What documentation forbids is refused, what it does not forbid is done: one document for each kind of rule."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generator.rules.conftest import (
    DATE,
    FLAG,
    INTEGER,
    NUMBER,
    TEXT,
    Desk,
    Open,
    about,
    listing,
    maybe,
    one_of,
    record,
    tool,
)

MEMBER = record("*", member_id=TEXT, name=TEXT, status=one_of("active", "suspended"))
BOOK = record("*", book_id=TEXT, title=TEXT, available_copies=INTEGER)
LOAN = record("*", loan_id=TEXT, member_id=TEXT, book_id=TEXT, status=one_of("active", "overdue", "returned"))
FINE = record("*", fine_id=TEXT, member_id=TEXT, status=one_of("unpaid", "paid"))


def library(rule: str) -> list[dict[str, Any]]:
    """A library whose lending follows a rule."""
    return [
        tool("get_member", "Gets a member.", MEMBER, member_id=TEXT),
        tool("get_book", "Gets a book.", BOOK, book_id=TEXT),
        tool("get_loan", "Gets a loan.", LOAN, loan_id=TEXT),
        tool("get_fine", "Gets a fine.", FINE, fine_id=TEXT),
        tool("create_loan", f"Lends a book to a member. {rule}", LOAN, member_id=TEXT, book_id=TEXT),
    ]


def lending(world: Open, rule: str) -> tuple[Desk, dict[str, str]]:
    """A library in which nothing stands in the way, and the arguments of a loan."""
    desk = world(library(rule))
    desk.run("DELETE FROM loans")
    desk.run("DELETE FROM fines")
    desk.run("UPDATE members SET status = 'active'")
    desk.run("UPDATE books SET available_copies = 3")
    return desk, {"member_id": desk.rows("members")[0]["member_id"], "book_id": desk.rows("books")[0]["book_id"]}


def hold(desk: Desk, pair: dict[str, str], status: str, n: int = 1, other: bool = False) -> None:
    """Loans that exist already, of this member or of another."""
    member = desk.rows("members")[1]["member_id"] if other else pair["member_id"]
    for i in range(n):
        desk.run(
            "INSERT INTO loans (loan_id, member_id, book_id, status) VALUES (?, ?, ?, ?)",
            f"L-{status}-{i}",
            member,
            desk.rows("books")[i + 1]["book_id"],
            status,
        )


@pytest.mark.parametrize(
    "rule",
    [
        "Only active members can borrow.",
        "The member must be active.",
        "Suspended members cannot borrow books.",
        "Fails if the member is suspended.",
    ],
)
def test_a_state_of_somebody_else_stands_in_the_way(world: Open, rule: str) -> None:
    desk, pair = lending(world, rule)
    desk.answer("create_loan", **pair)
    desk.put("members", {"member_id": pair["member_id"]}, status="suspended")
    assert "suspended" in desk.refusal("create_loan", **pair)


@pytest.mark.parametrize(
    "rule",
    [
        "A member can have at most 2 active loans.",
        "Fails if the member already has 2 active loans.",
        "Members may not have more than 2 active loans.",
    ],
)
def test_a_limit_counts_what_the_holder_has_in_that_state(world: Open, rule: str) -> None:
    desk, pair = lending(world, rule)
    hold(desk, pair, "active", 1)
    hold(desk, pair, "returned", 3)
    desk.answer("create_loan", **pair)
    hold(desk, pair, "overdue", 1, other=True)
    assert desk.refusal("create_loan", member_id=pair["member_id"], book_id=desk.rows("books")[-1]["book_id"])


def test_a_limit_does_not_count_what_others_have(world: Open) -> None:
    desk, pair = lending(world, "A member can have at most 2 active loans.")
    hold(desk, pair, "active", 3, other=True)
    desk.answer("create_loan", **pair)


@pytest.mark.parametrize(
    "rule",
    [
        "The member must not have overdue loans.",
        "Members with overdue loans cannot borrow.",
        "Fails if the member has an overdue loan.",
    ],
)
def test_rows_of_another_kind_stand_in_the_way(world: Open, rule: str) -> None:
    desk, pair = lending(world, rule)
    hold(desk, pair, "returned", 2)
    hold(desk, pair, "overdue", 1, other=True)
    desk.answer("create_loan", **pair)
    desk.run("UPDATE loans SET status = 'overdue'")
    assert desk.refusal("create_loan", member_id=pair["member_id"], book_id=desk.rows("books")[-1]["book_id"])


def test_an_unpaid_row_of_a_third_table_stands_in_the_way(world: Open) -> None:
    desk, pair = lending(world, "Fails if the member has an unpaid fine.")
    desk.run("INSERT INTO fines (fine_id, member_id, status) VALUES ('F1', ?, 'paid')", pair["member_id"])
    desk.answer("create_loan", **pair)
    desk.run("UPDATE fines SET status = 'unpaid'")
    assert desk.refusal("create_loan", member_id=pair["member_id"], book_id=desk.rows("books")[-1]["book_id"])


@pytest.mark.parametrize("rule", ["Fails if the book has no available copies.", "The book must have available copies."])
def test_what_is_out_of_stock_cannot_be_taken(world: Open, rule: str) -> None:
    desk, pair = lending(world, rule)
    desk.answer("create_loan", **pair)
    desk.run("UPDATE books SET available_copies = 0")
    assert desk.refusal("create_loan", member_id=pair["member_id"], book_id=desk.rows("books")[-1]["book_id"])


@pytest.mark.parametrize(
    "rule",
    [
        "Use this tool when the member is active.",
        "Returns the loan if the book is available.",
        "Ask the user before lending.",
        "By default the loan is active.",
        "Useful when suspended members ask for help.",
    ],
)
def test_what_only_sounds_like_a_rule_forbids_nothing(world: Open, rule: str) -> None:
    desk, pair = lending(world, rule)
    desk.run("UPDATE members SET status = 'suspended'")
    desk.run("UPDATE books SET available_copies = 0")
    desk.answer("create_loan", **pair)
    assert desk.reasons("create_loan") == []


STAY = [
    tool(
        "create_booking",
        "Books a stay. The check-out date must be after the check-in date. The check-in date must be in the future.",
        None,
        check_in_date=DATE,
        check_out_date=DATE,
    ),
    tool("get_booking", "Gets a booking.", None, booking_id=TEXT),
]


def test_dates_must_follow_each_other(world: Open) -> None:
    desk = world(STAY)
    desk.answer("create_booking", check_in_date="2031-05-01", check_out_date="2031-05-02")
    assert desk.refusal("create_booking", check_in_date="2031-05-02", check_out_date="2031-05-01")
    assert desk.refusal("create_booking", check_in_date="2031-05-02", check_out_date="2031-05-02")


def test_a_date_must_lie_after_the_states_clock(world: Open) -> None:
    desk = world(STAY)
    day = desk.world.clock[:10]
    assert desk.refusal("create_booking", check_in_date="2019-05-01", check_out_date="2031-05-02")
    assert day > "2020"
    desk.answer("create_booking", check_in_date="2031-01-01", check_out_date="2031-05-02")


def test_a_date_must_lie_before_the_states_clock(world: Open) -> None:
    desk = world(
        [
            tool(
                "register_patient",
                "Registers a patient. The birth date must be in the past.",
                None,
                name=TEXT,
                birth_date=DATE,
            )
        ]
    )
    desk.answer("register_patient", name="Ada", birth_date="1990-01-01")
    assert desk.refusal("register_patient", name="Ada", birth_date="2031-01-01")


@pytest.mark.parametrize(
    "words",
    [
        "Number of guests, between 1 and 8.",
        "Number of guests (1-8).",
        "Number of guests, at least 1 and at most 8.",
        "Guests. Must be between 1 and 8.",
    ],
)
def test_a_range_in_a_parameters_words_is_kept(world: Open, words: str) -> None:
    desk = world(
        [
            tool("create_visit", "Creates a visit.", None, guests=about(INTEGER, words)),
            tool("get_visit", "Gets a visit.", None, visit_id=TEXT),
        ]
    )
    for guests in (1, 8):
        desk.answer("create_visit", guests=guests)
    for guests in (0, 9):
        desk.refusal("create_visit", guests=guests)


def test_a_range_in_the_tools_words_is_kept(world: Open) -> None:
    desk = world(
        [
            tool(
                "rate_movie", "Rates a movie. The rating must be between 1 and 5.", None, movie_id=TEXT, rating=INTEGER
            ),
            tool("get_movie", "Gets a movie.", None, movie_id=TEXT),
        ]
    )
    movie = desk.rows("movies")[0]["movie_id"]
    desk.answer("rate_movie", movie_id=movie, rating=5)
    desk.refusal("rate_movie", movie_id=movie, rating=6)
    desk.refusal("rate_movie", movie_id=movie, rating=0)


def test_two_sides_must_differ(world: Open) -> None:
    desk = world(
        [
            tool(
                "send_gift",
                "Sends a gift. The sender and the recipient must be different.",
                None,
                sender_id=TEXT,
                recipient_id=TEXT,
                text=TEXT,
            ),
            tool("get_user", "Gets a user.", None, user_id=TEXT),
            tool("get_gift", "Gets a gift.", None, gift_id=TEXT),
        ]
    )
    first, second = (r["user_id"] for r in desk.rows("users")[:2])
    desk.answer("send_gift", sender_id=first, recipient_id=second, text="x")
    desk.refusal("send_gift", sender_id=first, recipient_id=first, text="x")


def test_no_more_members_than_a_call_may_take(world: Open) -> None:
    row = record("name", name=TEXT)
    desk = world(
        [
            tool("create_records", "Creates records. Up to 3 records per call.", None, records=listing(row)),
            tool("list_records", "Lists records.", None),
        ]
    )
    desk.answer("create_records", records=[{"name": "x"}] * 3)
    desk.refusal("create_records", records=[{"name": "x"}] * 4)


ACCOUNT = record("*", account_id=TEXT, status=one_of("open", "closed"), balance=NUMBER, frozen=FLAG)


@pytest.mark.parametrize(
    "rule",
    [
        "The balance must be 0.",
        "An account can only be closed if its balance is zero.",
        "Its balance must be zero.",
        "Fails if the balance is not 0.",
    ],
)
def test_a_number_of_the_row_must_be_zero(world: Open, rule: str) -> None:
    desk = world(
        [
            tool("get_account", "Gets an account.", ACCOUNT, account_id=TEXT),
            tool("close_account", f"Closes an account. {rule}", ACCOUNT, account_id=TEXT),
        ]
    )
    key = desk.rows("accounts")[0]["account_id"]
    desk.run("UPDATE accounts SET status = 'open', balance = 12.5")
    desk.refusal("close_account", account_id=key)
    desk.run("UPDATE accounts SET balance = 0")
    assert desk.answer("close_account", account_id=key)["status"] == "closed"


def test_a_counter_of_the_row_has_a_limit(world: Open) -> None:
    loan = record("*", loan_id=TEXT, due_date=DATE, renewals=INTEGER)
    desk = world(
        [
            tool("get_loan", "Gets a loan.", loan, loan_id=TEXT),
            tool(
                "renew_loan", "Renews a loan. A loan can be renewed at most 2 times.", loan, loan_id=TEXT, due_date=DATE
            ),
        ]
    )
    key = desk.rows("loans")[0]["loan_id"]
    desk.put("loans", {"loan_id": key}, renewals=2)
    desk.refusal("renew_loan", loan_id=key, due_date="2031-01-01")
    desk.put("loans", {"loan_id": key}, renewals=1)
    assert desk.answer("renew_loan", loan_id=key, due_date="2031-01-01")["renewals"] == 2
    desk.refusal("renew_loan", loan_id=key, due_date="2031-02-01")


def test_the_same_thing_is_not_there_twice(world: Open) -> None:
    desk = world(
        [
            tool("get_line", "Gets a line.", record("*", line_id=TEXT, plan_id=TEXT), line_id=TEXT),
            tool("get_plan", "Gets a plan.", record("*", plan_id=TEXT, name=TEXT), plan_id=TEXT),
            tool(
                "change_plan",
                "Changes the plan of a line. Fails if the line already has this plan.",
                record("*", line_id=TEXT, plan_id=TEXT),
                line_id=TEXT,
                plan_id=TEXT,
            ),
        ]
    )
    line = desk.rows("lines")[0]
    other = next(p["plan_id"] for p in desk.rows("plans") if p["plan_id"] != line["plan_id"])
    desk.refusal("change_plan", line_id=line["line_id"], plan_id=line["plan_id"])
    desk.answer("change_plan", line_id=line["line_id"], plan_id=other)


def test_the_owner_named_by_a_parameter_must_own_the_row(world: Open) -> None:
    desk = world(
        [
            tool("get_user", "Gets a user.", None, user_id=TEXT),
            tool("create_post", "Creates a post.", None, author_id=TEXT, text=TEXT),
            tool("delete_post", "Deletes a post. The post must belong to the user.", None, post_id=TEXT, user_id=TEXT),
        ]
    )
    post = desk.rows("posts")[0]
    key = desk.entity("posts").key[0]
    owner = desk.entity("posts").owner or ""
    other = next(r["user_id"] for r in desk.rows("users") if r["user_id"] != post[owner])
    desk.refusal("delete_post", post_id=post[key], user_id=other)
    desk.answer("delete_post", post_id=post[key], user_id=post[owner])


@pytest.mark.parametrize("verb", ["cancel", "delete"])
def test_who_is_named_beside_a_row_must_be_whose_it_is(world: Open, verb: str) -> None:
    desk = world(
        [
            tool("get_user", "Gets a user.", None, user_id=TEXT),
            tool("create_booking", "Creates a booking.", None, user_id=TEXT, text=TEXT),
            tool(f"{verb}_booking", f"{verb.capitalize()}s a booking.", None, booking_id=TEXT, user_id=TEXT),
        ]
    )
    row = desk.rows("bookings")[0]
    if verb == "cancel":
        desk.run("UPDATE bookings SET status = 'pending'")
    other = next(r["user_id"] for r in desk.rows("users") if r["user_id"] != row["user_id"])
    assert "belong" in desk.refusal(f"{verb}_booking", booking_id=row["booking_id"], user_id=other)
    desk.answer(f"{verb}_booking", booking_id=row["booking_id"], user_id=row["user_id"])
    left = [r for r in desk.rows("bookings") if r["booking_id"] == row["booking_id"]]
    assert left == ([] if verb == "delete" else [{**row, "status": "cancelled"}])


def test_a_thing_that_others_hang_on_is_kept(world: Open) -> None:
    desk = world(
        [
            tool("get_category", "Gets a category.", record("*", category_id=TEXT, name=TEXT), category_id=TEXT),
            tool("get_product", "Gets a product.", record("*", product_id=TEXT, category_id=TEXT), product_id=TEXT),
            tool("delete_category", "Deletes a category. Fails if the category has products.", None, category_id=TEXT),
        ]
    )
    used = desk.rows("products")[0]["category_id"]
    desk.refusal("delete_category", category_id=used)
    desk.run(
        "UPDATE products SET category_id = ?",
        next(r["category_id"] for r in desk.rows("categories") if r["category_id"] != used),
    )
    desk.answer("delete_category", category_id=used)


def test_schema_bounds_and_words_do_not_refuse_twice(world: Open) -> None:
    desk = world(
        [
            tool(
                "create_visit",
                "Creates a visit.",
                None,
                guests={"type": "integer", "minimum": 1, "maximum": 8, "description": "Between 1 and 8."},
            )
        ]
    )
    assert desk.reasons("create_visit") == []


def test_an_absent_optional_value_breaks_no_rule(world: Open) -> None:
    desk = world(
        [
            tool(
                "create_meeting",
                "Creates a meeting. The end date must be after the start date. The duration must be between 5 and 60.",
                None,
                start_date=maybe(DATE),
                end_date=maybe(DATE),
                duration=maybe(INTEGER),
            ),
            tool("get_meeting", "Gets a meeting.", None, meeting_id=TEXT),
        ]
    )
    desk.answer("create_meeting")
    desk.answer("create_meeting", end_date="2031-01-01")
    desk.refusal("create_meeting", start_date="2031-01-02", end_date="2031-01-01")
    desk.refusal("create_meeting", duration=61)


def test_a_refusal_tells_the_rule_in_the_documents_words(world: Open) -> None:
    desk, pair = lending(world, "Suspended members cannot borrow books.")
    desk.run("UPDATE members SET status = 'suspended'")
    assert "Suspended members cannot borrow books." in desk.refusal("create_loan", **pair)
