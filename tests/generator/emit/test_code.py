"""Every kind of step, as emitted code on a real database."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autoforge.generator.emit import manifest_tables, manifest_tools, schema_sql, tools_py
from autoforge.generator.emit.code import function_names, parameter_names
from autoforge.generator.emit.names import identifier
from autoforge.generator.ir import (
    Apply,
    Argument,
    Assign,
    Attribute,
    ColumnType,
    Constant,
    Delete,
    Each,
    Entity,
    Expression,
    Filter,
    Find,
    Insert,
    Item,
    Listing,
    Log,
    NextId,
    Now,
    Operation,
    OperationKind,
    Order,
    Parameter,
    Record,
    Refuse,
    Return,
    RowField,
    Select,
    Step,
    Update,
    Variable,
    When,
    World,
)
from autoforge.mcp_envs import runtime
from autoforge.mcp_envs.errors import BadInput

from .conftest import CUSTOMERS, ITEMS, ORDERS, Shop, load, operation, parameter, shop

Start = Callable[..., Shop]
TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
INTEGER: dict[str, Any] = {"type": "integer"}
TEXTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}


def arg(name: str) -> Argument:
    return Argument(name=name)


def const(value: Any) -> Constant:
    return Constant(value=value)


def field(row: str, column: str) -> RowField:
    return RowField(row=row, column=column)


def apply(function: Any, *arguments: Expression) -> Apply:
    return Apply(function=function, arguments=arguments)


def by_id(value: Expression) -> tuple[Filter, ...]:
    return (Filter(column="id", value=value),)


def ids(rows: str = "orders") -> Return:
    """Answer the ids of rows."""
    return Return(value=Listing(over=Variable(name=rows), item="o", value=field("o", "id")))


def listing(*where: Filter, **options: Any) -> tuple[Select, Return]:
    """Answer the ids of the orders that match."""
    return Select(rows="orders", entity="order", where=where, **options), ids()


A, B, C = "ORD-0001", "ORD-0002", "ORD-0003"


# --- find ---


def test_a_missing_row_is_refused_in_the_words_of_the_documentation(run_shop: Start) -> None:
    find = Find(
        row="o", entity="order", where=by_id(arg("order")), missing="Order '{order}' of {nobody} {is} not here."
    )
    opened = run_shop(operation(find, Return(value=field("o", "status")), parameters=(parameter("order", TEXT),)))
    assert opened.call(order=A) == "pending"
    assert opened.refusal(order='X"{}\\') == "Order 'X\"{}\\' of {nobody} {is} not here."


def test_find_without_a_sentence_binds_none(run_shop: Start) -> None:
    find = Find(row="o", entity="order", where=by_id(arg("order")))
    found = apply("not_null", Variable(name="o"))
    opened = run_shop(operation(find, Return(value=found), parameters=(parameter("order", TEXT),)))
    assert (opened.call(order=A), opened.call(order="x"), opened.call()) == (True, False, False)


def test_find_by_something_else_than_the_key_takes_the_first_by_key(run_shop: Start) -> None:
    find = Find(row="o", entity="order", where=(Filter(column="status", value=const("pending")),))
    assert run_shop(operation(find, Return(value=field("o", "id")))).call() == A


def test_find_ignores_case_where_asked_also_beyond_ascii(run_shop: Start) -> None:
    where = (Filter(column="name", comparison="equal_text", value=arg("name")),)
    find = Find(row="c", entity="customer", where=where, missing="No {name}.")
    opened = run_shop(operation(find, Return(value=field("c", "id")), parameters=(parameter("name", TEXT),)))
    assert opened.call(name="ZOË ångström") == "CUS-001"
    assert opened.refusal(name="Zoe") == "No Zoe."


def test_find_follows_foreign_keys(run_shop: Start) -> None:
    through = (("order_id", "order"), ("customer_id", "customer"))
    where = (Filter(column="email", value=arg("email"), through=through), Filter(column="product", value=const("pear")))
    find = Find(row="i", entity="order_item", where=where, missing="None.")
    opened = run_shop(operation(find, Return(value=field("i", "quantity")), parameters=(parameter("email", TEXT),)))
    assert opened.call(email="zoe@example.org") == 1
    assert opened.refusal(email="half@example.org") == "None."


# --- select ---

COMPARISONS: list[tuple[str, str, Any, list[str]]] = [
    ("status", "equal", "pending", [A, C]),
    ("status", "equal", None, []),
    ("note", "not_equal", "DOOR", [B, C]),
    ("rating", "less", 5, [C]),
    ("rating", "less_equal", 5, [A, C]),
    ("rating", "greater", 3, [A]),
    ("rating", "greater_equal", 3, [A, C]),
    ("note", "contains", "oo", [A]),
    ("note", "contains", "STRASSE", [C]),
    ("note", "contains", "%", []),
    ("note", "contains", "_", []),
    ("tags", "contains", "GIFT", [A]),
    ("note", "starts_with", "do", [A]),
    ("note", "starts_with", "oo", []),
    ("note", "equal_text", "door", [A]),
    ("status", "in", ["shipped", "cancelled"], [B]),
    ("status", "in", [], []),
    ("rating", "in", [5, 3], [A, C]),
    ("tags", "has", "fragile", [A, C]),
    ("tags", "has", "frag", []),
    ("tags", "has_any", ["gift", "x"], [A]),
    ("tags", "has_any", [], []),
    ("tags", "equal", ["fragile"], [C]),
    ("note", "is_null", True, [B]),
    ("note", "is_null", False, [A, C]),
    ("gift", "equal", True, [A]),
    ("created_at", "less_equal", "2026-03-01", [A, B, C]),
    ("created_at", "less", "2026-03-01", [A]),
    ("created_at", "greater", "2026-03-01", []),
    ("created_at", "greater_equal", "2026-03-01", [B, C]),
    ("created_at", "equal", "2026-03-01", [B, C]),
    ("created_at", "greater", "2026-03-01T12:00:00", [C]),
    ("status", "has", "pending", [A, C]),
    ("status", "has_any", ["pending"], [A, C]),
]


@pytest.mark.parametrize(("column", "comparison", "value", "expected"), COMPARISONS)
def test_a_comparison_finds_the_same_rows_however_its_value_comes(
    run_shop: Start, column: str, comparison: Any, value: Any, expected: list[str]
) -> None:
    known = {str: TEXT, bool: {"type": "boolean"}, int: INTEGER, list: {"type": "array"}, type(None): {}}[type(value)]
    for schema in (known, {}):
        steps = listing(Filter(column=column, comparison=comparison, value=arg("v")))
        opened = run_shop(operation(*steps, parameters=(parameter("v", schema, required=True),)))
        assert opened.call(v=value) == expected, opened.source
    constant = listing(Filter(column=column, comparison=comparison, value=const(value)))
    assert run_shop(operation(*constant)).call() == expected


@pytest.mark.parametrize(("column", "comparison", "value", "expected"), COMPARISONS)
def test_an_optional_filter_counts_only_when_it_is_given(
    run_shop: Start, column: str, comparison: Any, value: Any, expected: list[str]
) -> None:
    schema = TEXTS if isinstance(value, list) else {}
    if isinstance(value, list) and all(isinstance(v, int) for v in value):
        schema = {"type": "array"}
    steps = listing(Filter(column=column, comparison=comparison, value=arg("v"), optional=True))
    opened = run_shop(operation(*steps, parameters=(parameter("v", schema),)))
    assert opened.call() == [A, B, C]
    assert opened.call(v=value) == ([A, B, C] if value is None or value == [] else expected)


@pytest.mark.parametrize("comparison", ["equal", "contains", "in"])
def test_filters_follow_foreign_keys_optionally(run_shop: Start, comparison: Any) -> None:
    through = (("customer_id", "customer"),)
    value: dict[str, Any] = {"equal": "Zoë Ångström", "contains": "ZOË", "in": ["Zoë Ångström"]}
    steps = listing(Filter(column="name", comparison=comparison, value=arg("v"), optional=True, through=through))
    opened = run_shop(operation(*steps, parameters=(parameter("v", TEXTS if comparison == "in" else TEXT),)))
    assert opened.call(v=value[comparison]) == [A, B]
    assert opened.call() == [A, B, C]


def test_a_search_needs_every_word_somewhere(run_shop: Start) -> None:
    steps = listing(search=(("note", "status"), arg("query")))
    opened = run_shop(operation(*steps, parameters=(parameter("query", TEXT),)))
    assert opened.call(query="pending STRASSE") == [C]
    assert opened.call(query="pending nothing") == []
    assert opened.call(query="%") == []
    assert opened.call(query="  ") == opened.call() == [A, B, C]


def test_a_fixed_order_ends_with_the_key(run_shop: Start) -> None:
    steps = listing(order=(Order(column="status", descending=const("descending")),))
    opened = run_shop(operation(*steps))
    assert opened.call() == [B, A, C]
    assert 'ORDER BY "status" DESC, "id"' in opened.source


@pytest.mark.parametrize(
    ("sort", "direction", "expected"),
    [
        (None, None, [A, B, C]),
        ("rating", None, [B, C, A]),
        ("rating", "DESC", [A, C, B]),
        ("rating", "-", [A, C, B]),
        ("rating", "asc", [B, C, A]),
        ("state", "desc", [B, A, C]),
        ("state", True, [B, A, C]),
    ],
)
def test_the_call_may_choose_the_order(run_shop: Start, sort: Any, direction: Any, expected: list[str]) -> None:
    order = Order(by=arg("sort"), allowed=(("rating", "rating"), ("state", "status")), descending=arg("direction"))
    parameters = (parameter("sort", TEXT), parameter("direction"))
    opened = run_shop(operation(*listing(order=(order,)), parameters=parameters))
    assert opened.call(sort=sort, direction=direction) == expected
    assert opened.refusal(sort="colour") == "Results cannot be sorted by colour; use one of rating, state."


def test_the_direction_alone_may_be_chosen_and_ties_stay_in_key_order(run_shop: Start) -> None:
    order = (Order(column="status", descending=arg("down")), Order(column="rating"))
    opened = run_shop(operation(*listing(order=order), parameters=(parameter("down", {"type": "boolean"}),)))
    assert opened.call(down=True) == [B, C, A]
    assert opened.call(down=False) == [C, A, B]


@pytest.mark.parametrize(
    ("limit", "offset", "expected"),
    [
        (2, None, [A, B]),
        (None, 1, [B, C]),
        (1, 1, [B]),
        (0, 0, []),
        (-1, -1, []),
        (2.0, 1.0, [B, C]),
        (None, None, [A, B, C]),
    ],
)
def test_pages_are_cut_from_the_ordered_rows(run_shop: Start, limit: Any, offset: Any, expected: list[str]) -> None:
    parameters = (parameter("limit", INTEGER), parameter("offset", INTEGER))
    opened = run_shop(operation(*listing(limit=arg("limit"), offset=arg("offset")), parameters=parameters))
    assert opened.call(limit=limit, offset=offset) == expected


def test_a_fixed_limit_is_left_to_sql(run_shop: Start) -> None:
    opened = run_shop(operation(*listing(limit=const(2))))
    assert opened.call() == [A, B]
    assert "LIMIT 2" in opened.source
    filtered = run_shop(
        operation(*listing(Filter(column="note", comparison="contains", value=const("7")), limit=const(1)))
    )
    assert filtered.call() == [C]


# --- insert ---


def create(*values: tuple[str, Expression], entity: str = "order") -> tuple[Step, ...]:
    """Insert a row and answer it."""
    return Insert(row="new", entity=entity, values=values), Return(value=Variable(name="new"))


ORDER = (("customer_id", arg("customer")), ("created_at", Now()))


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


# --- update and delete ---


def change(*values: tuple[str, Expression], when_given: tuple[str, ...] = ()) -> tuple[Step, ...]:
    find = Find(row="o", entity="order", where=by_id(const(A)), missing="Gone.")
    update = Update(row="o", entity="order", values=values, when_given=when_given)
    return find, update, Return(value=Variable(name="o"))


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
    where = (
        Filter(column="product", comparison="contains", value=arg("part")),
        Filter(column="name", comparison="starts_with", value=const("ZOË"), through=(("order_id", "order"), ("customer_id", "customer"))),
    )  # fmt: skip
    delete = Delete(entity="order_item", where=where, count="n")
    opened = run_shop(operation(delete, Return(value=Variable(name="n")), parameters=(parameter("part", TEXT),)))
    assert opened.call(part="APP") == 1
    assert opened.rows("SELECT product FROM order_items") == [("pear",)]


# --- control ---


def test_refusals_name_values_of_rows_and_parameters(run_shop: Start) -> None:
    find = Find(row="o", entity="order", where=by_id(arg("id")), missing="Gone.")
    refuse = Refuse(
        when=apply("not_equal", field("o", "status"), const("pending")),
        message="{id}: {o.status} ({o.rating}, {o.gift}).",
    )
    opened = run_shop(operation(find, refuse, Return(value=const(True)), parameters=(parameter("id", TEXT),)))
    assert opened.refusal(id=B) == f"{B}: shipped (None, false)."
    assert opened.call(id=A) is True


def test_when_takes_one_branch_and_what_only_one_binds_is_none_after_the_other(run_shop: Start) -> None:
    when = When(
        condition=apply("equal", arg("which"), const("c")),
        steps=(
            Find(row="r", entity="customer", where=by_id(const("CUS-001")), missing="Gone."),
            Assign(name="x", value=const(1)),
        ),
        otherwise=(Assign(name="x", value=const("two")),),
    )
    answer = Record(fields=(("x", Variable(name="x")), ("name", field("r", "name"))))
    opened = run_shop(operation(when, Return(value=answer), parameters=(parameter("which", TEXT),)))
    assert opened.call(which="c") == {"x": 1, "name": "Zoë Ångström"}
    assert opened.call() == {"x": "two", "name": None}


def test_a_branch_may_answer_and_the_rest_knows_it(run_shop: Start) -> None:
    find = Find(row="c", entity="customer", where=by_id(arg("id")))
    early = When(condition=apply("is_null", Variable(name="c")), steps=(Return(value=const("nobody")),))
    opened = run_shop(operation(find, early, Return(value=field("c", "name")), parameters=(parameter("id", TEXT),)))
    assert opened.call(id="x") == "nobody"
    assert opened.call(id="CUS-002") == "50% Ltd_"
    assert "if c else None" not in opened.source


def test_each_collects_and_accumulates(run_shop: Start) -> None:
    each = Each(
        over=arg("lines"),
        item="line",
        steps=(Assign(name="total", value=apply("add", Variable(name="total"), field("line", "price"))),),
        collect="names",
        result=Item(container=Variable(name="line"), key=const("name")),
    )
    answer = Record(fields=(("total", Variable(name="total")), ("names", Variable(name="names"))))
    steps = (Assign(name="total", value=const(0)), each, Return(value=answer))
    opened = run_shop(operation(*steps, parameters=(parameter("lines", {"type": "array"}),)))
    lines = [{"name": "a", "price": 1}, {"name": "b", "price": 2.5}]
    assert opened.call(lines=lines) == {"total": 3.5, "names": ["a", "b"]}
    assert opened.call(lines=[*lines, {}]) == {"total": None, "names": ["a", "b", None]}
    assert opened.call() == {"total": 0, "names": []}


def test_each_over_rows_updates_every_one(run_shop: Start) -> None:
    select = Select(rows="orders", entity="order", where=(Filter(column="status", value=const("pending")),))
    update = Update(row="o", entity="order", values=(("status", const("cancelled")),))
    each = Each(over=Variable(name="orders"), item="o", steps=(update,), collect="done", result=field("o", "status"))
    opened = run_shop(operation(select, each, Return(value=Variable(name="done"))))
    assert opened.call() == ["cancelled", "cancelled"]
    assert opened.rows("SELECT DISTINCT status FROM orders ORDER BY 1") == [("cancelled",), ("shipped",)]


def test_a_loop_that_inserts_checks_every_round(run_shop: Start) -> None:
    item = Insert(
        row="i",
        entity="order_item",
        values=(("order_id", const(C)), ("product", Variable(name="p")), ("quantity", const(1))),
    )
    each = Each(over=arg("products"), item="p", steps=(item,))
    opened = run_shop(operation(each, Return(value=const(1)), parameters=(parameter("products", TEXTS),)))
    before = opened.dump()
    assert "product b" in opened.refusal(products=["a", "b", "b"])
    assert opened.dump() == before
    assert opened.call(products=["a", "b"]) == 1


def test_an_accumulator_that_changes_its_kind_in_a_loop_is_read_with_care(run_shop: Start) -> None:
    longer = Assign(name="x", value=hidden_none())
    each = Each(
        over=const([1, 2, 3]),
        item="i",
        steps=(Assign(name="y", value=apply("add", Variable(name="x"), const(1))), longer),
    )
    steps = (Assign(name="x", value=const(1)), Assign(name="y", value=const(0)), each, Return(value=Variable(name="y")))
    assert run_shop(operation(*steps)).call() is None


def hidden_none() -> Expression:
    """None, in a way that the emitter cannot see through."""
    return Item(container=const({}), key=const("absent"))


def test_log_records_the_call_and_nothing_else(run_shop: Start) -> None:
    opened = run_shop(
        operation(Log(), Return(value=const("ok")), parameters=(parameter("a b"), parameter("c", default=[1])))
    )
    assert opened.call(**{"a b": "x'"}) == "ok"
    assert opened.rows("SELECT tool, arguments FROM autoforge_log") == [("try_it", {"a b": "x'", "c": [1]})]


# --- the module ---


def test_defaults_stand_in_the_signature_and_lists_are_fresh_in_every_call(run_shop: Start) -> None:
    parameters = (parameter("n", default=3), parameter("t", default='a"b'), parameter("xs", TEXTS, default=["a"]))
    answer = Record(fields=tuple((p.name, arg(p.name)) for p in parameters))
    opened = run_shop(operation(Return(value=answer), parameters=parameters))
    assert opened.call() == {"n": 3, "t": 'a"b', "xs": ["a"]}
    assert opened.call(xs=[]) == {"n": 3, "t": 'a"b', "xs": []}
    assert "def try_it(db, *, n=3, t='a\"b', xs=None):" in opened.source


def test_only_the_helpers_that_are_used_are_there() -> None:
    source = tools_py(shop(operation(Return(value=apply("join", arg("xs"))), parameters=(parameter("xs"),))))
    functions = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert functions == {"try_it", "_join", "_as_list", "_text"}
    assert "import json\n" in source
    assert "import re" not in source


def test_the_first_sentence_of_the_documentation_is_the_docstring(run_shop: Start) -> None:
    summary = 'Ships it, e.g. "today". \\n """ Never twice.\nMore.'
    opened = run_shop(operation(Return(value=const(1)), summary=summary))
    assert opened.module.try_it.__doc__ == 'Ships it, e.g. "today".'


def test_code_that_a_model_wrote_is_taken_as_it_is() -> None:
    code = 'def weekday(db, *, day):\n    """The day."""\n    return json.dumps(date.fromisoformat(day).isoweekday())\n'
    written = Operation(
        tool="weekday", function="weekday", kind=OperationKind.COMPUTE, code=code,
        parameters=(parameter("day", TEXT, required=True),),
    )  # fmt: skip
    source = tools_py(shop(written, operation(Return(value=const(1)), name="weekday_2")))
    assert code in source
    connection = runtime.connect()
    try:
        assert runtime.call(connection, load(source).weekday, {"day": "2026-03-02"}) == "1"
    finally:
        connection.close()


def test_code_that_is_not_python_is_refused() -> None:
    written = Operation(tool="t", function="t", kind=OperationKind.COMPUTE, code="def t(db:\n")
    with pytest.raises(BadInput, match="'t' is not Python"):
        tools_py(shop(written))


def test_an_id_template_that_is_none_is_refused() -> None:
    bad = Entity(name="x", table="x", key=("id",), id_template="{0.__class__}", attributes=(Attribute(name="id"),))
    world = World(name="w", entities=(bad,), operations=(operation(Return(value=NextId(entity="x"))),))
    with pytest.raises(BadInput, match="no template"):
        tools_py(world)


def test_the_same_world_gives_the_same_bytes_in_any_process() -> None:
    program = (
        "import sys; from autoforge.generator.ir import World; from autoforge.generator.emit import *\n"
        "w = World.model_validate_json(sys.stdin.read())\n"
        "sys.stdout.write(tools_py(w) + schema_sql(w) + repr(manifest_tables(w)) + repr(manifest_tools(w)))"
    )
    world = everything()
    outputs = set()
    for seed in ("1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", program]
        done = subprocess.run(
            command,
            input=world.model_dump_json().encode(),
            capture_output=True,
            env=environment,
            check=True,
            timeout=60,
        )
        outputs.add(done.stdout)
    assert outputs == {
        (tools_py(world) + schema_sql(world) + repr(manifest_tables(world)) + repr(manifest_tools(world))).encode()
    }


def everything() -> World:
    """A world with many tools."""
    order = (parameter("sort", TEXT), parameter("id", TEXT))
    by = Order(by=arg("sort"), allowed=(("rating", "rating"),))
    return shop(
        operation(*listing(order=(by,), search=(("note",), arg("id"))), parameters=order, name="list_orders"),
        operation(*create(*ORDER), parameters=(parameter("customer"),), name="create_order"),
        operation(*change(("note", arg("id"))), parameters=order, name="update_order"),
        operation(Delete(entity="order", where=by_id(arg("id"))), Return(value=const(None)), parameters=order, name="delete"),
        operation(Log(), Return(value=apply("digest", apply("add_days", arg("id"), const(1)))), parameters=order, name="weak"),
    )  # fmt: skip


def test_the_manifest_says_what_the_tools_do() -> None:
    find = Find(row="o", entity="order", where=by_id(arg("class")), missing="Order {class} is unknown.")
    refuse = Refuse(when=apply("is_null", arg("class")), message="Give a class.")
    update = Update(row="o", entity="order", values=(("note", const("x")), ("gift", const(True))))
    delete = Delete(entity="customer", where=by_id(const("x")))
    insert = Insert(row="i", entity="order", values=ORDER)
    parameters = (parameter("class", TEXT), parameter("customer", TEXT))
    world = shop(operation(refuse, find, update, insert, delete, parameters=parameters, name="import"))
    (record,) = manifest_tools(world)
    assert (record.name, record.function, record.arguments) == ("import", "import_", {"class": "class_"})
    assert record.effects.reads == ("orders",)
    assert record.effects.creates == ("orders",)
    assert record.effects.updates == {"orders": ("gift", "note")}
    assert record.effects.deletes == ("customers",)
    assert record.refusals == ("Give a class.", "Order {class} is unknown.")
    tables = {t.name: t for t in manifest_tables(world)}
    assert list(tables) == ["customers", "orders", "order_items", "session"]
    assert {c.name: c.references for c in tables["orders"].columns}["customer_id"] == "customers"
    assert tables["order_items"].key == ("order_id", "product")


# --- laws ---

NASTY = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30),
    st.sampled_from([
        "class", "None", "match", "list", "db", "ToolError", "json", "date", "__class__", "_x", 'a"b', "a'b", "a\\", "a\nb", "{x}",
        '"""', "'''", "x" * 200, "日本語", "ﬁ", "ﬀ", "fi", "ª", "1st", "select", "a#b", "sum", "row", "-- x", "‮evil", "\u2028", "Order", "order",
    ]),
)  # fmt: skip
BENIGN = {"Exception", "ToolError"}


def nasty_world(names: list[str], text: str) -> tuple[World, str]:
    """Every kind of step in a world whose every name and text comes from a hostile document; and its tool."""
    entity, table, key, column, other, first, second, row, variable, tool = names
    attributes = (
        Attribute(name=key),
        Attribute(name=column, default=text, description=text, unique=True),
        Attribute(name=other, type=ColumnType.JSON),
    )
    thing = Entity(name=entity, table=table, title=text, key=(key,), id_template="{}", attributes=attributes)
    parent = Entity(
        name=entity + "2", table=table + "2", key=(), attributes=(Attribute(name=column, references=entity),)
    )
    same = Filter(column=column, value=arg(first), optional=True)
    steps: tuple[Step, ...] = (
        Insert(row=row, entity=entity, values=((column, arg(first)), (other, arg(second)))),
        Insert(row=row + "2", entity=entity + "2", values=((column, field(row, key)),)),
        Find(row=row, entity=entity, where=by_key(key, field(row, key)), missing=f"{text} {{{first}}} {{{row}.{column}}}"),
        Update(row=row, entity=entity, values=((other, const({text: [text]})), (column, arg(first))), when_given=(column,)),
        Refuse(when=apply("equal", arg(first), const(text + "no")), message=f"{text}{{{row}.{column}}}{{{first}}}{{{second}}}"),
        Select(
            rows=variable, entity=entity, search=((column,), const("")),
            where=(same, Filter(column=column, comparison="contains", value=arg(first), optional=True)),
            order=(Order(by=arg(second), allowed=((text, column),)),),
        ),
        Delete(entity=entity + "2", where=(Filter(column=column, comparison="starts_with", value=const(text), through=((column, entity),)),)),
        Log(),
        Return(value=Record(fields=((text, field(row, other)), (column, field(row, column)), ("all", Variable(name=variable))))),
    )  # fmt: skip
    parameters = tuple(Parameter(name=n, identifier=n, json_schema={}) for n in (first, second))
    made = Operation(
        tool=tool, function=tool, kind=OperationKind.CREATE, summary=text, parameters=parameters, steps=steps
    )
    return World(name=text, title=text, entities=(parent, thing), operations=(made,)), tool


def by_key(key: str, value: Expression) -> tuple[Filter, ...]:
    return (Filter(column=key, value=value),)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(NASTY, min_size=10, max_size=10, unique_by=lambda n: n.casefold()), NASTY)
def test_no_name_or_text_of_a_document_becomes_code(names: list[str], text: str) -> None:
    if names[1].lower().startswith(("sqlite_", "autoforge_")):
        return
    world, tool = nasty_world(names, text)
    source = tools_py(world)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module = load(source)
    reference, _ = nasty_world(
        ["entity", "table", "key", "column", "other", "first", "second", "row", "variable", "tool"], "text"
    )
    assert shape_of(source) == shape_of(tools_py(reference))
    first, second = (parameter_names(world.operations[0])[n] for n in names[5:7])
    connection = runtime.connect()
    try:
        connection.executescript(schema_sql(world) + "INSERT INTO autoforge_clock VALUES ('2026-03-02T09:00:00');")
        function = getattr(module, function_names(world)[tool])
        answer = runtime.call(connection, function, {first: "v'\";--", second: None})
        assert answer["all"] == [] or names[3] in answer["all"][0]
        assert connection.execute("SELECT tool, arguments FROM autoforge_log").fetchall() == [
            (tool, json.loads(json.dumps({names[5]: "v'\";--", names[6]: None})))
        ]
    finally:
        connection.close()


def shape_of(source: str) -> list[str]:
    """What a module is made of, without its names and literals."""
    kept = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            kept.append(f"call .{node.func.attr}")
        elif isinstance(
            node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.FunctionDef | ast.Raise | ast.For | ast.While
        ):
            kept.append(type(node).__name__)
    return sorted(kept)


@given(NASTY)
def test_an_identifier_is_legal_private_to_nobody_and_stable(text: str) -> None:
    name = identifier(text)
    assert name.isidentifier()
    assert name.isascii()
    assert not name.startswith("_")
    assert identifier(name) == name


def test_every_entity_of_the_shop_can_be_created_and_read_back(run_shop: Start) -> None:
    values: dict[str, tuple[tuple[str, Expression], ...]] = {
        "customer": (("name", const("n")),),
        "order": (("customer_id", const("CUS-001")), ("created_at", Now())),
        "order_item": (("order_id", const(C)), ("product", const("p")), ("quantity", const(2))),
    }
    for entity in (CUSTOMERS, ORDERS, ITEMS):
        row = run_shop(operation(*create(*values[entity.name], entity=entity.name))).call()
        assert list(row) == [a.name for a in entity.attributes]


FITTING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.sampled_from(["CUS-001", "ORD-0001", "ORD-0002", "pear", "pending", "5", "1,000", "zoe@example.org", 3]),
    st.lists(st.integers(0, 9) | st.text(max_size=2), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(0, 9), max_size=2),
)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from([CUSTOMERS, ORDERS, ITEMS]), st.booleans(), st.data())
def test_no_value_reaches_a_constraint_unguarded(entity: Entity, updates: bool, data: st.DataObject) -> None:
    names = [a.name for a in entity.attributes]
    optional = tuple(data.draw(st.lists(st.sampled_from(names), unique=True)))
    values = tuple((name, arg(name)) for name in names)
    insert = create(*values, entity=entity.name)
    find = Find(row="r", entity=entity.name, where=(), missing="Gone.")
    update = (
        find,
        Update(row="r", entity=entity.name, values=values, when_given=optional),
        Return(value=Variable(name="r")),
    )
    opened = Shop(shop(operation(*(update if updates else insert), parameters=tuple(parameter(n) for n in names))))
    try:
        for _ in range(3):
            before = opened.dump()
            try:
                row = opened.call(**{name: data.draw(FITTING) for name in names})
                assert list(row) == names
            except opened.module.ToolError:
                assert opened.dump() == before
    finally:
        opened.close()
