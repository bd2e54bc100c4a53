"""Insert, Update and Delete, as emitted code on a real database."""

from __future__ import annotations

from typing import Any

import pytest

from autoforge.generator.ir import (
    Delete,
    Expression,
    Filter,
    Find,
    Now,
    Refuse,
    Return,
    Update,
    Variable,
)

from .builders import (
    NUMBER,
    ORDER,
    TEXT,
    TEXTS,
    A,
    B,
    C,
    Start,
    apply,
    arg,
    by_id,
    change,
    const,
    create,
    field,
)
from .conftest import operation, parameter


def test_an_inserted_row_is_bound_as_stored_with_its_id_and_defaults(run_shop: Start) -> None:
    opened = run_shop(operation(*create(*ORDER), parameters=(parameter("customer", TEXT, required=True),)))
    assert opened.call(customer="CUS-002") == {
        "id": "ORD-0004", "customer_id": "CUS-002", "status": "pending", "note": None, "tags": [], "gift": False,
        "created_at": "2026-03-02T09:00:00", "rating": None,
    }  # fmt: skip


def test_none_takes_the_default_of_the_column(run_shop: Start) -> None:
    values = (*ORDER, ("status", arg("status")), ("tags", arg("tags")), ("gift", const(None)))
    parameters = (parameter("customer", TEXT, required=True), parameter("status", TEXT), parameter("tags", TEXTS))
    opened = run_shop(operation(*create(*values), parameters=parameters))
    row = opened.call(customer="CUS-002")
    assert (row["status"], row["tags"], row["gift"]) == ("pending", [], False)
    row = opened.call(customer="CUS-002", status="shipped", tags=["a'b"])
    assert (row["status"], row["tags"]) == ("shipped", ["a'b"])


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("customer_id", "nobody", "There is no customer with id nobody."),
        ("customer_id", None, "The customer id of the order must be given."),
        ("status", "lost", "The status must be one of pending, shipped, cancelled; it cannot be lost."),
        ("rating", 6, "The rating must be at most 5; it cannot be 6."),
        ("rating", 0, "The rating must be at least 1; it cannot be 0."),
        ("rating", "many", "The rating must be a number; it cannot be many."),
        ("gift", "yes", "The gift must be true or false; it cannot be yes."),
        ("id", A, "There is already an order with id ORD-0001."),
        ("created_at", None, "The created at of the order must be given."),
    ],
)
@pytest.mark.parametrize("write", ["insert", "update"])
def test_a_value_that_the_schema_rejects_is_refused_in_a_sentence(
    run_shop: Start, write: str, column: str, value: Any, sentence: str
) -> None:
    fixed: dict[str, Expression] = {"customer_id": const("CUS-001"), "created_at": Now(), "id": const("new")}
    if write == "insert":
        steps = create(*{**fixed, column: arg("v")}.items())
    else:
        find = Find(row="o", entity="order", where=by_id(const(B)), missing="Gone.")
        steps = (find, Update(row="o", entity="order", values=((column, arg("v")),)), Return(value=Variable(name="o")))
    opened = run_shop(operation(*steps, parameters=(parameter("v"),)))
    before = opened.dump()
    assert opened.refusal(v=value) == sentence
    assert opened.dump() == before


def test_a_unique_value_that_is_taken_is_refused(run_shop: Start) -> None:
    values = (("name", const("n")), ("email", arg("email")))
    opened = run_shop(operation(*create(*values, entity="customer"), parameters=(parameter("email", TEXT),)))
    assert opened.refusal(email="zoe@example.org") == "There is already a customer with email zoe@example.org."
    assert opened.call(email="new@example.org")["id"] == "CUS-003"
    assert opened.call()["email"] is None
    assert opened.call()["email"] is None


def test_a_composite_key_that_is_taken_is_refused(run_shop: Start) -> None:
    values = (("order_id", const(A)), ("product", arg("product")), ("quantity", const(1)))
    opened = run_shop(operation(*create(*values, entity="order_item"), parameters=(parameter("product", TEXT),)))
    assert opened.refusal(product="pear") == ("There is already an order item with order id ORD-0001 and product pear.")
    assert opened.call(product="plum")["quantity"] == 1


def test_what_the_steps_or_the_schema_make_sure_of_is_not_checked_again(run_shop: Start) -> None:
    find = Find(row="c", entity="customer", where=by_id(arg("customer")), missing="No {customer}.")
    state = {"type": "string", "enum": ["pending", "shipped"]}
    stars = {"type": "integer", "minimum": 1, "maximum": 5}
    values = (*ORDER, ("status", arg("state")), ("rating", arg("stars")))
    parameters = (parameter("customer", TEXT, required=True), parameter("state", state), parameter("stars", stars))
    opened = run_shop(operation(find, *create(*values), parameters=parameters))
    assert opened.source.count("raise ToolError") == 1
    assert opened.call(customer="CUS-001", stars=4)["rating"] == 4


def test_a_parent_that_may_have_been_deleted_is_checked_again(run_shop: Start) -> None:
    find = Find(row="c", entity="customer", where=by_id(arg("customer")), missing="No {customer}.")
    values = (("customer_id", field("c", "id")), ("created_at", Now()))
    remove = Delete(entity="customer", where=by_id(arg("customer")))
    opened = run_shop(operation(find, remove, *create(*values), parameters=(parameter("customer", TEXT),)))
    assert opened.refusal(customer="CUS-001") == "There is no customer with id CUS-001."


def test_a_duplicate_that_was_refused_is_not_looked_for_twice(run_shop: Start) -> None:
    find = Find(row="twin", entity="customer", where=(Filter(column="email", value=arg("email")),))
    refuse = Refuse(when=apply("not_null", Variable(name="twin")), message="{email} is taken by {twin.name}.")
    values = (("name", const("n")), ("email", arg("email")))
    parameters = (parameter("email", TEXT, required=True),)
    opened = run_shop(operation(find, refuse, *create(*values, entity="customer"), parameters=parameters))
    assert opened.source.count("raise ToolError") == 1
    assert opened.refusal(email="half@example.org") == "half@example.org is taken by 50% Ltd_."


def test_any_value_survives_a_json_column(run_shop: Start) -> None:
    values = (*ORDER[1:], ("customer_id", const("CUS-001")), ("tags", arg("v")))
    opened = run_shop(operation(*create(*values), parameters=(parameter("v"),)))
    for value in ("text", 'q"', 1, 1.5, True, [1, "a"], {"a": None}, "[1"):
        assert opened.call(v=value)["tags"] == value


def test_a_singleton_is_inserted_once(run_shop: Start) -> None:
    opened = run_shop(operation(*create(("user", const("CUS-001")), entity="session")), seed="")
    opened.connection.executescript("INSERT INTO customers (id, name) VALUES ('CUS-001', 'n')")
    assert opened.call() == {"id": 1, "user": "CUS-001"}
    assert opened.refusal() == "There is already a session with id 1."


def test_an_updated_row_is_bound_again_as_stored(run_shop: Start) -> None:
    steps = change(("status", const("shipped")), ("note", arg("note")), ("tags", arg("tags")))
    opened = run_shop(operation(*steps, parameters=(parameter("note", TEXT), parameter("tags", TEXTS))))
    row = opened.call(tags=["x"])
    assert (row["status"], row["note"], row["tags"], row["gift"]) == ("shipped", None, ["x"], True)


def test_columns_that_are_not_given_are_left_alone(run_shop: Start) -> None:
    names = ("note", "tags", "gift", "rating", "customer_id")
    steps = change(*((n, arg(n)) for n in names), when_given=names)
    opened = run_shop(operation(*steps, parameters=tuple(parameter(n) for n in names)))
    assert opened.call()["note"] == "DOOR"
    row = opened.call(gift=False, rating=1, tags=[])
    assert (row["note"], row["gift"], row["rating"], row["tags"]) == ("DOOR", False, 1, [])
    assert opened.refusal(rating=9) == "The rating must be at most 5; it cannot be 9."
    assert opened.refusal(customer_id="x") == "There is no customer with id x."


def test_a_new_key_is_bound_and_takes_references_along(run_shop: Start) -> None:
    opened = run_shop(operation(*change(("id", arg("to"))), parameters=(parameter("to", TEXT, required=True),)))
    assert opened.refusal(to=B) == "There is already an order with id ORD-0002."
    assert opened.call(to=A)["id"] == A
    assert opened.call(to="new")["id"] == "new"
    assert opened.rows("SELECT DISTINCT order_id FROM order_items") == [("new",)]


def test_a_part_of_a_composite_key_that_is_not_given_still_counts(run_shop: Start) -> None:
    where = (Filter(column="product", value=const("apple")),)
    find = Find(row="i", entity="order_item", where=where, missing="Gone.")
    values = (("order_id", arg("order")), ("product", arg("product")))
    update = Update(row="i", entity="order_item", values=values, when_given=("order_id", "product"))
    parameters = (parameter("order", TEXT), parameter("product", TEXT))
    opened = run_shop(operation(find, update, Return(value=Variable(name="i")), parameters=parameters))
    assert "order id ORD-0001 and product pear" in opened.refusal(product="pear")
    assert opened.call()["product"] == "apple"
    assert opened.call(order=C)["order_id"] == C


def test_a_row_that_was_not_found_is_not_updated(run_shop: Start) -> None:
    find = Find(row="o", entity="order", where=by_id(arg("id")))
    update = Update(row="o", entity="order", values=(("note", const("seen")),))
    opened = run_shop(operation(find, update, Return(value=field("o", "note")), parameters=(parameter("id", TEXT),)))
    before = opened.dump()
    assert opened.call(id="x") is None
    assert opened.dump() == before
    assert opened.call(id=A) == "seen"


def test_an_update_keeps_its_own_unique_value_and_not_that_of_another(run_shop: Start) -> None:
    find = Find(row="c", entity="customer", where=by_id(const("CUS-001")), missing="Gone.")
    update = Update(row="c", entity="customer", values=(("email", arg("email")),))
    opened = run_shop(operation(find, update, Return(value=const(1)), parameters=(parameter("email", TEXT),)))
    assert opened.call(email="zoe@example.org") == 1
    assert opened.refusal(email="half@example.org") == "There is already a customer with email half@example.org."


def test_a_balance_cannot_be_drawn_below_its_minimum(run_shop: Start) -> None:
    find = Find(row="c", entity="customer", where=by_id(const("CUS-001")), missing="Gone.")
    left = apply("subtract", field("c", "balance"), arg("amount"))
    update = Update(row="c", entity="customer", values=(("balance", left),))
    opened = run_shop(
        operation(find, update, Return(value=field("c", "balance")), parameters=(parameter("amount", NUMBER),))
    )
    assert opened.refusal(amount=11) == "The balance must be at least 0; it cannot be -0.5."
    assert opened.call(amount=10.2) == 0.3


def test_delete_counts_its_rows_and_takes_what_hangs_on_them(run_shop: Start) -> None:
    delete = Delete(entity="customer", where=by_id(arg("id")), count="n")
    opened = run_shop(operation(delete, Return(value=Variable(name="n")), parameters=(parameter("id", TEXT),)))
    assert opened.call(id="x") == 0
    assert opened.call(id="CUS-001") == 1
    assert opened.rows("SELECT id FROM orders") == [(C,)]


def test_delete_by_text_that_ignores_case_and_by_a_path(run_shop: Start) -> None:
    path = (("order_id", "order"), ("customer_id", "customer"))
    where = (
        Filter(column="product", comparison="contains", value=arg("part")),
        Filter(column="name", comparison="starts_with", value=const("ZOË"), through=path),
    )
    delete = Delete(entity="order_item", where=where, count="n")
    opened = run_shop(operation(delete, Return(value=Variable(name="n")), parameters=(parameter("part", TEXT),)))
    assert opened.call(part="APP") == 1
    assert opened.rows("SELECT product FROM order_items") == [("pear",)]
